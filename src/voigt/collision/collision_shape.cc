#include "voigt/collision/collision_shape.h"

#include <algorithm>
#include <cmath>

#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

std::vector<Vec3> ListPoints(const Shape& shape) {
  if (const auto* points = std::get_if<ContactPoints>(&shape)) return points->positions;
  std::vector<Vec3> out;
  if (const auto* foundation = std::get_if<Foundation>(&shape)) {
    out.reserve(foundation->nx * foundation->ny);
    for (int k = 0; k < foundation->nx * foundation->ny; ++k) {
      out.push_back(ElementPosition(*foundation, k));
    }
  }
  return out;
}

AxisBox BoundPoints(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  AxisBox box{points[0], points[0]};
  for (const Vec3& point : points) {
    box.lower = box.lower.cwiseMin(point);
    box.upper = box.upper.cwiseMax(point);
  }
  return box;
}

double FindReach(const std::vector<Vec3>& points) {
  double reach = 0;
  for (const Vec3& point : points) reach = std::max(reach, point.norm());
  return reach;
}

// Of a height field, what has sunk in as far as the field is wide is still found.
AxisBox BoundSurface(const MeshSurface& surface) {
  AxisBox box = {surface.bounds.lower + surface.center, surface.bounds.upper + surface.center};
  if (surface.kind == MeshSurface::Kind::kGround) {
    box.lower[2] -= (box.upper - box.lower).head<2>().maxCoeff();
  }
  return box;
}

// Half the edges of the box around a shape that is symmetric about its origin, turned by R.
struct HalfExtents {
  const Mat3& R;

  Vec3 operator()(const Sphere& s) const { return Vec3::Constant(s.radius); }
  Vec3 operator()(const Box& s) const { return R.cwiseAbs() * (0.5 * s.size); }
  Vec3 operator()(const Capsule& s) const {
    return 0.5 * s.length * R.col(2).cwiseAbs() + Vec3::Constant(s.radius);
  }
  Vec3 operator()(const Cylinder& s) const {
    const Vec3 across = (1 - R.col(2).array().square()).max(0).sqrt();
    return 0.5 * s.length * R.col(2).cwiseAbs() + s.radius * across;
  }
  Vec3 operator()(const Ellipsoid& s) const { return (R * s.radii.asDiagonal()).rowwise().norm(); }
  template <typename Other>
  Vec3 operator()(const Other&) const {
    return Vec3::Constant(kNaN);  // bounded by CollisionShape::box
  }
};

bool IsSymmetric(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Box>(shape) ||
         std::holds_alternative<Capsule>(shape) || std::holds_alternative<Cylinder>(shape) ||
         std::holds_alternative<Ellipsoid>(shape);
}

}  // namespace

std::optional<CollisionShape> MakeCollisionShape(const Shape& shape, std::string* defect) {
  CollisionShape out{.shape = shape};
  if (std::holds_alternative<HalfSpace>(shape)) {
    out.reach = kInfinity;
    return out;
  }
  if (std::holds_alternative<TriangleMesh>(shape) || std::holds_alternative<HeightField>(shape)) {
    out.surface = MakeMeshSurface(shape, defect);
    if (!out.surface) return std::nullopt;
    out.box = BoundSurface(*out.surface);
    out.reach = (out.box.lower.cwiseAbs().cwiseMax(out.box.upper.cwiseAbs())).norm();
  } else if (IsSolid(shape)) {
    out.convex = MakeConvexShape(shape, defect);
    if (!out.convex) return std::nullopt;
    const bool is_sphere = std::holds_alternative<Sphere>(shape);
    out.reach = is_sphere ? 0 : out.convex->center.norm() + out.convex->reach;
    if (!IsSymmetric(shape)) {
      const AxisBox box = BoundPoints(out.convex->polytope.vertices);
      out.box = {box.lower + out.convex->center, box.upper + out.convex->center};
    }
  } else {
    out.points = ListPoints(shape);
    out.box = BoundPoints(out.points);
    out.reach = FindReach(out.points);
  }
  return out;
}

std::optional<CollisionShape> MakeCollisionShapeWithLayer(const Geometry& geometry,
                                                          std::string* defect) {
  auto out = MakeCollisionShape(geometry.shape, defect);
  if (!out) return std::nullopt;
  if (geometry.foundation) {
    out->layer.emplace(LayElements(geometry.shape, *geometry.foundation));
  }
  if (const auto* hull = std::get_if<ConvexHull>(&geometry.shape)) {
    const auto mesh = MakeConvexHullMesh(hull->points, defect);
    if (mesh) out->skin = MakeMeshSurface(*mesh, defect);
    if (!out->skin) return std::nullopt;
  }
  return out;
}

AxisBox CalcBounds(const CollisionShape& shape, const Pose& X_WG) {
  Vec3 center, half;
  if (IsSymmetric(shape.shape)) {
    center = X_WG.p;
    half = std::visit(HalfExtents{X_WG.R}, shape.shape);
  } else {
    center = X_WG * (0.5 * (shape.box.lower + shape.box.upper));
    half = X_WG.R.cwiseAbs() * (0.5 * (shape.box.upper - shape.box.lower));
  }
  return {center - half, center + half};
}

bool IsSmooth(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape) ||
         std::holds_alternative<Ellipsoid>(shape) || std::holds_alternative<HalfSpace>(shape);
}

}  // namespace voigt
