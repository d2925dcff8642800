#pragma once

#include "voigt/collision/half_space.h"
#include "voigt/model/geometry.h"

namespace voigt {

// From the half-space to one point. Foundations have thousands, so it is worth inlining.
inline ContactPoint CalcHalfSpacePoint(const Plane& plane, const Vec3& point_W) {
  ContactPoint out;
  out.n_W = plane.n_W;
  out.phi = plane.n_W.dot(point_W - plane.p_W);
  out.p_W = point_W - 0.5 * out.phi * plane.n_W;
  return out;
}

}  // namespace voigt
