#include "voigt/collision/mesh_nearest.h"

#include <algorithm>
#include <cmath>

#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

// The point of side k of a triangle that is nearest to q.
SurfacePoint FindNearestOnSide(const MeshSurface& surface, int t, int k, const Vec3& q) {
  const MeshSurface::Triangle& triangle = surface.triangles[t];
  const int v = triangle.vertices[k], w = triangle.vertices[(k + 1) % 3];
  const Vec3 &from = surface.vertices[v].p, &to = surface.vertices[w].p;
  const Vec3 along = to - from;
  const double u = along.dot(q - from) / along.squaredNorm();
  SurfacePoint out;
  out.triangle = t;
  out.kind = u > 0 && u < 1 ? SurfacePoint::Kind::kEdge : SurfacePoint::Kind::kVertex;
  out.index = out.kind == SurfacePoint::Kind::kEdge ? triangle.edges[k] : u > 0 ? w : v;
  // From the nearer end, for the digits.
  out.p = u <= 0    ? from
          : u >= 1  ? to
          : u < 0.5 ? Vec3(from + u * along)
                    : Vec3(to - (1 - u) * along);
  out.distance = (q - out.p).norm();
  return out;
}

Vec3 NormalAt(const MeshSurface& surface, const SurfacePoint& point) {
  switch (point.kind) {
    case SurfacePoint::Kind::kRegion:
      return surface.regions[point.index].normal;
    case SurfacePoint::Kind::kEdge:
      return surface.edges[point.index].normal;
    case SurfacePoint::Kind::kVertex:
      return surface.vertices[point.index].normal;
  }
  return Vec3::Zero();
}

WayOut MakeWayOut(const MeshSurface& surface, const Vec3& q, const SurfacePoint& point) {
  WayOut out{point, NormalAt(surface, point).normalized()};
  if (point.kind != SurfacePoint::Kind::kRegion &&
      point.distance > RoundingOf(surface.size + q.norm())) {
    out.n = ((point.p - q) / point.distance).normalized();
  }
  return out;
}

bool IsBetween(const AxisBox& box, const Vec3& q) {
  return (q.array() >= box.lower.array()).all() && (q.array() <= box.upper.array()).all();
}

// The nearest point of a solid's surface, no farther than `reach`; otherwise its distance is ∞.
SurfacePoint FindNearestOfSolid(const MeshSurface& surface, const Vec3& q, double reach) {
  SurfacePoint nearest;
  const auto visit = [&](int t) {
    const SurfacePoint point = FindNearestOnTriangle(surface, t, q);
    // Of equal ones the first in a fixed order.
    const bool is_nearer = point.distance < nearest.distance;
    const bool is_first = point.distance == nearest.distance && t < nearest.triangle;
    if (is_nearer || is_first) nearest = point;
    return std::min(nearest.distance, reach);
  };
  surface.tree.VisitNearest(q, reach, visit);
  return nearest.distance <= reach ? nearest : SurfacePoint{};
}

std::optional<WayOut> FindWayOutOfSolid(const MeshSurface& surface, const Vec3& q) {
  if (!IsBetween(surface.bounds, q)) return std::nullopt;
  const SurfacePoint nearest = FindNearestOfSolid(surface, q, kInfinity);
  if (!(NormalAt(surface, nearest).dot(q - nearest.p) < 0)) return std::nullopt;
  return MakeWayOut(surface, q, nearest);
}

// How far q is below the ground, measured downwards; -∞ beside it.
double CalcDepthInGround(const MeshSurface& surface, const Vec3& q) {
  const MeshSurface::Grid& grid = surface.grid;
  const double x = (q[0] - grid.origin[0]) / grid.spacing[0];
  const double y = (q[1] - grid.origin[1]) / grid.spacing[1];
  if (!(x >= 0 && y >= 0 && x <= grid.nx - 1 && y <= grid.ny - 1)) return -kInfinity;
  const int i = std::min(static_cast<int>(x), grid.nx - 2);
  const int j = std::min(static_cast<int>(y), grid.ny - 2);
  const int t = 2 * (i + (grid.nx - 1) * j) + (y - j > x - i ? 1 : 0);
  const Vec3& n = surface.triangles[t].normal;
  return n.dot(surface.vertices[surface.triangles[t].vertices[0]].p - q) / n[2];
}

std::optional<WayOut> FindWayOutOfGround(const MeshSurface& surface, const Vec3& q,
                                         std::vector<int>* near) {
  const double depth = CalcDepthInGround(surface, q);
  if (!(depth > 0)) return std::nullopt;
  // Straight up is one way; the nearest point is in the ball that touches it.
  near->clear();
  const Vec3 reach = Vec3::Constant(depth * (1 + 1e-12) + RoundingOf(surface.size + q.norm()));
  surface.FindNear({q - reach, q + reach}, near);
  SurfacePoint nearest;
  for (int t : *near) {
    const SurfacePoint point = FindNearestOnTriangle(surface, t, q);
    if (point.distance < nearest.distance) nearest = point;
  }
  if (near->empty()) return std::nullopt;
  return MakeWayOut(surface, q, nearest);
}

}  // namespace

int FeatureOf(const MeshSurface& surface, const SurfacePoint& point) {
  switch (point.kind) {
    case SurfacePoint::Kind::kRegion:
      return surface.RegionFeature(point.index);
    case SurfacePoint::Kind::kEdge:
      return surface.EdgeFeature(point.index);
    case SurfacePoint::Kind::kVertex:
      return surface.VertexFeature(point.index);
  }
  return 0;
}

SurfacePoint FindNearestOnTriangle(const MeshSurface& surface, int t, const Vec3& q) {
  const MeshSurface::Triangle& triangle = surface.triangles[t];
  const double rounding = RoundingOf(surface.size + q.norm());
  // A point beside the triangle is nearest to one of the sides that it is beyond.
  SurfacePoint nearest;
  bool is_inside = true;
  for (int k = 0; k < 3; ++k) {
    const Vec3 from = q - surface.vertices[triangle.vertices[k]].p;
    if (triangle.inward[k].dot(from) >= -rounding) continue;
    is_inside = false;
    const SurfacePoint point = FindNearestOnSide(surface, t, k, q);
    if (point.distance < nearest.distance) nearest = point;
  }
  if (!is_inside) return nearest;
  const MeshSurface::Region& region = surface.regions[triangle.region];
  const double height = region.normal.dot(q) - region.offset;
  return {SurfacePoint::Kind::kRegion, triangle.region, t, q - height * region.normal,
          std::abs(height)};
}

std::optional<NearestPoint> FindSignedDistance(const MeshSurface& surface, const Vec3& q,
                                               double reach, std::vector<int>* near) {
  SurfacePoint nearest;
  bool is_inside = false;
  if (surface.kind == MeshSurface::Kind::kSolid) {
    // Only what is between the bounds can be inside.
    const bool may_be_inside = IsBetween(surface.bounds, q);
    nearest = FindNearestOfSolid(surface, q, may_be_inside ? kInfinity : reach);
    is_inside = may_be_inside && NormalAt(surface, nearest).dot(q - nearest.p) < 0;
  } else if (surface.kind == MeshSurface::Kind::kGround) {
    if (const auto way = FindWayOutOfGround(surface, q, near)) {
      return NearestPoint{.n = way->n, .distance = -way->point.distance};
    }
    near->clear();
    surface.FindNear({q.array() - reach, q.array() + reach}, near);
    for (int t : *near) {
      const SurfacePoint point = FindNearestOnTriangle(surface, t, q);
      if (point.distance < nearest.distance) nearest = point;
    }
  }
  if (nearest.distance == kInfinity || (!is_inside && nearest.distance > reach)) {
    return std::nullopt;
  }
  if (is_inside) {
    return NearestPoint{.n = MakeWayOut(surface, q, nearest).n, .distance = -nearest.distance};
  }
  // The same way, seen from outside.
  NearestPoint out{.n = NormalAt(surface, nearest).normalized(), .distance = nearest.distance};
  if (nearest.kind != SurfacePoint::Kind::kRegion &&
      nearest.distance > RoundingOf(surface.size + q.norm())) {
    out.n = ((q - nearest.p) / nearest.distance).normalized();
  }
  return out;
}

std::optional<WayOut> FindWayOut(const MeshSurface& surface, const Vec3& q,
                                 std::vector<int>* near) {
  switch (surface.kind) {
    case MeshSurface::Kind::kSolid:
      return FindWayOutOfSolid(surface, q);
    case MeshSurface::Kind::kGround:
      return FindWayOutOfGround(surface, q, near);
    case MeshSurface::Kind::kSheet:
      break;
  }
  return std::nullopt;
}

}  // namespace voigt
