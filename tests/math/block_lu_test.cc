#include "voigt/math/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "tests/support/allocation_counter.h"
#include "tests/support/block_example.h"

namespace voigt {
namespace {

using testing::BlockExample;

// Entries that are not symmetric where the example has blocks.
void Unbalance(unsigned seed, BlockExample* example) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(-3, 3);
  const auto add = [&](int i, int j) {
    for (int a = 0; a < example->sizes[i]; ++a) {
      for (int b = 0; b < example->sizes[j]; ++b) {
        example->A(example->starts[i] + a, example->starts[j] + b) += real(random);
      }
    }
  };
  for (size_t i = 0; i < example->sizes.size(); ++i) add(i, i);
  for (const auto& [i, j] : example->edges) {
    add(i, j);
    add(j, i);
  }
}

void FillBoth(const BlockExample& example, const BlockStructure& structure, BlockLu* lu) {
  lu->SetZero();
  const auto copy = [&](int i, int j) {
    const auto place = structure.Find(i, j);
    for (int a = 0; a < example.sizes[i]; ++a) {
      for (int b = 0; b < example.sizes[j]; ++b) {
        const int at =
            place.offset + (place.transposed ? b + a * place.stride : a + b * place.stride);
        (place.transposed ? lu->upper() : lu->lower())[at] =
            example.A(example.starts[i] + a, example.starts[j] + b);
      }
    }
  };
  for (size_t i = 0; i < example.sizes.size(); ++i) copy(i, i);
  for (const auto& [i, j] : example.edges) {
    copy(i, j);
    copy(j, i);
  }
}

TEST(BlockLu, SolvesAsDenseLuDoes) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    const int nodes = 1 + seed % 20;
    BlockExample example = testing::MakeBlockExample(nodes, 2 * nodes, seed % 4 == 0 ? 6 : 0, seed);
    Unbalance(seed, &example);
    BlockStructure structure;
    structure.Analyze(example.sizes, example.edges);
    BlockLu lu;
    lu.SetStructure(structure);
    const Eigen::PartialPivLU<MatX> dense(example.A);
    for (int repeat = 0; repeat < 2; ++repeat) {
      FillBoth(example, structure, &lu);
      ASSERT_TRUE(lu.Factor()) << seed;
      VecX x = VecX::LinSpaced(structure.size(), -1, 2);
      const VecX b = x, exact = dense.solve(b);
      lu.Solve(x.data());
      // Blocks are not exchanged: digits may be lost that a second solve brings back.
      VecX rest = b - example.A * x;
      lu.Solve(rest.data());
      x += rest;
      EXPECT_LT((x - exact).norm(), 1e-10 * exact.norm()) << seed;
    }
  }
}

// Solves with columns that nodes share, against a dense factor.
void ExpectSolvesLargeExample(BlockExample example, unsigned seed) {
  Unbalance(seed, &example);
  example.A.diagonal().array() += 60;
  BlockStructure structure;
  structure.Analyze(example.sizes, example.edges);
  ASSERT_LT(structure.columns().size(), 0.8 * example.sizes.size()) << seed;
  BlockLu lu;
  lu.SetStructure(structure);
  const VecX b = VecX::LinSpaced(structure.size(), -1, 2);
  const VecX exact = Eigen::PartialPivLU<MatX>(example.A).solve(b);
  for (int repeat = 0; repeat < 2; ++repeat) {
    FillBoth(example, structure, &lu);
    ASSERT_TRUE(lu.Factor()) << seed;
    VecX x = b;
    lu.Solve(x.data());
    EXPECT_LT((x - exact).norm(), 1e-12 * exact.norm()) << seed;
  }
}

TEST(BlockLu, SolvesWhereNodesShareColumns) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const int size = seed % 2 == 0 ? 6 : 0;
    ExpectSolvesLargeExample(testing::MakeBlockExample(110, 400, size, seed), seed);
    ExpectSolvesLargeExample(testing::MakeBedExample(4, 5, 6, size, seed), seed);
  }
}

TEST(BlockLu, ReportsSingularBlocks) {
  BlockExample example = testing::MakeBlockExample(1, 0, 4, 3);
  example.A.row(2) = example.A.row(1);
  BlockStructure structure;
  structure.Analyze(example.sizes, example.edges);
  BlockLu lu;
  lu.SetStructure(structure);
  FillBoth(example, structure, &lu);
  EXPECT_FALSE(lu.Factor());
}

TEST(BlockLu, AllocatesNothingOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  for (const BlockExample& example :
       {testing::MakeBlockExample(12, 30, 0, 5), testing::MakeBedExample(4, 4, 4, 6, 5)}) {
    BlockStructure structure;
    structure.Analyze(example.sizes, example.edges);
    BlockLu lu;
    VecX x = VecX::Ones(structure.size());
    long before = 0;
    for (int repeat = 0; repeat < 2; ++repeat) {
      before = testing::CountAllocations();
      lu.SetStructure(structure);
      FillBoth(example, structure, &lu);
      ASSERT_TRUE(lu.Factor());
      lu.Solve(x.data());
    }
    EXPECT_EQ(testing::CountAllocations(), before);
  }
}

}  // namespace
}  // namespace voigt
