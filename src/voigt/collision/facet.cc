#include "voigt/collision/facet.h"

#include <Eigen/Geometry>
#include <cmath>

namespace voigt {
namespace {

constexpr int kCapCorners = 8;

// The facet within the slope of right angles to n that faces it most, of those at the support
// vertex and at neighbours that are as far along n but for rounding; -1 for none.
int FindFlatFacet(const Polytope& polytope, int vertex, const Vec3& n) {
  const double slack = 1e-9 * polytope.reach, height = n.dot(polytope.vertices[vertex]);
  int face = -1;
  double cosine = std::sqrt(1 - kFacetSlope * kFacetSlope);
  const auto try_faces = [&](int v) {
    const int f = polytope.FindFacetAt(v, n);
    if (f < 0 || polytope.facets[f].normal.dot(n) <= cosine) return;
    cosine = polytope.facets[f].normal.dot(n);
    face = f;
  };
  try_faces(vertex);
  for (int k = polytope.neighbors.start[vertex]; k < polytope.neighbors.start[vertex + 1]; ++k) {
    const int v = polytope.neighbors.items[k];
    if (n.dot(polytope.vertices[v]) > height - slack) try_faces(v);
  }
  return face;
}

// A face or edge at the support vertex.
void MakePolytopeFacet(const ConvexShape& shape, const Pose& X, const Vec3& n, Facet* out) {
  const Polytope& polytope = shape.polytope;
  const Vec3 n_G = X.R.transpose() * n;
  const int vertex = polytope.FindSupport(n_G);
  const int face = FindFlatFacet(polytope, vertex, n_G);
  if (face >= 0) {
    const Polytope::Face& f = polytope.facets[face];
    out->normal = X.R * f.normal;
    for (int k = 0; k < f.count; ++k) {
      const int v = polytope.facet_loops[f.first + k];
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
