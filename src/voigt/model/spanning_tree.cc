#include "voigt/model/spanning_tree.h"

#include <deque>

#include "voigt/math/disjoint_sets.h"

namespace voigt {
namespace {

using Children = std::vector<std::vector<SpanningTree::Node>>;

void AppendDepthFirst(const Children& children, int body, std::vector<SpanningTree::Node>* nodes) {
  // An explicit stack: a chain may be longer than the call stack is deep.
  std::vector<SpanningTree::Node> stack(children[body].rbegin(), children[body].rend());
  while (!stack.empty()) {
    const SpanningTree::Node node = stack.back();
    stack.pop_back();
    nodes->push_back(node);
    const auto& next = children[node.body];
    stack.insert(stack.end(), next.rbegin(), next.rend());
  }
}

}  // namespace

SpanningTree MakeSpanningTree(int body_count, const std::vector<JointEdge>& edges) {
  SpanningTree tree;
  const int edge_count = static_cast<int>(edges.size());
  std::vector<std::vector<int>> incident(body_count);
  DisjointSets joined(body_count);  // bodies that tree edges connect, chosen or demanded
  for (int e = 0; e < edge_count; ++e) {
    incident[edges[e].parent].push_back(e);
    incident[edges[e].child].push_back(e);
    if (edges[e].choice == TreeChoice::kTree && !joined.Unite(edges[e].parent, edges[e].child)) {
      tree.cycle_edges.push_back(e);
    }
  }

  // Breadth-first from the world. A free choice is declined where demanded edges will lead to the
  // same body anyway.
  Children children(body_count);
  std::vector<bool> visited(body_count, false), used(edge_count, false);
  std::deque<int> queue = {0};
  visited[0] = true;
  while (!queue.empty()) {
    const int body = queue.front();
    queue.pop_front();
    for (int e : incident[body]) {
      const bool reversed = edges[e].child == body;
      const int other = reversed ? edges[e].parent : edges[e].child;
      if (visited[other] || edges[e].choice == TreeChoice::kLoop) continue;
      if (edges[e].choice == TreeChoice::kAuto && !joined.Unite(body, other)) continue;
      visited[other] = used[e] = true;
      children[body].push_back({other, body, e, reversed});
      queue.push_back(other);
    }
  }

  AppendDepthFirst(children, 0, &tree.nodes);
  for (int e = 0; e < edge_count; ++e) {
    if (!used[e]) tree.loop_edges.push_back(e);
  }
  for (int body = 0; body < body_count; ++body) {
    if (!visited[body]) tree.unreachable.push_back(body);
  }
  return tree;
}

}  // namespace voigt
