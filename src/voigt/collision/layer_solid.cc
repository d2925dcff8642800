#include "voigt/collision/layer_solid.h"

#include <algorithm>

#include "voigt/collision/pair_frame.h"
#include "voigt/collision/solid_distance.h"

namespace voigt {

void LayerCollider::Collide(const ElementTree& A, const Pose& X_WA, const CollisionShape& B,
                            const Pose& X_WB, double margin, Manifold* out) {
  const Pose X_BA = CalcRelativePose(X_WB, X_WA);
  if (!X_BA.p.allFinite()) return;
  const size_t first = out->size();
  const auto is_far = [&](const Vec3& center, double radius) {
    return IsBallFar(B, X_BA * center, radius, margin, &near_);
  };
  A.VisitNear(is_far, [&](int k) {
    const SurfaceElement& element = A.elements()[k];
    const Vec3 q = X_BA * element.p;
    const auto nearest = FindSignedDistance(B, q, margin, &near_);
    if (!nearest || !(nearest->distance <= margin)) return;
    AppendPoint(X_WB, q - 0.5 * nearest->distance * nearest->n, -nearest->n, nearest->distance, k,
                {}, out);
    out->back().area = element.area;
  });
  std::sort(out->begin() + first, out->end(),
            [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature < b.feature; });
}

}  // namespace voigt
