#include "voigt/kernels/natural_newton.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numeric>

#include "tests/support/connect_program.h"
#include "tests/support/free_body_rows.h"

namespace voigt {
namespace {

// One island of free bodies with diagonal masses.
struct Island : testing::FreeBodyRows {
  Island(int count, unsigned seed) : FreeBodyRows(count, seed) {
    std::vector<int> parent;
    for (int b = 0; b < count; ++b) {
      for (int k = 0; k < 6; ++k) parent.push_back(k == 0 ? -1 : 6 * b + k - 1);
    }
    pattern = TreePattern(parent);
    M.setZero(pattern.nonzeros());
    for (int k = 0; k < pattern.size(); ++k) M[pattern.row_start(k) + k % 6] = 1 + std::abs(Draw());
    factor = TreeFactor(pattern);
    EXPECT_LT(factor.Factor(pattern, M), 0);
    v_star.resize(pattern.size());
    for (double& rate : v_star) rate = Draw();
  }

  void Finish(double R) {
    testing::ConnectProgram(this);
    const int rows = program.row_count();
    program.R.assign(rows, R);
    for (std::vector<double>* list : {&program.b, &program.lower, &program.upper}) {
      list->assign(rows, 0);
    }
    blocks.resize(program.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0);
    G_all.setZero(rows, pattern.size());
    for (const ConvexBlock& block : program.blocks) {
      for (int r = 0; r < block.row_count; ++r) {
        for (int k = 0; k < block.col_count; ++k) {
          G_all(block.first_row + r, program.cols_of(block)[k]) = program.entries(block, r)[k];
        }
      }
    }
    W = G_all * pattern.ToDense(M).inverse() * G_all.transpose();
    program.w.resize(rows);
    for (int r = 0; r < rows; ++r) program.w[r] = W(r, r);
    matrix.Analyze(program, blocks, ranges, MatrixKind::kDense);
    ws.Resize(program);
    for (const ConvexBlock& block : program.blocks) {
      double largest = 0;
      for (int r = 0; r < block.row_count; ++r) {
        largest = std::max(largest, W(block.first_row + r, block.first_row + r));
      }
      for (int r = 0; r < block.row_count; ++r) ws.S[block.first_row + r] = largest + R;
    }
    for (int r = 0; r < rows; ++r) ws.R[r] = std::max(R, 1e-8 * ws.S[r]);
    gamma.setZero(rows);
    v = v_star;
  }

  NaturalNewtonResult Solve(const NaturalNewtonSettings& settings) {
    const IslandView view = {program, blocks, ranges, &matrix, nullptr, nullptr};
    matrix.Reset();
    stats = {};
    return SolveNaturalMap(view, settings, &v, &gamma, &ws, &stats);
  }

  TreePattern pattern;
  VecX M, v_star, gamma, v;
  TreeFactor factor;
  std::vector<int> blocks;
  MatX G_all, W;
  NewtonMatrix matrix;
  NewtonWorkspace ws;
  NewtonStats stats;
};

NaturalNewtonSettings Until(double accepted, double aim) {
  NaturalNewtonSettings settings;
  settings.accepted = accepted;
  settings.aim = aim;
  return settings;
}

// u = G (v* + M⁻¹ Gᵀ γ) + R γ, worked out without the kernel.
VecX CalcResidualVelocity(const Island& island, double R) {
  return island.G_all * island.v_star + island.W * island.gamma + R * island.gamma;
}

TEST(NaturalNewton, SolvesRowsWithoutConditionsAsALinearSystemDoes) {
  constexpr double kR = 0.1;
  Island island(2, 3);
  island.AddRows(-1, 0, 3);
  island.AddRows(0, 1, 4);
  island.Finish(kR);
  const NaturalNewtonResult result = island.Solve(Until(1e-12, 1e-12));
  EXPECT_TRUE(result.converged);
  const MatX A = island.W + kR * MatX::Identity(7, 7);
  const VecX gamma = A.llt().solve(-island.G_all * island.v_star);
  EXPECT_LT((island.gamma - gamma).norm(), 1e-12 * gamma.norm());
  EXPECT_LE(island.stats.iterations, 2);
}

// 0 ≤ γ ⟂ u ≥ 0, and discs of Coulomb's law, for what the residual says.
TEST(NaturalNewton, MeetsTheLawsOfPushingRowsAndFriction) {
  constexpr double kR = 1e-3, kMu = 0.5;
  int pushing = 0, sliding = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Island island(2, seed);
    island.AddRows(-1, 0, 3, ConvexSet::kHalfLines);
    island.AddRows(0, 1, 3, ConvexSet::kCoulomb);
    island.program.blocks.back().mu = kMu;
    island.Finish(kR);
    const NaturalNewtonResult result = island.Solve(Until(1e-12, 1e-12));
    if (!result.converged) continue;
    EXPECT_LE(result.residual, 1e-12);
    const VecX u = CalcResidualVelocity(island, kR);
    for (int r = 0; r < 4; ++r) {
      EXPECT_GE(island.gamma[r], -1e-12) << seed;
      EXPECT_GE(u[r], -1e-11) << seed;
      EXPECT_LT(std::min(std::abs(u[r]), std::abs(island.gamma[r])), 1e-11) << seed;
      pushing += island.gamma[r] > 1e-9;
    }
    const Vec2 friction = island.gamma.segment<2>(4), slip = u.segment<2>(4);
    EXPECT_LE(friction.norm(), kMu * island.gamma[3] + 1e-11) << seed;
    if (island.gamma[3] < 1e-9 || slip.norm() < 1e-9) continue;
    ++sliding;
    EXPECT_NEAR(friction.norm(), kMu * island.gamma[3], 1e-10) << seed;
    EXPECT_NEAR(friction.dot(slip), -friction.norm() * slip.norm(), 1e-10) << seed;
  }
  EXPECT_GT(pushing, 10);
  EXPECT_GT(sliding, 5);
}

// What is accepted goes no further where it starts below that; where it converges, it ends at the
// aim all the same, with the factor that it has.
TEST(NaturalNewton, GoesOnToTheAimOnlyAsLongAsItGainsDigits) {
  Island island(2, 3);
  island.AddRows(-1, 0, 3, ConvexSet::kHalfLines);
  island.AddRows(0, 1, 4);
  island.Finish(0.1);
  const NaturalNewtonResult cold = island.Solve(Until(1e-3, 1e-13));
  EXPECT_TRUE(cold.converged);
  EXPECT_LE(cold.residual, 1e-13);

  const VecX solution = island.gamma;
  island.gamma *= 1 + 1e-5;
  const NaturalNewtonResult near = island.Solve(Until(1e-3, 1e-13));
  EXPECT_TRUE(near.converged);
  EXPECT_LE(near.residual, 1e-13);
  EXPECT_EQ(island.stats.factorizations, 1);
  EXPECT_LT((island.gamma - solution).norm(), 1e-12 * solution.norm());

  // An aim beyond what numbers can tell is no reason to go on, nor to give up what is good enough.
  const NaturalNewtonResult beyond = island.Solve(Until(1e-3, 1e-30));
  EXPECT_TRUE(beyond.converged);
  EXPECT_LE(island.stats.iterations, 2);
  const NaturalNewtonResult never = island.Solve(Until(1e-30, 1e-30));
  EXPECT_FALSE(never.converged);
}

}  // namespace
}  // namespace voigt
