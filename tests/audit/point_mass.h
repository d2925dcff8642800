#pragma once

#include "voigt/problem/velocity_problem.h"

namespace voigt::testing {

inline constexpr double kMass = 2, kStep = 0.01;

// A point mass; rows are its coordinates.
inline OwnedProblem MakePoint(Law law, int row_count, const VecX& v_star) {
  OwnedProblem out;
  out.pattern = TreePattern({-1, -1, -1});
  out.M = VecX::Constant(3, kMass);
  VelocityProblem& problem = out.problem;
  problem.h = kStep;
  problem.v_star = v_star;
  problem.cols = {0, 1, 2};
  RowGroup group;
  group.law = law;
  group.row_count = row_count;
  group.col_count = 3;
  for (int r = 0; r < row_count; ++r) {
    for (int k = 0; k < 3; ++k) problem.G.push_back(r == k ? 1 : 0);
  }
  problem.rows.resize(row_count);
  problem.groups = {group};
  out.Attach();
  return out;
}

}  // namespace voigt::testing
