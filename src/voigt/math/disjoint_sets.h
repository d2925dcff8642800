#pragma once

#include <numeric>
#include <vector>

namespace voigt {

// Numbers 0, 1, … in sets that grow together. The smallest number of a set stands for it.
class DisjointSets {
 public:
  explicit DisjointSets(int count = 0) { Reset(count); }

  // Each in a set of its own.
  void Reset(int count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int Find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // False if both were in one set already.
  bool Unite(int a, int b) {
    a = Find(a);
    b = Find(b);
    if (a == b) return false;
    parent_[a < b ? b : a] = a < b ? a : b;
    return true;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace voigt
