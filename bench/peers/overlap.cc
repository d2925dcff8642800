#include "bench/peers/overlap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace voigt::peers {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// The lowest point of a shape along n, relative to the world.
double LowestAlong(const Vec3& n, const Shape& shape, const Pose& X) {
  const Vec3 m = X.R.transpose() * n;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return n.dot(X.p) - shape.radius();
    case ShapeKind::kBox:
      return n.dot(X.p) - 0.5 * m.cwiseAbs().dot(shape.size);
    case ShapeKind::kCapsule:
      return n.dot(X.p) - 0.5 * std::abs(m[2]) * shape.size[1] - shape.radius();
    case ShapeKind::kPoint:
      return n.dot(X.p);
    default:
      return kInf;
  }
}

// A sphere is a capsule of no length.
double SegmentDistance(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  // Closest points of p + s u and q + t v with |s|, |t| ≤ 1: one end fixed, the other projected,
  // and both inside if the lines cross there.
  const Vec3 d = q - p;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  double best = kInf;
  const auto project = [](double value, double square) {
    return square > 0 ? std::clamp(value / square, -1.0, 1.0) : 0.0;
  };
  const auto take = [&](double s, double t) { best = std::min(best, (d + t * v - s * u).norm()); };
  for (double s : {-1.0, 1.0}) take(s, project((s * u - d).dot(v), vv));
  for (double t : {-1.0, 1.0}) take(project((d + t * v).dot(u), uu), t);
  const double det = uu * vv - uv * uv;
  if (det > 1e-14 * uu * vv) {
    const double s = (d.dot(u) * vv - d.dot(v) * uv) / det;
    const double t = (d.dot(u) * uv - d.dot(v) * uu) / det;
    if (std::abs(s) <= 1 && std::abs(t) <= 1) take(s, t);
  }
  return best;
}

double RoundGap(const Shape& a, const Pose& X, const Shape& b, const Pose& Y) {
  const auto half = [](const Shape& shape, const Pose& pose) {
    const double length = shape.kind == ShapeKind::kCapsule ? shape.size[1] : 0;
    return Vec3(0.5 * length * pose.R.col(2));
  };
  return SegmentDistance(X.p, half(a, X), Y.p, half(b, Y)) - a.radius() - b.radius();
}

double SphereBoxGap(const Shape& sphere, const Pose& X, const Shape& box, const Pose& Y) {
  const Vec3 p = Y.R.transpose() * (X.p - Y.p), half = 0.5 * box.size;
  const Vec3 nearest = p.cwiseMax(-half).cwiseMin(half);
  const double outside = (p - nearest).norm();
  if (outside > 0) return outside - sphere.radius();
  return (p.cwiseAbs() - half).maxCoeff() - sphere.radius();
}

// Along the fifteen axes that can part two boxes.
double BoxGap(const Shape& a, const Pose& X, const Shape& b, const Pose& Y) {
  const Vec3 d = Y.p - X.p;
  double gap = -kInf;
  const auto try_axis = [&](Vec3 n) {
    const double length = n.norm();
    if (length < 1e-6) return;
    n /= length;
    const double reach = 0.5 * (X.R.transpose() * n).cwiseAbs().dot(a.size) +
                         0.5 * (Y.R.transpose() * n).cwiseAbs().dot(b.size);
    gap = std::max(gap, std::abs(n.dot(d)) - reach);
  };
  for (int i = 0; i < 3; ++i) {
    try_axis(X.R.col(i));
    try_axis(Y.R.col(i));
    for (int j = 0; j < 3; ++j) try_axis(X.R.col(i).cross(Y.R.col(j)));
  }
  return gap;
}

bool IsRound(const Shape& shape) {
  return shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule;
}

struct PlacedShape {
  const Shape* shape;
  Pose pose;
  int body;
  double reach;
};

}  // namespace

double CalcGap(const Shape& a, const Pose& X, const Shape& b, const Pose& Y) {
  if (b.kind == ShapeKind::kPlane) return LowestAlong(Y.R.col(2), a, X) - Y.R.col(2).dot(Y.p);
  if (a.kind == ShapeKind::kPlane) return CalcGap(b, Y, a, X);
  if (IsRound(a) && IsRound(b)) return RoundGap(a, X, b, Y);
  if (a.kind == ShapeKind::kBox && b.kind == ShapeKind::kBox) return BoxGap(a, X, b, Y);
  if (a.kind == ShapeKind::kSphere && b.kind == ShapeKind::kBox) return SphereBoxGap(a, X, b, Y);
  if (b.kind == ShapeKind::kSphere && a.kind == ShapeKind::kBox) return SphereBoxGap(b, Y, a, X);
  return kInf;
}

double BoundingRadius(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return shape.radius();
    case ShapeKind::kBox:
      return 0.5 * shape.size.norm();
    case ShapeKind::kCapsule:
      return shape.size[0] + 0.5 * shape.size[1];
    case ShapeKind::kPoint:
      return 0;
    default:
      return kInf;
  }
}

Overlaps FindOverlaps(const Scene& scene, const ApartTable& apart, const std::vector<Pose>& poses) {
  constexpr double kNear = 1e-4;
  Overlaps out;
  const auto take = [&](double gap) {
    out.least_gap = std::min(out.least_gap, gap);
    out.near += gap < kNear;
  };
  std::vector<PlacedShape> shapes;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    for (const Shape& shape : scene.bodies[b].shapes) {
      const Pose pose = poses[b] * shape.X_BS;
      shapes.push_back({&shape, pose, static_cast<int>(b), BoundingRadius(shape)});
      for (const Shape& ground : scene.ground) take(CalcGap(shape, pose, ground, ground.X_BS));
    }
  }
  // Sweep along x.
  const auto left = [](const PlacedShape& s) { return s.pose.p[0] - s.reach; };
  std::sort(shapes.begin(), shapes.end(),
            [&](const PlacedShape& a, const PlacedShape& b) { return left(a) < left(b); });
  for (size_t i = 0; i < shapes.size(); ++i) {
    const PlacedShape& a = shapes[i];
    if (a.shape->kind == ShapeKind::kPoint) continue;
    for (size_t j = i + 1; j < shapes.size(); ++j) {
      const PlacedShape& b = shapes[j];
      if (left(b) > a.pose.p[0] + a.reach + kNear) break;
      if (b.body == a.body || b.shape->kind == ShapeKind::kPoint) continue;
      if ((a.pose.p - b.pose.p).norm() > a.reach + b.reach + kNear) continue;
      if (!apart.AreApart(a.body, b.body)) take(CalcGap(*a.shape, a.pose, *b.shape, b.pose));
    }
  }
  return out;
}

}  // namespace voigt::peers
