#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/math/disjoint_sets.h"

namespace voigt {

// A contiguous range of degrees of freedom that the mass matrix couples.
struct DofRange {
  int first = 0, count = 0;
};

// Divides a program into parts that share no unknown: an island is a set of trees of the mass
// matrix joined by blocks. Trees that no block touches belong to no island. Islands are ordered by
// their first block, and so are their blocks; ranges ascend.
class Islands {
 public:
  // False if they are those of the last call.
  bool Find(const ConvexProgram& program);

  // The same for blocks told one by one, each by the ascending columns that it touches.
  void Start(const TreePattern& pattern);
  void AddBlock(std::span<const int> cols);
  bool Finish();

  int count() const { return static_cast<int>(block_start_.size()) - 1; }
  std::span<const int> blocks(int island) const { return Part(blocks_, block_start_, island); }
  std::span<const DofRange> ranges(int island) const { return Part(ranges_, range_start_, island); }
  // The trees that belong to no island.
  std::span<const DofRange> untouched() const { return untouched_; }

 private:
  template <typename T>
  static std::span<const T> Part(const std::vector<T>& list, const std::vector<int>& start, int i) {
    return {list.data() + start[i], static_cast<size_t>(start[i + 1] - start[i])};
  }
  int block_count() const { return static_cast<int>(block_cols_.size()) - 1; }
  std::span<const int> cols_of(int block) const {
    return {structure_.data() + block_cols_[block] + 1,
            static_cast<size_t>(structure_[block_cols_[block]])};
  }
  void FindTrees();
  void JoinTrees();
  void SortIntoIslands();

  // Where trees begin, then of every block how many columns it has, and which.
  std::vector<int> structure_, last_structure_;
  std::vector<int> block_cols_;  // where blocks begin in it, and where the last one ends
  int tree_start_count_ = 0;
  std::vector<DofRange> trees_;
  DisjointSets joined_;  // trees
  std::vector<int> tree_of_dof_, island_of_tree_, cursor_;
  std::vector<int> blocks_, block_start_;
  std::vector<DofRange> ranges_, untouched_;
  std::vector<int> range_start_;
};

}  // namespace voigt
