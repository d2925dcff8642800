#include "voigt/collision/manifold.h"

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

}  // namespace voigt
