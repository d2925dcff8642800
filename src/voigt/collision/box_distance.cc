#include "voigt/collision/box_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "voigt/collision/box_features.h"
#include "voigt/collision/segments.h"

namespace voigt {
namespace {

// The best direction so far, as an axis of A (first = i, second = -1), of B (first = -1,
// second = j) or the cross product of two: most are beaten, and only the last is written out.
struct BestAxis {
  double separation = -kInfinity;
  double side = 1;  // n is the axis where this is not negative, and its opposite otherwise
  int first = -1, second = -1;

  void Offer(double value, double side_of_it, int i, int j) {
    separation = value;
    side = side_of_it;
    first = i;
    second = j;
  }
};

// Normals of A's faces, then of B's. A's come first: those of B must be better by more than
// rounding, and so must edges.
void ConsiderFaces(const BoxPair& pair, const Mat3& R_abs, double enough, BestAxis* best) {
  const Mat3& R = pair.X_AB.R;
  const Vec3 &p = pair.X_AB.p, &h_A = pair.h_A, &h_B = pair.h_B;
  for (int i = 0; i < 3; ++i) {
    const double reach = R_abs(i, 0) * h_B[0] + R_abs(i, 1) * h_B[1] + R_abs(i, 2) * h_B[2];
    const double separation = std::abs(p[i]) - h_A[i] - reach;
    if (separation > best->separation) best->Offer(separation, p[i], i, -1);
  }
  if (best->separation > enough) return;
  for (int j = 0; j < 3; ++j) {
    const double reach = R_abs(0, j) * h_A[0] + R_abs(1, j) * h_A[1] + R_abs(2, j) * h_A[2];
    const double at = R(0, j) * p[0] + R(1, j) * p[1] + R(2, j) * p[2];
    const double separation = std::abs(at) - h_B[j] - reach;
    if (separation > best->separation + pair.rounding) best->Offer(separation, at, -1, j);
  }
}

// e_i × b_j, with the components x and y along the axes i + 1 and i + 2 of A.
template <int i, int j>
void ConsiderEdges(const BoxPair& pair, const Mat3& R_abs, BestAxis* best) {
  const Mat3& R = pair.X_AB.R;
  const Vec3& p = pair.X_AB.p;
  constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const double x = -R(i2, j), y = R(i1, j);
  const double distance = x * p[i1] + y * p[i2];
  const double reach_A = pair.h_A[i1] * R_abs(i2, j) + pair.h_A[i2] * R_abs(i1, j);
  const double least = best->separation + pair.rounding;
  const double length_2 = x * x + y * y;
  // Entries of a rotation are their own minors, up to rounding; that tells of most edges that they
  // are no better than what is known.
  const double about =
      reach_A + pair.h_B[j1] * R_abs(i, j2) + pair.h_B[j2] * R_abs(i, j1) - std::abs(distance);
  const double surely = about - pair.rounding;
  if (surely > 0 && (least >= 0 || surely * surely >= least * least * length_2)) return;
  const double length = std::sqrt(length_2);
  if (length < 1e-14) return;
  const double reach_B = pair.h_B[j1] * std::abs(x * R(i1, j1) + y * R(i2, j1)) +
                         pair.h_B[j2] * std::abs(x * R(i1, j2) + y * R(i2, j2));
  const double overlap = reach_A + reach_B - std::abs(distance);
  if (-overlap <= least * length) return;
  if (-overlap / length > least) best->Offer(-overlap / length, distance, i, j);
}

BoxDirection WriteOut(const BoxPair& pair, const BestAxis& best) {
  BoxDirection out{best.separation, Vec3::Zero()};
  if (best.second < 0) {
    out.n[best.first] = 1;
  } else if (best.first < 0) {
    out.n = pair.X_AB.R.col(best.second);
  } else {
    const int i1 = (best.first + 1) % 3, i2 = (best.first + 2) % 3;
    const double x = -pair.X_AB.R(i2, best.second), y = pair.X_AB.R(i1, best.second);
    const double length = std::sqrt(x * x + y * y);
    out.n[i1] = x / length;
    out.n[i2] = y / length;
  }
  if (best.side < 0) out.n = -out.n;
  return out;
}

// How far the boxes are apart along n.
double CalcSeparation(const BoxPair& pair, const Vec3& n) {
  return n.dot(pair.X_AB.p) - pair.h_A.dot(n.cwiseAbs()) -
         pair.h_B.dot((pair.X_AB.R.transpose() * n).cwiseAbs());
}

// From a point of A to a point of B.
struct Link {
  Vec3 d, n;
  double distance;
};

Link MakeLink(const Vec3& d) {
  const double distance = d.norm();
  return {d, distance > 0 ? Vec3((d / distance).normalized()) : Vec3::UnitZ(), distance};
}

// The middle of a box's edge along axis `i` that is foremost along n.
Vec3 ForemostEdge(const Vec3& h, const Vec3& n, int i) {
  Vec3 middle;
  for (int k = 0; k < 3; ++k) middle[k] = n[k] < 0 ? -h[k] : h[k];
  middle[i] = 0;
  return middle;
}

// The edges along axis i of A and j of B that look at each other along n.
Link LinkForemostEdges(const BoxPair& pair, int i, int j, const Vec3& n) {
  const Vec3 x = ForemostEdge(pair.h_A, n, i);
  const Vec3 y = pair.X_AB * ForemostEdge(pair.h_B, -(pair.X_AB.R.transpose() * n), j);
  const Segments edges =
      MakeSegments(Vec3::Unit(i), pair.h_A[i], pair.X_AB.R.col(j), pair.h_B[j], y - x);
  const SegmentPoints points = FindNearest(edges);
  return {points.d, CalcSeparatingDirection(edges, points, n), points.distance};
}

bool AreNearlyParallel(const BoxPair& pair, int i, int j) {
  return pair.X_AB.R.col(j).cross(Vec3::Unit(i)).squaredNorm() < 1e-6;
}

}  // namespace

BoxDirection FindSeparation(const BoxPair& pair, double enough) {
  const Mat3 R_abs = pair.X_AB.R.cwiseAbs();
  BestAxis best;
  ConsiderFaces(pair, R_abs, enough, &best);
  const auto is_enough_without = [&]<int k>(std::integral_constant<int, k>) {
    if (best.separation > enough) return true;
    ConsiderEdges<k / 3, k % 3>(pair, R_abs, &best);
    return false;
  };
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (void)(is_enough_without(std::integral_constant<int, k>()) || ...);
  }(std::make_integer_sequence<int, 9>());
  return WriteOut(pair, best);
}

BoxDirection FindCornerDistance(const BoxPair& pair) {
  const Pose X_BA = pair.X_AB.Inverse();
  std::array<Link, 25> links;
  int count = 0;
  for (int k = 0; k < 8; ++k) {
    const Vec3 y = pair.X_AB * BoxCorner(pair.h_B, k), x = X_BA * BoxCorner(pair.h_A, k);
    links[count++] = MakeLink(y - y.cwiseMax(-pair.h_A).cwiseMin(pair.h_A));
    links[count++] = MakeLink(pair.X_AB.R * (x.cwiseMax(-pair.h_B).cwiseMin(pair.h_B) - x));
  }
  const auto is_nearer = [](const Link& a, const Link& b) { return a.distance < b.distance; };
  // The corners at the ends of nearly parallel edges show which edges these are.
  const Vec3 n = std::min_element(links.begin(), links.begin() + count, is_nearer)->n;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (AreNearlyParallel(pair, i, j)) links[count++] = LinkForemostEdges(pair, i, j, n);
    }
  }
  const double least = std::min_element(links.begin(), links.begin() + count, is_nearer)->distance;
  // What is beside the nearest points is as near, up to second order, but in another direction. The
  // right one separates the boxes by as much as the points are apart.
  BoxDirection best;
  for (int k = 0; k < count; ++k) {
    if (links[k].distance > least + pair.rounding) continue;
    const double separation = CalcSeparation(pair, links[k].n);
    if (separation <= best.separation) continue;
    best.separation = separation;
    best.n = links[k].n;
  }
  best.separation = least;
  return best;
}

}  // namespace voigt
