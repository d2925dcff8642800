#pragma once

#include <array>
#include <vector>

#include "voigt/collision/manifold.h"
#include "voigt/collision/mesh_nearest.h"
#include "voigt/collision/mesh_surface.h"

namespace voigt {

// From a surface A to a surface B, feature by feature, each with its own depth: none of them needs
// to be convex.
//
//   corners  of one with the regions, edges and corners of the other that are nearest to them. A
//            corner outside has a point for each; a corner inside of a solid has one, with the
//            region that it is least deep behind. In either case the corner has to stick out of its
//            own surface towards the other: that tells a cube on top of another from one beside it.
//   edges    that cross, where both bend away from each other.
//
// Edges cross by at most a fiftieth of the smaller mesh's size. Where no overlap is found, but a
// vertex of one is inside of the other, the vertex that is deepest is pushed out through the
// nearest surface: so are meshes that enclose each other. Where an edge of one passes a triangle of
// the other, and still nothing is found, there is one point, along the shortest of the ways that
// the edges offer: across an edge of the other, or back out of the triangle. What is guaranteed is
// a point wherever surfaces pass each other or a vertex is inside; deep overlaps are left step by
// step along these.
//
// Features: hashes of what meets. Radius: infinite.
//
// Keeps its memory from pair to pair.
class MeshMeshCollider {
 public:
  void Collide(const MeshSurface& A, const Pose& X_WA, const MeshSurface& B, const Pose& X_WB,
               double margin, Manifold* out);

 private:
  // One of the two surfaces, with its edges that are near the other.
  struct Side {
    const MeshSurface* surface = nullptr;
    Pose X;  // of the surface about its centre, in the frame of A about its centre
    std::vector<int> edges;
  };
  // A corner and the region that it is least deep behind, so far.
  struct Behind {
    int region = -1;
    double gap = -kInfinity;
    Vec3 n = Vec3::UnitZ();
  };

  // A vertex that is inside of the other surface, and its way out.
  struct Deepest {
    int vertex = -1;
    double depth = 0;
    WayOut way;
  };

  // How an edge that passes a triangle is taken out of it.
  struct Withdrawal {
    double depth = kInfinity;
    Vec3 n = Vec3::UnitZ(), p = Vec3::Zero();
    int feature = 0;
  };

  void FindEdges();
  static void ListEdges(int t, Side* side);
  // Corners of Q at the surface P; `sign` is 1 where P is A.
  void AddCorners(const Side& P, const Side& Q, double sign);
  void AddCorner(const Side& P, const Side& Q, int vertex, double sign);
  void AddCrossings();
  bool IsCrossedDeeply(const Side& side, int edge, const Vec3& p, const Vec3& start,
                       const Vec3& end, double depth, double length);
  void AddCrossing(int edge_A, int edge_B);
  // Whether a point was found that is not foreseen only.
  bool HasContact() const;
  // The least withdrawal of all edges of one that pass triangles of the other; ∞ deep where none
  // does.
  Withdrawal FindPiercing() const;
  // Of the edges of Q's triangle u that pass P's triangle t.
  static void Pierce(const Side& P, int t, const Side& Q, int u, double sign, Withdrawal* best);
  void AddShallowest(const Withdrawal& withdrawal);
  // Of surfaces that do not pass each other.
  bool IsEnclosed();
  Deepest FindDeepest(const Side& P, const Side& Q);
  void PushOut();
  bool IsInside(const Side& side, const Vec3& p);
  void Add(const Vec3& p, const Vec3& n, double phi, int feature);

  Side A_, B_;
  Pose X_WA_;
  double margin_ = 0, size_ = 0;
  double reach_ = 0;   // how deep edges cross
  double deeply_ = 0;  // of the depth that a wedge demands: what counts as crossed deeply
  Manifold* out_ = nullptr;
  size_t first_ = 0;
  std::vector<std::array<int, 2>> pairs_;
  std::vector<int> near_, scratch_;
};

}  // namespace voigt
