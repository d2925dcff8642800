#include "voigt/kernels/islands.h"

#include <algorithm>

namespace voigt {
namespace {

// The first column behind c that is not in the tree of c. Most blocks reach all of it from there.
int SkipTree(std::span<const int> cols, int c, const DofRange& tree) {
  const int end = tree.first + tree.count, whole = c + end - cols[c];
  if (whole <= static_cast<int>(cols.size()) && cols[whole - 1] == end - 1) return whole;
  return static_cast<int>(std::lower_bound(cols.begin() + c, cols.end(), end) - cols.begin());
}

}  // namespace

bool Islands::Find(const ConvexProgram& program) {
  Start(*program.pattern);
  for (const ConvexBlock& block : program.blocks) AddBlock(program.cols_of(block));
  return Finish();
}

void Islands::Start(const TreePattern& pattern) {
  std::swap(structure_, last_structure_);
  structure_.clear();
  for (int root = 0; root < pattern.size(); root = pattern.tree_end(root)) {
    structure_.push_back(root);
  }
  structure_.push_back(pattern.size());
  tree_start_count_ = static_cast<int>(structure_.size());
  block_cols_.assign(1, tree_start_count_);
}

void Islands::AddBlock(std::span<const int> cols) {
  structure_.push_back(static_cast<int>(cols.size()));
  structure_.insert(structure_.end(), cols.begin(), cols.end());
  block_cols_.push_back(static_cast<int>(structure_.size()));
}

bool Islands::Finish() {
  last_structure_.reserve(structure_.size());  // they take turns: no step after the first allocates
  if (structure_ == last_structure_) return false;
  FindTrees();
  JoinTrees();
  SortIntoIslands();
  return true;
}

// The trees of the mass matrix: a root has no parent, and subtrees are contiguous.
void Islands::FindTrees() {
  trees_.clear();
  tree_of_dof_.resize(structure_[tree_start_count_ - 1]);
  for (int tree = 0; tree + 1 < tree_start_count_; ++tree) {
    trees_.push_back({structure_[tree], structure_[tree + 1] - structure_[tree]});
    std::fill_n(tree_of_dof_.begin() + trees_[tree].first, trees_[tree].count, tree);
  }
}

// Blocks join the trees of their columns.
void Islands::JoinTrees() {
  joined_.Reset(static_cast<int>(trees_.size()));
  for (int block = 0; block < block_count(); ++block) {
    const auto cols = cols_of(block);
    int previous = -1;
    for (int c = 0; c < static_cast<int>(cols.size());) {
      const int tree = tree_of_dof_[cols[c]];
      if (previous >= 0) joined_.Unite(previous, tree);
      previous = tree;
      c = SkipTree(cols, c, trees_[tree]);
    }
  }
}

// Numbers islands by their first block, then sorts blocks and trees into them by counting.
void Islands::SortIntoIslands() {
  const int tree_count = static_cast<int>(trees_.size());
  island_of_tree_.assign(tree_count, -1);
  int islands = 0;
  const auto island_of = [&](int block) -> int& {
    return island_of_tree_[joined_.Find(tree_of_dof_[cols_of(block)[0]])];
  };
  for (int block = 0; block < block_count(); ++block) {
    if (cols_of(block).empty()) continue;
    if (int& island = island_of(block); island < 0) island = islands++;
  }
  const auto starts_from_counts = [](std::vector<int>* start) {
    int sum = 0;
    for (int& value : *start) {
      const int count = value;
      value = sum;
      sum += count;
    }
    return sum;
  };
  block_start_.assign(islands + 1, 0);
  range_start_.assign(islands + 1, 0);
  for (int block = 0; block < block_count(); ++block) {
    if (!cols_of(block).empty()) ++block_start_[island_of(block)];
  }
  untouched_.clear();
  for (int tree = 0; tree < tree_count; ++tree) {
    const int island = island_of_tree_[joined_.Find(tree)];
    if (island >= 0) {
      ++range_start_[island];
    } else {
      untouched_.push_back(trees_[tree]);
    }
  }
  blocks_.resize(starts_from_counts(&block_start_));
  ranges_.resize(starts_from_counts(&range_start_));
  cursor_ = block_start_;
  for (int block = 0; block < block_count(); ++block) {
    if (!cols_of(block).empty()) blocks_[cursor_[island_of(block)]++] = block;
  }
  cursor_ = range_start_;
  for (int tree = 0; tree < tree_count; ++tree) {
    const int island = island_of_tree_[joined_.Find(tree)];
    if (island >= 0) ranges_[cursor_[island]++] = trees_[tree];
  }
}

}  // namespace voigt
