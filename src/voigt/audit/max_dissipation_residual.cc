#include <algorithm>
#include <cmath>

#include "voigt/audit/law_residual.h"
#include "voigt/base/check.h"
#include "voigt/math/extremes.h"

// The part of LawResidual that judges what the principle of maximum dissipation promises.
namespace voigt {
// The impulses without friction obey the laws of their rows, and friction is none. They are what
// the sums are measured by, so nobody's word is taken for them. Force laws are in no sum, and their
// tangents belong to the motion with friction.
void LawResidual::CalcFrictionless(const MaxDissipationClaim& claim) {
  const VelocityProblem& problem = *problem_;
  const int count = problem.row_count();
  VOIGT_CHECK(claim.frictionless.size() == count && claim.multiplier.size() == count &&
              static_cast<int>(claim.sum.size()) == count);
  CalcVelocities(claim.frictionless);
  rows_.setZero(count);
  for (const RowGroup& group : problem.groups) {
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      if (group.law == Law::kContact && r > 0) {
        rows_[i] = std::fabs(w_[i] * claim.frictionless[i]);
      } else if (r > 0 || group.force_law.is_linear()) {
        CalcRow(i, group, claim.frictionless, u_);
      }
    }
  }
  frictionless_rows_ = rows_;
}

// ũ = u − (W + R) m + p: the gradient of what is minimised, less those of its conditions. Force
// laws are what their tangents are; their own u is zero.
void LawResidual::CalcReducedVelocities(const MaxDissipationClaim& claim) {
  const VelocityProblem& problem = *problem_;
  CalcResponse(claim.multiplier);
  for (const RowGroup& group : problem.groups) {
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      const double u = r == 0 && !group.force_law.is_linear() ? 0 : u_[i];
      const double price = claim.sum[i] >= 0 ? claim.price[claim.sum[i]] : 0;
      reduced_u_[i] = u - reduced_u_[i] - CalcTangentR(group, r) * claim.multiplier[i] + price;
    }
  }
}

void LawResidual::CalcMaxDissipation(const VecX& gamma, const MaxDissipationClaim& claim) {
  CalcReducedVelocities(claim);
  for (int g = 0; g < static_cast<int>(problem_->groups.size()); ++g) {
    const RowGroup& group = problem_->groups[g];
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      if (CanOnlyPush(group, r)) {
        CalcPushingRow(g, r, gamma, claim);
      } else if (group.law == Law::kBilateral) {
        rows_[i] = Larger(std::fabs(u_[i]), std::fabs(reduced_u_[i]));
      } else if (group.law == Law::kBounded) {
        CalcRow(i, group, gamma, reduced_u_);
      }
    }
  }
  CalcSums(gamma, claim);
  CalcSlips(claim);
  rows_ = rows_.cwiseMax(frictionless_rows_);
}

// A normal with its friction, or a unilateral row. Springs push where they do so without friction,
// as their law says; open ones leave nothing to choose.
void LawResidual::CalcPushingRow(int g, int r, const VecX& gamma,
                                 const MaxDissipationClaim& claim) {
  const RowGroup& group = problem_->groups[g];
  const int i = group.first_row + r;
  const Row& row = problem_->rows[i];
  const bool is_spring = IsPushingSpring(group, r, row);
  const bool is_open = is_spring && !(claim.frictionless[i] > 0);
  const int count = group.law == Law::kContact ? group.row_count : 1;
  if (is_open) {
    for (int k = i; k < i + count; ++k) rows_[k] = std::fabs(w_[k] * gamma[k]);
  } else if (count > 1) {
    const WidenedCone cone = CalcSlipCone(*problem_, g, Larger(0, gamma[i]), claim);
    CalcCone(group, gamma, reduced_u_[i], reduced_u_, &cone);
  } else {
    rows_[i] = std::fabs(Smaller(w_[i] * gamma[i], reduced_u_[i]));
  }
  const double optimality = rows_[i];
  if (is_spring && !is_open) {
    CalcRow(i, group, gamma, u_);
  } else {
    const bool has_law = r == 0 && !group.force_law.is_linear();
    const double u = has_law ? phi_dot_[i] + row.phi / problem_->h : u_[i];
    rows_[i] = std::fabs(Smaller(w_[i] * claim.multiplier[i], u));
  }
  rows_[i] = Larger(rows_[i], optimality);
}

// 0 ≤ p ⟂ Σγ without friction − Σγ ≥ 0, as a velocity by the mean of w. Attributed to the first
// row. What belongs to no sum may be no larger than without friction.
void LawResidual::CalcSums(const VecX& gamma, const MaxDissipationClaim& claim) {
  for (const RowGroup& group : problem_->groups) {
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      if (!CanOnlyPush(group, r) || claim.sum[i] >= 0) continue;
      if (IsPushingSpring(group, r, problem_->rows[i])) continue;
      rows_[i] = Larger(rows_[i], w_[i] * (gamma[i] - claim.frictionless[i]));
    }
  }
  for (int sum = 0; sum < static_cast<int>(claim.price.size()); ++sum) {
    double left = 0, w = 0;
    int count = 0, first = -1;
    for (int i = 0; i < problem_->row_count(); ++i) {
      if (claim.sum[i] != sum) continue;
      left += claim.frictionless[i] - gamma[i];
      w += w_[i];
      ++count;
      if (first < 0) first = i;
    }
    if (first < 0) continue;
    const double error = std::fabs(Smaller(claim.price[sum], left * w / count));
    rows_[first] = Larger(rows_[first], error);
  }
}

// The slips that viscous friction in the cone is measured by are those of the free motion, and none
// where nothing presses without friction.
void LawResidual::CalcSlips(const MaxDissipationClaim& claim) {
  const VelocityProblem& problem = *problem_;
  if (claim.slip.empty()) return;
  problem.Multiply(problem.v_star, &free_u_);
  for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) {
    const RowGroup& group = problem.groups[g];
    if (group.viscous == 0) continue;
    double slip = 0;
    if (claim.frictionless[group.first_row] > 0) {
      const Disc disc = *group.discs().begin();
      for (int i = group.first_row + 1; i <= group.first_row + disc.count; ++i) {
        slip = std::hypot(slip, free_u_[i] + problem.rows[i].phi_t - problem.rows[i].v_hat);
      }
    }
    double* const row = &rows_[group.first_row];
    *row = Larger(*row, std::fabs(slip - claim.slip[g]));
  }
}

}  // namespace voigt
