#pragma once

#include <cmath>
#include <random>

#include "tests/support/dense_problem.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt::testing {

// Rows that are held, only push or have bounds, more of them than coordinates, some of them the
// same row twice and a hair apart.
inline OwnedProblem MakeBoundedProblem(int trial, std::mt19937* random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int nv = 1 + trial % 4, nc = nv + 1 + trial % 5;
  OwnedProblem owned = MakeProblem(MatX::Identity(nv, nv), RandomMatrix(nv, 1, random), 0.01);
  VecX g = VecX::Zero(nv);
  for (int i = 0; i < nc; ++i) {
    const bool is_repeated = i > 0 && trial % 3 > 0 && uniform(*random) > 0;
    if (!is_repeated) g = RandomMatrix(nv, 1, random);
    const bool is_bounded = uniform(*random) > 0;
    const bool is_held = i == 0 && !is_bounded;
    AddGroup(is_bounded ? Law::kBounded
             : is_held  ? Law::kBilateral
                        : Law::kUnilateral,
             g.transpose(), &owned);
    Row& row = owned.problem.rows[i];
    if (is_held) continue;
    if (is_bounded) {
      row.upper = std::abs(uniform(*random));
      row.lower = -row.upper;
    } else {
      row.R = trial % 2 == 0 ? 1e-11 : 0;
    }
    // Rest is allowed by all of them, or, where they are not quite rigid, nearly.
    row.v_hat = (is_repeated ? 1e-11 : 0) * uniform(*random);
    if (!is_bounded && row.R == 0) row.v_hat = -std::abs(row.v_hat);
  }
  return owned;
}

}  // namespace voigt::testing
