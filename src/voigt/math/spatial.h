#pragma once

#include <Eigen/Geometry>

#include "voigt/math/types.h"

// Spatial vector algebra [Featherstone 2008, ch. 2] in world axes. A motion [ω; v] and a force
// [torque; force] belong to a reference point; moving the point by r is a shift. Accelerations are
// Featherstone's spatial ones, which shift like velocities: the acceleration of a material point
// follows from [α; a] at that point as a + ω × v.
namespace voigt {

// The same motion, read at a point displaced by r: [ω; v + ω × r].
inline Vec6 ShiftMotion(const Vec6& V, const Vec3& r) {
  Vec6 out;
  out.head<3>() = V.head<3>();
  out.tail<3>() = V.tail<3>() + V.head<3>().cross(r);
  return out;
}

// The same force, read at the point from which the present one is displaced by r:
// [n + r × f; f]. Force at a link's origin → force at its parent's origin.
inline Vec6 ShiftForce(const Vec6& F, const Vec3& r) {
  Vec6 out;
  out.head<3>() = F.head<3>() + r.cross(F.tail<3>());
  out.tail<3>() = F.tail<3>();
  return out;
}

// V × U for motions: the rate of U when it is carried along by V.
inline Vec6 CrossMotion(const Vec6& V, const Vec6& U) {
  Vec6 out;
  out.head<3>() = V.head<3>().cross(U.head<3>());
  out.tail<3>() = V.head<3>().cross(U.tail<3>()) + V.tail<3>().cross(U.head<3>());
  return out;
}

// V ×* F: the rate of the force F when it is carried along by V.
inline Vec6 CrossForce(const Vec6& V, const Vec6& F) {
  Vec6 out;
  out.head<3>() = V.head<3>().cross(F.head<3>()) + V.tail<3>().cross(F.tail<3>());
  out.tail<3>() = V.head<3>().cross(F.tail<3>());
  return out;
}

}  // namespace voigt
