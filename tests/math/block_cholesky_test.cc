#include "voigt/math/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace voigt {
namespace {

struct Example {
  std::vector<int> sizes, starts;
  std::vector<std::pair<int, int>> edges;
  MatX A;
};

// A = Σ over edges of B Bᵀ on both nodes' rows, plus the identity. Every third edge couples
// nothing.
Example MakeExample(int nodes, int edge_count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> size(1, 7), node(0, nodes - 1);
  std::uniform_real_distribution<double> real(-1, 1);
  Example out;
  int total = 0;
  for (int i = 0; i < nodes; ++i) {
    out.sizes.push_back(size(random));
    out.starts.push_back(total);
    total += out.sizes.back();
  }
  out.A = MatX::Identity(total, total);
  for (int e = 0; e < edge_count; ++e) {
    const int i = node(random), j = node(random);
    if (i == j) continue;
    out.edges.emplace_back(i, j);
    if (e % 3 == 0) continue;
    MatX B = MatX::Zero(total, 3);
    for (int k : {i, j}) {
      for (int a = 0; a < out.sizes[k]; ++a) {
        for (int c = 0; c < 3; ++c) B(out.starts[k] + a, c) = real(random);
      }
    }
    out.A += B * B.transpose();
  }
  return out;
}

void Fill(const Example& example, BlockCholesky* factor) {
  factor->SetZero();
  const auto add = [&](int i, int j) {
    const BlockCholesky::Place place = factor->Find(i, j);
    for (int a = 0; a < example.sizes[i]; ++a) {
      for (int b = 0; b < example.sizes[j]; ++b) {
        const int at = place.transposed ? b + a * place.stride : a + b * place.stride;
        factor->data()[place.offset + at] = example.A(example.starts[i] + a, example.starts[j] + b);
      }
    }
  };
  for (size_t i = 0; i < example.sizes.size(); ++i) add(i, i);
  for (const auto& [i, j] : example.edges) add(i, j);
}

TEST(BlockCholesky, SolvesAsDenseCholeskyDoes) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int nodes = 1 + seed % 20;
    const Example example = MakeExample(nodes, 2 * nodes, seed);
    BlockCholesky factor;
    factor.Analyze(example.sizes, example.edges);
    ASSERT_EQ(factor.size(), example.A.rows());
    for (int repeat = 0; repeat < 2; ++repeat) {
      Fill(example, &factor);
      ASSERT_TRUE(factor.Factor());
      VecX x = VecX::LinSpaced(factor.size(), -1, 2);
      const VecX exact = example.A.llt().solve(x);
      factor.Solve(x.data());
      EXPECT_LT((x - exact).norm(), 1e-12 * exact.norm() * example.A.norm()) << seed;
    }
  }
}

TEST(BlockCholesky, ReportsMatricesThatAreNotPositiveDefinite) {
  Example example = MakeExample(6, 9, 3);
  example.A(example.starts[4], example.starts[4]) = -1;
  BlockCholesky factor;
  factor.Analyze(example.sizes, example.edges);
  Fill(example, &factor);
  EXPECT_FALSE(factor.Factor());
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
