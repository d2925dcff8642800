#include "voigt/formulations/compliant/problem_as_convex_program.h"

#include <algorithm>

namespace voigt {
namespace {

ConvexSet SetOf(const RowGroup& group, FrictionMode friction) {
  switch (group.law) {
    case Law::kBilateral:
      return ConvexSet::kAll;
    case Law::kUnilateral:
      return ConvexSet::kHalfLines;
    case Law::kBounded:
      return ConvexSet::kIntervals;
    case Law::kContact:
      break;
  }
  if (group.row_count == 1) return ConvexSet::kHalfLines;
  return friction == FrictionMode::kCone ? ConvexSet::kCone : ConvexSet::kDisc;
}

void SetDiscs(const RowGroup& group, ConvexBlock* block) {
  block->mu = group.mu;
  block->bound = 0;
  int count = 0;
  const auto add = [&](bool has_rows, int rows, double mu) {
    if (!has_rows || group.law != Law::kContact) return;
    block->more_rows[count] = static_cast<std::uint8_t>(rows);
    block->more_mu[count++] = mu;
  };
  add(group.has_torsion(), 1, group.torsion);
  add(group.has_rolling(), 2, group.rolling);
  for (; count < 2; ++count) block->more_rows[count] = 0, block->more_mu[count] = 0;
}

void SetBounds(const VelocityProblem& problem, const RowGroup& group, ConvexProgram* program) {
  for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
    program->lower[i] = problem.rows[i].lower;
    program->upper[i] = problem.rows[i].upper;
  }
}

}  // namespace

void ProblemAsConvexProgram::Update(const VelocityProblem& problem, FrictionMode friction) {
  problem_ = &problem;
  program_.pattern = problem.pattern;
  program_.M = problem.M;
  program_.factor = problem.factor;
  program_.v_star = &problem.v_star;
  program_.cols = problem.cols.data();
  program_.G = problem.G.data();
  program_.laws = this;

  const int rows = problem.row_count();
  for (std::vector<double>* list :
       {&program_.R, &program_.b, &program_.lower, &program_.upper, &program_.w}) {
    list->resize(rows);
  }
  CalcRowInertia(problem, &scratch_, &w_);
  std::copy(w_.begin(), w_.end(), program_.w.begin());
  for (int i = 0; i < rows; ++i) {
    const Row& row = problem.rows[i];
    program_.R[i] = row.R;
    program_.b[i] = row.v_hat - row.phi_t;
  }

  program_.blocks.resize(problem.groups.size());
  group_of_row_.resize(rows);
  for (size_t g = 0; g < problem.groups.size(); ++g) {
    const RowGroup& group = problem.groups[g];
    ConvexBlock& block = program_.blocks[g];
    block.set = SetOf(group, friction);
    block.smooth = !group.force_law.is_linear();
    block.first_row = group.first_row;
    block.row_count = group.row_count;
    block.first_col = group.first_col;
    block.col_count = group.col_count;
    block.first_entry = group.first_entry;
    SetDiscs(group, &block);
    if (group.law == Law::kBounded) SetBounds(problem, group, &program_);
    // The first row is the only one that may have a law of its own.
    if (group.row_count > 0) group_of_row_[group.first_row] = static_cast<int>(g);
  }
}

// y = G v, so φ̇₁ = y + φ_t.
ScalarLaws::Value ProblemAsConvexProgram::Calc(int row, double y) const {
  const Row& r = problem_->rows[row];
  const ForceLaw& law = problem_->groups[group_of_row_[row]].force_law;
  const ForceLawValue value = CalcForceLaw(law, y + r.phi_t, r.phi, problem_->h);
  return {value.gamma, value.slope, value.potential};
}

}  // namespace voigt
