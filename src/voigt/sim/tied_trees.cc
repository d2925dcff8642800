#include "voigt/sim/tied_trees.h"

#include <algorithm>

namespace voigt {

void TiedTrees::Update(const Model& model, const VelocityProblem& problem) {
  const Tree& tree = model.tree();
  united_.Reset(tree.nb);
  std::fill(is_tied_.begin(), is_tied_.end(), 0);
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kBilateral || group.constraint < 0) continue;
    const std::span<const int> cols = problem.cols_of(group);
    for (int k : cols) {
      const int root = tree.root[tree.dof_body[k]];
      united_.Unite(tree.root[tree.dof_body[cols[0]]], root);
      is_tied_[root] = 1;
    }
  }
  for (int b = 0; b < tree.nb; ++b) set_[b] = united_.Find(b);
}

}  // namespace voigt
