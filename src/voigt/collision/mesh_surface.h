#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "voigt/collision/box_tree.h"
#include "voigt/model/geometry.h"

namespace voigt {

// A surface of triangles with what contact asks of it, made once from a mesh or a height field. The
// surface itself collides, never its convex hull.
//
// What it bounds:
//   kSolid   a closed mesh (DescribeSolidDefect has no complaint) is a solid: it is touched from
//            outside, and what is inside is pushed out.
//   kSheet   any other mesh is a sheet without thickness that is touched from both sides; how its
//            triangles are wound does not matter. Shapes are on the side where their centre is.
//   kGround  a height field is solid below its surface. It is touched from above, and ends at its
//            border, where nothing is beside it.
//
// Triangles that lie in one plane, to 1e-10 of the mesh's size, and are connected are one region:
// the edges between them are flat and do not exist for contact, so that nothing catches on them.
// Edges have normals of their own only where the surface bends away from the side it is touched
// from. Regions, edges and vertices number contacts, so there is room for 2²¹ of them in all: for
// 699 050 triangles of a closed mesh of which no two lie in one plane.
struct MeshSurface {
  enum class Kind { kSolid, kSheet, kGround };
  enum class Bend {
    kFlat,     // between triangles of a region
    kConvex,   // the surface bends away from outside
    kConcave,  // towards outside
    kOpen,     // the border of a sheet, or more than two triangles, or two that are wound against
               // each other: nothing is said about its sides
  };

  struct Triangle {
    std::array<int, 3> vertices{};
    std::array<int, 3> edges{};    // from each vertex to the next
    Vec3 normal = Vec3::Zero();    // of unit length
    std::array<Vec3, 3> inward{};  // across each edge into the triangle, of unit length
    int region = 0;
  };
  struct Edge {
    std::array<int, 2> vertices{};
    int first = 0, count = 0;  // its triangles, in edge_triangles
    Bend bend = Bend::kOpen;
    Vec3 normal = Vec3::Zero();  // sum of the triangles' normals
  };
  struct Region {
    Vec3 normal = Vec3::Zero();
    double offset = 0;  // normal · x = offset
  };
  struct Vertex {
    Vec3 p = Vec3::Zero();
    Vec3 normal = Vec3::Zero();  // sum of the triangles' normals, weighted with their angles here
    int first = 0, count = 0;    // its edges, in vertex_edges
    int triangle = -1;           // the first one that uses it; -1 for none
    bool is_corner = false;      // not inside of a region, nor of a straight edge of one
    bool is_border = false;      // has an open edge
  };
  // Cells of a height field.
  struct Grid {
    int nx = 0, ny = 0;  // points
    Vec2 origin = Vec2::Zero(), spacing = Vec2::Ones();
  };

  Kind kind = Kind::kSheet;
  Vec3 center = Vec3::Zero();  // in the frame of the shape; the rest is about it
  double size = 0;             // of the whole, for tolerances
  std::vector<Vertex> vertices;
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;
  std::vector<Region> regions;
  std::vector<int> edge_triangles, vertex_edges;
  BoxTree tree;  // empty for a height field, which looks its cells up
  Grid grid;
  AxisBox bounds;

  // The pose of the frame about the centre, as ConvexShape::Place.
  Pose Place(const Pose& X_WG) const { return {X_WG.R, X_WG * center}; }

  // Appends the triangles whose boxes may overlap `box`, in no special order.
  void FindNear(const AxisBox& box, std::vector<int>* out) const;

  // Numbers of regions, edges and vertices among all features.
  int RegionFeature(int region) const { return region; }
  int EdgeFeature(int edge) const { return static_cast<int>(regions.size()) + edge; }
  int VertexFeature(int vertex) const {
    return static_cast<int>(regions.size() + edges.size()) + vertex;
  }

  // How far a unit vector n leaves the normal cone of an edge or a vertex: the largest cosine
  // between n and what leads from there into the surface. The feature is a local minimum of the
  // distance from points along n where this is at most 0.
  double CalcEdgeExcess(int edge, const Vec3& n) const;
  double CalcVertexExcess(int vertex, const Vec3& n) const;
};

// Nothing, with the reason in *defect, for other shapes, and for surfaces with defects of
// DescribeShapeDefect, triangles without area or too many features.
std::optional<MeshSurface> MakeMeshSurface(const Shape& shape, std::string* defect);

}  // namespace voigt
