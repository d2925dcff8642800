#include "voigt/math/tree_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

using Random = std::mt19937_64;

// A random forest in depth-first numbering: each node hangs on the previous one, on one of its
// ancestors, or on nothing.
std::vector<int> SmallForest(Random* random, int size) {
  std::vector<int> parent;
  for (int k = 0; k < size; ++k) {
    int up = k - 1;
    while (up >= 0 && (*random)() % 3 == 0) up = parent[up];
    parent.push_back(up);
  }
  return parent;
}

std::vector<int> PathByWalkingUp(const std::vector<int>& parent, int k) {
  std::vector<int> path;
  for (int i = k; i >= 0; i = parent[i]) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

TEST(TreePattern, IsEmptyByDefault) {
  const TreePattern pattern;
  EXPECT_EQ(pattern.size(), 0);
  EXPECT_EQ(pattern.nonzeros(), 0);
  EXPECT_EQ(TreePattern(std::vector<int>{}).ToDense(VecX()).size(), 0);
}

TEST(TreePattern, DescribesASmallForest) {
  //  0 ─ 1 ─ 2      5 ─ 6
  //       ╲ 3 ─ 4
  const TreePattern pattern({-1, 0, 1, 1, 3, -1, 5});
  EXPECT_EQ(pattern.size(), 7);
  const std::vector<int> depth = {0, 1, 2, 2, 3, 0, 1};
  const std::vector<int> row_start = {0, 1, 3, 6, 9, 13, 14};
  // 3 does not follow its parent 1, so a new run starts there.
  const std::vector<int> run_start = {0, 0, 0, 3, 3, 5, 5};
  for (int k = 0; k < 7; ++k) {
    EXPECT_EQ(pattern.depth(k), depth[k]) << k;
    EXPECT_EQ(pattern.row_start(k), row_start[k]) << k;
    EXPECT_EQ(pattern.run_start(k), run_start[k]) << k;
  }
  EXPECT_EQ(pattern.nonzeros(), 16);
  EXPECT_EQ(std::vector<int>(pattern.path(4), pattern.path(4) + 4), (std::vector<int>{0, 1, 3, 4}));
}

TEST(TreePattern, PathsLeadFromTheRootToTheNode) {
  Random random(1);
  for (int size : {1, 2, 7, 40}) {
    for (int i = 0; i < 20; ++i) {
      const std::vector<int> parent = SmallForest(&random, size);
      const TreePattern pattern(parent);
      int nonzeros = 0;
      for (int k = 0; k < size; ++k) {
        const std::vector<int> path = PathByWalkingUp(parent, k);
        EXPECT_EQ(pattern.parent(k), parent[k]);
        EXPECT_EQ(pattern.depth(k) + 1, static_cast<int>(path.size()));
        EXPECT_EQ(std::vector<int>(pattern.path(k), pattern.path(k) + path.size()), path);
        EXPECT_EQ(pattern.row_start(k), nonzeros);
        nonzeros += static_cast<int>(path.size());
      }
      EXPECT_EQ(pattern.nonzeros(), nonzeros);
    }
  }
}

TEST(TreePattern, RunsAreMaximalChainsWithoutGaps) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const std::vector<int> parent = SmallForest(&random, 30);
    const TreePattern pattern(parent);
    for (int k = 0; k < 30; ++k) {
      const int start = pattern.run_start(k);
      for (int j = start + 1; j <= k; ++j) EXPECT_EQ(parent[j], j - 1);
      const bool could_grow = start > 0 && parent[start] == start - 1;
      EXPECT_FALSE(could_grow);
    }
  }
}

TEST(TreePattern, NeighbouringRootsAreRunsOfTheirOwn) {
  // Index −1 "precedes" index 0, but a root follows nothing.
  const TreePattern pattern({-1, -1, -1});
  for (int k = 0; k < 3; ++k) EXPECT_EQ(pattern.run_start(k), k);
}

TEST(TreePattern, CommonPathsAreIntersectionsOfAncestors) {
  Random random(3);
  for (int i = 0; i < 10; ++i) {
    const std::vector<int> parent = SmallForest(&random, 25);
    const TreePattern pattern(parent);
    for (int a = 0; a < 25; ++a) {
      const std::vector<int> path_a = PathByWalkingUp(parent, a);
      const std::set<int> above_a(path_a.begin(), path_a.end());
      for (int b = 0; b < 25; ++b) {
        int common = 0;
        for (int k : PathByWalkingUp(parent, b)) common += static_cast<int>(above_a.count(k));
        EXPECT_EQ(pattern.CommonPathLength(a, b), common);
      }
      EXPECT_EQ(pattern.CommonPathLength(a, -1), 0);
      EXPECT_EQ(pattern.CommonPathLength(-1, a), 0);
    }
    EXPECT_EQ(pattern.CommonPathLength(-1, -1), 0);
  }
}

TEST(TreePattern, UnpacksEveryEntryToItsPlace) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const std::vector<int> parent = SmallForest(&random, 15);
    const TreePattern pattern(parent);
    // Distinct numbers, so that an entry out of place is seen.
    const VecX packed = VecX::LinSpaced(pattern.nonzeros(), 1, pattern.nonzeros());
    const MatX dense = pattern.ToDense(packed);
    EXPECT_EQ(dense, MatX(dense.transpose()));
    for (int k = 0; k < 15; ++k) {
      const std::vector<int> path = PathByWalkingUp(parent, k);
      for (int j = 0; j <= k; ++j) {
        const bool related = std::find(path.begin(), path.end(), j) != path.end();
        const double expected = related ? packed[pattern.row_start(k) + pattern.depth(j)] : 0;
        EXPECT_EQ(dense(k, j), expected);
      }
    }
  }
}

TEST(TreePattern, RefusesMoreEntriesThanCanBeNumbered) {
  std::vector<int> chain(65536);
  for (int k = 0; k < 65536; ++k) chain[k] = k - 1;
  EXPECT_THROW(TreePattern{chain}, InputError);
  std::fill(chain.begin(), chain.end(), -1);
  EXPECT_EQ(TreePattern{chain}.nonzeros(), 65536);
}

TEST(TreePattern, RefusesParentsThatComeTooLate) {
  EXPECT_THROW(TreePattern({0}), std::logic_error);
  EXPECT_THROW(TreePattern({-1, 2, 1}), std::logic_error);
  EXPECT_THROW(TreePattern({-1, -2}), std::logic_error);
}

}  // namespace
}  // namespace voigt
