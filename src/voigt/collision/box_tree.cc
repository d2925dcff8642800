#include "voigt/collision/box_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace voigt {
namespace {

AxisBox Around(const AxisBox& a, const AxisBox& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

// The box around a box that is placed by X.
AxisBox Turn(const Pose& X, const Mat3& abs_R, const AxisBox& box) {
  const Vec3 center = X * (0.5 * (box.lower + box.upper));
  const Vec3 half = abs_R * (0.5 * (box.upper - box.lower));
  return {center - half, center + half};
}

std::vector<AxisBox> BoxesOf(const std::vector<Vec3>& vertices,
                             const std::vector<std::array<int, 3>>& triangles) {
  std::vector<AxisBox> out;
  for (const auto& [a, b, c] : triangles) {
    const Vec3 &p = vertices[a], &q = vertices[b], &r = vertices[c];
    out.push_back({p.cwiseMin(q).cwiseMin(r), p.cwiseMax(q).cwiseMax(r)});
  }
  return out;
}

double CalcSize(const AxisBox& box) { return (box.upper - box.lower).sum(); }

}  // namespace

BoxTree::BoxTree(const std::vector<Vec3>& vertices,
                 const std::vector<std::array<int, 3>>& triangles)
    : BoxTree(BoxesOf(vertices, triangles)) {}

BoxTree::BoxTree(std::vector<AxisBox> boxes) : order_(boxes.size()), boxes_(std::move(boxes)) {
  std::vector<Vec3> centers;
  for (const AxisBox& box : boxes_) centers.push_back(0.5 * (box.lower + box.upper));
  std::iota(order_.begin(), order_.end(), 0);
  if (!order_.empty()) Build(centers, 0, static_cast<int>(order_.size()));
  if (!nodes_.empty()) bounds_ = nodes_[0].box;
}

AxisBox BoxTree::BoxOf(int first, int count) const {
  AxisBox box = boxes_[order_[first]];
  for (int k = first + 1; k < first + count; ++k) box = Around(box, boxes_[order_[k]]);
  return box;
}

int BoxTree::Build(const std::vector<Vec3>& centers, int first, int count) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back({BoxOf(first, count), 0, first, count});
  if (count <= kLeafSize) return index;
  int axis = 0;
  (nodes_[index].box.upper - nodes_[index].box.lower).maxCoeff(&axis);
  const auto begin = order_.begin() + first, middle = begin + count / 2;
  std::nth_element(begin, middle, begin + count, [&](int a, int b) {
    const double x = centers[a][axis], y = centers[b][axis];
    return x != y ? x < y : a < b;
  });
  Build(centers, first, count / 2);
  const int second = Build(centers, first + count / 2, count - count / 2);
  nodes_[index].second = second;
  return index;
}

template <typename Accept>
void BoxTree::Collect(const Accept& accept, std::vector<int>* out) const {
  WalkTree(
      nodes_, [&](const Node& node) { return !accept(node.box); },
      [&](const Node& leaf) {
        for (int k = leaf.first; k < leaf.first + leaf.count; ++k) {
          if (accept(boxes_[order_[k]])) out->push_back(order_[k]);
        }
      });
}

void BoxTree::FindNear(const AxisBox& box, std::vector<int>* out) const {
  Collect([&](const AxisBox& other) { return Overlap(box, other); }, out);
}

void BoxTree::FindNear(const Vec3& center, double radius, std::vector<int>* out) const {
  Collect([&](const AxisBox& box) { return CalcDistance(box, center) <= radius; }, out);
}

void BoxTree::FindBelow(const Vec3& n, double height, std::vector<int>* out) const {
  const auto is_low = [&](const AxisBox& box) {
    const Vec3 lowest = (n.array() > 0).select(box.lower, box.upper);
    return n.dot(lowest) <= height;
  };
  Collect(is_low, out);
}

void BoxTree::FindPairs(const BoxTree& A, const BoxTree& B, const Pose& X_AB, double margin,
                        std::vector<std::array<int, 2>>* out) {
  if (A.nodes_.empty() || B.nodes_.empty()) return;
  const Mat3 abs_R = X_AB.R.cwiseAbs();
  const auto grown = [&](const AxisBox& box) {
    AxisBox turned = Turn(X_AB, abs_R, box);
    // Rounding of the turn must not part what touches.
    const double reach = margin + 1e-14 * (turned.lower.cwiseAbs() + turned.upper.cwiseAbs()).sum();
    turned.lower.array() -= reach;
    turned.upper.array() += reach;
    return turned;
  };
  std::array<int, 2> stack[2 * kTreeStack];
  int size = 0;
  stack[size++] = {0, 0};
  while (size > 0) {
    const auto [a, b] = stack[--size];
    const Node &node_A = A.nodes_[a], &node_B = B.nodes_[b];
    const AxisBox box_B = grown(node_B.box);
    if (!Overlap(node_A.box, box_B)) continue;
    const bool leaf_A = node_A.second == 0, leaf_B = node_B.second == 0;
    if (leaf_A && leaf_B) {
      for (int i = node_A.first; i < node_A.first + node_A.count; ++i) {
        for (int j = node_B.first; j < node_B.first + node_B.count; ++j) {
          const int t = A.order_[i], u = B.order_[j];
          if (Overlap(A.boxes_[t], grown(B.boxes_[u]))) out->push_back({t, u});
        }
      }
      continue;
    }
    // The larger one is split.
    if (leaf_B || (!leaf_A && CalcSize(node_A.box) >= CalcSize(node_B.box))) {
      stack[size++] = {node_A.second, b};
      stack[size++] = {a + 1, b};
    } else {
      stack[size++] = {a, node_B.second};
      stack[size++] = {a, b + 1};
    }
  }
}

}  // namespace voigt
