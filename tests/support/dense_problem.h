#pragma once

#include <random>
#include <vector>

#include "voigt/problem/velocity_problem.h"

// Problems from dense matrices, row by row.
namespace voigt::testing {

// Of the normal distribution.
inline MatX NormalMatrix(int rows, int cols, std::mt19937* random) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, cols, [&] { return normal(*random); });
}

// Entries between −1 and 1.
inline MatX RandomMatrix(int rows, int cols, std::mt19937* random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatX out(rows, cols);
  for (double& x : out.reshaped()) x = uniform(*random);
  return out;
}

inline MatX RandomDenseMass(int nv, std::mt19937* random) {
  const MatX A = RandomMatrix(nv, nv, random);
  return A * A.transpose() + MatX::Identity(nv, nv);
}

// A problem from a mass matrix (a chain's pattern is full) and free velocity, without rows.
inline OwnedProblem MakeProblem(const MatX& M, const VecX& v_star, double h) {
  const int nv = static_cast<int>(M.rows());
  std::vector<int> parent(nv);
  for (int k = 0; k < nv; ++k) parent[k] = k - 1;
  OwnedProblem out;
  out.pattern = TreePattern(parent);
  out.M.resize(out.pattern.nonzeros());
  for (int k = 0; k < nv; ++k) {
    for (int i = 0; i <= k; ++i) out.M[out.pattern.row_start(k) + i] = M(k, i);
  }
  out.problem.h = h;
  out.problem.v_star = v_star;
  out.Attach();
  return out;
}

// Appends a group with the rows of G, all columns.
inline RowGroup& AddGroup(Law law, const MatX& G, OwnedProblem* owned) {
  VelocityProblem& problem = owned->problem;
  RowGroup& group = problem.groups.emplace_back();
  group.law = law;
  group.first_row = problem.row_count();
  group.row_count = static_cast<int>(G.rows());
  group.first_col = static_cast<int>(problem.cols.size());
  group.col_count = static_cast<int>(G.cols());
  group.first_entry = static_cast<int>(problem.G.size());
  for (int k = 0; k < G.cols(); ++k) problem.cols.push_back(k);
  for (int r = 0; r < G.rows(); ++r) {
    problem.rows.emplace_back();
    for (int k = 0; k < G.cols(); ++k) problem.G.push_back(G(r, k));
  }
  return group;
}

}  // namespace voigt::testing
