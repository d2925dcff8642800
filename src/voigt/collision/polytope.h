#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "voigt/model/geometry.h"

namespace voigt {

// A convex polytope with what collision asks of it: faces as polygons (coplanar triangles are one
// face), edges with the faces on both sides, and for each vertex its neighbours and faces. The
// cores of spheres and capsules are polytopes too: one vertex; two vertices and one edge without
// faces.
struct Polytope {
  struct Face {
    Vec3 normal = Vec3::Zero();  // outwards, of unit length
    double offset = 0;           // normal · x = offset on the face
    int first = 0, count = 0;    // its vertices in `loops`, counter-clockwise seen from outside
  };
  struct Edge {
    std::array<int, 2> vertices{};
    // The left one, seen from outside along the edge, and the right one; -1 for none.
    std::array<int, 2> faces{-1, -1};
  };
  // Items of vertex v are [start[v], start[v + 1]) of the list.
  struct Adjacency {
    std::vector<int> start, items;
  };

  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<int> loops;
  std::vector<Edge> edges;
  Adjacency neighbors, vertex_faces;
  // Faces that are as good as one where manifolds are concerned, like those of a hull whose points
  // have few digits, joined to facets, with their loops. A vertex may be inside of its facet.
  std::vector<Face> facets;
  std::vector<int> facet_loops;
  Adjacency vertex_facets;
  Vec3 center = Vec3::Zero();  // mean of the vertices
  double reach = 0;            // largest distance of a vertex from the origin

  // The vertex farthest along a direction. Large polytopes are climbed from `hint`, any vertex.
  int FindSupport(const Vec3& direction, int hint = 0) const;
  // The face or facet at a vertex that faces a direction most; -1 for none.
  int FindFaceAt(int vertex, const Vec3& direction) const;
  int FindFacetAt(int vertex, const Vec3& direction) const;
  // How far x is beyond the face plane that it is farthest beyond; negative inside. For polytopes
  // with faces.
  double CalcFaceDistance(const Vec3& x) const;
};

// The polytope of a hull's points. Returns nothing and says why in *defect where the points have no
// hull with volume, or one so thin that its faces cannot be told apart.
std::optional<Polytope> MakePolytope(const ConvexHull& hull, std::string* defect);
Polytope MakePolytope(const Box& box);
// The segment along z from -length/2 to length/2, and the origin.
Polytope MakeSegment(double length);
Polytope MakePoint();

}  // namespace voigt
