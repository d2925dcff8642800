#pragma once

#include <vector>

#include "voigt/collision/tree_walk.h"
#include "voigt/model/surface_elements.h"

namespace voigt {

// The elements of an elastic layer in a tree of balls. As the distance from a solid changes by no
// more than the way that a point goes, the distance of a ball's centre tells that all elements in
// it are far: what is asked about is what is near.
class ElementTree {
 public:
  explicit ElementTree(std::vector<SurfaceElement> elements);

  const std::vector<SurfaceElement>& elements() const { return elements_; }
  double mean_area() const { return mean_area_; }  // m²

  // Visits elements k by visit(k), in the order of the tree, but for those in balls that
  // is_far(center, radius) leaves out.
  template <typename IsFar, typename Visit>
  void VisitNear(const IsFar& is_far, const Visit& visit) const;

 private:
  // Inner nodes have their first child behind them; leaves list elements.
  struct Node {
    Vec3 center = Vec3::Zero();
    double radius = 0;
    int second = 0;            // the other child; 0 for a leaf
    int first = 0, count = 0;  // elements of a leaf, in order_
  };
  static constexpr int kLeafSize = 8;

  int Build(int first, int count);

  std::vector<SurfaceElement> elements_;
  double mean_area_ = 0;
  std::vector<Node> nodes_;
  std::vector<int> order_;
};

template <typename IsFar, typename Visit>
void ElementTree::VisitNear(const IsFar& is_far, const Visit& visit) const {
  WalkTree(
      nodes_, [&](const Node& node) { return is_far(node.center, node.radius); },
      [&](const Node& leaf) {
        for (int k = leaf.first; k < leaf.first + leaf.count; ++k) visit(order_[k]);
      });
}

}  // namespace voigt
