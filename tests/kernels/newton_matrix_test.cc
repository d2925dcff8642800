#include "voigt/kernels/newton_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>
#include <random>

#include "tests/support/connect_program.h"
#include "voigt/kernels/convex_set.h"

namespace voigt {
namespace {

// Random trees of degrees of freedom, and blocks on paths (tree_like) or on pairs of paths.
struct Example {
  TreePattern pattern;
  VecX M, v_star;
  TreeFactor factor;
  std::vector<int> cols;
  std::vector<double> G, P;
  std::vector<int> P_start;
  ConvexProgram program;
  MatX H;

  Example(int nv, int block_count, bool tree_like, bool symmetric, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<int> parent;
    for (int k = 0; k < nv; ++k) {
      // A chain that now and then starts a new tree.
      parent.push_back(k == 0 || random() % 7 == 0 ? -1 : k - 1);
    }
    pattern = TreePattern(parent);
    MatX A = MatX::Zero(nv, nv);
    for (int k = 0; k < nv; ++k) {
      for (int d = 0; d <= pattern.depth(k); ++d) A(k, pattern.path(k)[d]) = normal(random);
    }
    const MatX dense = A.transpose() * A + MatX::Identity(nv, nv);
    M.resize(pattern.nonzeros());
    for (int k = 0; k < nv; ++k) {
      for (int d = 0; d <= pattern.depth(k); ++d) {
        M[pattern.row_start(k) + d] = dense(k, pattern.path(k)[d]);
      }
    }
    v_star.setZero(nv);
    factor = TreeFactor(pattern);
    EXPECT_LT(factor.Factor(pattern, M), 0);
    H = dense;

    for (int i = 0; i < block_count; ++i) {
      ConvexBlock block;
      block.set = i % 2 == 0 ? ConvexSet::kCone : ConvexSet::kAll;
      block.first_row = 3 * i;
      block.row_count = 3;
      block.first_col = static_cast<int>(cols.size());
      block.first_entry = static_cast<int>(G.size());
      std::vector<int> list;
      for (int end = 0; end < (tree_like ? 1 : 2); ++end) {
        const int last = random() % nv;
        list.insert(list.end(), pattern.path(last), pattern.path(last) + pattern.depth(last) + 1);
      }
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      cols.insert(cols.end(), list.begin(), list.end());
      block.col_count = static_cast<int>(list.size());
      MatX dense_G = MatX::Zero(3, nv);
      for (int r = 0; r < 3; ++r) {
        for (int c : list) G.push_back(dense_G(r, c) = normal(random));
      }
      MatX root = MatX::Zero(3, 3);
      for (double& x : root.reshaped()) x = normal(random);
      MatX P_block = symmetric ? MatX(root * root.transpose()) : root;
      if (block.set == ConvexSet::kAll) P_block = P_block.diagonal().cwiseAbs().asDiagonal();
      P_start.push_back(static_cast<int>(P.size()));
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          if (block.set == ConvexSet::kCone || a == b) P.push_back(P_block(a, b));
        }
      }
      H += dense_G.transpose() * P_block * dense_G;
      program.blocks.push_back(block);
    }
    testing::ConnectProgram(this);
  }
};

TEST(NewtonMatrix, AllKindsSolveTheSameSystem) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    for (bool tree_like : {true, false}) {
      const int nv = 5 + seed;
      const Example example(nv, 6, tree_like, true, seed);
      Islands islands;
      islands.Find(example.program);
      for (MatrixKind kind : {MatrixKind::kAuto, MatrixKind::kDense, MatrixKind::kTreeSparse,
                              MatrixKind::kBlockSparse}) {
        const VecX rhs = VecX::LinSpaced(nv, -1, 1);
        VecX x = rhs;
        for (const DofRange& range : islands.untouched()) {
          example.factor.SolveRange(example.pattern, range.first, range.count, x.data());
        }
        for (int i = 0; i < islands.count(); ++i) {
          NewtonMatrix matrix;
          matrix.Analyze(example.program, islands.blocks(i), islands.ranges(i), kind);
          if (kind == MatrixKind::kTreeSparse && tree_like) {
            EXPECT_EQ(matrix.kind(), MatrixKind::kTreeSparse);
          }
          ASSERT_TRUE(matrix.Factor(example.program, example.P, example.P_start));
          matrix.Solve(example.program, x.data());
        }
        EXPECT_LT((example.H * x - rhs).norm(), 1e-9 * example.H.norm() * x.norm())
            << seed << ' ' << static_cast<int>(kind);
      }
    }
  }
}

// Islands of one model and of another one of the same size: nothing is left of those before.
TEST(NewtonMatrix, ServesIslandsInTurn) {
  constexpr int kSize = 40;
  for (MatrixKind kind : {MatrixKind::kDense, MatrixKind::kTreeSparse, MatrixKind::kBlockSparse}) {
    NewtonMatrix matrix;
    int count = 0;
    for (unsigned seed : {1, 2, 1, 3}) {
      const Example example(kSize, 3, kind == MatrixKind::kTreeSparse, true, seed);
      Islands islands;
      islands.Find(example.program);
      count += islands.count();
      const VecX rhs = VecX::LinSpaced(kSize, -1, 1);
      for (int turn = 0; turn < 2; ++turn) {
        VecX x = rhs;
        for (const DofRange& range : islands.untouched()) {
          example.factor.SolveRange(example.pattern, range.first, range.count, x.data());
        }
        for (int i = 0; i < islands.count(); ++i) {
          matrix.Analyze(example.program, islands.blocks(i), islands.ranges(i), kind);
          ASSERT_TRUE(matrix.Factor(example.program, example.P, example.P_start));
          matrix.Solve(example.program, x.data());
        }
        EXPECT_LT((example.H * x - rhs).norm(), 1e-9 * example.H.norm() * x.norm()) << seed;
      }
    }
    EXPECT_GT(count, 4);
  }
}

TEST(NewtonMatrix, SolvesUnsymmetricSystems) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Example example(20, 4, false, false, seed);
    Islands islands;
    islands.Find(example.program);
    const VecX rhs = VecX::LinSpaced(20, -1, 1);
    VecX x = rhs;
    for (const DofRange& range : islands.untouched()) {
      example.factor.SolveRange(example.pattern, range.first, range.count, x.data());
    }
    for (int i = 0; i < islands.count(); ++i) {
      NewtonMatrix matrix;
      matrix.Analyze(example.program, islands.blocks(i), islands.ranges(i), MatrixKind::kAuto);
      ASSERT_TRUE(matrix.Factor(example.program, example.P, example.P_start, false));
      matrix.Solve(example.program, x.data());
    }
    EXPECT_LT((example.H * x - rhs).norm(), 1e-8 * example.H.norm() * x.norm()) << seed;
  }
}

// Blocks that share a tree are in one island, others are not, and every block is in exactly one.
TEST(Islands, AreTheConnectedParts) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Example example(60, 10, false, true, seed);
    const ConvexProgram& program = example.program;
    Islands islands;
    islands.Find(program);
    const auto tree_of = [&](int dof) { return example.pattern.path(dof)[0]; };
    std::vector<int> island_of_tree(60, -1), island_of_block(10, -1);
    for (int i = 0; i < islands.count(); ++i) {
      for (int block : islands.blocks(i)) {
        EXPECT_EQ(island_of_block[block], -1);
        island_of_block[block] = i;
      }
      for (const DofRange& range : islands.ranges(i)) {
        EXPECT_EQ(tree_of(range.first), range.first);
        EXPECT_EQ(island_of_tree[range.first], -1);
        island_of_tree[range.first] = i;
      }
    }
    for (int block = 0; block < 10; ++block) {
      for (int dof : program.cols_of(program.blocks[block])) {
        EXPECT_EQ(island_of_tree[tree_of(dof)], island_of_block[block]);
      }
    }
    int touched = 0, untouched = 0;
    for (int i = 0; i < islands.count(); ++i) {
      for (const DofRange& range : islands.ranges(i)) touched += range.count;
    }
    for (const DofRange& range : islands.untouched()) untouched += range.count;
    EXPECT_EQ(touched + untouched, 60);
  }
}

}  // namespace
}  // namespace voigt
