#include "voigt/constraints/degrees_of_freedom.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseQR>
#include <algorithm>
#include <vector>

#include "voigt/constraints/rows_at.h"

namespace voigt {
namespace {

// Of the longest row: what is left of rows that depend on others, or that nothing moves, by
// rounding and by the gaps of assembled loops.
constexpr double kRounding = 1e-8;

bool Holds(const ConstraintSet& constraints, const RowGroup& group) {
  const Constraint& constraint = *constraints.list()[group.constraint];
  return group.law == Law::kBilateral && constraint.IsHolonomic() && !constraint.energy_line();
}

using SparseMatrix = Eigen::SparseMatrix<double>;

// Gᵀ of what holds.
SparseMatrix ListHeldRows(const ConstraintSet& constraints, const VelocityProblem& problem) {
  std::vector<Eigen::Triplet<double>> entries;
  int count = 0;
  for (const RowGroup& group : problem.groups) {
    if (!Holds(constraints, group)) continue;
    const auto cols = problem.cols_of(group);
    for (int r = 0; r < group.row_count; ++r) {
      const Row& row = problem.rows[group.first_row + r];
      const double* const G = problem.entries(group, r);
      if (row.c != 0 || row.R != 0) continue;
      for (int c = 0; c < group.col_count; ++c) entries.emplace_back(cols[c], count, G[c]);
      ++count;
    }
  }
  SparseMatrix out(problem.nv(), count);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

int CountDegreesOfFreedom(const Model& model, const VecX& q) {
  const ConstraintSet constraints(model);
  SparseMatrix held = ListHeldRows(constraints, ListRowsAt(model, constraints, q));
  double longest = 0;
  for (int i = 0; i < held.cols(); ++i) longest = std::max(longest, held.col(i).norm());
  if (longest == 0) return model.nv();
  held.makeCompressed();
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> factor;
  factor.setPivotThreshold(kRounding * longest);
  factor.compute(held);
  return model.nv() - static_cast<int>(factor.rank());
}

}  // namespace voigt
