#pragma once

#include <array>
#include <vector>

#include "voigt/collision/convex_shape.h"

namespace voigt {

// The least depth of overlapping cores, to a tolerance: a polytope inside A - B grows at the face
// that is nearest to the origin until that face is nearly on the surface [van den Bergen 2001]. The
// origin need not be inside at the start, nor at the end: offsets of faces have signs, so that
// shapes that just touch are nothing special.
//
// Keeps its memory from pair to pair.
class ExpandingPolytope {
 public:
  // Starts with a tetrahedron as large as a few directions find. False where A - B has no volume.
  bool Start(const ConvexPair& pair);
  // Grows until the nearest face is within `tolerance` (m) of the surface. False where rounding or
  // the number of steps ended it before.
  bool Grow(const ConvexPair& pair, double tolerance);

  // Chooses among the faces nearer than `below` the nearest one whose normal is farther than
  // `angle` from all of `tried`: where else the depth may be that small. False where there is none.
  bool Select(double below, const std::vector<Vec3>& tried, double angle);

  // Of the chosen face, which after Grow is the nearest: its normal n, which points from A to B;
  // its corners; the points of A and B that meet there.
  const Vec3& n() const { return faces_[best_].normal; }
  const MinkowskiPoint& point(int k) const { return vertices_[faces_[best_].vertices[k]]; }
  Vec3 CalcWitnessA() const;
  Vec3 CalcWitnessB() const;
  // The least depth is between these; along best_n() it is the upper one, met at best_point().
  double lower_bound() const { return lower_bound_; }
  double upper_bound() const { return upper_bound_; }
  const Vec3& best_n() const { return best_n_; }
  const MinkowskiPoint& best_point() const { return best_point_; }

 private:
  struct Face {
    std::array<int, 3> vertices{};   // counter-clockwise from outside
    std::array<int, 3> neighbors{};  // across the edges from each vertex to the next
    Vec3 normal = Vec3::Zero();
    double offset = 0;
    bool alive = false;
  };
  struct HorizonEdge {
    int from = 0, to = 0, face = 0;  // vertices; the face beyond it, which stays
  };

  bool SetFace(int f, const std::array<int, 3>& vertices);
  int FindNearestFace() const;
  // Removes faces that see the new vertex, starting with the nearest, and lists what bounds them.
  void RemoveVisible(const Vec3& w, double slack);
  // Joins the horizon to the new vertex. False where it is no simple loop.
  bool Close(int vertex);
  std::array<double, 3> CalcWeights() const;

  std::vector<MinkowskiPoint> vertices_;
  std::vector<Face> faces_;
  std::vector<int> free_, stack_, face_from_;
  std::vector<HorizonEdge> horizon_;
  int best_ = 0;
  double lower_bound_ = -kInfinity, upper_bound_ = kInfinity;
  Vec3 best_n_ = Vec3::UnitZ();
  MinkowskiPoint best_point_;
  bool broken_ = false;
};

}  // namespace voigt
