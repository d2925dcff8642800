#pragma once

#include <vector>

#include "voigt/collision/convex_convex.h"
#include "voigt/collision/manifold.h"
#include "voigt/collision/mesh_surface.h"
#include "voigt/collision/relative_curvature.h"

namespace voigt {

// From a surface A to a convex shape B: box, hull, capsule, cylinder, ellipsoid. Points come from
//
//   regions  of A that B's centre is in front of: what B's facet towards a region has above it,
//   with
//            the region's normal. Inner edges of a region do not exist.
//   edges    where A bends away from B, and borders of sheets: what an edge and B's facet towards
//   it
//            have in common, with a normal n in the edge's normal cone along which B's overlap with
//            the edge is least. Vertices are ends of edges.
//
// The depth is local: B is compared with one region or edge at a time. Of a region and the edges
// around it, or the region beyond one of them, only the one with the least overlap counts: the
// triangles there are behind a plane through that edge, and clear of B once B has left the plane.
//
// A shape whose centre is inside of a solid or the ground is pushed out as a whole: its points are
// those of its facet towards the surface nearest to the centre, along the normal there. Between,
// with the centre outside and deep overlaps, the directions are local and need not be those of the
// shortest way out; along them B gets out in a few steps. (Of random
// overlaps of a tenth of the size with convex meshes, all are found, and along the deepest points
// the way out is at most three times the shortest one in 99 of 100.)
//
// A solid or a sheet that is wholly inside of B is pushed out as a whole, too: its lowest vertices
// along the normal of B that takes the shortest way. Directions of its own faces and edges lead
// sideways through all of B.
//
// Whether the two touch at all, and how far apart they are if not, does not depend on any of that:
// every edge and every region nearby is looked at by itself. Points that are nearer than the least
// distance are no contacts, and where the nearest one has none, it gets one.
//
// Features: hashes of what meets. Radius: of the capsule, or as half_space_solids.h says for
// ellipsoids, on regions; infinite elsewhere.
//
// Keeps its memory from pair to pair.
class MeshConvexCollider {
 public:
  MeshConvexCollider();

  void Collide(const MeshSurface& A, const Pose& X_WA, const ConvexShape& B, const Pose& X_WB,
               double margin, Manifold* out);

 private:
  static constexpr double kSharp = 1e-6;  // cosine: how far a normal may leave a cone by rounding
  static constexpr double kInside =
      1e-10;  // of the size: how far beside a triangle is still above it
  static constexpr double kSameGap = 1e-11;   // of the size
  static constexpr double kSamePoint = 1e-3;  // of B's size: points nearer than this are one
  static constexpr double kSameNormal = 0.95;
  static constexpr double kFarther = 1.5;  // than the nearest way out: no contact of a point inside
  static constexpr double kBeside =
      0.02;  // of B's size: how far beside B a point that it overlaps may be
  static constexpr double kParallel = 1e-3;  // sine of an angle
  static constexpr double kCertain = 1e-9;   // of the size: what distances are sure to

  enum FeatureKind { kOnRegion = 8, kAtVertex = 9, kAcrossEdge = 10, kMeeting = 11, kInsideB = 12 };

  // A region as B sees it.
  struct RegionView {
    int region = 0;
    bool is_front = false;      // B's centre is on the side that can be touched
    bool is_worse = false;      // than an edge around it whose n is another
    double least = -kInfinity;  // gap of an edge around it with nearly its n: no point is deeper
    Vec3 n = Vec3::UnitZ();     // towards B's centre
    double gap = -kInfinity;    // of the whole of B along n
    int first = 0, count = 0;   // triangles in near_
  };
  // An edge, and the direction in its normal cone along which B overlaps it least.
  struct EdgeView {
    int edge = 0;
    Vec3 n = Vec3::UnitZ();
    double gap = -kInfinity;
    int region = -1;           // view of the region whose normal n is; -1 where n is its own
    bool has_point = false;    // the meeting itself is a point of contact
    Vec3 p = Vec3::Zero();     // midway, of the meeting
    int key_A = 0, key_B = 0;  // name it
  };

  // Where B is nearest to what was looked at so far.
  struct Nearest {
    double phi = kInfinity;  // of an edge, or a region that B is on one side of
    Vec3 n = Vec3::UnitZ(), p = Vec3::Zero();
    int key_A = 0, key_B = 0;  // name it
    bool touches = false;      // there is a point in common: p
  };

  void PushOut(const Vec3& n, const Vec3& surface_point, int feature);
  // How far x is outside of B, about; B's frame about its centre.
  static double CalcOutside(const ConvexShape& B, const Vec3& x);
  // Whether all vertices of A are inside of B.
  bool IsInside() const;
  // How far A has to move along m to be out of B.
  double CalcDepthInside(const Vec3& m) const;
  void PushOutOfB();
  void ViewRegions();
  RegionView MakeRegionView(int region) const;
  void ViewEdges();
  void ViewEdge(int edge);
  // The meeting of an edge and B no farther apart than `margin`, if there is one, about the middle
  // of the edge as X says.
  bool MeetEdge(int edge, double margin, Pose* X, Meeting* out);
  // The same of a region and B.
  void MeetRegion(const RegionView& view);
  // Whether a direction n may be that of a contact at the edge or at one of its ends, with `slack`.
  bool IsInCone(int edge, const Vec3& n, bool at_end, int vertex, double slack) const;
  // The same by a search over the cone, where the least overlap of the edge alone is not in it.
  void ViewEdgeOtherwise(const Vec3& middle, EdgeView* view);
  // The point of contact for the direction of a view; false where the edge has none.
  bool FindCrossing(EdgeView* view);
  void AddRegionPoints(const RegionView& view);
  // Regions behind this one from which B is clear once it has left this one are not contacts.
  void DismissBehind(const RegionView& view);
  // Whether the foot of a point is in a triangle, or as far beside it as slack(side) allows.
  template <typename Slack>
  bool IsOver(int t, const Vec3& point, Slack slack) const;
  bool IsOver(int t, const Vec3& point) const;
  // Beside a wall, what is in the wall is above the floor, too: how far beyond that side.
  double CalcWallSlack(const RegionView& view, int t, int side) const;
  // The same of a triangle of the view's region, with what is in the walls around it.
  bool IsAbove(const RegionView& view, int t, const Vec3& point) const;
  // Whether facet_B_, seen along n, covers a point.
  bool IsCovered(const Vec3& point, const Vec3& n) const;
  void AddEdgePoints(const EdgeView& view);
  // Looks at what has not been looked at, and makes the points agree with it.
  void Complete();
  // Where the two have a point in common, and nothing else was found: a point there, along the
  // direction in which B as a whole is out soonest of those that regions and edges nearby have.
  void AddShallowest();
  void Add(const Vec3& p, const Vec3& n, double phi, int feature,
           const RelativeCurvature& curvature);
  // Gap of B's surface and a plane n · x = offset.
  double CalcGap(const Vec3& n, double offset) const;
  RelativeCurvature CalcCurvatureOnPlane(const Vec3& n) const;
  // Whether B overlaps A by about `gap` at this point of A, not elsewhere.
  bool IsOverlapped(const Vec3& p_A, double gap) const;
  // Whether a point of B that is behind the plane of a region, at its triangle t, came through the
  // region.
  bool IsBehind(const RegionView& view, int t, const Vec3& point, double gap);
  // Whether a side of facet_B_ runs along an edge of A at this point of it: the corners at the ends
  // tell all then, and where lines cross that are nearly parallel is anybody's guess.
  bool RunsAlongSide(const Vec3& p_A, const Vec3& along, const Vec3& n) const;

  // The pair, in A's frame about its centre.
  const MeshSurface* A_ = nullptr;
  const ConvexShape* B_ = nullptr;
  Pose X_WA_, X_AG_, X_AB_;
  Vec3 center_ = Vec3::Zero();  // a point inside of B
  double margin_ = 0, size_ = 0;
  Manifold* out_ = nullptr;
  size_t first_ = 0;  // of this pair's points

  ConvexCollider collider_;
  ConvexShape segment_;
  Facet facet_A_, facet_B_;
  FacetOverlap overlap_;
  std::vector<int> near_, near_edges_, unseen_edges_, order_, scratch_;
  std::vector<RegionView> regions_;
  std::vector<EdgeView> edges_;
  std::vector<char> is_done_;  // points of a facet
  Nearest nearest_;
};

}  // namespace voigt
