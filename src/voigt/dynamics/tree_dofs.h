#pragma once

#include "voigt/model/model.h"

namespace voigt {

// Calls visit(root, first, count) for every tree that hangs on the world and has degrees of
// freedom: the body at its root, its first degree of freedom, and how many follow.
template <typename Visit>
void ForEachTree(const Tree& tree, Visit visit) {
  for (int first = 0; first < tree.nv;) {
    const int root = tree.root[tree.dof_body[first]];
    int count = 1;
    while (first + count < tree.nv && tree.root[tree.dof_body[first + count]] == root) ++count;
    visit(root, first, count);
    first += count;
  }
}

}  // namespace voigt
