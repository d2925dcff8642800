#pragma once

#include <vector>

namespace voigt {

// Twice the depth of a tree of 2³¹ leaves whose halves are equal.
inline constexpr int kTreeStack = 64;

// Visits the leaves of a binary tree by visit(node), from the first on, but for those below nodes
// that is_far(node) leaves out. The first child of an inner node stands behind it, node.second is
// the other; a leaf has second = 0.
template <typename Node, typename IsFar, typename Visit>
void WalkTree(const std::vector<Node>& nodes, const IsFar& is_far, const Visit& visit) {
  if (nodes.empty()) return;
  int stack[kTreeStack];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int index = stack[--size];
    const Node& node = nodes[index];
    if (is_far(node)) continue;
    if (node.second == 0) {
      visit(node);
      continue;
    }
    stack[size++] = node.second;
    stack[size++] = index + 1;
  }
}

}  // namespace voigt
