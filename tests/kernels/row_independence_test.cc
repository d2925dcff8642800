#include "voigt/kernels/row_independence.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace voigt {
namespace {

// Free bodies, and blocks of rows on pairs of them; −1 is the world.
struct Bodies {
  explicit Bodies(int count) : random(7) {
    for (int b = 0; b < count; ++b) ranges.push_back({6 * b, 6});
  }

  void AddBlock(int body_A, int body_B, int rows) {
    ConvexBlock block;
    block.first_row = program.row_count();
    block.row_count = rows;
    block.first_col = static_cast<int>(cols.size());
    block.first_entry = static_cast<int>(G.size());
    for (int body : {body_A, body_B}) {
      for (int k = 0; body >= 0 && k < 6; ++k) cols.push_back(6 * body + k);
    }
    block.col_count = static_cast<int>(cols.size()) - block.first_col;
    for (int i = 0; i < rows * block.col_count; ++i) G.push_back(normal(random));
    program.R.resize(program.R.size() + rows);
    program.blocks.push_back(block);
  }

  bool Check() {
    program.cols = cols.data();
    program.G = G.data();
    std::vector<int> blocks(program.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0);
    RowIndependence independence;
    independence.Analyze(program, blocks, ranges);
    return independence.Check(program, blocks);
  }

  std::mt19937 random;
  std::normal_distribution<double> normal;
  std::vector<DofRange> ranges;
  std::vector<int> cols;
  std::vector<double> G;
  ConvexProgram program;
};

TEST(RowIndependence, OfStacksAndTrees) {
  Bodies stack(5);
  stack.AddBlock(-1, 0, 3);
  for (int b = 0; b < 4; ++b) stack.AddBlock(b, b + 1, 3);
  EXPECT_TRUE(stack.Check());

  // A body that carries all the others, and hangs on the world by six rows.
  Bodies star(6);
  star.AddBlock(-1, 0, 6);
  for (int b = 1; b < 6; ++b) star.AddBlock(0, b, 3);
  EXPECT_TRUE(star.Check());
}

TEST(RowIndependence, IsNotSeenWhereBlocksCloseALoop) {
  Bodies table(1);
  table.AddBlock(-1, 0, 3);
  table.AddBlock(-1, 0, 3);
  EXPECT_FALSE(table.Check());

  Bodies arch(3);
  arch.AddBlock(-1, 0, 3);
  arch.AddBlock(0, 1, 3);
  arch.AddBlock(1, 2, 3);
  arch.AddBlock(-1, 2, 3);
  EXPECT_FALSE(arch.Check());
}

TEST(RowIndependence, EndsWhereRowsOfABlockRepeatEachOther) {
  Bodies stack(2);
  stack.AddBlock(-1, 0, 3);
  stack.AddBlock(0, 1, 3);
  ASSERT_TRUE(stack.Check());
  // The third row of the second block as a sum of its others, on the body that is a leaf.
  const ConvexBlock& block = stack.program.blocks[1];
  double* const G = stack.G.data() + block.first_entry;
  for (int k = 6; k < 12; ++k) G[24 + k] = G[k] - 2 * G[12 + k];
  EXPECT_FALSE(stack.Check());
}

TEST(RowIndependence, NeedsAsManyRatesAsRows) {
  Bodies one(1);
  one.AddBlock(-1, 0, 7);
  EXPECT_FALSE(one.Check());
}

}  // namespace
}  // namespace voigt
