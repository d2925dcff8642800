#pragma once

#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// The sparsity of a mass matrix: entry (k, i) is non-zero only if i is k or an ancestor of k in a
// forest of degrees of freedom. Parents come before children and every subtree is contiguous
// (depth-first numbering).
//
// A symmetric matrix with this pattern is packed by rows: row k holds its entries for the path
// root → k, so row k of an ancestor is a prefix of the same path and row operations run over
// contiguous memory.
class TreePattern {
 public:
  TreePattern() = default;

  // parent[k] < k, or -1 for a root. Throws InputError if the entries cannot be numbered by
  // int, which takes a chain of 65 536.
  explicit TreePattern(std::vector<int> parent);

  int size() const { return static_cast<int>(parent_.size()); }
  int nonzeros() const { return static_cast<int>(path_.size()); }
  int parent(int k) const { return parent_[k]; }

  // The number of proper ancestors of k, which is also the place of k in its own path.
  int depth(int k) const { return depth_[k]; }

  // Where row k starts in a packed matrix; entry (k, i) is at row_start(k) + depth(i).
  int row_start(int k) const { return row_start_[k]; }

  // The path root → k: depth(k) + 1 indices, the last one k itself.
  const int* path(int k) const { return path_.data() + row_start_[k]; }

  // The first index of the run that contains k: run_start(k), …, k are a chain without gaps in
  // numbering, so vectors restricted to it are contiguous.
  int run_start(int k) const { return run_start_[k]; }

  // One past the last index of the tree whose root is k.
  int tree_end(int k) const { return tree_end_[k]; }

  // Whether k is the root of a chain of six: a free body. Its part of a packed matrix is a
  // triangle.
  bool is_chain_of_six(int k) const {
    return depth_[k] == 0 && tree_end_[k] == k + 6 && run_start_[k + 5] == k;
  }

  // The number of indices common to the paths of a and b.
  int CommonPathLength(int a, int b) const;

  MatX ToDense(const VecX& packed) const;

 private:
  std::vector<int> parent_, depth_, row_start_, path_, run_start_, tree_end_;
};

}  // namespace voigt
