#pragma once

#include <vector>

#include "voigt/collision/facet.h"
#include "voigt/collision/manifold.h"

namespace voigt {

// A point where facets of two shapes face each other.
struct FacingPoint {
  Vec3 p = Vec3::Zero();  // midway
  Vec3 n = Vec3::UnitZ();
  double gap = 0;
  int feature = 0;  // a hash of what meets there
};

// A number below 2²¹ for a pair of things with keys; `kind` tells apart what they are.
int HashFeature(int kind, int key_A, int key_B);

// Where facets overlap as seen along the contact normal n: the corners of the polygon that two
// polygons have in common, the ends of what a segment has in common with a polygon or with a
// segment along it. Gaps are measured along n between the planes of the facets, so the point of
// least gap is among them whenever it is a point of the facets.
//
// Keeps its memory from pair to pair.
class FacetOverlap {
 public:
  // `origin` is a point near the contact, `size` the size of the shapes.
  void Find(const Facet& A, const Facet& B, const Vec3& origin, const Vec3& n, double size);
  const std::vector<FacingPoint>& points() const { return points_; }

 private:
  // A facet as seen along n: corners (x, y) in the plane across n, z along it.
  struct View {
    std::vector<Vec3> corners;  // counter-clockwise seen from the tip of n
    std::vector<int> keys;
    Vec2 slope = Vec2::Zero();  // ∂z/∂x, ∂z/∂y of a polygon

    double CalcHeight(const Vec2& q) const {
      return corners[0][2] + slope.dot(q - corners[0].head<2>());
    }
  };
  // A corner of what is left of A's polygon, and the edge that starts there: of A or of B.
  struct Corner {
    Vec2 q = Vec2::Zero();
    int feature = 0;
    bool on_B = false;
    int edge = 0;
    int corner_A = -1, corner_B = -1;  // where it is one: corners may be off the plane of a facet
  };

  void MakeView(const Facet& facet, const Vec3& origin, bool reversed, View* out) const;
  void Cut(const Vec2& from, const Vec2& to, int edge);
  Corner MakeCrossing(const Corner& before, const Corner& after, double d_before, double d_after,
                      int edge, bool leaving) const;
  void FindPolygons();
  void AddCorner(const Corner& corner);
  // `flipped` where the segment is B's.
  void FindSegmentOnPolygon(const View& segment, const View& polygon, bool flipped);
  // Adds the point where the core of segment P at s in [0, 1] is nearest to that of Q: exact for
  // points of P's surface and the side of Q. False where it is not near the normal n of the
  // contact: lines that cross have one point, and that is known. `flipped` where P is B's.
  bool AddStation(const Facet& P, double s, const Facet& Q, const Vec3& n, bool flipped);
  void FindSegments(const Facet& A, const Facet& B, const Vec3& n);
  void Add(const Vec2& q, double z_A, double z_B, int feature);

  Mat3 axes_ = Mat3::Identity();
  Vec3 origin_ = Vec3::Zero();
  double size_ = 0;
  View view_A_, view_B_;
  std::vector<Corner> corners_, next_;
  std::vector<FacingPoint> points_;
};

}  // namespace voigt
