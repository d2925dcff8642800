#pragma once

#include <vector>

#include "voigt/model/joint.h"

namespace voigt {

// An undirected edge between two bodies; body 0 is the world.
struct JointEdge {
  int parent = 0;
  int child = 0;
  TreeChoice choice = TreeChoice::kAuto;
};

struct SpanningTree {
  struct Node {
    int body = 0;
    int parent_body = 0;
    int edge = -1;          // the joint that moves this body
    bool reversed = false;  // the joint's own parent is on the outer side
  };
  std::vector<Node> nodes;       // depth-first, without the world
  std::vector<int> loop_edges;   // in order of the edges
  std::vector<int> unreachable;  // bodies without a path to the world
  std::vector<int> cycle_edges;  // kTree edges that close a cycle of kTree edges: an error
};

// The breadth-first spanning tree from the world that contains every kTree edge and no kLoop edge.
// Edges are explored in their order, so the result is deterministic.
SpanningTree MakeSpanningTree(int body_count, const std::vector<JointEdge>& edges);

}  // namespace voigt
