#pragma once

#include <span>
#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/damped_least_squares.h"

namespace voigt {

// Φ(x) = 0, as many equations as unknowns. Φ may have kinks.
class SquareSystem {
 public:
  virtual ~SquareSystem() = default;
  virtual int size() const = 0;
  virtual void CalcResidual(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> phi) = 0;
  // One element of the generalised Jacobian at x, which is ∂Φ/∂x where there is one. x is that of
  // the last CalcResidual.
  virtual void CalcJacobian(const Eigen::Ref<const VecX>& x, Eigen::Ref<MatX> J) = 0;
};

enum class LevenbergMarquardtVariant {
  kRegular,    // RLM: damping by the ratio of actual to predicted decrease; knows no bounds
  kProjected,  // PLM: small damping, steps projected onto bounds, line search and watchdog
};

constexpr LevenbergMarquardtVariant OtherVariant(LevenbergMarquardtVariant variant) {
  return variant == LevenbergMarquardtVariant::kRegular ? LevenbergMarquardtVariant::kProjected
                                                        : LevenbergMarquardtVariant::kRegular;
}

struct LevenbergMarquardtSettings {
  LevenbergMarquardtVariant variant = LevenbergMarquardtVariant::kRegular;
  int max_iterations = 200;
  int patience = 20;         // iterations in which the residual must have halved, or it stagnates
  double tolerance = 1e-14;  // of the largest |Φᵢ|, relative to `scale`
  double scale = 1;          // unit of Φ
  Deadline deadline;
};

enum class LevenbergMarquardtStatus {
  kConverged,
  kStagnated,  // a stationary point of ‖Φ‖, a kink that cannot be passed, or rounding
  kIterationLimit,
  kDeadline,
  kNotFinite,  // Φ or its Jacobian at the start
};

struct LevenbergMarquardtStats {
  int iterations = 0;  // Jacobians
  int residuals = 0;
  int factors = 0;
  int orthogonal_factors = 0;  // of those, where normal equations would have been too rough
  int watchdog_returns = 0;    // to the best point met
};

struct LevenbergMarquardtResult {
  LevenbergMarquardtStatus status = LevenbergMarquardtStatus::kNotFinite;
  double residual = kNaN;  // the largest |Φᵢ| at x
  bool converged() const { return status == LevenbergMarquardtStatus::kConverged; }
};

// Least ½‖Φ‖² by the two methods of [Mylapilli & Jain 2014], (JᵀJ + λ I) Δx = −JᵀΦ:
//
// RLM. Starts with λ = 1e-3, in units of the largest diagonal entry of JᵀJ at the start, so that
//   units do not matter. λ is multiplied by 20 where the decrease is below 0.3 of what the
//   quadratic model foretold, divided by 20 where it is above 0.8; no step that increases ‖Φ‖.
//
// PLM. λ falls with ‖Φ‖², which keeps convergence quadratic also where J has no full rank at the
//   solution [Fan & Yuan 2005]. The whole step, projected onto the bounds, is taken if it makes ‖Φ‖
//   smaller by a tenth. If not, the step is computed once more with the variables held that sit at
//   a bound and are pushed against it, and searched backwards along its projection, which is a
//   direction of descent [Bertsekas 1982]. Decrease is asked for against the worst of the last few
//   points [Grippo, Lampariello & Lucidi 1986]; a watchdog returns to the best point, and decrease
//   becomes strict, where nothing was gained for some iterations.
class LevenbergMarquardt {
 public:
  // x: start (for PLM, moved to the bounds) and result, the best point met. lower, upper: of the
  // variables, infinite where there is none, for PLM; or empty.
  LevenbergMarquardtResult Solve(const LevenbergMarquardtSettings& settings, SquareSystem* system,
                                 std::span<const double> lower, std::span<const double> upper,
                                 Eigen::Ref<VecX> x, LevenbergMarquardtStats* stats);

 private:
  using Status = LevenbergMarquardtStatus;
  Status SolveRegular(const LevenbergMarquardtSettings& settings, SquareSystem* system,
                      Eigen::Ref<VecX> x, LevenbergMarquardtStats* stats);
  Status SolveProjected(const LevenbergMarquardtSettings& settings, SquareSystem* system,
                        std::span<const double> lower, std::span<const double> upper,
                        Eigen::Ref<VecX> x, LevenbergMarquardtStats* stats);
  // Φ and ½‖Φ‖² at x_trial_; infinite where they are not finite.
  double Evaluate(SquareSystem* system, LevenbergMarquardtStats* stats);
  // J, JᵀJ and the gradient JᵀΦ at x; false where J is not finite.
  bool Linearize(SquareSystem* system, const Eigen::Ref<const VecX>& x,
                 LevenbergMarquardtStats* stats);
  void CalcStep(double lambda, LevenbergMarquardtStats* stats);
  void SetTrial(const Eigen::Ref<const VecX>& x, double length, std::span<const double> lower,
                std::span<const double> upper);
  // Takes variables out of J that are pushed against their bound; whether there were any.
  bool HoldPushed(std::span<const double> lower, std::span<const double> upper,
                  const Eigen::Ref<const VecX>& x);
  // A point along the projected step that is low enough against `reference`; infinite if none.
  double SearchBack(const Eigen::Ref<const VecX>& x, double reference,
                    std::span<const double> lower, std::span<const double> upper,
                    SquareSystem* system, LevenbergMarquardtStats* stats);

  // Leaves the next point of PLM in x_trial_; ½‖Φ‖² there, infinite if none was found.
  double FindProjected(const LevenbergMarquardtSettings& settings, const Eigen::Ref<const VecX>& x,
                       std::span<const double> lower, std::span<const double> upper,
                       SquareSystem* system, LevenbergMarquardtStats* stats);

  DampedLeastSquares least_squares_;
  KeptMatrix J_;
  KeptVector phi_, phi_trial_, x_trial_, step_, gradient_, best_x_;
  // Of PLM: ½‖Φ‖² at x and of the last points, λ relative to ‖Φ‖², whether all must descend.
  double cost_ = 0, damping_ = 0;
  std::vector<double> recent_;
  bool is_strict_ = false;
};

}  // namespace voigt
