#include "voigt/kernels/projected_gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"

namespace voigt {

ProjectedGaussSeidelResult ProjectedGaussSeidel::Solve(const ComplementarityProblem& problem,
                                                       const ProjectedGaussSeidelSettings& settings,
                                                       Eigen::Ref<VecX> z,
                                                       ProjectedGaussSeidelStats* stats) {
  VOIGT_CHECK(z.size() == problem.size());
  VOIGT_CHECK(settings.relaxation > 0 && settings.relaxation < 2);
  *stats = ProjectedGaussSeidelStats();
  if (!IsWellPosed(problem) || !z.allFinite()) return {};
  z = z.cwiseMax(problem.lower).cwiseMin(problem.upper);
  w_.resize(problem.size());
  Eigen::Map<VecX> w(w_.data(), problem.size());

  // The residual costs as much as a sweep, so it is looked at when the changes of a sweep have
  // fallen by half since the last time, and it renews w.
  double residual = CalcComplementarityResidual(problem, z, w), threshold = kInfinity;
  while (residual > settings.tolerance && stats->sweeps < settings.max_sweeps &&
         !settings.deadline.HasPassed()) {
    const double change = Sweep(problem, settings.relaxation, z);
    ++stats->sweeps;
    if (change > threshold && stats->sweeps < settings.max_sweeps) continue;
    threshold = change / 2;
    residual = CalcComplementarityResidual(problem, z, w);
  }
  if (residual > settings.tolerance) residual = CalcComplementarityResidual(problem, z, w);
  const bool is_solved = residual <= settings.tolerance;
  return {is_solved ? ComplementarityStatus::kSolved : ComplementarityStatus::kIterationLimit,
          residual};
}

// The largest change, in units of w.
double ProjectedGaussSeidel::Sweep(const ComplementarityProblem& problem, double relaxation,
                                   Eigen::Ref<VecX> z) {
  double largest = 0;
  for (int i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i], diagonal = problem.N(i, i);
    double next = z[i];
    if (diagonal > 0) {
      next = std::min(std::max(z[i] - relaxation * w_[i] / diagonal, lower), upper);
    } else if (w_[i] > 0 && lower != -kInfinity) {
      next = lower;
    } else if (w_[i] < 0 && upper != kInfinity) {
      next = upper;
    }
    const double change = next - z[i];
    if (change == 0) continue;
    z[i] = next;
    const double* __restrict column = problem.N.col(i).data();
    double* __restrict w = w_.data();
    for (int k = 0; k < problem.size(); ++k) w[k] += change * column[k];
    largest = std::max(largest, std::abs(change * diagonal));
  }
  return largest;
}

}  // namespace voigt
