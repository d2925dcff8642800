#include "voigt/sim/impact_energy.h"

#include <algorithm>
#include <cmath>

#include "voigt/constraints/contact_rows.h"

namespace voigt {
namespace {

// Of the sizes of the parts of the work: less is rounding.
constexpr double kNoGain = 1e-12;

}  // namespace

void ImpactTotals::Add(double work) {
  if (std::isnan(work)) return;
  ++steps;
  if (work <= 0) return;
  ++gains;
  gained += work;
  largest = std::max(largest, work);
}

double ImpactEnergy::CalcWork(const VelocityProblem& problem, const std::vector<ImpactRow>& impacts,
                              const VecX& gamma, const VecX& v0, const VecX& v_star, const VecX& v1,
                              bool restores_gaps) {
  if (std::none_of(impacts.begin(), impacts.end(),
                   [&](const ImpactRow& impact) { return gamma[impact.row] > 0; })) {
    return kNaN;
  }
  problem.Multiply(v0, &rates0_);
  problem.Multiply(v_star, &rates_star_);
  problem.Multiply(v1, &rates1_);
  double work = 0, size = 0;
  auto impact = impacts.begin();
  for (const RowGroup& group : problem.groups) {
    if (group.constraint != kContactGroup) continue;
    const int normals = group.law == Law::kContact ? 1 : group.row_count;
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      double rebound = 0;
      if (impact != impacts.end() && impact->row == i) {
        rebound = -impact->restitution * impact->rate;
        ++impact;
      }
      const double before = std::min(gamma[i] * rates0_[i], gamma[i] * rates_star_[i]);
      const double after = gamma[i] * rates1_[i];
      const double recovery = restores_gaps && r < normals
                                  ? gamma[i] * std::max(0.0, problem.rows[i].v_hat - rebound)
                                  : 0;
      work += 0.5 * (before + after) - recovery;
      size += std::fabs(before) + std::fabs(after) + recovery;
    }
  }
  return std::fabs(work) <= kNoGain * size ? 0 : work;
}

}  // namespace voigt
