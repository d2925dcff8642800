#pragma once

#include "voigt/math/types.h"
#include "voigt/model/geometry.h"

// The point of a solid's surface that is nearest to a point q, all in the solid's frame: what a
// sphere around q meets.
namespace voigt {

struct NearestPoint {
  Vec3 n = Vec3::UnitZ();  // outward normal there, of unit length: q = nearest point + distance n
  double distance = 0;     // negative inside
  // Principal curvatures of the surface, positive where it is convex; infinite ones on an edge.
  double curvature_1 = 0, curvature_2 = 0;
};

// Where several points of the surface are equally near (inside of the solid), one of them is taken:
// of a box the face of the axis that comes first in x, y, z, on its positive side; of shapes that
// are round about z the point towards x, and a cylinder's side before its caps; of an ellipsoid the
// point on the positive side of the shortest axis.
NearestPoint FindNearestOnBox(const Vec3& half_size, const Vec3& q);
NearestPoint FindNearestOnCapsule(const Capsule& capsule, const Vec3& q);
NearestPoint FindNearestOnCylinder(const Cylinder& cylinder, const Vec3& q);
NearestPoint FindNearestOnEllipsoid(const Ellipsoid& ellipsoid, const Vec3& q);

}  // namespace voigt
