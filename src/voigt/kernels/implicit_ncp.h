#pragma once

#include <vector>

#include "voigt/kernels/implicit_ncp_system.h"
#include "voigt/kernels/kept_memory.h"
#include "voigt/kernels/levenberg_marquardt.h"

namespace voigt {

// u = A γ + q with the laws of the blocks, which fill the rows in order. A may be unsymmetric and
// of any rank; compliance is on its diagonal.
struct ImplicitNcpProblem {
  KeptMatrix A;
  KeptVector q;
  std::vector<NcpBlock> blocks;

  void Resize(int size) {
    A.Resize(size, size);
    q.Resize(size);
    blocks.clear();
  }
  int size() const { return static_cast<int>(q.get().size()); }
};

// What a unit of impulse is taken to be worth in velocity, s: z = u − s γ. It must be about that of
// A for the equations to be well conditioned.
enum class NcpScaling {
  kBlock,  // per block, the mean of A's diagonal there
  kNorm,   // ‖A‖ for all, the largest sum of magnitudes of a row
  kUnit,   // 1, as printed in [Mylapilli & Jain 2014]; for comparison
};

struct ImplicitNcpSettings {
  LevenbergMarquardtVariant variant = LevenbergMarquardtVariant::kRegular;
  NcpScaling scaling = NcpScaling::kBlock;
  int max_iterations = 100;  // per attempt
  double tolerance = 1e-10;  // of the natural residual, relative to `scale`
  double scale = 0;          // velocity; 0: the largest |q|
  bool allow_restarts = true;
  Deadline deadline;
};

struct ImplicitNcpStats {
  LevenbergMarquardtStats lm;  // of all attempts together
  int attempts = 0;
  // What was done where an attempt stalled, in this order:
  int sweeps = 0;          // of Gauss and Seidel, to begin anew behind a kink
  int proximal_steps = 0;  // solutions with a proximal term
  int friction_steps = 0;  // solutions with less friction
};

struct ImplicitNcpResult {
  bool converged = false;
  double residual = kNaN;  // CalcNcpNaturalResidual of the result
  double scale = kNaN;     // that the tolerance is relative to
  LevenbergMarquardtStatus status = LevenbergMarquardtStatus::kNotFinite;  // of the best attempt
};

// Velocity: the largest s|γ − Proj(γ − u/s)| with s = diag A, tangents of a contact together with
// the mean of their s and the disc of radius μ γₙ. u is filled with A γ + q.
double CalcNcpNaturalResidual(const ImplicitNcpProblem& problem,
                              const Eigen::Ref<const VecX>& gamma, Eigen::Ref<VecX> u);

// Contact with the exact friction cone by the equations of implicit_ncp_system.h, solved by
// Levenberg and Marquardt's method, RLM or PLM (z is free, so that PLM has no bounds here).
//
// Units: with d = 1/√s per block, the problem d A d, d q in γ/d is solved, which is the same as v =
// s F + z [Mylapilli & Jain 2014, corrected] with equations weighted by d. The laws do not change.
//
// Coulomb's law has kinks at which ‖Φ‖ may have minima that are no solutions. From there the method
// begins anew: behind some sweeps of Gauss and Seidel's method; then along proximal steps, which
// make A definite; then by way of less friction. Everything is counted. What is returned is the
// point of the least natural residual met.
class ImplicitNcp {
 public:
  // gamma: start and result.
  ImplicitNcpResult Solve(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
                          Eigen::Ref<VecX> gamma, ImplicitNcpStats* stats);

 private:
  void ScaleProblem(const ImplicitNcpProblem& problem, NcpScaling scaling);
  // Solves from the scaled impulses gamma_; returns whether the tolerance is met.
  bool Attempt(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
               ImplicitNcpStats* stats);
  LevenbergMarquardtStatus Minimize(const ImplicitNcpSettings& settings, int max_iterations,
                                    ImplicitNcpStats* stats);
  void Sweep();
  bool TrySweeps(const ImplicitNcpProblem& problem, const ImplicitNcpSettings& settings,
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
  std::vector<NcpBlock> blocks_;
  KeptVector z_, gamma_, best_;
  KeptVector u_;  // of the natural residual, in the problem's own units
  ImplicitNcpResult result_;
};

}  // namespace voigt
