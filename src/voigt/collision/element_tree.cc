#include "voigt/collision/element_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace voigt {

ElementTree::ElementTree(std::vector<SurfaceElement> elements)
    : elements_(std::move(elements)), order_(elements_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (elements_.empty()) return;
  for (const SurfaceElement& element : elements_) mean_area_ += element.area;
  mean_area_ /= static_cast<double>(elements_.size());
  Build(0, static_cast<int>(order_.size()));
}

int ElementTree::Build(int first, int count) {
  const auto begin = order_.begin() + first, end = begin + count;
  Vec3 lower = elements_[*begin].p, upper = lower;
  for (auto k = begin; k != end; ++k) {
    lower = lower.cwiseMin(elements_[*k].p);
    upper = upper.cwiseMax(elements_[*k].p);
  }
  Node node{.center = 0.5 * (lower + upper), .first = first, .count = count};
  for (auto k = begin; k != end; ++k) {
    node.radius = std::max(node.radius, (elements_[*k].p - node.center).norm());
  }
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
  if (count <= kLeafSize) return index;
  int axis = 0;
  (upper - lower).maxCoeff(&axis);
  std::nth_element(begin, begin + count / 2, end, [&](int a, int b) {
    const double x = elements_[a].p[axis], y = elements_[b].p[axis];
    return x != y ? x < y : a < b;
  });
  Build(first, count / 2);
  const int second = Build(first + count / 2, count - count / 2);
  nodes_[index].second = second;
  return index;
}

}  // namespace voigt
