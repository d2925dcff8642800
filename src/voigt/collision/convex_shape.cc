#include "voigt/collision/convex_shape.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

struct Maker {
  std::string* defect;

  std::optional<ConvexShape> FromPolytope(Polytope polytope, double rounding) const {
    ConvexShape out;
    out.polytope = std::move(polytope);
    out.rounding = rounding;
    out.reach = out.polytope.reach + rounding;
    return out;
  }
  std::optional<ConvexShape> operator()(const Sphere& s) const {
    return FromPolytope(MakePoint(), s.radius);
  }
  std::optional<ConvexShape> operator()(const Capsule& s) const {
    return FromPolytope(MakeSegment(s.length), s.radius);
  }
  std::optional<ConvexShape> operator()(const Box& s) const {
    return FromPolytope(MakePolytope(s), 0);
  }
  std::optional<ConvexShape> operator()(const ConvexHull& s) const {
    Vec3 low = Vec3::Constant(kInfinity), high = -low;
    for (const Vec3& p : s.points) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    const Vec3 center = 0.5 * (low + high);
    ConvexHull centered = s;
    for (Vec3& p : centered.points) p -= center;
    auto polytope = MakePolytope(centered, defect);
    if (!polytope) return std::nullopt;
    auto out = FromPolytope(std::move(*polytope), 0);
    out->center = center;
    return out;
  }
  std::optional<ConvexShape> operator()(const Cylinder& s) const {
    ConvexShape out;
    out.kind = ConvexShape::Kind::kCylinder;
    out.radius = s.radius;
    out.half_length = 0.5 * s.length;
    out.reach = std::hypot(out.radius, out.half_length);
    return out;
  }
  std::optional<ConvexShape> operator()(const Ellipsoid& s) const {
    ConvexShape out;
    out.kind = ConvexShape::Kind::kEllipsoid;
    out.radii = s.radii;
    out.reach = s.radii.maxCoeff();
    return out;
  }
  template <typename Other>
  std::optional<ConvexShape> operator()(const Other&) const {
    *defect = "expected a sphere, box, capsule, cylinder, ellipsoid or hull";
    return std::nullopt;
  }
};

}  // namespace

Vec3 ConvexShape::FindSupport(const Vec3& d, int* id) const {
  switch (kind) {
    case Kind::kPolytope:
      *id = polytope.FindSupport(d, *id);
      return polytope.vertices[*id];
    case Kind::kCylinder: {
      const double across = std::hypot(d[0], d[1]);
      const double z = d[2] < 0 ? -half_length : half_length;
      *id = 0;
      if (!(across > 0)) return {radius, 0, z};
      return {radius * (d[0] / across), radius * (d[1] / across), z};
    }
    case Kind::kEllipsoid: {
      *id = 0;
      const Vec3 scaled = radii.cwiseProduct(d);
      return radii.cwiseProduct(scaled) / scaled.norm();
    }
  }
  return Vec3::Zero();
}

double ConvexShape::CalcOutsideness(const Vec3& x) const {
  if (kind == Kind::kCylinder) {
    return std::max(std::hypot(x[0], x[1]) - radius, std::abs(x[2]) - half_length);
  }
  return polytope.CalcFaceDistance(x);
}

std::optional<ConvexShape> MakeConvexShape(const Shape& shape, std::string* defect) {
  // Hulls are checked as they are made.
  if (!std::holds_alternative<ConvexHull>(shape)) {
    if (auto found = DescribeShapeDefect(shape)) {
      *defect = *found;
      return std::nullopt;
    }
  }
  return std::visit(Maker{defect}, shape);
}

ConvexPair::ConvexPair(const ConvexShape& shape_A, const Pose& pose_A, const ConvexShape& shape_B,
                       const Pose& pose_B)
    : A(&shape_A),
      B(&shape_B),
      X_WA(shape_A.Place(pose_A)),
      size(std::max(shape_A.reach, shape_B.reach)),
      small_size(std::min(shape_A.reach, shape_B.reach)) {
  const Pose X_WB = shape_B.Place(pose_B);
  X_AB.R = X_WA.R.transpose() * X_WB.R;
  X_AB.p = X_WA.R.transpose() * (X_WB.p - X_WA.p);
}

MinkowskiPoint ConvexPair::FindSupport(const Vec3& n, const MinkowskiPoint& hint) const {
  MinkowskiPoint out;
  out.id_a = hint.id_a;
  out.id_b = hint.id_b;
  out.a = A->FindSupport(n, &out.id_a);
  out.b = X_AB * B->FindSupport(-(X_AB.R.transpose() * n), &out.id_b);
  out.w = out.a - out.b;
  return out;
}

double ConvexPair::CalcGap(const Vec3& n) const { return -n.dot(FindSupport(n).w); }

}  // namespace voigt
