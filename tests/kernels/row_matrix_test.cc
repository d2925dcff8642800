#include "voigt/kernels/row_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

namespace voigt {
namespace {

// A branching tree of nine degrees of freedom and one of three, with blocks of rows that move both.
struct TreeRows {
  explicit TreeRows(unsigned seed) : random(seed) {
    pattern = TreePattern({-1, 0, 1, 2, 1, 4, 5, 0, 7, -1, 9, 10});
    M.setZero(pattern.nonzeros());
    for (int k = 0; k < pattern.size(); ++k) {
      for (int d = 0; d < pattern.depth(k); ++d) M[pattern.row_start(k) + d] = 0.3 * Draw();
      M[pattern.row_start(k) + pattern.depth(k)] = 4 + std::abs(Draw());
    }
    factor = TreeFactor(pattern);
    EXPECT_LT(factor.Factor(pattern, M), 0);
  }
  double Draw() { return normal(random); }

  void AddBlock(std::vector<int> at, int rows, ConvexSet set) {
    ConvexBlock block;
    block.set = set;
    block.first_row = program.row_count();
    block.row_count = rows;
    block.first_col = static_cast<int>(cols.size());
    block.col_count = static_cast<int>(at.size());
    block.first_entry = static_cast<int>(G.size());
    cols.insert(cols.end(), at.begin(), at.end());
    for (int i = 0; i < rows * block.col_count; ++i) G.push_back(Draw());
    P_start.push_back(static_cast<int>(P.size()));
    const int count = IsCoupled(set) ? rows * rows : rows;
    for (int i = 0; i < count; ++i) P.push_back(Draw());
    program.R.resize(program.R.size() + rows);
    program.blocks.push_back(block);
    blocks.push_back(static_cast<int>(blocks.size()));
  }

  void Finish() {
    program.pattern = &pattern;
    program.M = &M;
    program.factor = &factor;
    program.cols = cols.data();
    program.G = G.data();
    matrix.Reset(program, blocks, ranges);
  }

  // P W x, without structure.
  VecX Multiply(const VecX& x) const {
    VecX force = VecX::Zero(pattern.size());
    for (const ConvexBlock& block : program.blocks) {
      AddTransposedBlock(program, block, x.data() + block.first_row, force.data());
    }
    const VecX v = pattern.ToDense(M).inverse() * force;
    VecX out(program.row_count());
    for (size_t i = 0; i < blocks.size(); ++i) {
      const ConvexBlock& block = program.blocks[i];
      VecX y(block.row_count);
      MultiplyBlock(program, block, v.data(), y.data());
      const double* const P_i = P.data() + P_start[i];
      for (int r = 0; r < block.row_count; ++r) {
        double sum = 0;
        for (int s = 0; s < block.row_count; ++s) {
          if (IsCoupled(block.set)) sum += P_i[r * block.row_count + s] * y[s];
          if (!IsCoupled(block.set) && r == s) sum += P_i[r] * y[r];
        }
        out[block.first_row + r] = sum;
      }
    }
    return out;
  }

  std::mt19937 random;
  std::normal_distribution<double> normal;
  TreePattern pattern;
  VecX M;
  TreeFactor factor;
  std::vector<int> cols, blocks, P_start;
  std::vector<double> G, P;
  std::vector<DofRange> ranges{{0, 9}, {9, 3}};
  ConvexProgram program;
  RowMatrix matrix;
};

TEST(RowMatrix, SolvesForImpulses) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    TreeRows tree(seed);
    tree.AddBlock({0, 1, 4, 5}, 3, ConvexSet::kCoulomb);
    tree.AddBlock({0, 7, 8, 9, 10}, 2, ConvexSet::kAll);
    tree.AddBlock({9, 10, 11}, 3, ConvexSet::kCone);
    tree.Finish();
    ASSERT_TRUE(tree.matrix.applies());
    ASSERT_TRUE(tree.matrix.Factor(tree.program, tree.P, tree.P_start));
    VecX r(8);
    for (double& x : r) x = tree.Draw();
    VecX z = r;
    tree.matrix.Solve(z.data());
    EXPECT_LT((z + tree.Multiply(z) - r).norm(), 1e-12 * (r.norm() + 10 * z.norm())) << seed;
  }
}

TEST(RowMatrix, IsForFewRows) {
  TreeRows tree(5);
  for (int i = 0; i < 3; ++i) tree.AddBlock({0, 1, 2, 3}, 3, ConvexSet::kCoulomb);
  tree.Finish();
  EXPECT_TRUE(tree.matrix.applies());
  tree.AddBlock({9, 10}, 1, ConvexSet::kHalfLines);
  tree.Finish();
  EXPECT_FALSE(tree.matrix.applies());
}

}  // namespace
}  // namespace voigt
