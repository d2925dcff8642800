#include "voigt/model/spanning_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace voigt {
namespace {

using Ints = std::vector<int>;

Ints BodiesOf(const SpanningTree& tree) {
  Ints bodies;
  for (const auto& node : tree.nodes) bodies.push_back(node.body);
  return bodies;
}

Ints EdgesOf(const SpanningTree& tree) {
  Ints edges;
  for (const auto& node : tree.nodes) edges.push_back(node.edge);
  return edges;
}

// What holds of every spanning tree: each body once, parents first and really at the other end of
// the edge, subtrees contiguous, every edge in the tree or a loop.
void ExpectConsistent(int body_count, const std::vector<JointEdge>& edges,
                      const SpanningTree& tree) {
  std::vector<int> place(body_count, -1), times_used(edges.size(), 0);
  place[0] = 0;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    ASSERT_EQ(place[node.body], -1) << "body " << node.body << " twice";
    ASSERT_NE(place[node.parent_body], -1) << "parent after child";
    place[node.body] = static_cast<int>(i) + 1;
    const JointEdge& edge = edges[node.edge];
    EXPECT_EQ(node.reversed ? edge.parent : edge.child, node.body);
    EXPECT_EQ(node.reversed ? edge.child : edge.parent, node.parent_body);
    EXPECT_NE(edge.choice, TreeChoice::kLoop);
    ++times_used[node.edge];
  }
  for (int e : tree.loop_edges) ++times_used[e];
  for (int times : times_used) EXPECT_EQ(times, 1);
  EXPECT_TRUE(std::is_sorted(tree.loop_edges.begin(), tree.loop_edges.end()));

  // Depth-first: each node's parent is the node before it or one of that node's ancestors.
  std::vector<int> parent_of(body_count, -1);
  for (const auto& node : tree.nodes) parent_of[node.body] = node.parent_body;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    int up = tree.nodes[i - 1].body;
    while (up > 0 && up != tree.nodes[i].parent_body) up = parent_of[up];
    EXPECT_EQ(std::max(up, 0), tree.nodes[i].parent_body) << "subtree torn apart";
  }
  for (int body : tree.unreachable) EXPECT_EQ(place[body], -1);
  EXPECT_EQ(tree.nodes.size() + tree.unreachable.size() + 1, static_cast<size_t>(body_count));
}

SpanningTree Make(int body_count, const std::vector<JointEdge>& edges) {
  SpanningTree tree = MakeSpanningTree(body_count, edges);
  ExpectConsistent(body_count, edges, tree);
  return tree;
}

TEST(SpanningTree, OfTheWorldAloneIsEmpty) {
  const SpanningTree tree = Make(1, {});
  EXPECT_TRUE(tree.nodes.empty());
  EXPECT_TRUE(tree.loop_edges.empty());
  EXPECT_TRUE(tree.unreachable.empty());
}

TEST(SpanningTree, FollowsAChain) {
  const SpanningTree tree = Make(4, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(BodiesOf(tree), (Ints{1, 2, 3}));
  EXPECT_TRUE(tree.loop_edges.empty());
  for (const auto& node : tree.nodes) EXPECT_FALSE(node.reversed);
}

TEST(SpanningTree, FollowsAChainGivenInAnyOrder) {
  const SpanningTree tree = Make(4, {{2, 3}, {1, 2}, {0, 1}});
  EXPECT_EQ(BodiesOf(tree), (Ints{1, 2, 3}));
  EXPECT_EQ(EdgesOf(tree), (Ints{2, 1, 0}));
}

TEST(SpanningTree, FollowsAStarInTheOrderOfItsEdges) {
  const SpanningTree tree = Make(5, {{0, 3}, {0, 1}, {0, 4}, {0, 2}});
  EXPECT_EQ(BodiesOf(tree), (Ints{3, 1, 4, 2}));
}

TEST(SpanningTree, NumbersDepthFirst) {
  //  0 ─ 1 ─ 3     0 ─ 2 ─ 5
  //       ╲ 4
  const SpanningTree tree = Make(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
  EXPECT_EQ(BodiesOf(tree), (Ints{1, 3, 4, 2, 5}));
}

TEST(SpanningTree, PassesEdgesBackwards) {
  const SpanningTree tree = Make(3, {{1, 0}, {2, 1}});
  EXPECT_EQ(BodiesOf(tree), (Ints{1, 2}));
  EXPECT_TRUE(tree.nodes[0].reversed);
  EXPECT_TRUE(tree.nodes[1].reversed);
}

TEST(SpanningTree, OpensALoopWhereBothWaysMeet) {
  // A ring of five: breadth-first reaches 1, 4, 2, 3; the edge between 2 and 3 stays open.
  const SpanningTree tree = Make(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  EXPECT_EQ(tree.loop_edges, (Ints{2}));
  EXPECT_EQ(BodiesOf(tree), (Ints{1, 2, 4, 3}));
}

TEST(SpanningTree, TakesTheFirstOfParallelEdges) {
  const SpanningTree tree = Make(2, {{1, 0}, {0, 1}, {0, 1}});
  EXPECT_EQ(EdgesOf(tree), (Ints{0}));
  EXPECT_EQ(tree.loop_edges, (Ints{1, 2}));
}

TEST(SpanningTree, TakesShortestWaysFromTheWorld) {
  // 3 is on a long way through 1 and 2 and on a short way through 4.
  const SpanningTree tree = Make(5, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 3}});
  EXPECT_EQ(tree.loop_edges, (Ints{2}));
}

TEST(SpanningTree, DepthsAreDistancesInRandomGraphs) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const int bodies = 30;
    std::vector<JointEdge> edges;
    for (int e = 0; e < 60; ++e) {
      const int a = static_cast<int>(random() % bodies), b = static_cast<int>(random() % bodies);
      if (a != b) edges.push_back({a, b});
    }
    const SpanningTree tree = Make(bodies, edges);
    // Distances by relaxing every edge until nothing changes.
    std::vector<int> distance(bodies, 1000), depth(bodies, 1000);
    distance[0] = depth[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const JointEdge& edge : edges) {
        for (auto [a, b] : {std::pair(edge.parent, edge.child), {edge.child, edge.parent}}) {
          if (distance[b] <= distance[a] + 1) continue;
          distance[b] = distance[a] + 1;
          changed = true;
        }
      }
    }
    for (const auto& node : tree.nodes) depth[node.body] = depth[node.parent_body] + 1;
    for (int body = 0; body < bodies; ++body) {
      EXPECT_EQ(depth[body], distance[body]);
    }
    const auto lost = std::count(distance.begin(), distance.end(), 1000);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(tree.unreachable.size()), lost);
  }
}

TEST(SpanningTree, IsDeterministic) {
  std::mt19937_64 random(2);
  std::vector<JointEdge> edges;
  for (int e = 0; e < 200; ++e) {
    const int a = static_cast<int>(random() % 50), b = static_cast<int>(random() % 50);
    if (a != b) edges.push_back({a, b});
  }
  const SpanningTree first = Make(50, edges), second = Make(50, edges);
  EXPECT_EQ(BodiesOf(first), BodiesOf(second));
  EXPECT_EQ(EdgesOf(first), EdgesOf(second));
  EXPECT_EQ(first.loop_edges, second.loop_edges);
}

TEST(SpanningTree, KeepsDemandedEdges) {
  // Left to itself the tree takes 0–1, 0–2 and leaves 1–2 open.
  EXPECT_EQ(Make(3, {{0, 1}, {0, 2}, {1, 2}}).loop_edges, (Ints{2}));
  const SpanningTree tree = Make(3, {{0, 1}, {0, 2}, {1, 2, TreeChoice::kTree}});
  EXPECT_EQ(tree.loop_edges, (Ints{1}));
  EXPECT_TRUE(tree.cycle_edges.empty());
}

TEST(SpanningTree, KeepsDemandedEdgesFarFromTheWorld) {
  // A ladder whose far rung is demanded: both rails are short ways to it.
  const SpanningTree tree = Make(5, {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 4, TreeChoice::kTree}});
  EXPECT_EQ(tree.loop_edges, (Ints{3}));
}

TEST(SpanningTree, KeepsDemandedEdgesOfRandomForests) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const int bodies = 20;
    std::vector<JointEdge> edges;
    Ints demanded;
    // Demanded edges form a forest by construction: each joins a body to an earlier one.
    for (int body = 1; body < bodies; ++body) {
      const int other = static_cast<int>(random() % body);
      if (random() % 2 == 0) {
        demanded.push_back(static_cast<int>(edges.size()));
        edges.push_back({body, other, TreeChoice::kTree});
      }
      edges.push_back({static_cast<int>(random() % body), body});
    }
    std::vector<int> order(edges.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<JointEdge> shuffled;
    for (int e : order) shuffled.push_back(edges[e]);
    const SpanningTree tree = Make(bodies, shuffled);
    EXPECT_TRUE(tree.cycle_edges.empty());
    EXPECT_TRUE(tree.unreachable.empty());
    for (int e : tree.loop_edges) EXPECT_EQ(shuffled[e].choice, TreeChoice::kAuto);
  }
}

TEST(SpanningTree, LeavesOutForbiddenEdges) {
  const SpanningTree tree = Make(3, {{0, 1, TreeChoice::kLoop}, {0, 2}, {2, 1}});
  EXPECT_EQ(tree.loop_edges, (Ints{0}));
  EXPECT_EQ(BodiesOf(tree), (Ints{2, 1}));
}

TEST(SpanningTree, ReportsBodiesBehindForbiddenEdges) {
  const SpanningTree tree = Make(3, {{0, 1, TreeChoice::kLoop}, {1, 2}});
  EXPECT_EQ(tree.unreachable, (Ints{1, 2}));
  EXPECT_EQ(tree.loop_edges, (Ints{0, 1}));
}

TEST(SpanningTree, ReportsUnreachableBodies) {
  const SpanningTree tree = Make(6, {{0, 2}, {3, 4}});
  EXPECT_EQ(tree.unreachable, (Ints{1, 3, 4, 5}));
  EXPECT_EQ(BodiesOf(tree), (Ints{2}));
}

TEST(SpanningTree, ReportsDemandedCycles) {
  const SpanningTree tree = MakeSpanningTree(
      3, {{0, 1, TreeChoice::kTree}, {1, 2, TreeChoice::kTree}, {2, 0, TreeChoice::kTree}});
  EXPECT_EQ(tree.cycle_edges, (Ints{2}));
  const SpanningTree parallel =
      MakeSpanningTree(2, {{0, 1, TreeChoice::kTree}, {0, 1, TreeChoice::kTree}});
  EXPECT_EQ(parallel.cycle_edges, (Ints{1}));
}

TEST(SpanningTree, ReportsDemandedCyclesAwayFromTheWorld) {
  const SpanningTree tree = MakeSpanningTree(
      4, {{0, 1}, {1, 2, TreeChoice::kTree}, {2, 3, TreeChoice::kTree}, {3, 1, TreeChoice::kTree}});
  EXPECT_EQ(tree.cycle_edges, (Ints{3}));
}

TEST(SpanningTree, HandlesAChainLongerThanTheCallStack) {
  const int count = 100001;
  std::vector<JointEdge> edges;
  for (int body = 1; body < count; ++body) edges.push_back({body - 1, body});
  const SpanningTree tree = MakeSpanningTree(count, edges);
  ASSERT_EQ(tree.nodes.size(), edges.size());
  for (int i = 0; i < count - 1; ++i) ASSERT_EQ(tree.nodes[i].body, i + 1);
}

TEST(SpanningTree, HandlesALongDemandedChainGivenBackwards) {
  const int count = 100001;
  std::vector<JointEdge> edges;
  for (int body = count - 1; body >= 1; --body) {
    edges.push_back({body, body - 1, TreeChoice::kTree});
  }
  const SpanningTree tree = MakeSpanningTree(count, edges);
  ASSERT_EQ(tree.nodes.size(), edges.size());
  EXPECT_TRUE(tree.cycle_edges.empty());
  EXPECT_TRUE(tree.nodes.back().reversed);
}

}  // namespace
}  // namespace voigt
