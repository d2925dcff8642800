#include "voigt/collision/half_space_hull.h"

#include "voigt/collision/points_half_space.h"

namespace voigt {

void CollideHalfSpaceHull(const Plane& plane, const Polytope& hull, const Pose& X_WB, double margin,
                          Manifold* out) {
  const Vec3 n_B = X_WB.R.transpose() * plane.n_W;
  const double height = plane.n_W.dot(X_WB.p - plane.p_W);
  for (size_t v = 0; v < hull.vertices.size(); ++v) {
    if (height + n_B.dot(hull.vertices[v]) > margin) continue;
    ManifoldPoint& point = out->emplace_back();
    static_cast<ContactPoint&>(point) = CalcHalfSpacePoint(plane, X_WB * hull.vertices[v]);
    point.feature = static_cast<int>(v);
  }
}

}  // namespace voigt
