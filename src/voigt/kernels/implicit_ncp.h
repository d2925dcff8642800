#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/implicit_ncp_system.h"
#include "voigt/kernels/kept_memory.h"
#include "voigt/kernels/levenberg_marquardt.h"

namespace voigt {

// u = A γ + q with the laws of the blocks, which fill the rows in order. A may be unsymmetric and
// of any rank; compliance is on its diagonal. A view: what it is made from has to outlive it.
struct ImplicitNcpProblem {
  Eigen::Ref<const MatX> A;
  Eigen::Ref<const VecX> q;
  std::span<const NcpBlock> blocks;

  int size() const { return static_cast<int>(q.size()); }
};

// What a unit of impulse is taken to be worth in velocity, s: z = u − s γ. It must be about that of
// A for the equations to be well conditioned.
enum class NcpScaling {
  kRows,  // per row, disc or group of free rows, the mean of A's diagonal there
  kNorm,  // ‖A‖ for all, the largest sum of magnitudes of a row
  kUnit,  // 1, as printed in [Mylapilli & Jain 2014]; for comparison
};

struct ImplicitNcpSettings {
  LevenbergMarquardtVariant variant = LevenbergMarquardtVariant::kRegular;
  NcpScaling scaling = NcpScaling::kRows;
  int max_iterations = 100;  // per attempt
  double tolerance = 1e-10;  // of the natural residual, relative to `scale`
  double scale = 0;          // velocity; 0: the largest |qᵢ| or |Aᵢᵢ γᵢ| of the result
  bool allow_restarts = true;
  Deadline deadline;
};

struct ImplicitNcpStats {
  LevenbergMarquardtStats lm;  // of all attempts together
  int attempts = 0;
  // What was done where an attempt stalled, in this order:
  int variant_changes = 0;  // attempts by the other variant, PLM for RLM
  int sweeps = 0;           // of Gauss and Seidel, to begin anew behind a kink
  int proximal_steps = 0;   // solutions with a proximal term
  int friction_steps = 0;   // solutions with less friction
};

struct ImplicitNcpResult {
  bool converged = false;
  double residual = kNaN;  // CalcNcpNaturalResidual of the result
  double scale = kNaN;     // that the tolerance is relative to
  LevenbergMarquardtStatus status = LevenbergMarquardtStatus::kNotFinite;  // of the best attempt
};

// Velocity: the largest s|γ − Proj(γ − u/s)| with s = diag A, the rows of a disc together with the
// mean of their s and its radius μ γₙ. u is filled with A γ + q.
double CalcNcpNaturalResidual(const ImplicitNcpProblem& problem,
                              const Eigen::Ref<const VecX>& gamma, Eigen::Ref<VecX> u);

// Contact with the exact friction cone by the equations of implicit_ncp_system.h, solved by
// Levenberg and Marquardt's method, RLM or PLM (z is free, so that PLM has no bounds here).
//
// Units: with d = 1/√s, the problem d A d, d q in γ/d is solved, with μ dₙ/d_t; for one s it is the
// same as v = s F + z in the problem's own units, with equations weighted by d.
//
// Coulomb's law has kinks at which ‖Φ‖ may have minima that are no solutions. From there the method
// begins anew: by the other variant, which takes another way; behind some sweeps of Gauss and
// Seidel's method; along proximal steps, which make A definite; by way of less friction. Everything
// is counted. What is returned is the point of the least natural residual met.
class ImplicitNcp {
 public:
  // gamma: start and result.
  ImplicitNcpResult Solve(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                          Eigen::Ref<VecX> gamma, ImplicitNcpStats* stats);

 private:
  void ScaleProblem(const ImplicitNcpProblem& problem, NcpScaling scaling);
  // Solves from the scaled impulses gamma_; returns whether the tolerance is met.
  bool Attempt(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
               LevenbergMarquardtVariant variant, ImplicitNcpStats* stats);
  LevenbergMarquardtStatus Minimize(const ImplicitNcpSettings& settings,
                                    LevenbergMarquardtVariant variant, ImplicitNcpStats* stats);
  void MinimizeByEither(const ImplicitNcpSettings& settings, ImplicitNcpStats* stats);
  void Sweep();
  void SweepCone(const NcpBlock& block);
  bool TrySweeps(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                 ImplicitNcpStats* stats);
  bool TryOtherVariant(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                       ImplicitNcpStats* stats);
  bool TryProximal(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                   ImplicitNcpStats* stats);
  bool TryLessFriction(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                       ImplicitNcpStats* stats);

  LevenbergMarquardt method_;
  ImplicitNcpSystem system_;
  // Scaled:
  KeptMatrix A_;
  KeptVector q_, d_;
  std::vector<NcpBlock> blocks_, whole_;  // whole_: with all of their friction
  KeptVector z_, gamma_, start_, best_;
  KeptVector u_;  // of the natural residual, in the problem's own units
  ImplicitNcpResult result_;
};

}  // namespace voigt
