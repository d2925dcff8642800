#include "voigt/collision/points_half_space.h"

namespace voigt {

int CountPoints(const ContactPoints& points) { return static_cast<int>(points.positions.size()); }
int CountPoints(const Foundation& foundation) { return foundation.nx * foundation.ny; }
Vec3 PointPosition(const ContactPoints& points, int k) { return points.positions[k]; }
Vec3 PointPosition(const Foundation& foundation, int k) { return ElementPosition(foundation, k); }

ContactPoint CalcHalfSpacePoint(const Plane& plane, const Vec3& point_W) {
  ContactPoint out;
  out.n_W = plane.n_W;
  out.phi = plane.n_W.dot(point_W - plane.p_W);
  out.p_W = point_W - 0.5 * out.phi * plane.n_W;
  return out;
}

}  // namespace voigt
