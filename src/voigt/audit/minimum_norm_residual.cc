#include <algorithm>
#include <cmath>

#include "voigt/audit/law_residual.h"
#include "voigt/base/check.h"
#include "voigt/math/extremes.h"

// The part of LawResidual that judges whether impulses minimise what minimum-norm ones do.
namespace voigt {
namespace {

// Friction and bounded rows are soft: (u + (r − R) γ)/r is what they are off by from a damper.
bool IsSoft(const RowGroup& group, int r, const Row& row) {
  if (group.law == Law::kContact) return r > 0;
  return group.law == Law::kBounded && row.lower < row.upper;
}

double SoftnessOf(const Row& row, const MinimumNormClaim& claim) {
  return row.R > 0 ? row.R : claim.softness;
}

double WeightOf(const RowGroup& group, int r, const MinimumNormClaim& claim) {
  if (CanOnlyPush(group, r)) return claim.zeta;
  return group.law == Law::kContact ? 1 : 0;
}

}  // namespace

// g = weight · γ + (W + R) p with p = −m, as a velocity. Of soft rows p = u/r² is judged apart:
// worked out from u, it would have lost twelve digits. What friction without coefficient would have
// to do with it is left out.
void LawResidual::CalcGradient(const VecX& gamma, const MinimumNormClaim& claim) {
  const VelocityProblem& problem = *problem_;
  VecX& p = free_u_;
  p = -claim.multiplier;
  double largest = 0;
  CalcResponse(p);
  for (const RowGroup& group : problem.groups) {
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      const Row& row = problem.rows[i];
      const double R = IsSoft(group, r, row) ? SoftnessOf(row, claim) : CalcTangentR(group, r);
      const double own = WeightOf(group, r, claim) * gamma[i];
      reduced_u_[i] += own + R * p[i];
      largest = std::max({largest, std::fabs(own), (w_[i] + R) * std::fabs(p[i])});
    }
  }
  gradient_scale_ = largest > 0 ? scale_.value() / largest : 0;
  reduced_u_ *= gradient_scale_;
}

// u of a row that pushes, or of its force law the velocity that would mend the difference.
double LawResidual::CalcExcess(const RowGroup& group, int r, const VecX& gamma) const {
  const int i = group.first_row + r;
  if (r > 0 || group.force_law.is_linear()) return u_[i];
  const ForceLawValue law =
      CalcForceLaw(group.force_law, phi_dot_[i], problem_->rows[i].phi, problem_->h);
  return (gamma[i] - law.gamma) * w_[i] / (1 + law.slope * w_[i]);
}

// u + (r − R) γ = −r² m. Friction without coefficient, or that nothing moves, has no m.
void LawResidual::CalcSoftRow(const RowGroup& group, int r, const VecX& gamma,
                              const MinimumNormClaim& claim) {
  const int i = group.first_row + r;
  const Row& row = problem_->rows[i];
  const double softness = SoftnessOf(row, claim), m = claim.multiplier[i];
  bool is_asked = w_[i] > 0;
  if (group.law == Law::kContact) {
    for (const Disc& disc : group.discs()) {
      if (r < disc.first || r >= disc.first + disc.count) continue;
      const double w = w_.segment(group.first_row + disc.first, disc.count).maxCoeff();
      is_asked = disc.mu > 0 && w > 0 && w_[group.first_row] > 0;
    }
  }
  const double error = is_asked ? u_[i] + (softness - row.R) * gamma[i] + softness * softness * m
                                : gradient_scale_ * w_[i] * m;
  rows_[i] = Larger(rows_[i], std::fabs(error));
}

void LawResidual::CalcMinimumNorm(const VecX& gamma, const MinimumNormClaim& claim) {
  VOIGT_CHECK(claim.multiplier.size() == problem_->row_count());
  CalcGradient(gamma, claim);
  for (const RowGroup& group : problem_->groups) {
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      if (CanOnlyPush(group, r)) {
        if (group.law == Law::kContact && group.row_count > 1) {
          CalcCone(group, gamma, reduced_u_[i], reduced_u_);
        } else {
          rows_[i] = std::fabs(Smaller(w_[i] * gamma[i], reduced_u_[i]));
        }
        const double m = gradient_scale_ * w_[i] * claim.multiplier[i];
        const double feasibility = std::fabs(Smaller(m, CalcExcess(group, r, gamma)));
        rows_[i] = Larger(rows_[i], feasibility);
      } else if (group.law == Law::kBilateral) {
        rows_[i] = Larger(std::fabs(u_[i]), std::fabs(reduced_u_[i]));
      } else if (group.law == Law::kBounded) {
        CalcRow(i, group, gamma, reduced_u_);
      }
      if (IsSoft(group, r, problem_->rows[i])) CalcSoftRow(group, r, gamma, claim);
    }
  }
}

}  // namespace voigt
