#include "voigt/constraints/idle_forces.h"

#include <algorithm>

namespace voigt {
namespace {

// Calls visit(i, group, row of the group) for rows in ascending order.
template <typename Visit>
void ForEachRow(const VelocityProblem& problem, const std::vector<int>& rows, Visit visit) {
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const auto after =
        std::upper_bound(problem.groups.begin(), problem.groups.end(), rows[i],
                         [](int row, const RowGroup& group) { return row < group.first_row; });
    const RowGroup& group = *(after - 1);
    visit(i, group, rows[i] - group.first_row);
  }
}

}  // namespace

void IdleForces::GatherColumns(const VelocityProblem& problem, const std::vector<int>& rows,
                               const std::vector<char>& is_known) {
  cols_.clear();
  const RowGroup* last = nullptr;
  ForEachRow(problem, rows, [&](int /*i*/, const RowGroup& group, int /*r*/) {
    if (&group == last) return;
    last = &group;
    for (int col : problem.cols_of(group)) {
      if (is_known.empty() || !is_known[col]) cols_.push_back(col);
    }
  });
  std::sort(cols_.begin(), cols_.end());
  cols_.erase(std::unique(cols_.begin(), cols_.end()), cols_.end());
  G_T_.setZero(static_cast<int>(cols_.size()), static_cast<int>(rows.size()));
  ForEachRow(problem, rows, [&](int i, const RowGroup& group, int r) {
    const auto cols = problem.cols_of(group);
    const double* const entries = problem.entries(group, r);
    for (int k = 0; k < group.col_count; ++k) {
      const auto at = std::lower_bound(cols_.begin(), cols_.end(), cols[k]);
      if (at != cols_.end() && *at == cols[k]) G_T_(at - cols_.begin(), i) = entries[k];
    }
  });
}

// Of Gᵀ = P⁻¹ L U Q⁻¹ with U = [U₁ U₂; 0 0]: Z = Q [−U₁⁻¹ U₂; 1].
const MatX& IdleForces::Calc(const VelocityProblem& problem, const std::vector<int>& rows,
                             const std::vector<char>& is_known) {
  constexpr double kRank = 1e-9;
  GatherColumns(problem, rows, is_known);
  const int count = static_cast<int>(G_T_.cols());
  int rank = 0;
  if (G_T_.size() > 0) {
    factor_.compute(G_T_);
    factor_.setThreshold(kRank);
    rank = static_cast<int>(factor_.rank());
  }
  Z_.resize(count, count - rank);
  if (rank == count) return Z_;
  basis_.setIdentity(count, count - rank);
  if (rank == 0) return Z_ = basis_;
  basis_.topRows(rank) = -factor_.matrixLU().topRightCorner(rank, count - rank);
  factor_.matrixLU()
      .topLeftCorner(rank, rank)
      .triangularView<Eigen::Upper>()
      .solveInPlace(basis_.topRows(rank));
  basis_.bottomRows(count - rank).setIdentity();
  for (int i = 0; i < count; ++i) Z_.row(factor_.permutationQ().indices()[i]) = basis_.row(i);
  for (int k = 0; k < Z_.cols(); ++k) Z_.col(k).normalize();
  return Z_;
}

}  // namespace voigt
