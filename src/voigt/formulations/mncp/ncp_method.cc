#include "voigt/formulations/mncp/ncp_method.h"

#include <algorithm>
#include <cmath>

#include "voigt/formulations/impulse_space/contact_as_ncp.h"

namespace voigt {

NcpMethod::NcpMethod(LevenbergMarquardtVariant variant, const ImpulseSpaceSettings& settings) {
  settings_.variant = variant;
  settings_.tolerance = 0.1 * settings.aim;  // it has another scale than the law's residual
  if (settings.max_iterations > 0) settings_.max_iterations = settings.max_iterations;
}

void NcpMethod::Claim(const VelocityProblem&, Solution* solution) {
  solution->friction = FrictionMode::kCoulomb;
  solution->directions = 0;
  solution->cone_angle.clear();
}

namespace {

// The largest velocity that is there without impulses; not that at which wide gaps would close.
double CalcFreeScale(const ImpulseIsland& island) {
  double scale = 0;
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    for (int r = 0; r < group.row_count; ++r) {
      const double u = island.q[island.groups[g].first_row + r];
      if (!CanOnlyPush(group, r) || u < 0) scale = std::max(scale, std::fabs(u));
    }
  }
  return scale;
}

}  // namespace

IslandOutcome NcpMethod::Solve(const ImpulseIsland& island, VecX* gamma) {
  ListNcpBlocks(island, &blocks_);
  ImplicitNcpStats stats;
  settings_.scale = CalcFreeScale(island);
  const ImplicitNcpResult result =
      kernel_.Solve({island.A, island.q, blocks_}, settings_, *gamma, &stats);
  IslandOutcome out;
  out.status = result.converged ? SolveStatus::kSolved : SolveStatus::kNoFixedPoint;
  if (!result.converged && result.status == LevenbergMarquardtStatus::kIterationLimit) {
    out.status = SolveStatus::kIterationLimit;
  }
  out.iterations = stats.lm.iterations;
  out.factorizations = stats.lm.factors;
  out.by_other_ways = stats.attempts > 1;
  return out;
}

}  // namespace voigt
