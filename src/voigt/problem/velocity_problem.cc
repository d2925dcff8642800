#include "voigt/problem/velocity_problem.h"

#include <fmt/format.h>

#include "voigt/base/check.h"
#include "voigt/base/errors.h"
#include "voigt/math/sparse_rows.h"

namespace voigt {

std::string_view ToString(Law law) {
  switch (law) {
    case Law::kBilateral:
      return "bilateral";
    case Law::kUnilateral:
      return "unilateral";
    case Law::kContact:
      return "contact";
    case Law::kBounded:
      return "bounded";
  }
  return "";
}

void VelocityProblem::ClearRows() {
  rows.clear();
  groups.clear();
  cols.clear();
  G.clear();
  w.clear();
}

void VelocityProblem::Multiply(const VecX& v, VecX* y) const {
  y->resize(row_count());
  for (const RowGroup& group : groups) {
    MultiplyRows(entries(group, 0), group.row_count, cols.data() + group.first_col, group.col_count,
                 v.data(), y->data() + group.first_row);
  }
}

void VelocityProblem::AddTransposed(const VecX& gamma, VecX* x) const {
  VOIGT_DCHECK(gamma.size() == row_count() && x->size() == nv());
  for (const RowGroup& group : groups) {
    AddTransposedRows(entries(group, 0), group.row_count, cols.data() + group.first_col,
                      group.col_count, gamma.data() + group.first_row, x->data());
  }
}

void VelocityProblem::CalcVelocity(const VecX& gamma, VecX* v1) const {
  if (row_count() == 0) {
    *v1 = v_star;
    return;
  }
  v1->setZero(nv());
  AddTransposed(gamma, v1);
  factor->Solve(*pattern, *v1);
  *v1 += v_star;
}

MatX VelocityProblem::ToDenseG() const {
  MatX out = MatX::Zero(row_count(), nv());
  for (const RowGroup& group : groups) {
    const auto columns = cols_of(group);
    for (int r = 0; r < group.row_count; ++r) {
      for (int k = 0; k < group.col_count; ++k) {
        out(group.first_row + r, columns[k]) += entries(group, r)[k];
      }
    }
  }
  return out;
}

MatX VelocityProblem::ToDenseW() const {
  const MatX dense = ToDenseG();
  MatX solved = dense.transpose();
  for (int j = 0; j < solved.cols(); ++j) {
    VecX column = solved.col(j);
    factor->Solve(*pattern, column);
    solved.col(j) = column;
  }
  return dense * solved;
}

OwnedProblem::OwnedProblem(const OwnedProblem& other)
    : pattern(other.pattern), M(other.M), factor(other.factor), problem(other.problem) {
  problem.pattern = &pattern;
  problem.M = &M;
  problem.factor = &factor;
}

OwnedProblem& OwnedProblem::operator=(const OwnedProblem& other) {
  if (this == &other) return *this;
  pattern = other.pattern;
  M = other.M;
  factor = other.factor;
  problem = other.problem;
  problem.pattern = &pattern;
  problem.M = &M;
  problem.factor = &factor;
  return *this;
}

void OwnedProblem::Attach() {
  factor = TreeFactor(pattern);
  const int bad = factor.Factor(pattern, M);
  if (bad >= 0) {
    throw InputError({}, "mass matrix", fmt::format("is not positive definite: pivot {}", bad));
  }
  problem.pattern = &pattern;
  problem.M = &M;
  problem.factor = &factor;
}

}  // namespace voigt
