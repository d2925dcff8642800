#include "voigt/formulations/impulse_space/polyhedral_method.h"

#include <cmath>

namespace voigt {
namespace {

// The direction against the tangential velocity that a contact would have without impulses: that of
// the first tangent where there is none.
double CalcAngleAgainstSlip(const VelocityProblem& problem, const RowGroup& group) {
  double u[2] = {0, 0};
  for (int r = 0; r < 2; ++r) {
    const Row& row = problem.rows[group.first_row + 1 + r];
    const double* const g = problem.entries(group, 1 + r);
    const auto cols = problem.cols_of(group);
    for (int k = 0; k < group.col_count; ++k) u[r] += g[k] * problem.v_star[cols[k]];
    u[r] += row.phi_t - row.v_hat;
  }
  return u[0] == 0 && u[1] == 0 ? 0 : std::atan2(-u[1], -u[0]);
}

}  // namespace

SolveStatus ToSolveStatus(ComplementarityStatus status) {
  switch (status) {
    case ComplementarityStatus::kSolved:
      return SolveStatus::kSolved;
    case ComplementarityStatus::kRay:
    case ComplementarityStatus::kInfeasible:
      return SolveStatus::kRay;
    case ComplementarityStatus::kIterationLimit:
      return SolveStatus::kIterationLimit;
    case ComplementarityStatus::kInaccurate:
    case ComplementarityStatus::kFailed:
      break;
  }
  return SolveStatus::kInaccurate;
}

void PolyhedralMethod::Claim(const VelocityProblem& problem, Solution* solution) {
  cone_angle_.assign(problem.groups.size(), settings_.angle);
  for (size_t g = 0; g < problem.groups.size(); ++g) {
    const RowGroup& group = problem.groups[g];
    if (settings_.align && group.law == Law::kContact && group.row_count >= 3) {
      cone_angle_[g] = CalcAngleAgainstSlip(problem, group);
    }
  }
  solution->friction = FrictionMode::kPolyhedral;
  solution->directions = settings_.directions;
  solution->cone_angle = cone_angle_;
}

IslandOutcome PolyhedralMethod::Solve(const ImpulseIsland& island, VecX* gamma) {
  reduction_.Update(island, settings_.directions, cone_angle_);
  z_.Resize(reduction_.size());
  reduction_.SetGuess(island, *gamma, z_.get());
  const IslandOutcome outcome = SolveLcp(reduction_.problem(), reduction_.set(), z_.get());
  if (z_.get().allFinite()) reduction_.GetImpulses(z_.get(), gamma);
  return outcome;
}

}  // namespace voigt
