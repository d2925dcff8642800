#pragma once

#include <vector>

#include "voigt/collision/feature_newton.h"

namespace voigt {

// The axis of least overlap of two polytopes that touch or overlap: the normal of a face of either,
// or a common normal of two edges. Of all pairs of edges only those count whose arcs on the sphere
// of normals (those of A, and those of B turned around) cross: the others are no faces of A - B.
//
// Segments and points serve as polytopes without faces. Keeps its memory from pair to pair.
class PolytopeAxes {
 public:
  // The meeting along the axis whose gap is largest, in the frame of A.
  Meeting Solve(const ConvexPair& pair);

 private:
  // An edge with its unit direction and the normals beside it, left × right along the direction.
  struct Edge {
    Vec3 p = Vec3::Zero(), q = p, u = p, left = p, right = p;
    bool is_sharp = false;  // has faces
    int v = 0, w = 0;
  };
  enum class Kind { kFaceA, kFaceB, kEdges };
  struct Axis {
    Kind kind = Kind::kFaceA;
    Vec3 n = Vec3::UnitZ();
    double gap = -kInfinity;
    int a = -1, b = -1;  // face and vertex, or edges
  };

  // What lies ahead of a face: the vertex of the other polytope nearest to its plane, or deepest
  // below it.
  struct FaceGap {
    double gap = 0;
    Vec3 vertex = Vec3::Zero();
  };

  void TryFaces(const ConvexPair& pair);
  // Lists the edges of a polytope that may be better than the best face; `gaps` are those of its
  // faces.
  void ListEdges(const Polytope& polytope, const Pose& X, const std::vector<FaceGap>& gaps,
                 std::vector<Edge>* out) const;
  void TryEdges(double size);
  void TryEdgePair(int a, int b, double size);
  Meeting MakeMeeting(const ConvexPair& pair) const;

  std::vector<FaceGap> gaps_A_, gaps_B_;
  std::vector<Edge> edges_A_, edges_B_;
  Axis best_;
};

}  // namespace voigt
