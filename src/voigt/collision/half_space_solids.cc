#include "voigt/collision/half_space_solids.h"

#include <cmath>

#include "voigt/collision/box_features.h"
#include "voigt/collision/half_space.h"
#include "voigt/collision/relative_curvature.h"

namespace voigt {
namespace {

// The half-space as its other shape sees it.
struct View {
  Plane plane;
  Vec3 n_B;       // the normal in B
  double height;  // of B's origin
};

View MakeView(const Pose& X_WA, const Pose& X_WB) {
  const Plane plane = MakePlane(X_WA);
  return {plane, X_WB.R.transpose() * plane.n_W, plane.n_W.dot(X_WB.p - plane.p_W)};
}

// The point p_B of B, whose height is φ.
void AppendHeight(const View& view, const Pose& X_WB, const Vec3& p_B, double phi, int feature,
                  const RelativeCurvature& curvature, Manifold* out) {
  ManifoldPoint& point = out->emplace_back();
  point.p_W = X_WB * p_B - 0.5 * phi * view.plane.n_W;
  point.n_W = view.plane.n_W;
  point.phi = phi;
  point.feature = feature;
  point.SetCurvature(curvature);
}

}  // namespace

void CollideHalfSpaceBox(const HalfSpace&, const Pose& X_WA, const Box& B, const Pose& X_WB,
                         double margin, Manifold* out) {
  const View view = MakeView(X_WA, X_WB);
  const Vec3 h = 0.5 * B.size;
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner = BoxCorner(h, k);
    const double phi = view.height + view.n_B.dot(corner);
    if (phi <= margin) AppendHeight(view, X_WB, corner, phi, k, {}, out);
  }
}

void CollideHalfSpaceCapsule(const HalfSpace&, const Pose& X_WA, const Capsule& B, const Pose& X_WB,
                             double margin, Manifold* out) {
  const View view = MakeView(X_WA, X_WB);
  for (int end = 0; end < 2; ++end) {
    const double z = (end == 0 ? -0.5 : 0.5) * B.length;
    const double phi = view.height + z * view.n_B[2] - B.radius;
    if (phi > margin) continue;
    const Vec3 lowest = Vec3(0, 0, z) - B.radius * view.n_B;
    AppendHeight(view, X_WB, lowest, phi, end, {B.radius}, out);
  }
}

void CollideHalfSpaceCylinder(const HalfSpace&, const Pose& X_WA, const Cylinder& B,
                              const Pose& X_WB, double margin, Manifold* out) {
  const View view = MakeView(X_WA, X_WB);
  // Below this tilt all points of a rim are at one height, as far as anybody can tell.
  const double tilt = std::hypot(view.n_B[0], view.n_B[1]);
  const bool upright = tilt < 1e-12;
  const double x = upright ? 1 : -view.n_B[0] / tilt, y = upright ? 0 : -view.n_B[1] / tilt;
  const Vec2 turns[4] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
  for (int k = 0; k < 8; ++k) {
    const Vec2 rim = B.radius * turns[k % 4];
    const Vec3 point(rim[0], rim[1], (k < 4 ? -0.5 : 0.5) * B.length);
    const double phi = view.height + view.n_B.dot(point);
    if (phi <= margin) AppendHeight(view, X_WB, point, phi, k, {}, out);
  }
}

void CollideHalfSpaceEllipsoid(const HalfSpace&, const Pose& X_WA, const Ellipsoid& B,
                               const Pose& X_WB, double margin, Manifold* out) {
  const View view = MakeView(X_WA, X_WB);
  // With D = diag(radii), the support function is |D n|, and its gradient the point.
  const Vec3 Dn = B.radii.cwiseProduct(view.n_B);
  const double depth = Dn.norm();
  const double phi = view.height - depth;
  if (phi > margin) return;
  const Vec3 lowest = -B.radii.cwiseProduct(Dn / depth);
  AppendHeight(view, X_WB, lowest, phi, 0, CalcEllipsoidOnPlane(B.radii, view.n_B), out);
}

}  // namespace voigt
