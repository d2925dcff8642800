#pragma once

#include <vector>

#include "voigt/collision/convex_shape.h"

namespace voigt {

// The flat part of a shape that faces a direction n: a polygon (at least three points), a segment
// of its surface, or a single point where the shape is flat in no direction near there.
//
// The cap of a cylinder is represented by a regular octagon on its rim.
struct Facet {
  std::vector<Vec3> points;     // on the surface; polygons counter-clockwise seen from outside
  std::vector<int> keys;        // name the points among those of the shape
  Vec3 normal = Vec3::Zero();   // of a polygon
  Vec3 push = Vec3::Zero();     // from the core to the surface, of a segment with a radius
  bool has_round_ends = false;  // a segment between half-spheres
};

// The facet of the shape with pose X where it is farthest along the unit vector n. Polygons and
// segments are those within kFacetSlope of right angles to n.
inline constexpr double kFacetSlope = 0.2;  // sine of the angle
void MakeFacet(const ConvexShape& shape, const Pose& X, const Vec3& n, Facet* out);

}  // namespace voigt
