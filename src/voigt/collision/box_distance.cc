#include "voigt/collision/box_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "voigt/collision/box_features.h"
#include "voigt/collision/segments.h"

namespace voigt {
namespace {

// n = sign(side) axis.
void Consider(double separation, const Vec3& axis, double side, double advantage,
              BoxDirection* best) {
  if (separation <= best->separation + advantage) return;
  best->separation = separation;
  best->n = side < 0 ? Vec3(-axis) : axis;
}

// Normals of A's faces, then of B's.
void ConsiderFaces(const BoxPair& pair, BoxDirection* best) {
  const Mat3& R = pair.X_AB.R;
  const Vec3& p = pair.X_AB.p;
  const Mat3 R_abs = R.cwiseAbs();
  const Vec3 reach_B = R_abs * pair.h_B, reach_A = R_abs.transpose() * pair.h_A;
  const Vec3 p_B = R.transpose() * p;
  for (int i = 0; i < 3; ++i) {
    Consider(std::abs(p[i]) - pair.h_A[i] - reach_B[i], Vec3::Unit(i), p[i], 0, best);
  }
  // A's faces come first: those of B must be better by more than rounding, and so must edges.
  for (int j = 0; j < 3; ++j) {
    Consider(std::abs(p_B[j]) - pair.h_B[j] - reach_A[j], R.col(j), p_B[j], pair.rounding, best);
  }
}

// n ∝ e_i × b_j, with the components x and y along the axes i + 1 and i + 2 of A.
void ConsiderEdges(const BoxPair& pair, int i, int j, BoxDirection* best) {
  const Mat3& R = pair.X_AB.R;
  const Vec3& p = pair.X_AB.p;
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const double x = -R(i2, j), y = R(i1, j);
  const double length = std::sqrt(x * x + y * y);
  if (length < 1e-14) return;
  const double distance = x * p[i1] + y * p[i2];
  const double reach_A = pair.h_A[i1] * std::abs(x) + pair.h_A[i2] * std::abs(y);
  const double reach_B = pair.h_B[j1] * std::abs(x * R(i1, j1) + y * R(i2, j1)) +
                         pair.h_B[j2] * std::abs(x * R(i1, j2) + y * R(i2, j2));
  const double overlap = reach_A + reach_B - std::abs(distance);
  if (-overlap <= (best->separation + pair.rounding) * length) return;
  Vec3 n = Vec3::Zero();
  n[i1] = x / length;
  n[i2] = y / length;
  Consider(-overlap / length, n, distance, pair.rounding, best);
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
  BoxDirection best;
  ConsiderFaces(pair, &best);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (best.separation > enough) return best;
      ConsiderEdges(pair, i, j, &best);
    }
  }
  return best;
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
