#include "voigt/collision/half_space_hull.h"

#include "voigt/collision/points_half_space.h"

namespace voigt {

void CollideHalfSpaceHull(const Plane& plane, const ConvexShape& hull, const Pose& X_WB,
                          double margin, Manifold* out) {
  const Pose X = hull.Place(X_WB);
  const Vec3 n = X.R.transpose() * plane.n_W;
  const double height = plane.n_W.dot(X.p - plane.p_W);
  const std::vector<Vec3>& vertices = hull.polytope.vertices;
  for (size_t v = 0; v < vertices.size(); ++v) {
    if (height + n.dot(vertices[v]) > margin) continue;
    ManifoldPoint& point = out->emplace_back();
    static_cast<ContactPoint&>(point) = CalcHalfSpacePoint(plane, X * vertices[v]);
    point.feature = static_cast<int>(v);
  }
}

}  // namespace voigt
