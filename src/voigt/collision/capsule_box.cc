#include "voigt/collision/capsule_box.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

constexpr double kNearlyAcross = 0.1;       // cosine of the angle
constexpr double kAtAnIntervalEnd = 1e-3;   // of the length of an interval
constexpr double kShortestInterval = 1e-6;  // of the capsule's size: less is a point

// The axis of the capsule in the box's frame: the points c + t a, |t| ≤ l.
struct Scene {
  Vec3 c, a;
  double l, r;
  Vec3 h;           // half edge lengths of the box
  double rounding;  // of lengths here

  Vec3 PointAt(double t) const { return c + t * a; }
  // From the box to the point; zero along the axes in which the point is within the box.
  Vec3 OutsideAt(double t) const {
    const Vec3 q = PointAt(t);
    return q - q.cwiseMax(-h).cwiseMin(h);
  }
};

struct Interval {
  double low, high;
};

// A point of the capsule's axis, how far its sphere is from the box, and the box's outward normal.
struct Touch {
  double t = 0, phi = kInfinity;
  Vec3 n = Vec3::UnitZ();
  double radius = kInfinity;
};

// The squared distance of the axis's points from the box is convex and consists of parabolas that
// meet where the axis passes a plane of the box. Its slope, over 2, is a · outside: these places
// narrow down where it changes sign, and in between it is a straight line. On the plane itself the
// distance from it is zero, and not what rounding makes of it: the sign may hang on that.
double FindNearestParameter(const Scene& scene) {
  double low = -scene.l, high = scene.l;
  double slope_low = scene.a.dot(scene.OutsideAt(low));
  double slope_high = scene.a.dot(scene.OutsideAt(high));
  if (slope_low >= 0) return low;
  if (slope_high <= 0) return high;
  for (int i = 0; i < 3; ++i) {
    for (const double side : {-scene.h[i], scene.h[i]}) {
      const double t = (side - scene.c[i]) / scene.a[i];
      if (!(t > low && t < high)) continue;  // nor where a_i is 0
      Vec3 outside = scene.OutsideAt(t);
      outside[i] = 0;
      const double slope = scene.a.dot(outside);
      (slope < 0 ? low : high) = t;
      (slope < 0 ? slope_low : slope_high) = slope;
    }
  }
  return low + (high - low) * (slope_low / (slope_low - slope_high));
}

// Cuts the part from `stretch` in which |u| ≤ h, u = u_0 + u_1 t. What runs along the limits, to
// rounding, is within them.
void Clip(const Scene& scene, double u_0, double u_1, double h, Interval* stretch) {
  if (std::abs(u_1) * scene.l <= scene.rounding && std::abs(u_0) <= h + scene.rounding) return;
  const double t_0 = (-h - u_0) / u_1, t_1 = (h - u_0) / u_1;
  stretch->low = std::max(stretch->low, std::min(t_0, t_1));
  stretch->high = std::min(stretch->high, std::max(t_0, t_1));
}

// Where the axis is between the box's two planes across `i`.
void ClipAlong(const Scene& scene, int i, Interval* stretch) {
  Clip(scene, scene.c[i], scene.a[i], scene.h[i], stretch);
}

// A sphere of the capsule, at t, with its centre outside of the box. What is beyond one of the
// box's planes by rounding only is on it.
Touch MakeSphereTouch(const Scene& scene, double t) {
  Vec3 outside = scene.OutsideAt(t);
  const double limit = std::min(scene.rounding, 0.5 * outside.cwiseAbs().maxCoeff());
  for (int i = 0; i < 3; ++i) {
    if (std::abs(outside[i]) <= limit) outside[i] = 0;
  }
  const double distance = outside.norm();
  const bool is_face = (outside.array() != 0).count() == 1;
  return {t, distance - scene.r, outside / distance, is_face ? scene.r : kInfinity};
}

// Where the axis passes an edge, not with one of its ends, the normal is across both. This holds to
// more digits than the difference of two points has that are near each other.
void ImproveNormal(const Scene& scene, const Vec3& outside, double distance, Touch* touch) {
  if (std::abs(touch->t) >= scene.l) return;
  // Along an edge the point is well between the box's planes; across it, beyond them or just there.
  const Vec3 beyond = scene.PointAt(touch->t).cwiseAbs() - scene.h;
  int edge = 0;
  beyond.minCoeff(&edge);
  const auto between = (beyond.array() < -scene.rounding).count();
  if (between > 1) return;
  const Vec3 common = Vec3::Unit(edge).cross(scene.a);
  if (between == 1 && distance < common.norm() * (scene.h.maxCoeff() + scene.l)) {
    touch->n = common.normalized() * (common.dot(outside) < 0 ? -1 : 1);
  } else {
    touch->n = (touch->n - scene.a.dot(touch->n) * scene.a).normalized();
  }
}

// The axis and the box overlap: the separating axes of the two, of which the one with the least
// overlap is the shortest way out.
struct AxisWayOut {
  double separation = -kInfinity;
  Vec3 n = Vec3::UnitZ();
  bool is_face = true;
};

AxisWayOut FindAxisWayOut(const Scene& scene) {
  AxisWayOut best;
  for (int i = 0; i < 3; ++i) {
    const double separation = std::abs(scene.c[i]) - scene.h[i] - scene.l * std::abs(scene.a[i]);
    if (separation > best.separation) {
      best = {separation, Vec3::Unit(i) * (scene.c[i] < 0 ? -1 : 1), true};
    }
  }
  // Edges must be better than faces by more than rounding.
  double advantage = scene.rounding;
  for (int i = 0; i < 3; ++i) {
    Vec3 n = Vec3::Unit(i).cross(scene.a);
    const double sine = n.norm();
    if (sine < 1e-14) continue;
    n *= (n.dot(scene.c) < 0 ? -1 : 1) / sine;
    const double separation =
        n.dot(scene.c) - scene.h.dot(n.cwiseAbs()) - scene.l * std::abs(n.dot(scene.a));
    if (separation <= best.separation + advantage) continue;
    best = {separation, n, false};
    advantage = 0;
  }
  return best;
}

struct Touches {
  Touch nearest, low, high;
  bool has_stretch = false;
};

// The stretch of the axis that is beside the face or edge which its point t is nearest to.
Interval FindStretchOutside(const Scene& scene, const Vec3& outside, double distance) {
  if (outside.cwiseAbs().minCoeff() > kNearlyAcross * distance) return {0, 0};
  Interval stretch{-scene.l, scene.l};
  for (int i = 0; i < 3; ++i) {
    if (std::abs(outside[i]) <= scene.rounding) ClipAlong(scene, i, &stretch);
  }
  // A capsule that rocks on a face is nearest to one of the face's edges in turn, and nearly above
  // it: the face counts as far as the axis is beside it at all.
  for (int i = 0; i < 3; ++i) {
    if (std::abs(outside[i]) > kNearlyAcross * distance) continue;
    Interval shorter = stretch;
    ClipAlong(scene, i, &shorter);
    if (shorter.high - shorter.low > scene.rounding) stretch = shorter;
  }
  return stretch;
}

// The axis is outside of the box; t is where it is nearest.
Touches FindTouchesOutside(const Scene& scene, double t, const Vec3& outside, double distance) {
  Touches out;
  out.nearest = MakeSphereTouch(scene, t);
  ImproveNormal(scene, outside, distance, &out.nearest);
  const Interval stretch = FindStretchOutside(scene, outside, distance);
  const double near = kAtAnIntervalEnd * (stretch.high - stretch.low);
  out.has_stretch = stretch.high - stretch.low > kShortestInterval * (scene.l + scene.r);
  if (!out.has_stretch) return out;
  // At an end that is about where the axis is nearest, this is the better direction.
  out.low = t <= stretch.low + near ? out.nearest : MakeSphereTouch(scene, stretch.low);
  out.high = t >= stretch.high - near ? out.nearest : MakeSphereTouch(scene, stretch.high);
  return out;
}

// The axis cuts through the box; t is a point of it that is in the box. As for two boxes, the axis
// is projected along n onto the face that looks that way.
Touches FindTouchesInside(const Scene& scene, double t) {
  const AxisWayOut way = FindAxisWayOut(scene);
  const double radius = way.is_face ? scene.r : kInfinity;
  int f = 0;
  way.n.cwiseAbs().maxCoeff(&f);
  // Gap g = g_0 + g_1 t along n.
  const double plane = way.n[f] < 0 ? -scene.h[f] : scene.h[f];
  const double g_0 = (scene.c[f] - plane) / way.n[f], g_1 = scene.a[f] / way.n[f];
  Interval stretch{-scene.l, scene.l};
  for (const int i : {(f + 1) % 3, (f + 2) % 3}) {
    Clip(scene, scene.c[i] - way.n[i] * g_0, scene.a[i] - way.n[i] * g_1, scene.h[i], &stretch);
  }
  Touches out;
  out.nearest = {t, way.separation - scene.r, way.n, radius};
  out.has_stretch = stretch.high - stretch.low > scene.rounding;
  out.low = {stretch.low, g_0 + g_1 * stretch.low - scene.r, way.n, radius};
  out.high = {stretch.high, g_0 + g_1 * stretch.high - scene.r, way.n, radius};
  return out;
}

}  // namespace

void CollideCapsuleBox(const Capsule& A, const Pose& X_WA, const Box& B, const Pose& X_WB,
                       double margin, Manifold* out) {
  Scene scene;
  scene.c = X_WB.R.transpose() * (X_WA.p - X_WB.p);
  scene.a = (X_WB.R.transpose() * X_WA.R.col(2)).normalized();
  scene.l = 0.5 * A.length;
  scene.r = A.radius;
  scene.h = 0.5 * B.size;
  scene.rounding = RoundingOf(scene.h.maxCoeff() + scene.l + scene.r + scene.c.norm());

  const double t = FindNearestParameter(scene);
  const Vec3 outside = scene.OutsideAt(t);
  const double distance = outside.norm();
  const bool is_outside = distance > scene.rounding;
  if (is_outside && distance - scene.r > margin) return;
  const Touches touches =
      is_outside ? FindTouchesOutside(scene, t, outside, distance) : FindTouchesInside(scene, t);
  const auto append = [&](const Touch& touch, int feature) {
    if (touch.phi > margin) return;
    const Vec3 middle = scene.PointAt(touch.t) - (scene.r + 0.5 * touch.phi) * touch.n;
    AppendPoint(X_WB, middle, -touch.n, touch.phi, feature, {touch.radius}, out);
  };
  if (touches.has_stretch) {
    append(touches.low, 1);
    append(touches.high, 2);
    const double nearer_end = std::min(touches.low.phi, touches.high.phi);
    if (touches.nearest.phi >= nearer_end - scene.rounding) return;
  }
  append(touches.nearest, 0);
}

}  // namespace voigt
