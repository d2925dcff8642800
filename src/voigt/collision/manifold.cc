#include "voigt/collision/manifold.h"

#include <algorithm>
#include <cmath>

namespace voigt {

void MergePoint(const ManifoldPoint& point, double near, double slack, size_t first,
                Manifold* out) {
  constexpr double kAboutTheNormal = 0.95;
  for (size_t k = first; k < out->size(); ++k) {
    ManifoldPoint& other = (*out)[k];
    const bool is_near = (other.p_W - point.p_W).norm() <= near;
    if (!is_near || other.n_W.dot(point.n_W) < kAboutTheNormal) continue;
    if (point.phi < other.phi - slack) {
      const int feature = other.feature;
      other = point;
      other.feature = feature;
    }
    return;
  }
  const int feature = FindFreeFeature(point.feature, first, *out);
  out->push_back(point);
  out->back().feature = feature;
}

void LevelManifold(Manifold* manifold) {
  if (manifold->size() < 2) return;
  const auto deeper = [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.phi < b.phi; };
  const ManifoldPoint deepest = *std::min_element(manifold->begin(), manifold->end(), deeper);
  for (ManifoldPoint& point : *manifold) {
    if (point.n_W != deepest.n_W) continue;
    constexpr double kRounding = 1e-12;
    const double height = deepest.n_W.dot(point.p_W - deepest.p_W);
    const double gap = point.phi - deepest.phi;
    const double slack = kRounding * (point.p_W.norm() + gap);
    if (std::abs(height) <= 0.5 * gap + slack) point.p_W -= height * deepest.n_W;
  }
}

}  // namespace voigt
