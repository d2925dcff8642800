#pragma once

#include "voigt/collision/half_space.h"
#include "voigt/model/geometry.h"

namespace voigt {

// The points of `points` and the elements of `foundation`.
int CountPoints(const ContactPoints& points);
int CountPoints(const Foundation& foundation);
Vec3 PointPosition(const ContactPoints& points, int k);
Vec3 PointPosition(const Foundation& foundation, int k);

// From the half-space to one point.
ContactPoint CalcHalfSpacePoint(const Plane& plane, const Vec3& point_W);

}  // namespace voigt
