#include "voigt/formulations/mlcp/fischer_burmeister_method.h"

namespace voigt {

FischerBurmeisterMethod::FischerBurmeisterMethod(LevenbergMarquardtVariant variant,
                                                 const PolyhedralSettings& cone,
                                                 const ImpulseSpaceSettings& settings)
    : PolyhedralMethod(cone) {
  settings_.variant = variant;
  // It is relative to other velocities than the law's residual, which may be smaller.
  settings_.tolerance = 0.1 * settings.aim;
  if (settings.max_iterations > 0) settings_.max_iterations = settings.max_iterations;
}

IslandOutcome FischerBurmeisterMethod::SolveLcp(const ComplementarityProblem& problem,
                                                const std::vector<char>&, Eigen::Ref<VecX> z) {
  FischerBurmeisterStats stats;
  const FischerBurmeisterResult result = kernel_.Solve(problem, settings_, z, &stats);
  return {ToSolveStatus(result.status), stats.lm.iterations, stats.lm.factors, stats.attempts > 1};
}

}  // namespace voigt
