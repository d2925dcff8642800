#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/math/pose.h"
#include "voigt/model/triangle_mesh.h"

namespace voigt {

// Shapes, each centred on its own frame G. Lengths in metres.
struct Sphere {
  double radius = 0;
};

struct Box {
  Vec3 size = Vec3::Zero();  // full edge lengths along x, y, z
};

// A cylinder along z with half-spheres on both ends; length is that of the cylinder alone.
struct Capsule {
  double radius = 0;
  double length = 0;
};

struct Cylinder {
  double radius = 0;
  double length = 0;  // along z
};

struct Ellipsoid {
  Vec3 radii = Vec3::Zero();  // semi-axes along x, y, z
};

// All points with z ≤ 0: the ground with its normal along z.
struct HalfSpace {};

// The convex hull of the points.
struct ConvexHull {
  std::vector<Vec3> points;
};

using Shape =
    std::variant<Sphere, Box, Capsule, Cylinder, Ellipsoid, HalfSpace, ConvexHull, TriangleMesh>;

std::string_view ShapeName(const Shape& shape);

// A shape fixed to a body.
struct Geometry {
  std::string name;
  Shape shape;
  Pose X_BG;                      // G in the body's frame
  std::optional<double> density;  // kg/m³; without it the shape adds no mass
  SourceLocation where;
};

// What is wrong with a shape ("radius = -1, expected a positive length"), or nothing.
std::optional<std::string> DescribeShapeDefect(const Shape& shape);

}  // namespace voigt
