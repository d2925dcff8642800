#pragma once

#include "voigt/math/types.h"

// Two segments: the axes of capsules, edges of boxes.
namespace voigt {

// The points s a with |s| ≤ l_A, and c + t b with |t| ≤ l_B; a and b are of unit length.
struct Segments {
  Vec3 a, b, c;
  double l_A, l_B;
  Vec3 normal;  // a × b
  double sine;  // its length
  double size;  // of the lengths above
};

Segments MakeSegments(const Vec3& a, double l_A, const Vec3& b, double l_B, const Vec3& c);

// A point of each.
struct SegmentPoints {
  double s = 0, t = 0;
  Vec3 d = Vec3::Zero();  // from A's to B's
  double distance = kInfinity;
};

// Where they are nearest; for parallel ones, at an end of one of them. The distance is accurate to
// rounding at any angle, s and t are as accurate as it needs them to be.
SegmentPoints FindNearest(const Segments& segments);

// From a point of one to the nearest point of the other.
SegmentPoints FindNearestToA(const Segments& segments, double s);
SegmentPoints FindNearestToB(const Segments& segments, double t);

// Whether a point is not at one of the ends.
bool IsInsideA(const Segments& segments, const SegmentPoints& points);
bool IsInsideB(const Segments& segments, const SegmentPoints& points);

// Unit vector from A to B at points of which B's is the nearest to A's: across B, unless at an end.
// Where they coincide it is the common normal of the segments; `fallback` where they have none.
Vec3 CalcDirection(const Segments& segments, const SegmentPoints& points, const Vec3& fallback);

// The same at the nearest points: the direction that separates the segments.
Vec3 CalcSeparatingDirection(const Segments& segments, const SegmentPoints& nearest,
                             const Vec3& fallback);

}  // namespace voigt
