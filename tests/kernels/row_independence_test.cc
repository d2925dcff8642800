#include "voigt/kernels/row_independence.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/free_body_rows.h"

namespace voigt {
namespace {

struct Bodies : testing::FreeBodyRows {
  explicit Bodies(int count) : FreeBodyRows(count, 7) {}

  bool Check() {
    program.cols = cols.data();
    program.G = G.data();
    std::vector<int> blocks(program.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0);
    RowIndependence independence;
    independence.Analyze(program, blocks, ranges);
    return independence.Check(program, blocks);
  }
};

TEST(RowIndependence, OfStacksAndTrees) {
  Bodies stack(5);
  stack.AddRows(-1, 0, 3);
  for (int b = 0; b < 4; ++b) stack.AddRows(b, b + 1, 3);
  EXPECT_TRUE(stack.Check());

  // A body that carries all the others, and hangs on the world by six rows.
  Bodies star(6);
  star.AddRows(-1, 0, 6);
  for (int b = 1; b < 6; ++b) star.AddRows(0, b, 3);
  EXPECT_TRUE(star.Check());
}

TEST(RowIndependence, IsNotSeenWhereBlocksCloseALoop) {
  Bodies table(1);
  table.AddRows(-1, 0, 3);
  table.AddRows(-1, 0, 3);
  EXPECT_FALSE(table.Check());

  Bodies arch(3);
  arch.AddRows(-1, 0, 3);
  arch.AddRows(0, 1, 3);
  arch.AddRows(1, 2, 3);
  arch.AddRows(-1, 2, 3);
  EXPECT_FALSE(arch.Check());
}

TEST(RowIndependence, EndsWhereRowsOfABlockRepeatEachOther) {
  Bodies stack(2);
  stack.AddRows(-1, 0, 3);
  stack.AddRows(0, 1, 3);
  ASSERT_TRUE(stack.Check());
  // The third row of the second block as a sum of its others, on the body that is a leaf.
  const ConvexBlock& block = stack.program.blocks[1];
  double* const G = stack.G.data() + block.first_entry;
  for (int k = 6; k < 12; ++k) G[24 + k] = G[k] - 2 * G[12 + k];
  EXPECT_FALSE(stack.Check());
}

TEST(RowIndependence, NeedsAsManyRatesAsRows) {
  Bodies one(1);
  one.AddRows(-1, 0, 7);
  EXPECT_FALSE(one.Check());
}

}  // namespace
}  // namespace voigt
