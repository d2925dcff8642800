#include "voigt/constraints/idle_forces.h"

namespace voigt {

const MatX& IdleForces::Calc(const VelocityProblem& problem, const std::vector<int>& rows,
                             int rates, const std::vector<char>& is_known) {
  constexpr double kRank = 1e-9;
  G_T_.setZero(rates, static_cast<int>(rows.size()));
  size_t i = 0;
  for (const RowGroup& group : problem.groups) {
    const auto cols = problem.cols_of(group);
    for (int r = 0; r < group.row_count && i < rows.size(); ++r) {
      if (rows[i] != group.first_row + r) continue;
      const double* const entries = problem.entries(group, r);
      for (int k = 0; k < group.col_count; ++k) {
        const bool moves = is_known.empty() || !is_known[cols[k]];
        if (moves) G_T_(cols[k], static_cast<int>(i)) = entries[k];
      }
      ++i;
    }
  }
  Z_.resize(G_T_.cols(), 0);
  if (G_T_.size() == 0) return Z_;
  factor_.compute(G_T_);
  factor_.setThreshold(kRank);
  if (factor_.dimensionOfKernel() == 0) return Z_;
  Z_ = factor_.kernel();
  for (int k = 0; k < Z_.cols(); ++k) Z_.col(k).normalize();
  return Z_;
}

}  // namespace voigt
