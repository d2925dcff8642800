#include "voigt/kernels/row_chain.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numeric>

#include "tests/support/free_body_rows.h"

namespace voigt {
namespace {

// Free bodies with random mass matrices, and blocks of rows with random P on pairs of them; −1 is
// the world.
struct ChainedBodies : testing::FreeBodyRows {
  explicit ChainedBodies(int count) : FreeBodyRows(count, 11) {
    std::vector<int> parent;
    for (int b = 0; b < count; ++b) {
      for (int k = 0; k < 6; ++k) parent.push_back(k == 0 ? -1 : 6 * b + k - 1);
    }
    pattern = TreePattern(parent);
    M.setZero(pattern.nonzeros());
    for (int k = 0; k < pattern.size(); ++k) {
      const bool is_diagonal = k / 6 % 2 == 0;  // every other body
      for (int d = 0; d < k % 6; ++d) M[pattern.row_start(k) + d] = is_diagonal ? 0 : 0.2 * Draw();
      M[pattern.row_start(k) + k % 6] = 3 + std::abs(Draw());
    }
    factor = TreeFactor(pattern);
    EXPECT_LT(factor.Factor(pattern, M), 0);
  }

  void AddBlock(int body_A, int body_B, int rows, ConvexSet set, double P_size) {
    AddRows(body_A, body_B, rows, set);
    // A + B with A symmetric and positive, B small and unsymmetric.
    P_start.push_back(static_cast<int>(P.size()));
    for (int r = 0; r < rows; ++r) {
      for (int s = 0; IsCoupled(set) && s < rows; ++s) {
        P.push_back(P_size * (r == s ? 1 + std::abs(Draw()) : 0.1 * Draw()));
      }
      if (!IsCoupled(set)) P.push_back(P_size * std::abs(Draw()));
    }
  }

  void Finish() {
    program.pattern = &pattern;
    program.M = &M;
    program.factor = &factor;
    program.cols = cols.data();
    program.G = G.data();
    blocks.resize(program.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0);
    chain.Analyze(program, blocks, ranges);
    chain.Reset(program, blocks);
  }

  // I + P W, without structure.
  MatX DenseMatrix() const {
    const int rows = program.row_count();
    MatX G_all = MatX::Zero(rows, pattern.size()), P_all = MatX::Zero(rows, rows);
    for (size_t i = 0; i < blocks.size(); ++i) {
      const ConvexBlock& block = program.blocks[i];
      const int first = block.first_row, n = block.row_count;
      for (int r = 0; r < n; ++r) {
        for (int k = 0; k < block.col_count; ++k) {
          G_all(first + r, program.cols_of(block)[k]) = program.entries(block, r)[k];
        }
        for (int s = 0; s < n; ++s) {
          const bool is_full = IsCoupled(block.set);
          if (is_full) P_all(first + r, first + s) = P[P_start[i] + r * n + s];
          if (!is_full && r == s) P_all(first + r, first + r) = P[P_start[i] + r];
        }
      }
    }
    const MatX W = G_all * pattern.ToDense(M).inverse() * G_all.transpose();
    return MatX::Identity(rows, rows) + P_all * W;
  }

  TreePattern pattern;
  VecX M;
  TreeFactor factor;
  std::vector<int> blocks, P_start;
  std::vector<double> P;
  RowChain chain;
};

TEST(RowChain, SolvesAsADenseMatrixDoes) {
  ChainedBodies bodies(7);
  bodies.AddBlock(3, 4, 3, ConvexSet::kCoulomb, 50);
  bodies.AddBlock(-1, 0, 3, ConvexSet::kCoulomb, 1e4);
  bodies.AddBlock(0, 1, 2, ConvexSet::kDisc, 1);
  bodies.AddBlock(2, 3, 1, ConvexSet::kHalfLines, 20);
  bodies.AddBlock(1, 2, 3, ConvexSet::kCoulomb, 0);  // open: the chain falls into two
  bodies.AddBlock(-1, 4, 3, ConvexSet::kAll, 5);
  bodies.AddBlock(5, 6, 3, ConvexSet::kCone, 2);  // another chain
  bodies.Finish();
  ASSERT_TRUE(bodies.chain.applies());
  ASSERT_TRUE(bodies.chain.Factor(bodies.program, bodies.P, bodies.P_start));
  const MatX A = bodies.DenseMatrix();
  VecX x(A.rows());
  for (double& value : x) value = bodies.Draw();
  VecX r = A * x;
  bodies.chain.Solve(r.data());
  EXPECT_LT((r - x).norm(), 1e-10 * x.norm());

  // The same rows with other P.
  for (double& p : bodies.P) p *= 3;
  ASSERT_TRUE(bodies.chain.Factor(bodies.program, bodies.P, bodies.P_start));
  r = bodies.DenseMatrix() * x;
  bodies.chain.Solve(r.data());
  EXPECT_LT((r - x).norm(), 1e-10 * x.norm());
}

TEST(RowChain, DoesNotApplyWhereBlocksBranchOrCloseARing) {
  const auto applies = [](int count, const std::vector<std::pair<int, int>>& pairs, int rows) {
    ChainedBodies bodies(count);
    for (const auto& [a, b] : pairs) bodies.AddBlock(a, b, rows, ConvexSet::kAll, 1);
    bodies.Finish();
    return bodies.chain.applies();
  };
  EXPECT_TRUE(applies(3, {{-1, 0}, {0, 1}, {1, 2}, {-1, 2}}, 3));  // an arch
  EXPECT_FALSE(applies(3, {{0, 1}, {1, 2}, {0, 2}}, 3));           // a ring
  EXPECT_FALSE(applies(2, {{0, 1}, {0, 1}}, 3));                   // a ring of two
  EXPECT_FALSE(applies(4, {{0, 1}, {0, 2}, {0, 3}}, 3));           // a star
  EXPECT_FALSE(applies(2, {{-1, 0}, {0, 1}}, 4));                  // more rows than it is made for
}

}  // namespace
}  // namespace voigt
