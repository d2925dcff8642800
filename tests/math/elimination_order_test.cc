#include "voigt/math/elimination_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/support/block_example.h"

namespace voigt {
namespace {

using Edges = std::vector<std::pair<int, int>>;

// Pairs of nodes that are joined, or become so when nodes are eliminated one by one.
long CountFill(const std::vector<int>& position, const Edges& edges) {
  std::vector<std::set<int>> later(position.size());
  for (const auto& [i, j] : edges) {
    later[std::min(position[i], position[j])].insert(std::max(position[i], position[j]));
  }
  long fill = 0;
  for (const auto& rows : later) {
    fill += static_cast<long>(rows.size());
    if (rows.empty()) continue;
    later[*rows.begin()].insert(std::next(rows.begin()), rows.end());
  }
  return fill;
}

void ExpectPermutation(std::vector<int> position) {
  std::sort(position.begin(), position.end());
  for (size_t i = 0; i < position.size(); ++i) EXPECT_EQ(position[i], static_cast<int>(i));
}

Edges BedEdges(int nx, int ny, int layers) {
  return testing::MakeBedExample(nx, ny, layers, 1, 1).edges;
}

TEST(EliminationOrder, ContainsEveryNodeOnce) {
  std::mt19937 random(1);
  for (int count : {0, 1, 2, 150, 300, 700}) {
    for (int degree : {0, 1, 2, 8}) {
      Edges edges;
      for (int e = 0; e < count * degree / 2; ++e) {
        const int i = static_cast<int>(random() % count), j = static_cast<int>(random() % count);
        if (i != j) edges.emplace_back(i, j);
      }
      ExpectPermutation(OrderByDegree(count, edges));
      ExpectPermutation(OrderByDissection(count, edges));
    }
  }
  // All joined: there is no cut.
  Edges complete;
  for (int i = 0; i < 250; ++i) {
    for (int j = 0; j < i; ++j) complete.emplace_back(i, j);
  }
  ExpectPermutation(OrderByDissection(250, complete));
}

// Beds of three different lengths: in those of equal ones slowest modes are as slow as each other,
// and which one is found is a matter of rounding.
TEST(EliminationOrder, DissectionOfBedsHasLessFill) {
  for (const auto& [nx, ny, layers] : {std::array{7, 11, 13}, std::array{8, 9, 11}}) {
    const int count = nx * ny * layers;
    const Edges edges = BedEdges(nx, ny, layers);
    const long by_degree = CountFill(OrderByDegree(count, edges), edges);
    const long by_dissection = CountFill(OrderByDissection(count, edges), edges);
    EXPECT_LT(by_dissection, 0.95 * by_degree);
  }
}

// A long strip is cut across: each cut is as wide as the strip, and the fill grows with the length.
TEST(EliminationOrder, DissectionCutsStripsAcross) {
  const auto fill = [](int length) {
    const Edges edges = BedEdges(4, length, 1);
    return static_cast<double>(CountFill(OrderByDissection(4 * length, edges), edges));
  };
  EXPECT_LT(fill(800) / fill(400), 2.2);
  EXPECT_LT(fill(400), 6.0 * 4 * 400);
}

TEST(EliminationOrder, IsTheSameEveryTime) {
  const Edges edges = BedEdges(6, 7, 8);
  const std::vector<int> position = OrderByDissection(6 * 7 * 8, edges);
  EXPECT_EQ(OrderByDissection(6 * 7 * 8, edges), position);
  Edges twice = edges;
  for (const auto& [i, j] : edges) twice.emplace_back(j, i);
  ExpectPermutation(OrderByDissection(6 * 7 * 8, twice));
}

}  // namespace
}  // namespace voigt
