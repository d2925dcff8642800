#pragma once

#include <cmath>
#include <string>

#include "voigt/collision/narrow_phase.h"

namespace voigt::testing {

// What contacts of a mesh with other shapes at its size may never have; empty if all is well, also
// if the mesh is refused with a reason.
inline std::string DescribeContactDefect(const TriangleMesh& mesh) {
  std::string reason;
  const auto solid = MakeCollisionShape(mesh, &reason);
  if (!solid) return reason.empty() ? "a mesh is refused without a reason" : "";
  const double size = solid->reach;
  if (!(size > 1e-100 && size < 1e100)) return "";  // squares of lengths are no numbers any more
  const Shape partners[] = {Sphere{size},
                            Capsule{0.1 * size, size},
                            Box{Vec3(size, 0.5 * size, 0.2 * size)},
                            Cylinder{0.2 * size, size},
                            Ellipsoid{Vec3(size, 0.5 * size, 0.2 * size)},
                            HalfSpace{},
                            mesh};
  const Mat3 turned = Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  NarrowPhase narrow;
  Manifold points;
  for (const Shape& partner : partners) {
    const auto other = MakeCollisionShape(partner, &reason);
    if (!other) return "a partner is refused: " + reason;
    points.clear();
    const Pose X_WB{turned, 0.3 * size * Vec3(1, -1, 0.5)};
    narrow.Collide(*solid, Pose{}, *other, X_WB, 0.1 * size, &points);
    for (const ManifoldPoint& point : points) {
      if (!point.p_W.allFinite() || !std::isfinite(point.phi)) return "a contact is nowhere";
      if (!(std::abs(point.n_W.norm() - 1) < 1e-12)) return "a normal is no unit vector";
    }
  }
  return "";
}

}  // namespace voigt::testing
