#include "voigt/collision/facet.h"

#include <Eigen/Geometry>
#include <cmath>

namespace voigt {
namespace {

constexpr int kCapCorners = 8;

// The face or edge at the support vertex that is most at right angles to n.
void MakePolytopeFacet(const ConvexShape& shape, const Pose& X, const Vec3& n, Facet* out) {
  const Polytope& polytope = shape.polytope;
  const Vec3 n_G = X.R.transpose() * n;
  const int vertex = polytope.FindSupport(n_G);
  const double least_cosine = std::sqrt(1 - kFacetSlope * kFacetSlope);
  int face = -1;
  double cosine = least_cosine;
  for (int k = polytope.vertex_faces.start[vertex]; k < polytope.vertex_faces.start[vertex + 1];
       ++k) {
    const double here = polytope.faces[polytope.vertex_faces.items[k]].normal.dot(n_G);
    if (here > cosine) cosine = here, face = polytope.vertex_faces.items[k];
  }
  if (face >= 0) {
    const Polytope::Face& f = polytope.faces[face];
    out->normal = X.R * f.normal;
    for (int k = 0; k < f.count; ++k) {
      const int v = polytope.loops[f.first + k];
      out->points.push_back(X * polytope.vertices[v]);
      out->keys.push_back(v);
    }
    return;
  }
  int neighbor = -1;
  double sine = kFacetSlope;
  for (int k = polytope.neighbors.start[vertex]; k < polytope.neighbors.start[vertex + 1]; ++k) {
    const Vec3 along = polytope.vertices[polytope.neighbors.items[k]] - polytope.vertices[vertex];
    const double here = std::abs(along.dot(n_G)) / along.norm();
    if (here < sine) sine = here, neighbor = polytope.neighbors.items[k];
  }
  out->push = shape.rounding * n;
  out->has_round_ends = true;
  for (int v : {std::min(vertex, neighbor), std::max(vertex, neighbor)}) {
    if (v < 0) continue;
    out->points.push_back(X * polytope.vertices[v] + out->push);
    out->keys.push_back(v);
  }
}

void MakeCylinderFacet(const ConvexShape& shape, const Pose& X, const Vec3& n, Facet* out) {
  const Vec3 n_G = X.R.transpose() * n;
  const double across = std::hypot(n_G[0], n_G[1]), h = shape.half_length, r = shape.radius;
  if (across <= kFacetSlope) {
    const double sign = n_G[2] < 0 ? -1 : 1;
    out->normal = sign * X.R.col(2);
    for (int k = 0; k < kCapCorners; ++k) {
      // The same corners of the same cap, in the order that is counter-clockwise from outside.
      const int corner = sign > 0 ? k : kCapCorners - 1 - k;
      const double angle = 2 * kPi * corner / kCapCorners;
      out->points.push_back(X * Vec3(r * std::cos(angle), r * std::sin(angle), sign * h));
      out->keys.push_back(corner + (sign > 0 ? kCapCorners : 0));
    }
    return;
  }
  const Vec3 rim(r * n_G[0] / across, r * n_G[1] / across, 0);
  const bool is_side = std::abs(n_G[2]) <= kFacetSlope;
  out->push = X.R * rim;
  for (const double sign : {-1.0, 1.0}) {
    if (!is_side && sign * n_G[2] < 0) continue;
    out->points.push_back(X * (rim + Vec3(0, 0, sign * h)));
    out->keys.push_back(2 * kCapCorners + (sign > 0 ? 1 : 0));
  }
}

}  // namespace

void MakeFacet(const ConvexShape& shape, const Pose& X, const Vec3& n, Facet* out) {
  out->points.clear();
  out->keys.clear();
  out->normal.setZero();
  out->push.setZero();
  out->has_round_ends = false;
  switch (shape.kind) {
    case ConvexShape::Kind::kPolytope:
      MakePolytopeFacet(shape, X, n, out);
      break;
    case ConvexShape::Kind::kCylinder:
      MakeCylinderFacet(shape, X, n, out);
      break;
    case ConvexShape::Kind::kEllipsoid: {
      int id = 0;
      out->points.push_back(X * shape.FindSupport(X.R.transpose() * n, &id));
      out->keys.push_back(0);
      break;
    }
  }
}

}  // namespace voigt
