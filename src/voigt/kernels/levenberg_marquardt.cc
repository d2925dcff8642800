#include "voigt/kernels/levenberg_marquardt.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Of RLM, as in [Mylapilli & Jain 2014].
constexpr double kFirstDamping = 1e-3, kDampingFactor = 20, kLeastDamping = 1e-25;
constexpr double kPoorRatio = 0.3, kGoodRatio = 0.8;
// A step damped that much is too short for any digit of x.
constexpr double kLargestDamping = 1e16;

// Of PLM.
constexpr int kMemory = 8;        // points that decrease is asked for against
constexpr int kWatchdog = 6;      // iterations without a gain before it returns
constexpr double kGain = 0.9;     // of ‖Φ‖: what counts as one
constexpr double kArmijo = 1e-4;  // part of the decrease that the gradient foretells
constexpr double kLeastLength = 1e-10;
constexpr double kLeastProjectedDamping = 1e-16;
constexpr double kFirstDampingPart = 1e-3, kLeastDampingPart = 1e-8;  // of ‖Φ‖²

double LargestMagnitude(const Eigen::Ref<const VecX>& x) {
  return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff();
}

// Whether ‖Φ‖ still becomes smaller.
class HalvingWatch {
 public:
  HalvingWatch(int patience, double cost) : patience_(patience), cost_(cost) {}
  bool HasStagnated(double cost) {
    if (cost <= 0.25 * cost_) {
      cost_ = cost;
      waited_ = 0;
    }
    return waited_++ >= patience_;
  }

 private:
  int patience_, waited_ = 0;
  double cost_;
};

}  // namespace

LevenbergMarquardtResult LevenbergMarquardt::Solve(
    const LevenbergMarquardtSettings& settings, SquareSystem* system, std::span<const double> lower,
    std::span<const double> upper, Eigen::Ref<VecX> x, LevenbergMarquardtStats* stats) {
  const int size = system->size();
  for (KeptVector* v : {&phi_, &phi_trial_, &x_trial_, &step_, &gradient_, &best_x_}) {
    v->Resize(size);
  }
  J_.Resize(size, size);
  LevenbergMarquardtResult result;
  result.status = settings.variant == LevenbergMarquardtVariant::kRegular
                      ? SolveRegular(settings, system, x, stats)
                      : SolveProjected(settings, system, lower, upper, x, stats);
  result.residual = LargestMagnitude(phi_.get());
  return result;
}

double LevenbergMarquardt::Evaluate(SquareSystem* system, LevenbergMarquardtStats* stats) {
  ++stats->residuals;
  system->CalcResidual(x_trial_.get(), phi_trial_.get());
  const double cost = 0.5 * phi_trial_.get().squaredNorm();
  return std::isfinite(cost) ? cost : kInfinity;
}

bool LevenbergMarquardt::Linearize(SquareSystem* system, const Eigen::Ref<const VecX>& x,
                                   LevenbergMarquardtStats* stats) {
  ++stats->iterations;
  system->CalcJacobian(x, J_.get());
  if (!J_.get().allFinite()) return false;
  least_squares_.SetMatrix(J_.get());
  gradient_.get().noalias() = J_.get().transpose() * phi_.get();
  return true;
}

void LevenbergMarquardt::CalcStep(double lambda, LevenbergMarquardtStats* stats) {
  ++stats->factors;
  least_squares_.Factor(lambda);
  stats->orthogonal_factors += least_squares_.is_orthogonal();
  least_squares_.Solve(phi_.get(), step_.get());
  step_.get() = -step_.get();
}

LevenbergMarquardtStatus LevenbergMarquardt::SolveRegular(
    const LevenbergMarquardtSettings& settings, SquareSystem* system, Eigen::Ref<VecX> x,
    LevenbergMarquardtStats* stats) {
  x_trial_.get() = x;
  double cost = Evaluate(system, stats);
  phi_.get() = phi_trial_.get();
  if (!std::isfinite(cost)) return Status::kNotFinite;
  HalvingWatch watch(settings.patience, cost);
  double unit = 0, lambda = 0;
  for (int iteration = 0;; ++iteration) {
    if (LargestMagnitude(phi_.get()) <= settings.tolerance * settings.scale) {
      return Status::kConverged;
    }
    if (iteration == settings.max_iterations) return Status::kIterationLimit;
    if (settings.deadline.HasPassed()) return Status::kDeadline;
    if (watch.HasStagnated(cost)) return Status::kStagnated;
    // Trials leave the system elsewhere than at x.
    if (iteration > 0) system->CalcResidual(x, phi_.get());
    if (!Linearize(system, x, stats)) return Status::kNotFinite;
    if (iteration == 0) {
      unit = least_squares_.largest_diagonal();
      if (unit <= 0) unit = 1;
      lambda = kFirstDamping * unit;
    }
    // Shorter and shorter steps, until one is better than x.
    for (bool accepted = false; !accepted;) {
      CalcStep(lambda, stats);
      const auto step = step_.get();
      const double predicted = 0.5 * gradient_.get().dot(step) - 0.5 * lambda * step.squaredNorm();
      if (!(predicted < 0) || lambda > kLargestDamping * unit) return Status::kStagnated;
      x_trial_.get() = x + step;
      if (x_trial_.get() == x) return Status::kStagnated;
      const double trial_cost = Evaluate(system, stats);
      const double ratio = (trial_cost - cost) / predicted;
      if (!(ratio >= kPoorRatio)) lambda *= kDampingFactor;
      accepted = ratio > 0;
      if (!accepted) continue;
      x = x_trial_.get();
      phi_.get() = phi_trial_.get();
      cost = trial_cost;
      if (ratio > kGoodRatio) lambda = std::max(lambda / kDampingFactor, kLeastDamping * unit);
    }
  }
}

void LevenbergMarquardt::SetTrial(const Eigen::Ref<const VecX>& x, double length,
                                  std::span<const double> lower, std::span<const double> upper) {
  auto trial = x_trial_.get();
  trial = x + length * step_.get();
  for (size_t i = 0; i < lower.size(); ++i) {
    trial[static_cast<int>(i)] = std::clamp(trial[static_cast<int>(i)], lower[i], upper[i]);
  }
}

// A column of zeros leaves its variable where it is: λ > 0 does the rest.
bool LevenbergMarquardt::HoldPushed(std::span<const double> lower, std::span<const double> upper,
                                    const Eigen::Ref<const VecX>& x) {
  auto gradient = gradient_.get();
  bool any = false;
  for (int i = 0; i < static_cast<int>(lower.size()); ++i) {
    const bool pushed =
        (x[i] <= lower[i] && gradient[i] > 0) || (x[i] >= upper[i] && gradient[i] < 0);
    if (!pushed) continue;
    J_.get().col(i).setZero();
    gradient[i] = 0;
    any = true;
  }
  if (any) least_squares_.SetMatrix(J_.get());
  return any;
}

double LevenbergMarquardt::SearchBack(const Eigen::Ref<const VecX>& x, double reference,
                                      std::span<const double> lower, std::span<const double> upper,
                                      SquareSystem* system, LevenbergMarquardtStats* stats) {
  for (double length = 1; length >= kLeastLength; length *= 0.5) {
    SetTrial(x, length, lower, upper);
    const double slope = gradient_.get().dot(x_trial_.get() - x);
    if (!(slope < 0)) break;
    const double cost = Evaluate(system, stats);
    if (cost <= reference + kArmijo * slope) return cost;
  }
  return kInfinity;
}

double LevenbergMarquardt::FindProjected(const LevenbergMarquardtSettings& settings,
                                         const Eigen::Ref<const VecX>& x,
                                         std::span<const double> lower,
                                         std::span<const double> upper, SquareSystem* system,
                                         LevenbergMarquardtStats* stats) {
  const double size = std::min(1.0, LargestMagnitude(phi_.get()) / settings.scale);
  const double unit = least_squares_.largest_diagonal() > 0 ? least_squares_.largest_diagonal() : 1;
  const double lambda = unit * std::max(kLeastProjectedDamping, damping_ * size * size);
  CalcStep(lambda, stats);
  SetTrial(x, 1, lower, upper);
  const double whole = Evaluate(system, stats);
  if (whole <= kGain * kGain * cost_) {
    damping_ = std::max(kLeastDampingPart, 0.1 * damping_);
    return whole;
  }
  if (HoldPushed(lower, upper, x)) CalcStep(lambda, stats);
  damping_ = std::min(1.0, 10 * damping_);
  const double reference = is_strict_ ? cost_ : *std::max_element(recent_.begin(), recent_.end());
  return SearchBack(x, reference, lower, upper, system, stats);
}

LevenbergMarquardtStatus LevenbergMarquardt::SolveProjected(
    const LevenbergMarquardtSettings& settings, SquareSystem* system, std::span<const double> lower,
    std::span<const double> upper, Eigen::Ref<VecX> x, LevenbergMarquardtStats* stats) {
  step_.get().setZero();
  SetTrial(x, 0, lower, upper);
  x = x_trial_.get();
  cost_ = Evaluate(system, stats);
  phi_.get() = phi_trial_.get();
  if (!std::isfinite(cost_)) return Status::kNotFinite;
  HalvingWatch watch(settings.patience, cost_);
  best_x_.get() = x;
  recent_.assign(1, cost_);
  double best_cost = cost_;
  damping_ = kFirstDampingPart;
  is_strict_ = false;
  int waited = 0;
  auto status = Status::kStagnated;
  for (int iteration = 0;; ++iteration) {
    if (LargestMagnitude(phi_.get()) <= settings.tolerance * settings.scale) {
      return Status::kConverged;
    }
    status = iteration == settings.max_iterations ? Status::kIterationLimit
             : settings.deadline.HasPassed()      ? Status::kDeadline
                                                  : Status::kStagnated;
    if (status != Status::kStagnated || watch.HasStagnated(best_cost)) break;
    // Trials leave the system elsewhere than at x.
    if (iteration > 0) system->CalcResidual(x, phi_.get());
    if (!Linearize(system, x, stats)) break;
    const double found = FindProjected(settings, x, lower, upper, system, stats);
    const bool has_moved = std::isfinite(found);
    // No direction is left that descends.
    if (!has_moved && is_strict_ && cost_ == best_cost && damping_ >= 1) break;
    if (has_moved) {
      x = x_trial_.get();
      phi_.get() = phi_trial_.get();
      cost_ = found;
      if (recent_.size() == kMemory) recent_.erase(recent_.begin());
      recent_.push_back(cost_);
    }
    waited = cost_ <= kGain * kGain * best_cost ? 0 : waited + 1;
    if (waited == 0) is_strict_ = false;
    if (cost_ < best_cost) {
      best_cost = cost_;
      best_x_.get() = x;
    }
    if (has_moved && waited < kWatchdog) continue;
    // The watchdog: back to the best point, from where only descent is allowed until it gains.
    stats->watchdog_returns += cost_ > best_cost;
    x = best_x_.get();
    system->CalcResidual(x, phi_.get());
    cost_ = best_cost;
    recent_.assign(1, cost_);
    is_strict_ = true;
    waited = 0;
  }
  x = best_x_.get();
  system->CalcResidual(x, phi_.get());
  return status;
}

}  // namespace voigt
