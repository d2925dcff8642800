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

int Islands::FindRoot(int tree) {
  while (parent_[tree] != tree) {
    parent_[tree] = parent_[parent_[tree]];
    tree = parent_[tree];
  }
  return tree;
}

// False if it is that of the last call.
bool Islands::TakeStructure(const ConvexProgram& program) {
  std::swap(structure_, last_structure_);
  structure_.clear();
  for (int root = 0; root < program.nv(); root = program.pattern->tree_end(root)) {
    structure_.push_back(root);
  }
  structure_.push_back(program.nv());
  for (const ConvexBlock& block : program.blocks) {
    const auto cols = program.cols_of(block);
    structure_.push_back(block.col_count);
    structure_.insert(structure_.end(), cols.begin(), cols.end());
  }
  last_structure_.reserve(structure_.size());  // they take turns: no step after the first allocates
  return structure_ != last_structure_;
}

bool Islands::Find(const ConvexProgram& program) {
  if (!TakeStructure(program)) return false;

  // The trees of the mass matrix: a root has no parent, and subtrees are contiguous.
  const int nv = program.nv();
  trees_.clear();
  tree_of_dof_.resize(nv);
  for (int root = 0; root < nv; root = program.pattern->tree_end(root)) {
    trees_.push_back({root, program.pattern->tree_end(root) - root});
    std::fill_n(tree_of_dof_.begin() + root, trees_.back().count,
                static_cast<int>(trees_.size()) - 1);
  }

  // Blocks join the trees of their columns; the smaller number stays the root.
  const int tree_count = static_cast<int>(trees_.size());
  parent_.resize(tree_count);
  for (int i = 0; i < tree_count; ++i) parent_[i] = i;
  for (const ConvexBlock& block : program.blocks) {
    const auto cols = program.cols_of(block);
    int previous = -1;
    for (int c = 0; c < block.col_count;) {
      const int tree = tree_of_dof_[cols[c]];
      if (previous >= 0) {
        const int A = FindRoot(previous), B = FindRoot(tree);
        parent_[A < B ? B : A] = A < B ? A : B;
      }
      previous = tree;
      c = SkipTree(cols, c, trees_[tree]);
    }
  }

  // Number islands by their first block, then sort blocks and trees into them by counting.
  island_of_tree_.assign(tree_count, -1);
  int islands = 0;
  const auto island_of = [&](const ConvexBlock& block) {
    return island_of_tree_[FindRoot(tree_of_dof_[program.cols[block.first_col]])];
  };
  for (const ConvexBlock& block : program.blocks) {
    if (block.col_count == 0) continue;
    int& island = island_of_tree_[FindRoot(tree_of_dof_[program.cols[block.first_col]])];
    if (island < 0) island = islands++;
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
  for (const ConvexBlock& block : program.blocks) {
    if (block.col_count > 0) ++block_start_[island_of(block)];
  }
  untouched_.clear();
  for (int tree = 0; tree < tree_count; ++tree) {
    const int island = island_of_tree_[FindRoot(tree)];
    if (island >= 0) {
      ++range_start_[island];
    } else {
      untouched_.push_back(trees_[tree]);
    }
  }
  blocks_.resize(starts_from_counts(&block_start_));
  ranges_.resize(starts_from_counts(&range_start_));
  cursor_ = block_start_;
  for (size_t i = 0; i < program.blocks.size(); ++i) {
    if (program.blocks[i].col_count == 0) continue;
    blocks_[cursor_[island_of(program.blocks[i])]++] = static_cast<int>(i);
  }
  cursor_ = range_start_;
  for (int tree = 0; tree < tree_count; ++tree) {
    const int island = island_of_tree_[FindRoot(tree)];
    if (island >= 0) ranges_[cursor_[island]++] = trees_[tree];
  }
  return true;
}

}  // namespace voigt
