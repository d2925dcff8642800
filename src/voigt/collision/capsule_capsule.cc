#include "voigt/collision/capsule_capsule.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "voigt/collision/pair_frame.h"
#include "voigt/collision/segments.h"

namespace voigt {
namespace {

constexpr double kNearlyParallel = 0.1;  // sine of the angle

constexpr double kAtAnEnd = 1e-3;   // of the length of a stretch
constexpr double kShortest = 1e-6;  // stretch, of the smaller capsule's size: less is a point

// The ends of the stretch along which nearly parallel axes run side by side, measured along the
// line halfway between their directions.
struct Stretch {
  SegmentPoints low, high;
  double length = 0;
};

std::optional<Stretch> FindStretch(const Segments& axes, double shortest) {
  const double same = axes.a.dot(axes.b) < 0 ? -1 : 1;
  const Vec3 mean = (axes.a + same * axes.b).normalized();
  const double reach_A = axes.l_A * mean.dot(axes.a), reach_B = axes.l_B * same * mean.dot(axes.b);
  const double middle = mean.dot(axes.c);
  const bool low_is_A = -reach_A >= middle - reach_B, high_is_A = reach_A <= middle + reach_B;
  const double low = low_is_A ? -reach_A : middle - reach_B;
  const double high = high_is_A ? reach_A : middle + reach_B;
  if (high - low <= shortest) return std::nullopt;
  return Stretch{
      low_is_A ? FindNearestToA(axes, -axes.l_A) : FindNearestToB(axes, -same * axes.l_B),
      high_is_A ? FindNearestToA(axes, axes.l_A) : FindNearestToB(axes, same * axes.l_B),
      high - low};
}

RelativeCurvature CalcCurvatureOfCapsules(const Segments& axes, const SegmentPoints& points,
                                          double r_A, double r_B) {
  const bool side_A = IsInsideA(axes, points), side_B = IsInsideB(axes, points);
  const double across = 1 / r_A + 1 / r_B;
  if (side_A && side_B) {
    const double sine = std::max(axes.sine, kNearlyParallel);
    return {std::sqrt(r_A * r_B) / sine,
            MakeRelativeCurvature(across, sine * sine / (r_A * r_B)).ratio};
  }
  const double along = (side_A ? 0 : 1 / r_A) + (side_B ? 0 : 1 / r_B);
  return {1 / std::sqrt(across * along), along / across};
}

}  // namespace

void CollideCapsuleCapsule(const Capsule& A, const Pose& X_WA, const Capsule& B, const Pose& X_WB,
                           double margin, Manifold* out) {
  // In axes of the world, with the origin in the middle of A.
  const Segments axes = MakeSegments(X_WA.R.col(2).normalized(), 0.5 * A.length,
                                     X_WB.R.col(2).normalized(), 0.5 * B.length, X_WB.p - X_WA.p);
  const double radii = A.radius + B.radius;
  const SegmentPoints nearest = FindNearest(axes);
  if (nearest.distance - radii > margin) return;
  const Vec3 fallback = X_WA.R.col(0).normalized();
  const Vec3 n_nearest = CalcSeparatingDirection(axes, nearest, fallback);
  const auto append = [&](const SegmentPoints& points, const Vec3& n, int feature) {
    const double phi = points.distance - radii;
    if (phi > margin) return;
    ManifoldPoint& point = out->emplace_back();
    point.n_W = n;
    point.phi = phi;
    point.p_W = X_WA.p + (points.s * axes.a + (A.radius + 0.5 * phi) * n);
    point.feature = feature;
    point.SetCurvature(CalcCurvatureOfCapsules(axes, points, A.radius, B.radius));
  };
  const auto append_end = [&](const SegmentPoints& end, double near, int feature) {
    // At an end that is about where the axes are nearest, theirs is the better direction.
    const double apart = std::abs(end.s - nearest.s) + std::abs(end.t - nearest.t);
    if (apart <= near) return append(nearest, n_nearest, feature);
    append(end, CalcDirection(axes, end, fallback), feature);
  };
  if (axes.sine < kNearlyParallel) {
    const double smaller = std::min(axes.l_A + A.radius, axes.l_B + B.radius);
    if (const auto stretch = FindStretch(axes, kShortest * smaller)) {
      append_end(stretch->low, kAtAnEnd * stretch->length, 1);
      append_end(stretch->high, kAtAnEnd * stretch->length, 2);
      const double nearer_end = std::min(stretch->low.distance, stretch->high.distance);
      if (nearest.distance >= nearer_end - RoundingOf(axes.size)) return;
    }
  }
  append(nearest, n_nearest, 0);
}

}  // namespace voigt
