#include "voigt/math/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <random>

#include "tests/support/block_example.h"

namespace voigt {
namespace {

using testing::BlockExample;
using testing::Fill;
using testing::MakeBedExample;
using testing::MakeBlockExample;

TEST(BlockCholesky, SolvesAsDenseCholeskyDoes) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int nodes = 1 + seed % 20;
    // Every third is made of free bodies.
    const BlockExample example = MakeBlockExample(nodes, 2 * nodes, seed % 3 == 0 ? 6 : 0, seed);
    // Edges may come in any order and direction, and more than once.
    auto edges = example.edges;
    edges.insert(edges.end(), example.edges.begin(), example.edges.end());
    std::shuffle(edges.begin(), edges.end(), std::mt19937(seed));
    for (size_t e = 0; e < edges.size(); e += 2) std::swap(edges[e].first, edges[e].second);
    BlockCholesky factor;
    factor.Analyze(example.sizes, edges);
    ASSERT_EQ(factor.size(), example.A.rows());
    for (int repeat = 0; repeat < 2; ++repeat) {
      Fill(example, repeat == 1, &factor);
      ASSERT_TRUE(factor.Factor());
      VecX x = VecX::LinSpaced(factor.size(), -1, 2);
      const VecX exact = example.A.llt().solve(x);
      factor.Solve(x.data());
      EXPECT_LT((x - exact).norm(), 1e-12 * exact.norm() * example.A.norm()) << seed;
    }
  }
}

TEST(BlockCholesky, SolvesWhereNodesShareColumns) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int size = seed % 2 == 0 ? 6 : 0;
    const BlockExample example =
        seed % 4 < 2 ? MakeBlockExample(110, 400, size, seed) : MakeBedExample(4, 5, 6, size, seed);
    BlockCholesky factor;
    factor.Analyze(example.sizes, example.edges);
    ASSERT_LT(factor.structure().columns().size(), 0.8 * example.sizes.size()) << seed;
    const VecX b = VecX::LinSpaced(factor.size(), -1, 2), exact = example.A.llt().solve(b);
    for (int repeat = 0; repeat < 2; ++repeat) {
      Fill(example, repeat == 1, &factor);
      ASSERT_TRUE(factor.Factor()) << seed;
      VecX x = b;
      factor.Solve(x.data());
      EXPECT_LT((x - exact).norm(), 1e-12 * exact.norm()) << seed;
    }
  }
}

TEST(BlockCholesky, ReportsMatricesThatAreNotPositiveDefinite) {
  for (BlockExample example : {MakeBlockExample(6, 9, 0, 3), MakeBedExample(4, 4, 4, 6, 3)}) {
    BlockCholesky factor;
    factor.Analyze(example.sizes, example.edges);
    Fill(example, false, &factor);
    EXPECT_TRUE(factor.Factor());
    example.A(example.starts[4], example.starts[4]) = -1;
    Fill(example, false, &factor);
    EXPECT_FALSE(factor.Factor());
  }
}

TEST(BlockCholesky, AChainHasNoFillAndLinearCost) {
  const auto cost = [](int nodes) {
    std::vector<int> sizes(nodes, 6);
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i + 1 < nodes; ++i) edges.emplace_back(i, i + 1);
    BlockCholesky factor;
    factor.Analyze(sizes, edges);
    return factor.cost();
  };
  EXPECT_NEAR(cost(2000) / cost(1000), 2, 1e-2);
}

}  // namespace
}  // namespace voigt
