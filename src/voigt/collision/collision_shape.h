#pragma once

#include <optional>
#include <string>
#include <vector>

#include "voigt/collision/axis_box.h"
#include "voigt/collision/convex_shape.h"
#include "voigt/collision/element_tree.h"
#include "voigt/collision/mesh_surface.h"
#include "voigt/math/pose.h"
#include "voigt/model/geometry.h"

namespace voigt {

// A shape as collision sees it, with what is worth computing once.
struct CollisionShape {
  Shape shape;
  std::optional<ConvexShape> convex = {};   // of solids that are convex and bounded
  std::optional<MeshSurface> surface = {};  // of meshes and height fields
  std::vector<Vec3> points = {};            // of contact points and foundations, in G
  std::optional<ElementTree> layer = {};    // of solids with an elastic layer
  std::optional<MeshSurface> skin = {};     // of hulls that may meet a layer
  AxisBox box = {};                         // that holds the shape, in G
  double reach = 0;                         // how far from the origin a turn moves the surface, m

  bool is_bounded() const { return reach < kInfinity; }
  bool is_foundation() const { return std::holds_alternative<Foundation>(shape); }
};

// Nothing, with the reason in *defect, for hulls that are too flat to have faces and meshes with
// triangles that have no area.
std::optional<CollisionShape> MakeCollisionShape(const Shape& shape, std::string* defect);

// The same in a model where some shapes have elastic layers: with the shape's own, if it has one,
// and what is needed to meet others.
std::optional<CollisionShape> MakeCollisionShapeWithLayer(const Geometry& geometry,
                                                          std::string* defect);

// The smallest box along the axes of the world that holds a bounded shape; for hulls, points and
// meshes that of the box around them.
AxisBox CalcBounds(const CollisionShape& shape, const Pose& X_WG);

// Whether contact has a radius of curvature wherever the shape is touched: no edges, no corners.
bool IsSmooth(const Shape& shape);

}  // namespace voigt
