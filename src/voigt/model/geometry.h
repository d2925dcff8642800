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

// Points that touch half-spaces, and nothing else: feet, corners, markers. They have no volume.
struct ContactPoints {
  std::vector<Vec3> positions;
};

// A rectangle in the xy-plane made of springs side by side (Winkler's model), each at the centre of
// its cell. They press against half-spaces, along the half-space's normal, and nothing else.
struct Foundation {
  Vec2 size = Vec2::Zero();         // edge lengths along x, y
  int nx = 0, ny = 0;               // cells along x, y
  std::optional<double> depth;      // of an elastic layer: K = E A/depth, with its material's E
  std::optional<double> stiffness;  // K of each element, N/m, where there is no depth
  double damping = 0;               // of each element, N s/m
};

// Element k of a foundation, row by row along x, in its own frame; the area of each in m².
Vec3 ElementPosition(const Foundation& foundation, int k);
double ElementArea(const Foundation& foundation);

// Ground whose height is given on a grid of points, nx along x and ny along y, centred on the
// frame's origin in x and y: solid from the surface down without end, and nothing beside the grid.
// Each cell is two triangles that meet along its diagonal from the lowest x and y to the highest.
struct HeightField {
  int nx = 0, ny = 0;
  Vec2 spacing = Vec2::Zero();  // between points along x, y
  std::vector<double> heights;  // z, row by row along x: point (i, j) is heights[i + nx j]
};

// Point (i, j) of a height field in its own frame.
Vec3 GridPoint(const HeightField& field, int i, int j);
// The surface as a mesh; vertices are numbered as the heights.
TriangleMesh MakeMesh(const HeightField& field);

using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Ellipsoid, HalfSpace, ConvexHull,
                           TriangleMesh, ContactPoints, Foundation, HeightField>;

std::string_view ShapeName(const Shape& shape);

// Points and foundations are no solids: they never have mass.
bool IsSolid(const Shape& shape);

// How many points or elements a shape may have: contacts are numbered by them.
inline constexpr int kMaxContactPoints = 1 << 21;

// An elastic layer on the surface of a solid: Winkler's springs side by side, as of a Foundation,
// but all around the shape and against any other solid. surface_elements.h lays them out.
struct ElasticLayer {
  // How fine, one of these: at least so many elements, as large as that allows, or as large as they
  // may be without a side longer than this, m.
  std::optional<int> elements;
  std::optional<double> resolution;
  // How stiff, one of these: the depth of the layer, m, whose material has the modulus E, or the
  // pressure that a depth of 1 m needs, N/m³. An element of area A has K = A E/depth.
  std::optional<double> depth;
  std::optional<double> stiffness;
  double damping = 0;  // of each m², N s/m³
  // Along the surface, N/m³: infinite where it does not yield. If it is not given, that of the
  // layer, G/depth with G = E/(2 (1 + ν)); without a depth, what the material says of a contact.
  std::optional<double> shear_stiffness;
};

// A shape fixed to a body.
struct Geometry {
  std::string name;
  Shape shape;
  Pose X_BG;                      // G in the body's frame
  std::optional<double> density;  // kg/m³; without it the shape adds no mass
  SourceLocation where = {};
  std::string material = {};  // name in ModelSpec::materials; empty for the model's default
  // The groups that it belongs to, none for the group "default", and those that it may touch,
  // nothing for all (ContactSettings::filter_rule).
  std::vector<std::string> groups = {};
  std::optional<std::vector<std::string>> touches = {};
  std::optional<ElasticLayer> foundation = {};  // of solids with an end, closed meshes included
  // How fast the surface runs along the body, in axes of G, m/s: a conveyor belt. Friction feels
  // what of it lies in the plane of a contact.
  Vec3 surface_velocity = Vec3::Zero();
};

// What is wrong with a shape ("radius = -1, expected a positive length"), or nothing.
std::optional<std::string> DescribeShapeDefect(const Shape& shape);

}  // namespace voigt
