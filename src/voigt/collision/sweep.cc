#include "voigt/collision/sweep.h"

#include <algorithm>
#include <numeric>

namespace voigt {
namespace {

// The axis along which the middles of the boxes scatter most.
int ChooseAxis(const std::vector<AxisBox>& boxes) {
  const auto middle = [](const AxisBox& box) -> Vec3 { return 0.5 * (box.lower + box.upper); };
  Vec3 mean = Vec3::Zero(), scatter = Vec3::Zero();
  for (const AxisBox& box : boxes) mean += middle(box);
  mean /= static_cast<double>(boxes.size());
  for (const AxisBox& box : boxes) scatter += (middle(box) - mean).cwiseAbs2();
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (scatter[k] > scatter[axis]) axis = k;
  }
  return axis;
}

}  // namespace

const std::vector<std::pair<int, int>>& Sweep::FindPairs(const std::vector<AxisBox>& boxes,
                                                         const std::vector<char>& is_static) {
  pairs_.clear();
  if (boxes.empty()) return pairs_;
  const int axis = ChooseAxis(boxes);
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int i, int j) {
    const double a = boxes[i].lower[axis], b = boxes[j].lower[axis];
    return a != b ? a < b : i < j;
  });

  // Each box against those that begin before it ends.
  for (size_t first = 0; first < order_.size(); ++first) {
    const int i = order_[first];
    const AxisBox& box = boxes[i];
    for (size_t second = first + 1; second < order_.size(); ++second) {
      const int j = order_[second];
      if (boxes[j].lower[axis] > box.upper[axis]) break;
      if (is_static[i] && is_static[j]) continue;
      if (Overlap(box, boxes[j])) pairs_.emplace_back(std::min(i, j), std::max(i, j));
    }
  }
  return pairs_;
}

}  // namespace voigt
