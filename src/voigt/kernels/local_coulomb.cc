#include "voigt/kernels/local_coulomb.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// γ = −W⁻¹ q, if it is finite and inside the cone.
template <int n>
bool Stick(const double* W_, const double* q_, double mu, double* gamma) {
  using Mat = Eigen::Matrix<double, n, n, Eigen::RowMajor>;
  using Vec = Eigen::Matrix<double, n, 1>;
  const Eigen::LDLT<Eigen::Matrix<double, n, n>> factor(Eigen::Map<const Mat>{W_});
  if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0)) return false;
  const Vec x = factor.solve(-Eigen::Map<const Vec>(q_));
  if (!x.allFinite()) return false;
  if (n > 1 && !(x.template tail<n - 1>().norm() <= mu * x[0])) return false;
  Eigen::Map<Vec>{gamma} = x;
  return true;
}

// Sliding of a contact with two tangents along e = (cos θ, sin θ).
class Sliding {
 public:
  Sliding(const double* W, const double* q, double mu) : W_(W), q_(q), mu_(mu) {}

  // e⊥ · u_t, times the positive denominator of γ₀: zero where slip and friction are in line.
  double Mismatch(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    const double denominator = Denominator(c, s);
    const double u1 = denominator * q_[1] - q_[0] * (W_[3] - mu_ * (W_[4] * c + W_[5] * s));
    const double u2 = denominator * q_[2] - q_[0] * (W_[6] - mu_ * (W_[7] * c + W_[8] * s));
    return c * u2 - s * u1;
  }

  // The impulse at an angle, if it pushes and opposes the slip.
  bool Accept(double angle, double* gamma) const {
    const double c = std::cos(angle), s = std::sin(angle);
    const double denominator = Denominator(c, s);
    if (!(denominator > 0)) return false;
    const double n = -q_[0] / denominator;
    const double x[3] = {n, -mu_ * n * c, -mu_ * n * s};
    double u[3];
    for (int i = 1; i < 3; ++i) {
      u[i] = q_[i];
      for (int j = 0; j < 3; ++j) u[i] += W_[3 * i + j] * x[j];
    }
    if (!(c * u[1] + s * u[2] >= 0) || !std::isfinite(n)) return false;
    std::copy(x, x + 3, gamma);
    return true;
  }

  // The root between two angles with opposite signs; bisection with secants (Illinois).
  double FindRoot(double low, double f_low, double high, double f_high) const {
    int side = 0;
    for (int i = 0; i < 100 && std::fabs(high - low) > 1e-16 * (1 + std::fabs(low)); ++i) {
      double middle = (low * f_high - high * f_low) / (f_high - f_low);
      if (!(middle > std::min(low, high) && middle < std::max(low, high))) {
        middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
      }
      const double f = Mismatch(middle);
      if (f == 0) return middle;
      if ((f > 0) == (f_high > 0)) {
        high = middle, f_high = f;
        if (side == 1) f_low *= 0.5;
        side = 1;
      } else {
        low = middle, f_low = f;
        if (side == -1) f_high *= 0.5;
        side = -1;
      }
    }
    return std::fabs(f_low) < std::fabs(f_high) ? low : high;
  }

 private:
  double Denominator(double c, double s) const { return W_[0] - mu_ * (W_[1] * c + W_[2] * s); }

  const double* W_;
  const double* q_;
  double mu_;
};

// All directions, sampled finely enough for a polynomial with four roots at most.
bool SlideInSpace(const double* W, const double* q, double mu, double* gamma) {
  constexpr int kSamples = 32;
  const Sliding sliding(W, q, mu);
  const double start = std::hypot(gamma[1], gamma[2]) > 0 ? std::atan2(-gamma[2], -gamma[1])
                                                          : std::atan2(q[2], q[1]);
  double best_distance = kInfinity, best[3] = {};
  const auto consider = [&](double angle) {
    double x[3];
    if (!sliding.Accept(angle, x)) return;
    double distance = 0;
    for (int i = 0; i < 3; ++i) distance = std::hypot(distance, x[i] - gamma[i]);
    if (distance >= best_distance) return;
    best_distance = distance;
    std::copy(x, x + 3, best);
  };
  // Half a sample off the start, so that a root there lies inside an interval.
  const double step = 2 * kPi / kSamples;
  double angle = start - 0.5 * step, f = sliding.Mismatch(angle);
  for (int i = 0; i < kSamples; ++i) {
    const double next = angle + step, f_next = sliding.Mismatch(next);
    if ((f > 0) != (f_next > 0)) consider(sliding.FindRoot(angle, f, next, f_next));
    angle = next;
    f = f_next;
  }
  if (best_distance == kInfinity) return false;
  std::copy(best, best + 3, gamma);
  return true;
}

bool SlideInThePlane(const double* W, const double* q, double mu, double* gamma) {
  double best_distance = kInfinity, best[2] = {};
  for (const double e : {1.0, -1.0}) {
    const double denominator = W[0] - mu * W[1] * e;
    const double n = -q[0] / denominator, slip = q[1] + n * (W[2] - mu * W[3] * e);
    if (!(denominator > 0) || !(e * slip >= 0) || !std::isfinite(n)) continue;
    const double distance = std::hypot(n - gamma[0], -mu * n * e - gamma[1]);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best[0] = n;
    best[1] = -mu * n * e;
  }
  if (best_distance == kInfinity) return false;
  std::copy(best, best + 2, gamma);
  return true;
}

}  // namespace

bool SolveLocalCoulomb(int row_count, const double* W, const double* q, double mu, double* gamma) {
  if (q[0] >= 0) {
    std::fill(gamma, gamma + row_count, 0.0);
    return true;
  }
  if (row_count == 1 || mu == 0) {
    if (!(W[0] > 0)) return false;
    std::fill(gamma, gamma + row_count, 0.0);
    gamma[0] = -q[0] / W[0];
    return true;
  }
  if (row_count == 2) return Stick<2>(W, q, mu, gamma) || SlideInThePlane(W, q, mu, gamma);
  return Stick<3>(W, q, mu, gamma) || SlideInSpace(W, q, mu, gamma);
}

}  // namespace voigt
