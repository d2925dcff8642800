#pragma once

#include <span>
#include <vector>

#include "voigt/math/disjoint_sets.h"
#include "voigt/model/model.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Which trees of joints the rigid and soft bilateral rows of a step tie together: what is done to
// the rates of one of them, to keep energy in its bounds, is done to all, so that what is held
// stays held.
class TiedTrees {
 public:
  explicit TiedTrees(const Model& model) : set_(model.nb(), 0), is_tied_(model.nb(), 0) {}

  void Update(const Model& model, const VelocityProblem& problem);

  // Per body at the root of a tree, the first root of its set.
  std::span<const int> sets() const { return set_; }
  int SetOf(int root) const { return set_[root]; }
  // Whether any row ties the tree, to another one or to the world.
  bool IsTied(int root) const { return is_tied_[root] != 0; }

 private:
  DisjointSets united_;
  std::vector<int> set_;
  std::vector<char> is_tied_;
};

}  // namespace voigt
