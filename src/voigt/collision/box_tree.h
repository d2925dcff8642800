#pragma once

#include <array>
#include <vector>

#include "voigt/collision/axis_box.h"
#include "voigt/collision/tree_walk.h"
#include "voigt/math/pose.h"

namespace voigt {

// A tree of boxes around the triangles of a mesh, built once in the frame of the mesh, or of finite
// boxes around anything else. Each node is split at the median of the boxes' centres along its
// longest side, so that the depth is log₂ of the number of leaves, and the tree depends on the
// boxes alone.
class BoxTree {
 public:
  BoxTree() = default;
  BoxTree(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles);
  explicit BoxTree(std::vector<AxisBox> boxes);

  // Appends the triangles whose boxes overlap or touch `box`, in the order of the tree. The tree's
  // own boxes are those of their triangles to the last bit.
  void FindNear(const AxisBox& box, std::vector<int>* out) const;
  // Those whose boxes are within `radius` of a point.
  void FindNear(const Vec3& center, double radius, std::vector<int>* out) const;
  // Those whose boxes reach to within `height` of the plane n · x = 0 or below it; n is a unit
  // vector.
  void FindBelow(const Vec3& n, double height, std::vector<int>* out) const;
  // Pairs (a, b) of triangles of A and B, placed in A by X_AB, whose boxes are within `margin` of
  // each other; B's boxes are turned, and may be larger than need be.
  static void FindPairs(const BoxTree& A, const BoxTree& B, const Pose& X_AB, double margin,
                        std::vector<std::array<int, 2>>* out);

  // Visits triangles that may be nearer to q than the least distance so far, nearest boxes first:
  // visit(triangle) returns the least distance so far, `distance` is the first one.
  template <typename Visit>
  void VisitNearest(const Vec3& q, double distance, const Visit& visit) const;

  // The box around everything. Empty (lower > upper) without triangles.
  const AxisBox& bounds() const { return bounds_; }

 private:
  // Inner nodes have their first child behind them; leaves list triangles.
  struct Node {
    AxisBox box;
    int second = 0;            // the other child; 0 for a leaf
    int first = 0, count = 0;  // triangles of a leaf, in order_
  };
  static constexpr int kLeafSize = 2;

  int Build(const std::vector<Vec3>& centers, int first, int count);
  AxisBox BoxOf(int first, int count) const;
  template <typename Accept>
  void Collect(const Accept& accept, std::vector<int>* out) const;
  static double CalcDistance(const AxisBox& box, const Vec3& q) {
    return (q - q.cwiseMax(box.lower).cwiseMin(box.upper)).norm();
  }

  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<AxisBox> boxes_;  // of the triangles
  AxisBox bounds_{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
};

template <typename Visit>
void BoxTree::VisitNearest(const Vec3& q, double distance, const Visit& visit) const {
  if (nodes_.empty()) return;
  int stack[kTreeStack];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int index = stack[--size];
    const Node& node = nodes_[index];
    if (CalcDistance(node.box, q) > distance) continue;
    if (node.second == 0) {
      for (int k = node.first; k < node.first + node.count; ++k) distance = visit(order_[k]);
      continue;
    }
    // The nearer child on top.
    const bool first_is_nearer =
        CalcDistance(nodes_[index + 1].box, q) <= CalcDistance(nodes_[node.second].box, q);
    stack[size++] = first_is_nearer ? node.second : index + 1;
    stack[size++] = first_is_nearer ? index + 1 : node.second;
  }
}

}  // namespace voigt
