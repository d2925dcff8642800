#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reproduce/ode_methods.h"
#include "voigt/math/types.h"

namespace voigt::reproduce {
namespace {

// Of [Shampine & Reichelt 1997], order 1.
constexpr double kKappa = -0.185;
constexpr double kErrorFactor = kKappa + 0.5;  // of the last difference: the local error
constexpr int kNewtonIterations = 4;

// State, last difference and matrices of an integration in progress.
class Ndf1 {
 public:
  Ndf1(const OdeRate& rate, const OdeState& start, double until, const OdeSettings& settings)
      : rate_(rate),
        settings_(settings),
        until_(until),
        n_(static_cast<int>(start.size())),
        dy_(start.size()) {
    out_.y = start;
    y_ = Eigen::Map<const VecX>(start.data(), n_);
    const VecX f = Rate(0, y_);
    // A first step of the size of the tolerance.
    const double speed = Norm(f, y_);
    h_ = std::min(settings.largest_step, until);
    if (h_ * 1.25 * speed > std::sqrt(settings.relative)) {
      h_ = std::sqrt(settings.relative) / (1.25 * speed);
    }
    last_ = h_ * f;
    UpdateJacobian(f);
  }

  OdeRun Run() {
    while (t_ < until_) Step();
    out_.y.assign(y_.data(), y_.data() + n_);
    return out_;
  }

 private:
  VecX Rate(double t, const VecX& y) {
    ++out_.evaluations;
    const OdeState state(y.data(), y.data() + n_);
    rate_(t, state, &dy_);
    return Eigen::Map<const VecX>(dy_.data(), n_);
  }

  // Largest entry of x beside those of y.
  double Norm(const VecX& x, const VecX& y) const {
    const double threshold = settings_.absolute / settings_.relative;
    return (x.array().abs() / y.array().abs().max(threshold)).maxCoeff();
  }

  void UpdateJacobian(const VecX& f) {
    J_.resize(n_, n_);
    for (int k = 0; k < n_; ++k) {
      VecX y = y_;
      y[k] += settings_.difference;
      J_.col(k) = (Rate(t_, y) - f) / (y[k] - y_[k]);
    }
    is_fresh_ = true;
    ++out_.jacobians;
    Factor();
  }

  void Factor() { lu_.compute((1 - kKappa) * MatX::Identity(n_, n_) - h_ * J_); }

  void SetStep(double h) {
    last_ *= h / h_;
    h_ = h;
    steps_at_h_ = 0;
    Factor();
  }

  // (1 − κ) d = h f(t + h, y⁰ + d) − last, by Newton's method with an old Jacobian.
  bool Solve(const VecX& guess) {
    d_.setZero(n_);
    double before = 0, rate = 0;
    for (int k = 0; k < kNewtonIterations; ++k) {
      const VecX residual = h_ * Rate(t_ + h_, guess + d_) - last_ - (1 - kKappa) * d_;
      const VecX change = lu_.solve(residual);
      d_ += change;
      const double size = Norm(change, guess + d_);
      if (!std::isfinite(size)) return false;
      if (size <= 1e-14) return true;
      if (k > 0) {
        rate = std::max(0.9 * rate, size / before);
        if (rate >= 0.9) return false;
        const double left = size * rate / (1 - rate);
        if (left <= 0.05 * settings_.relative) return true;
        if (left * std::pow(rate, kNewtonIterations - 1 - k) > 0.05 * settings_.relative) {
          return false;
        }
      }
      before = size;
    }
    return false;
  }

  void Step() {
    if (t_ + h_ > until_) SetStep(until_ - t_);
    const VecX guess = y_ + last_;
    if (!Solve(guess)) {
      ++out_.rejected;
      if (is_fresh_) {
        Shrink(0.3 * h_);
      } else {
        UpdateJacobian(Rate(t_, y_));
      }
      return;
    }
    const VecX y = guess + d_;
    const double error = kErrorFactor * Norm(d_, y.cwiseAbs().cwiseMax(y_.cwiseAbs()));
    if (error > settings_.relative) {
      ++out_.rejected;
      Shrink(h_ * std::clamp(0.833 * std::sqrt(settings_.relative / error), 0.1, 0.5));
      return;
    }
    Accept(y, error);
  }

  void Shrink(double h) {
    if (!(h > 1e-15 * std::max(t_, 1e-3))) {
      throw std::runtime_error("steps became too small");
    }
    SetStep(h);
  }

  void Accept(const VecX& y, double error) {
    t_ = until_ - t_ - h_ < 1e-14 * until_ ? until_ : t_ + h_;
    last_ += d_;
    y_ = y;
    is_fresh_ = false;
    ++out_.steps;
    if (++steps_at_h_ < 3 || t_ == until_) return;
    const double growth = 1 / std::max(1.2 * std::sqrt(error / settings_.relative), 0.1);
    const double h = std::min(h_ * growth, settings_.largest_step);
    if (h > h_) SetStep(h);
  }

  const OdeRate& rate_;
  OdeSettings settings_;
  double until_, t_ = 0, h_ = 0;
  int n_, steps_at_h_ = 0;
  bool is_fresh_ = false;
  OdeState dy_;
  OdeRun out_;
  VecX y_, last_, d_;  // the state, its last difference, and what that changes by
  MatX J_;
  Eigen::PartialPivLU<MatX> lu_;
};

}  // namespace

OdeRun IntegrateImplicitly(const OdeRate& rate, const OdeState& start, double until,
                           const OdeSettings& settings) {
  return Ndf1(rate, start, until, settings).Run();
}

}  // namespace voigt::reproduce
