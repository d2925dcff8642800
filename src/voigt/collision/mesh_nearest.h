#pragma once

#include <optional>
#include <vector>

#include "voigt/collision/mesh_surface.h"
#include "voigt/collision/nearest_point.h"

namespace voigt {

// A point of a surface, and what it is a point of.
struct SurfacePoint {
  enum class Kind { kRegion, kEdge, kVertex };

  Kind kind = Kind::kRegion;
  int index = 0;     // of the region, edge or vertex
  int triangle = 0;  // that was looked at
  Vec3 p = Vec3::Zero();
  double distance = kInfinity;  // from the point that was asked for; ≥ 0
};

// MeshSurface's number of what the point is a point of.
int FeatureOf(const MeshSurface& surface, const SurfacePoint& point);

// The point of triangle t that is nearest to q: of its region if the foot of q is in it, by
// rounding or more, otherwise of one of its edges or vertices.
SurfacePoint FindNearestOnTriangle(const MeshSurface& surface, int t, const Vec3& q);

// The way out of a solid or the ground: n leads from q to the nearest point of the surface.
struct WayOut {
  SurfacePoint point;
  Vec3 n = Vec3::UnitZ();  // of unit length, outwards
};

// Nothing where q is outside or on the surface, and for sheets, which have no inside. On which side
// of a solid q is, the normal at the nearest point tells; at edges and vertices it is the mean over
// the triangles there, weighted with their angles [Bærentzen & Aanæs 2005]. `near` is memory.
std::optional<WayOut> FindWayOut(const MeshSurface& surface, const Vec3& q, std::vector<int>* near);

// The signed distance of q from a solid or the ground, with the outward normal of the surface at
// the nearest point. Nothing for points outside that are farther than `reach`, and for sheets.
std::optional<NearestPoint> FindSignedDistance(const MeshSurface& surface, const Vec3& q,
                                               double reach, std::vector<int>* near);

}  // namespace voigt
