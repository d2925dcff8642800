#pragma once

#include "voigt/collision/manifold.h"
#include "voigt/model/geometry.h"

// From a sphere A to a solid B: one point, feature 0, where B's surface is nearest to the centre
// (nearest_point.h, which also says what is taken where several points are).
//
// Radius: 1/√((κ + κ₁)(κ + κ₂)) with the curvature κ of the sphere and those of B: what the sphere
// on a plane would have whose gap opens at the same rate, in the geometric mean of all directions
// [Johnson 1985, §4.2]. Infinite where B has an edge or a corner.
namespace voigt {

void CollideSphereBox(const Sphere& A, const Pose& X_WA, const Box& B, const Pose& X_WB,
                      double margin, Manifold* out);
void CollideSphereCapsule(const Sphere& A, const Pose& X_WA, const Capsule& B, const Pose& X_WB,
                          double margin, Manifold* out);
void CollideSphereCylinder(const Sphere& A, const Pose& X_WA, const Cylinder& B, const Pose& X_WB,
                           double margin, Manifold* out);
void CollideSphereEllipsoid(const Sphere& A, const Pose& X_WA, const Ellipsoid& B, const Pose& X_WB,
                            double margin, Manifold* out);

}  // namespace voigt
