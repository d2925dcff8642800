#include "voigt/formulations/impulse_space/impulse_island.h"

#include <algorithm>

namespace voigt {

void ImpulseSpace::Update(const VelocityProblem& problem) {
  islands_.Start(*problem.pattern);
  for (const RowGroup& group : problem.groups) islands_.AddBlock(problem.cols_of(group));
  islands_.Finish();
  assembler_.SetProblem(problem);
}

void ImpulseAssembler::SetProblem(const VelocityProblem& problem) {
  problem_ = &problem;
  const TreePattern& pattern = *problem_->pattern;
  trees_.clear();
  tree_of_dof_.resize(pattern.size());
  for (int root = 0; root < pattern.size(); root = pattern.tree_end(root)) {
    const int count = pattern.tree_end(root) - root;
    std::fill_n(tree_of_dof_.begin() + root, count, static_cast<int>(trees_.size()));
    trees_.push_back({root, count});
  }
  is_touched_.assign(trees_.size(), 0);
  y_.setZero(pattern.size());
}

void ImpulseAssembler::Assemble(std::span<const int> groups, ImpulseIsland* out) {
  out->problem = problem_;
  out->groups.clear();
  out->rows.clear();
  for (int g : groups) {
    const RowGroup& group = problem_->groups[g];
    out->groups.push_back({g, out->row_count()});
    for (int r = 0; r < group.row_count; ++r) out->rows.push_back(group.first_row + r);
  }
  ListTrees(*out);
  AssembleMatrix(out);
}

void ImpulseAssembler::ListTrees(const ImpulseIsland& island) {
  group_start_.assign(1, 0);
  group_trees_.clear();
  for (const IslandGroup& at : island.groups) {
    int last = -1;
    for (int col : problem_->cols_of(problem_->groups[at.group])) {
      if (tree_of_dof_[col] != last) group_trees_.push_back(last = tree_of_dof_[col]);
    }
    group_start_.push_back(static_cast<int>(group_trees_.size()));
  }
}

// y ← M⁻¹ g of row r.
void ImpulseAssembler::CalcResponse(const RowGroup& group, int r, std::span<const int> trees) {
  for (int t : trees) y_.segment(trees_[t].first, trees_[t].count).setZero();
  const double* const g = problem_->entries(group, r);
  const auto cols = problem_->cols_of(group);
  for (int k = 0; k < group.col_count; ++k) y_[cols[k]] = g[k];
  for (int t : trees) {
    problem_->factor->SolveRange(*problem_->pattern, trees_[t].first, trees_[t].count, y_.data());
  }
}

void ImpulseAssembler::AssembleMatrix(ImpulseIsland* out) {
  const VelocityProblem& problem = *problem_;
  const int n = out->row_count(), group_count = static_cast<int>(out->groups.size());
  out->A.setZero(n, n);
  out->q.resize(n);
  for (int a = 0; a < group_count; ++a) {
    const RowGroup& group = out->group(a);
    for (int t : trees_of(a)) is_touched_[t] = 1;
    for (int r = 0; r < group.row_count; ++r) {
      const int i = out->groups[a].first_row + r;
      CalcResponse(group, r, trees_of(a));
      for (int b = a; b < group_count; ++b) {
        const auto trees = trees_of(b);
        if (std::none_of(trees.begin(), trees.end(), [&](int t) { return is_touched_[t]; })) {
          continue;
        }
        const RowGroup& other = out->group(b);
        MultiplyRows(problem.entries(other, 0), other.row_count,
                     problem.cols.data() + other.first_col, other.col_count, y_.data(),
                     out->A.col(i).data() + out->groups[b].first_row);
      }
    }
    for (int t : trees_of(a)) {
      is_touched_[t] = 0;
      y_.segment(trees_[t].first, trees_[t].count).setZero();
    }
    MultiplyRows(problem.entries(group, 0), group.row_count, problem.cols.data() + group.first_col,
                 group.col_count, problem.v_star.data(), out->q.data() + out->groups[a].first_row);
  }
  for (int i = 0; i < n; ++i) {
    const Row& row = problem.rows[out->rows[i]];
    out->A.col(i).head(i) = out->A.row(i).head(i).transpose();
    out->q[i] += row.phi_t - row.v_hat;
  }
  out->scale = n > 0 ? out->A.diagonal().maxCoeff() : 1;
  if (!(out->scale > 0)) out->scale = 1;
  for (int i = 0; i < n; ++i) out->A(i, i) += problem.rows[out->rows[i]].R;
}

}  // namespace voigt
