#include "voigt/collision/segments.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

SegmentPoints MakePoints(const Segments& segments, double s, double t) {
  SegmentPoints points{s, t, segments.c + t * segments.b - s * segments.a, 0};
  points.distance = points.d.stableNorm();
  return points;
}

// Half the slope of the squared distance between A's point and the segment B, along A.
double CalcSlope(const Segments& segments, const SegmentPoints& points) {
  return -segments.a.dot(points.d);
}

// The squared distance of A's points from B is convex and consists of parabolas; where B's nearest
// point comes to an end of B, two of them meet. The signs of the slope there and at the ends of A
// say which of these is nearest, at any angle: an error here is one of rounding in the slope, and
// costs as little.
SegmentPoints FindNearestRoughly(const Segments& segments) {
  SegmentPoints low = FindNearestToA(segments, -segments.l_A);
  SegmentPoints high = FindNearestToA(segments, segments.l_A);
  if (CalcSlope(segments, low) >= 0) return low;
  if (CalcSlope(segments, high) <= 0) return high;
  for (const double t : {-segments.l_B, segments.l_B}) {
    const double s = (t + segments.b.dot(segments.c)) / segments.a.dot(segments.b);
    if (!(s > low.s && s < high.s)) continue;
    const SegmentPoints points = FindNearestToA(segments, s);
    (CalcSlope(segments, points) < 0 ? low : high) = points;
  }
  const double slope = CalcSlope(segments, low);
  const double share = slope / (slope - CalcSlope(segments, high));
  return FindNearestToA(segments, low.s + share * (high.s - low.s));
}

}  // namespace

Segments MakeSegments(const Vec3& a, double l_A, const Vec3& b, double l_B, const Vec3& c) {
  const Vec3 normal = a.cross(b);
  return {a, b, c, l_A, l_B, normal, normal.norm(), l_A + l_B + c.norm()};
}

bool IsInsideA(const Segments& segments, const SegmentPoints& points) {
  return std::abs(points.s) < segments.l_A;
}

bool IsInsideB(const Segments& segments, const SegmentPoints& points) {
  return std::abs(points.t) < segments.l_B;
}

SegmentPoints FindNearestToA(const Segments& segments, double s) {
  const double t = segments.b.dot(s * segments.a - segments.c);
  return MakePoints(segments, s, std::clamp(t, -segments.l_B, segments.l_B));
}

SegmentPoints FindNearestToB(const Segments& segments, double t) {
  const double s = segments.a.dot(segments.c + t * segments.b);
  return MakePoints(segments, std::clamp(s, -segments.l_A, segments.l_A), t);
}

SegmentPoints FindNearest(const Segments& segments) {
  SegmentPoints points = FindNearestRoughly(segments);
  if (!IsInsideA(segments, points)) return points;
  if (!IsInsideB(segments, points)) return FindNearestToB(segments, points.t);
  // Two lines cross. For a small angle, s and t have lost digits; starting again from points that
  // are near each other leaves errors along the lines that change the distance by rounding only.
  if (segments.sine < 1e-14) return points;
  const Vec3 along_A = segments.b.cross(segments.normal) / (segments.sine * segments.sine);
  for (int round = 0; round < 2; ++round) {
    const double s = points.s + along_A.dot(points.d);
    points = FindNearestToA(segments, std::clamp(s, -segments.l_A, segments.l_A));
  }
  return points;
}

Vec3 CalcDirection(const Segments& segments, const SegmentPoints& points, const Vec3& fallback) {
  const bool inside_A = IsInsideA(segments, points), inside_B = IsInsideB(segments, points);
  // The difference of the points has more digits the farther they are from each other, the product
  // of the directions the more these differ.
  const double rounding = RoundingOf(segments.size);
  const bool by_product = inside_A && inside_B && points.distance < segments.sine * segments.size;
  if (points.distance > rounding && !by_product) {
    Vec3 n = points.d / points.distance;
    if (inside_B) {
      n -= segments.b.dot(n) * segments.b;
    } else if (inside_A) {
      n -= segments.a.dot(n) * segments.a;
    }
    return n.normalized();
  }
  if (segments.sine * segments.size <= rounding) return fallback;
  return segments.normal.normalized() * (points.d.dot(segments.normal) < 0 ? -1 : 1);
}

}  // namespace voigt
