#include "voigt/formulations/mncp/ncp_method.h"

namespace voigt {

NcpMethod::NcpMethod(LevenbergMarquardtVariant variant, const ImpulseSpaceSettings& settings) {
  settings_.variant = variant;
  settings_.tolerance = 1e-2 * settings.tolerance;  // it has another scale than the law's residual
  if (settings.max_iterations > 0) settings_.max_iterations = settings.max_iterations;
}

void NcpMethod::Claim(const VelocityProblem&, Solution* solution) {
  solution->friction = FrictionMode::kCoulomb;
  solution->directions = 0;
  solution->cone_angle.clear();
}

// Rows become blocks one by one, but for contacts: those are one block with all their discs.
void NcpMethod::ListBlocks(const ImpulseIsland& island) {
  blocks_.clear();
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    NcpBlock block;
    block.first = first;
    if (group.law == Law::kContact) {
      block.kind = NcpKind::kCone;
      block.count = group.row_count;
      block.discs = group.discs();
      blocks_.push_back(block);
      continue;
    }
    for (int r = 0; r < group.row_count; ++r) {
      const Row& row = island.problem->rows[island.rows[first + r]];
      block.first = first + r;
      block.kind = group.law == Law::kBilateral    ? NcpKind::kFree
                   : group.law == Law::kUnilateral ? NcpKind::kUnilateral
                                                   : NcpKind::kBounded;
      block.lower = row.lower;
      block.upper = row.upper;
      // What no impulse moves has none.
      if (island.A(first + r, first + r) == 0) {
        block.kind = NcpKind::kBounded;
        block.lower = block.upper = 0;
      }
      blocks_.push_back(block);
    }
  }
}

IslandOutcome NcpMethod::Solve(const ImpulseIsland& island, VecX* gamma) {
  ListBlocks(island);
  ImplicitNcpStats stats;
  const ImplicitNcpResult result =
      kernel_.Solve({island.A, island.q, blocks_}, settings_, *gamma, &stats);
  IslandOutcome out;
  out.status = result.converged ? SolveStatus::kSolved : SolveStatus::kNoFixedPoint;
  if (!result.converged && result.status == LevenbergMarquardtStatus::kIterationLimit) {
    out.status = SolveStatus::kIterationLimit;
  }
  out.iterations = stats.lm.iterations;
  out.factorizations = stats.lm.factors;
  out.fallbacks = stats.attempts - 1;
  return out;
}

}  // namespace voigt
