#include "voigt/collision/segments.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

SegmentPoints MakePoints(const Segments& segments, double s, double t) {
  SegmentPoints points{s, t, segments.c + t * segments.b - s * segments.a, 0};
  points.distance = points.d.norm();
  return points;
}

// Half the slope of the squared distance between A's point and the segment B, along A.
double CalcSlope(const Segments& segments, const SegmentPoints& points) {
  return -segments.a.dot(points.d);
}

// The squared distance of A's points from B is convex and consists of parabolas; where B's nearest
// point comes to an end of B, two of them meet. The signs of the slope there and at the ends of A
// say which of these is nearest, also where the distances do not.
SegmentPoints FindBySlope(const Segments& segments) {
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

// Where the two lines are nearest, if that is inside of both segments. For a small angle, s and t
// lose digits in the first round; the second starts from points that are near each other, and what
// remains are errors along the lines that change the distance by rounding only.
std::optional<SegmentPoints> FindCrossing(const Segments& segments) {
  if (segments.sine < 1e-14) return std::nullopt;
  const Vec3 along_A = segments.b.cross(segments.normal) / (segments.sine * segments.sine);
  const Vec3 along_B = segments.a.cross(segments.normal) / (segments.sine * segments.sine);
  SegmentPoints points = MakePoints(segments, 0, 0);
  for (int round = 0; round < 2; ++round) {
    points =
        MakePoints(segments, points.s + along_A.dot(points.d), points.t + along_B.dot(points.d));
    if (!IsInsideA(segments, points) || !IsInsideB(segments, points)) return std::nullopt;
  }
  return points;
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
  SegmentPoints points = FindBySlope(segments);
  if (IsInsideA(segments, points) && !IsInsideB(segments, points)) {
    points = FindNearestToB(segments, points.t);
  }
  // For lines that meet at a small angle the slope has too few digits, and for lines that are far
  // from each other the crossing.
  const auto crossing = FindCrossing(segments);
  const bool is_nearer =
      crossing && crossing->distance < points.distance - RoundingOf(segments.size);
  return is_nearer ? *crossing : points;
}

Vec3 CalcDirection(const Segments& segments, const SegmentPoints& points, const Vec3& fallback) {
  const double rounding = RoundingOf(segments.size);
  if (points.distance > rounding) {
    Vec3 n = points.d / points.distance;
    const double along_A = segments.a.dot(n), along_B = segments.b.dot(n);
    if (IsInsideB(segments, points)) {
      n -= along_B * segments.b;
    } else if (IsInsideA(segments, points)) {
      n -= along_A * segments.a;
    } else if (std::abs(along_B) * points.distance <= rounding) {
      // Ends side by side: what their difference has along the segments is rounding.
      n -= along_B * segments.b;
    }
    return n.normalized();
  }
  if (segments.sine * segments.size <= rounding) return fallback;
  return segments.normal.normalized() * (points.d.dot(segments.normal) < 0 ? -1 : 1);
}

Vec3 CalcSeparatingDirection(const Segments& segments, const SegmentPoints& nearest,
                             const Vec3& fallback) {
  const auto separation = [&](const Vec3& n) {
    return n.dot(segments.c) - segments.l_A * std::abs(n.dot(segments.a)) -
           segments.l_B * std::abs(n.dot(segments.b));
  };
  Vec3 best = CalcDirection(segments, nearest, fallback);
  const auto consider = [&](const Vec3& n) {
    if (separation(n) > separation(best)) best = n;
  };
  // The difference of points that are near each other has few digits; what is across the segments
  // of it may still be good.
  const Vec3 n = best;
  consider((n - segments.a.dot(n) * segments.a).normalized());
  consider((n - segments.b.dot(n) * segments.b).normalized());
  if (segments.sine * segments.size > RoundingOf(segments.size)) {
    const Vec3 common = segments.normal.normalized();
    consider(segments.c.dot(common) < 0 ? Vec3(-common) : common);
  }
  return best;
}

}  // namespace voigt
