#pragma once

#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/complementarity.h"
#include "voigt/kernels/fischer_burmeister_system.h"

namespace voigt {

struct FischerBurmeisterSettings {
  LevenbergMarquardtVariant variant = LevenbergMarquardtVariant::kRegular;
  int max_iterations = 200;  // per attempt
  double tolerance = 1e-10;  // of the natural residual of complementarity.h
  double proximal = 0;       // ε to begin with, N having entries of about 1; 0: only after a stall
  bool allow_restarts = true;
  Deadline deadline;
};

struct FischerBurmeisterStats {
  LevenbergMarquardtStats lm;  // of all attempts together
  int attempts = 0;
  int refinements = 0;  // that made the residual smaller
  // What was done where an attempt stalled, in this order:
  int variant_changes = 0;  // attempts by the other variant, PLM for RLM
  int proximal_steps = 0;   // solutions with a proximal term
  int sweeps = 0;           // of Gauss and Seidel
};

struct FischerBurmeisterResult {
  ComplementarityStatus status = ComplementarityStatus::kFailed;
  double residual = kNaN;            // CalcComplementarityResidual of the result
  double residual_unrefined = kNaN;  // as Levenberg and Marquardt left it, of the best attempt
};

// Boxed linear complementarity problems by the equations of fischer_burmeister_system.h and
// Levenberg and Marquardt's method, RLM or PLM (with the box as bounds).
//
// N is brought to a diagonal and largest entries of about 1 (E N D, w ← E w, z ← z/D; the
// conditions do not change), since φ adds z to w. At the end of an attempt, and twice on its way,
// the conditions that hold at z are taken as known, and the linear system of the rows with w = 0 is
// solved, which removes what φ's curvature near its kinks leaves; that is kept only where the
// residual becomes smaller.
//
// Where N is of no class for which all stationary points of ‖Φ‖ are solutions (friction), or has no
// full rank, an attempt may stall. Then it begins anew: by the other variant; along proximal steps,
// N + ε I with ε to zero and the last solution as centre; behind sweeps. The last attempt is always
// without the proximal term, and the residual is that of the problem as it was given.
class FischerBurmeister {
 public:
  // z: start and result, the point of the least natural residual met, within the box.
  FischerBurmeisterResult Solve(const ComplementarityProblem& problem,
                                const FischerBurmeisterSettings& settings, Eigen::Ref<VecX> z,
                                FischerBurmeisterStats* stats);

 private:
  void ScaleProblem(const ComplementarityProblem& problem);
  void Equilibrate();
  LevenbergMarquardtStatus Minimize(const FischerBurmeisterSettings& settings, double tolerance,
                                    int max_iterations, FischerBurmeisterStats* stats);
  // From the scaled z_; returns whether the tolerance is met.
  bool Attempt(const ComplementarityProblem& problem, const FischerBurmeisterSettings& settings,
               FischerBurmeisterStats* stats);
  // Refines z_ and keeps it if it is the best so far; whether the tolerance is met. unrefined_ is
  // z_ as it was.
  bool Judge(const ComplementarityProblem& problem, const FischerBurmeisterSettings& settings,
             LevenbergMarquardtStatus status, FischerBurmeisterStats* stats);
  double CalcTrueResidual(const ComplementarityProblem& problem);
  void Refine();
  bool TryOtherVariant(const ComplementarityProblem& problem,
                       const FischerBurmeisterSettings& settings, FischerBurmeisterStats* stats);
  bool TryProximal(const ComplementarityProblem& problem, double epsilon,
                   const FischerBurmeisterSettings& settings, FischerBurmeisterStats* stats);
  bool TrySweeps(const ComplementarityProblem& problem, const FischerBurmeisterSettings& settings,
                 FischerBurmeisterStats* stats);

  LevenbergMarquardt method_;
  FischerBurmeisterSystem system_;
  DampedLeastSquares least_squares_;
  // Scaled:
  KeptMatrix N_;
  KeptVector q_, lower_, upper_, z_, start_, best_;
  KeptVector E_, D_;
  KeptMatrix N_inside_;
  KeptVector w_inside_, step_;
  std::vector<int> inside_;
  KeptVector w_, true_z_, unrefined_;
  FischerBurmeisterResult result_;
};

}  // namespace voigt
