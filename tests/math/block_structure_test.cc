#include "voigt/math/block_structure.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/block_example.h"

namespace voigt {
namespace {

using testing::BlockExample;

// The rows and columns of every node meet in the panels once, inside of the numbers there are.
TEST(BlockStructure, PlacesBlocksApart) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const BlockExample example = seed % 2 == 0 ? testing::MakeBedExample(4, 5, 6, 0, seed)
                                               : testing::MakeBlockExample(30, 60, 0, seed);
    BlockStructure structure;
    structure.Analyze(example.sizes, example.edges);
    std::set<int> taken;
    const auto take = [&](int i, int j) {
      const BlockStructure::Place place = structure.Find(i, j);
      const BlockStructure::Place mirror = structure.Find(j, i);
      EXPECT_EQ(place.offset, mirror.offset);
      EXPECT_TRUE(i == j || place.transposed != mirror.transposed);
      for (int a = 0; a < example.sizes[i]; ++a) {
        for (int b = 0; b < example.sizes[j]; ++b) {
          const int at = place.offset + (place.transposed ? b + a * place.stride  //
                                                          : a + b * place.stride);
          EXPECT_LT(at, structure.value_count());
          EXPECT_TRUE(taken.insert(at).second) << i << " " << j;
        }
      }
    };
    for (size_t i = 0; i < example.sizes.size(); ++i) take(i, i);
    for (const auto& [i, j] : example.edges) take(i, j);
  }
}

TEST(BlockStructure, NodesWithFewBlocksShareNoColumns) {
  std::vector<std::pair<int, int>> chain, tree;
  for (int i = 1; i < 200; ++i) {
    chain.emplace_back(i, i - 1);
    tree.emplace_back(i, (i - 1) / 3);
  }
  for (const auto& edges : {chain, tree}) {
    BlockStructure structure;
    structure.Analyze(std::vector<int>(200, 6), edges);
    EXPECT_EQ(structure.columns().size(), 200u);
    EXPECT_TRUE(structure.updates().empty());
  }
}

TEST(BlockStructure, NodesOfABedShareColumnsWithFewZeros) {
  const BlockExample example = testing::MakeBedExample(5, 6, 7, 6, 1);
  BlockStructure structure;
  structure.Analyze(example.sizes, example.edges);
  EXPECT_LT(structure.columns().size(), 0.6 * example.sizes.size());
  // Without zeros: a block for each pair that Find would place, counted by elimination.
  const int count = static_cast<int>(example.sizes.size());
  std::vector<std::set<int>> later(count);
  std::vector<int> position(count);
  for (int p = 0; p < count; ++p) position[structure.members()[p].node] = p;
  for (const auto& [i, j] : example.edges) {
    later[std::min(position[i], position[j])].insert(std::max(position[i], position[j]));
  }
  int blocks = count;
  for (int p = 0; p < count; ++p) {
    blocks += static_cast<int>(later[p].size());
    for (int i : later[p]) later[*later[p].begin()].insert(i);
    if (!later[p].empty()) later[*later[p].begin()].erase(*later[p].begin());
  }
  int above = 0;  // blocks above the diagonals of shared columns, which nobody reads
  for (const auto& column : structure.columns()) {
    above += column.member_count * (column.member_count - 1) / 2;
  }
  EXPECT_GE(structure.value_count(), 36 * (blocks + above));
  EXPECT_LT(structure.value_count(), 1.1 * 36 * (blocks + above));
}

TEST(BlockStructure, TakesTheCheaperOrder) {
  const BlockExample example = testing::MakeBedExample(7, 8, 9, 6, 1);
  BlockStructure structure;
  structure.Order(example.sizes, example.edges);
  const double by_degree = structure.cost();
  structure.PlacePanels();
  EXPECT_LT(structure.cost(), 0.9 * by_degree);
}

// A second call finds the nodes in order already.
TEST(BlockStructure, PanelsCanBePlacedAgain) {
  const BlockExample example = testing::MakeBedExample(4, 5, 6, 6, 1);
  BlockStructure structure;
  structure.Order(example.sizes, example.edges);
  const double cost = structure.cost();
  structure.PlacePanels();
  const auto [i, j] = example.edges[100];
  const BlockStructure::Place place = structure.Find(i, j);
  const int values = structure.value_count();
  structure.PlacePanels();
  EXPECT_EQ(structure.Find(i, j).offset, place.offset);
  EXPECT_EQ(structure.value_count(), values);
  EXPECT_EQ(structure.cost(), cost);
}

}  // namespace
}  // namespace voigt
