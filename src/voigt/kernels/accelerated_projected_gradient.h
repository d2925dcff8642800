#pragma once

#include <functional>
#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/complementarity.h"

namespace voigt {

// min ½ zᵀNz + qᵀz with lower ≤ z ≤ upper, N symmetric and positive semidefinite: a boxed
// complementarity problem of which only products with N are asked for.
struct BoxQuadraticProgram {
  std::function<void(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> Nx)> multiply;
  // Positive, near the diagonal of N: the metric in which steps are made. Ones if null.
  const VecX* diagonal = nullptr;
  Eigen::Ref<const VecX> q, lower, upper;

  int size() const { return static_cast<int>(q.size()); }
};

struct ProjectedGradientSettings {
  int max_iterations = 1000;
  double tolerance = 1e-10;  // of the residual, relative
  Deadline deadline;
};

struct ProjectedGradientStats {
  int iterations = 0;
  int restarts = 0;   // of the momentum
  int shortened = 0;  // steps that were too long for the estimate of L
};

struct ProjectedGradientResult {
  ComplementarityStatus status = ComplementarityStatus::kFailed;
  // max_i s_i |z_i − clamp(z_i − w_i/s_i)| / max_i (|q_i|, |(Nz)_i|), s = L D with L the largest
  // eigenvalue met of D⁻¹N: zero exactly at solutions. Of z, whatever the status.
  double residual = kNaN;
};

// Nesterov's accelerated gradient, projected onto the box, one product an iteration. Momentum
// starts anew where it points uphill [O'Donoghue & Candès 2015]; the step length follows the
// largest curvature met so far. Needs no factor: for large problems of moderate accuracy.
class AcceleratedProjectedGradient {
 public:
  // z: start (put into the box) and result, the best point met.
  ProjectedGradientResult Solve(const BoxQuadraticProgram& program,
                                const ProjectedGradientSettings& settings, Eigen::Ref<VecX> z,
                                ProjectedGradientStats* stats);

 private:
  void Step(const BoxQuadraticProgram& program, double L);
  bool Extrapolate(double momentum);
  double CalcResidual(const BoxQuadraticProgram& program, double L) const;

  // The point, the one before, and the one that steps start from; their products with N.
  std::vector<double> x_, x_before_, y_, Nx_, Nx_before_, Ny_, D_;
};

}  // namespace voigt
