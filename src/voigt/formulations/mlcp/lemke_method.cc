#include "voigt/formulations/mlcp/lemke_method.h"

namespace voigt {

LemkeMethod::LemkeMethod(const PolyhedralSettings& cone, const ImpulseSpaceSettings& settings)
    : PolyhedralMethod(cone) {
  settings_.max_pivots = settings.max_iterations;
  settings_.use_guess = true;
  settings_.tolerance = settings.aim;
}

IslandOutcome LemkeMethod::SolveLcp(const ComplementarityProblem& problem,
                                    const std::vector<char>& set, Eigen::Ref<VecX> z) {
  LemkeStats stats;
  settings_.set = &set;
  const LemkeResult result = kernel_.Solve(problem, settings_, z, &stats);
  return {ToSolveStatus(result.status), stats.pivots, stats.factors, stats.restarts > 0};
}

}  // namespace voigt
