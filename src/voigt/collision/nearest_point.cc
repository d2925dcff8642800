#include "voigt/collision/nearest_point.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Both curvatures of a corner or an edge: no law of smooth surfaces holds there.
void MakeSharp(NearestPoint* out) { out->curvature_1 = out->curvature_2 = kInfinity; }

// Away from the axis z at q, of unit length; x on the axis itself.
Vec3 RadialDirection(const Vec3& q, double distance) {
  if (distance == 0) return Vec3::UnitX();
  return Vec3(q[0] / distance, q[1] / distance, 0);
}

}  // namespace

NearestPoint FindNearestOnBox(const Vec3& half_size, const Vec3& q) {
  NearestPoint out;
  const Vec3 outside = q - q.cwiseMax(-half_size).cwiseMin(half_size);
  out.distance = outside.stableNorm();
  if (out.distance > 0) {
    // Normalised again, as tiny numbers have few digits.
    out.n = (outside / out.distance).normalized();
    if ((outside.array() != 0).count() > 1) MakeSharp(&out);
    return out;
  }
  // Inside: out through the nearest face.
  int axis = 0;
  const Vec3 depth = half_size - q.cwiseAbs();
  depth.minCoeff(&axis);
  out.distance = -depth[axis];
  out.n = Vec3::Unit(axis) * (q[axis] < 0 ? -1 : 1);
  return out;
}

NearestPoint FindNearestOnCapsule(const Capsule& capsule, const Vec3& q) {
  NearestPoint out;
  const double half = 0.5 * capsule.length;
  const Vec3 d(q[0], q[1], q[2] - std::clamp(q[2], -half, half));
  const double distance = d.stableNorm();
  out.distance = distance - capsule.radius;
  out.n = distance > 0 ? Vec3((d / distance).normalized()) : Vec3::UnitX();
  out.curvature_1 = 1 / capsule.radius;
  out.curvature_2 = d[2] == 0 ? 0 : out.curvature_1;
  return out;
}

NearestPoint FindNearestOnCylinder(const Cylinder& cylinder, const Vec3& q) {
  NearestPoint out;
  const double distance = std::hypot(q[0], q[1]);
  const Vec3 radial = RadialDirection(q, distance), axial(0, 0, q[2] < 0 ? -1 : 1);
  // How far q is beyond the side and beyond the nearer cap.
  const double beyond_side = distance - cylinder.radius;
  const double beyond_cap = std::abs(q[2]) - 0.5 * cylinder.length;
  if (beyond_side > 0 && beyond_cap > 0) {
    out.distance = std::hypot(beyond_side, beyond_cap);
    out.n = (beyond_side / out.distance * radial + beyond_cap / out.distance * axial).normalized();
    MakeSharp(&out);
  } else if (beyond_side >= beyond_cap) {
    out.distance = beyond_side;
    out.n = radial.normalized();
    out.curvature_1 = 1 / cylinder.radius;
  } else {
    out.distance = beyond_cap;
    out.n = axial;
  }
  return out;
}

}  // namespace voigt
