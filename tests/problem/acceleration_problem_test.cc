// Elimination of accelerations, against the equations that it comes from.

#include "voigt/problem/acceleration_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace voigt {
namespace {

MatX RandomRows(std::mt19937* random, int rows, int cols) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, cols, [&] { return normal(*random); });
}

// Some rates are prescribed, others not; forces on rows move the latter alone. G v̇ + b from
// M v̇ = f + τ + Gᵀ λ, solved as a whole for the free v̇ and for τ, is a₀ + A λ.
TEST(AccelerationProblem, EliminatesWhatIsNotPrescribed) {
  std::mt19937 random(3);
  for (const int known : {0, 1, 3}) {
    const int nv = 6, rows = 4;
    const MatX root = RandomRows(&random, nv, nv);
    const MatX M = root * root.transpose() + MatX::Identity(nv, nv);
    const VecX f = RandomRows(&random, nv, 1), prescribed = RandomRows(&random, known, 1);
    const VecX lambda = RandomRows(&random, rows, 1);
    // The first `known` rates are given. Unknowns: τ on these, and v̇ of the others.
    const auto solve_all = [&](const VecX& force) {
      MatX left(nv, nv);
      left << -MatX::Identity(nv, known), M.rightCols(nv - known);
      const VecX right = force - M.leftCols(known) * prescribed;
      VecX v_dot = left.partialPivLu().solve(right);
      v_dot.head(known) = prescribed;
      return v_dot;
    };
    AccelerationProblem problem;
    problem.laws.assign(rows, AccelerationLaw::kBilateral);
    problem.G = RandomRows(&random, rows, nv);
    problem.b = RandomRows(&random, rows, 1);
    problem.v_dot_free = solve_all(f);
    problem.Eliminate([&](Eigen::Ref<VecX> x) {
      const MatX M_r = M.bottomRightCorner(nv - known, nv - known);
      x.head(known).setZero();
      x.tail(nv - known) = M_r.llt().solve(VecX(x.tail(nv - known)));
    });
    const VecX v_dot = solve_all(f + problem.G.transpose() * lambda);
    const VecX a = problem.G * v_dot + problem.b;
    EXPECT_LT((problem.a0 + problem.A * lambda - a).norm(), 1e-12) << known;
    EXPECT_LT((problem.v_dot_free + problem.response * lambda - v_dot).norm(), 1e-12) << known;
    EXPECT_LT((problem.A - problem.A.transpose()).norm(), 1e-13);
    EXPECT_GE(problem.a_scale, problem.a0.lpNorm<Eigen::Infinity>() * (1 - 1e-12) / nv);
  }
}

}  // namespace
}  // namespace voigt
