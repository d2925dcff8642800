#pragma once

#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/complementarity.h"

namespace voigt {

struct ProjectedGaussSeidelSettings {
  int max_sweeps = 1000;
  double tolerance = 1e-10;  // of the residual (CalcComplementarityResidual)
  double relaxation = 1;     // in (0, 2)
  Deadline deadline;
};

struct ProjectedGaussSeidelStats {
  int sweeps = 0;
};

struct ProjectedGaussSeidelResult {
  ComplementarityStatus status = ComplementarityStatus::kFailed;
  double residual = kNaN;  // of z, whatever the status
};

// Row after row, z_i ← clamp(z_i − ω w_i/N_ii), again and again. Converges where N is symmetric and
// positive semidefinite with a positive diagonal and a solution exists, and for some others
// (strictly diagonally dominant ones); slowly where N is ill-conditioned. A row whose N_ii is not
// positive goes to the end of its bounds that the sign of w asks for, where that is finite, and
// stays otherwise.
//
// w is kept up to date column by column: rows that stay at their bounds cost nothing.
class ProjectedGaussSeidel {
 public:
  // z: start (put into the box) and result.
  ProjectedGaussSeidelResult Solve(const ComplementarityProblem& problem,
                                   const ProjectedGaussSeidelSettings& settings, Eigen::Ref<VecX> z,
                                   ProjectedGaussSeidelStats* stats);

 private:
  double Sweep(const ComplementarityProblem& problem, double relaxation, Eigen::Ref<VecX> z);

  std::vector<double> w_;
};

}  // namespace voigt
