#include "voigt/collision/gjk.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

constexpr int kMaxIterations = 200;
// Cores nearer than this, relative to their size, count as touching.
constexpr double kTouch = 1e-12;

// The point nearest to the origin of a simplex with some of the corners: which, their weights, and
// its squared distance.
struct Nearest {
  int count = 0;
  std::array<int, 4> corners{};
  std::array<double, 4> weights{};
  Vec3 v = Vec3::Zero();
  double square = kInfinity;
};

Nearest OfPoint(const std::array<MinkowskiPoint, 4>& q, int i) {
  return {1, {i}, {1}, q[i].w, q[i].w.squaredNorm()};
}

Nearest OfSegment(const std::array<MinkowskiPoint, 4>& q, int i, int j) {
  const Vec3 d = q[j].w - q[i].w;
  const double length2 = d.squaredNorm();
  const double s = -q[i].w.dot(d);
  if (!(s > 0)) return OfPoint(q, i);
  if (!(s < length2)) return OfPoint(q, j);
  const double t = s / length2;
  // From the nearer end: fewer digits are lost.
  const Vec3 v = t < 0.5 ? Vec3(q[i].w + t * d) : Vec3(q[j].w - (1 - t) * d);
  return {2, {i, j}, {1 - t, t}, v, v.squaredNorm()};
}

void Take(const Nearest& candidate, Nearest* best) {
  if (candidate.square < best->square) *best = candidate;
}

// Inside the triangle by the sides on which its edges see the origin's projection, else the best of
// the edges.
Nearest OfTriangle(const std::array<MinkowskiPoint, 4>& q, int i, int j, int k) {
  const Vec3 &a = q[i].w, &b = q[j].w, &c = q[k].w;
  const Vec3 normal = (b - a).cross(c - a);
  const double square = normal.squaredNorm();
  const double wa = normal.dot(b.cross(c - b)), wb = normal.dot(c.cross(a - c));
  const double wc = normal.dot(a.cross(b - a));
  if (square > 0 && wa > 0 && wb > 0 && wc > 0) {
    const double sum = wa + wb + wc;
    const Vec3 v = normal * (normal.dot(a) / square);
    return {3, {i, j, k}, {wa / sum, wb / sum, wc / sum}, v, v.squaredNorm()};
  }
  Nearest best = OfSegment(q, i, j);
  Take(OfSegment(q, j, k), &best);
  Take(OfSegment(q, k, i), &best);
  return best;
}

// Square 0 and all four corners where the origin is inside.
Nearest OfTetrahedron(const std::array<MinkowskiPoint, 4>& q) {
  static constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  Nearest best;
  bool inside = true;
  for (const auto& [i, j, k, opposite] : kFaces) {
    const Vec3 normal = (q[j].w - q[i].w).cross(q[k].w - q[i].w);
    const double height = normal.dot(q[opposite].w - q[i].w), origin = -normal.dot(q[i].w);
    // A flat tetrahedron has no inside.
    if (height * origin > 0 && std::abs(height) > 1e-14 * normal.norm() * q[i].w.norm()) continue;
    inside = false;
    Take(OfTriangle(q, i, j, k), &best);
  }
  if (inside) return {4, {0, 1, 2, 3}, {0.25, 0.25, 0.25, 0.25}, Vec3::Zero(), 0};
  return best;
}

}  // namespace

bool Gjk::Contains(const MinkowskiPoint& q) const {
  for (int k = 0; k < count_; ++k) {
    if (points_[k].w == q.w) return true;
  }
  return false;
}

bool Gjk::Reduce() {
  Nearest nearest;
  switch (count_) {
    case 1:
      nearest = OfPoint(points_, 0);
      break;
    case 2:
      nearest = OfSegment(points_, 0, 1);
      break;
    case 3:
      nearest = OfTriangle(points_, 0, 1, 2);
      break;
    default:
      nearest = OfTetrahedron(points_);
  }
  if (nearest.count == 4) return false;
  const std::array<MinkowskiPoint, 4> old = points_;
  count_ = nearest.count;
  for (int k = 0; k < count_; ++k) points_[k] = old[nearest.corners[k]];
  weights_ = nearest.weights;
  v_ = nearest.v;
  return true;
}

Gjk::Status Gjk::Run(const ConvexPair& pair, double margin, double tolerance, double slack,
                     bool is_new) {
  if (is_new) {
    // Any start will do; from centre to centre is a good one.
    Vec3 n = pair.X_AB.p + pair.X_AB.R * pair.B->polytope.center - pair.A->polytope.center;
    if (!(n.squaredNorm() > 0)) n = Vec3::UnitZ();
    points_[0] = pair.FindSupport(n);
    weights_ = {1};
    count_ = 1;
    v_ = points_[0].w;
  }
  const double touch = kTouch * pair.size;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const double square = v_.squaredNorm();
    if (square <= touch * touch) return Status::kTouching;
    const MinkowskiPoint q = pair.FindSupport(-v_, points_[0]);
    const double bound = v_.dot(q.w);
    const bool beyond = margin < 0 || bound * bound > margin * margin * square;
    if (bound > 0 && beyond) return Status::kApart;
    const double allowed = std::max(tolerance * square, slack * std::sqrt(square));
    if (square - bound <= allowed || Contains(q)) return Status::kSeparated;

    const Gjk before = *this;
    points_[count_++] = q;
    if (!Reduce()) return Status::kTouching;
    if (!(v_.squaredNorm() < square)) {
      *this = before;
      return Status::kSeparated;
    }
  }
  return Status::kSeparated;
}

Vec3 Gjk::CalcWitnessA() const {
  Vec3 out = Vec3::Zero();
  for (int k = 0; k < count_; ++k) out += weights_[k] * points_[k].a;
  return out;
}

Vec3 Gjk::CalcWitnessB() const {
  Vec3 out = Vec3::Zero();
  for (int k = 0; k < count_; ++k) out += weights_[k] * points_[k].b;
  return out;
}

}  // namespace voigt
