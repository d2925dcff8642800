#include "voigt/collision/sphere_solids.h"

#include <algorithm>
#include <cmath>

#include "voigt/collision/nearest_point.h"
#include "voigt/collision/pair_frame.h"
#include "voigt/collision/relative_curvature.h"

namespace voigt {
namespace {

RelativeCurvature CalcCurvatureOnSphere(double radius, const NearestPoint& nearest) {
  if (nearest.curvature_1 == kInfinity) return {};
  const double kappa_1 = 1 / radius + nearest.curvature_1;
  const double kappa_2 = 1 / radius + nearest.curvature_2;
  return {1 / std::sqrt(kappa_1 * kappa_2),
          std::min(kappa_1, kappa_2) / std::max(kappa_1, kappa_2)};
}

// The centre of the sphere in B.
Vec3 CalcCenter(const Pose& X_WA, const Pose& X_WB) {
  return X_WB.R.transpose() * (X_WA.p - X_WB.p);
}

void AppendNearest(const Sphere& A, const Vec3& center, const NearestPoint& nearest,
                   const Pose& X_WB, double margin, Manifold* out) {
  const double phi = nearest.distance - A.radius;
  if (phi > margin) return;
  const Vec3 middle = center - (A.radius + 0.5 * phi) * nearest.n;
  AppendPoint(X_WB, middle, -nearest.n, phi, 0, CalcCurvatureOnSphere(A.radius, nearest), out);
}

}  // namespace

void CollideSphereBox(const Sphere& A, const Pose& X_WA, const Box& B, const Pose& X_WB,
                      double margin, Manifold* out) {
  const Vec3 center = CalcCenter(X_WA, X_WB);
  AppendNearest(A, center, FindNearestOnBox(0.5 * B.size, center), X_WB, margin, out);
}

void CollideSphereCapsule(const Sphere& A, const Pose& X_WA, const Capsule& B, const Pose& X_WB,
                          double margin, Manifold* out) {
  const Vec3 center = CalcCenter(X_WA, X_WB);
  AppendNearest(A, center, FindNearestOnCapsule(B, center), X_WB, margin, out);
}

void CollideSphereCylinder(const Sphere& A, const Pose& X_WA, const Cylinder& B, const Pose& X_WB,
                           double margin, Manifold* out) {
  const Vec3 center = CalcCenter(X_WA, X_WB);
  AppendNearest(A, center, FindNearestOnCylinder(B, center), X_WB, margin, out);
}

void CollideSphereEllipsoid(const Sphere& A, const Pose& X_WA, const Ellipsoid& B, const Pose& X_WB,
                            double margin, Manifold* out) {
  const Vec3 center = CalcCenter(X_WA, X_WB);
  // Not worth a root, where even the ball around the ellipsoid is too far.
  if (center.norm() - B.radii.maxCoeff() - A.radius > margin) return;
  AppendNearest(A, center, FindNearestOnEllipsoid(B, center), X_WB, margin, out);
}

}  // namespace voigt
