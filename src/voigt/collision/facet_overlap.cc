#include "voigt/collision/facet_overlap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "voigt/math/rotation.h"

namespace voigt {
namespace {

enum FeatureKind { kCornerOfA = 1, kCornerOfB = 2, kCrossing = 3, kDegenerate = 4 };

double Cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }

// Corners nearer to each other than this, relative to the size, are one.
constexpr double kSame = 1e-10;

}  // namespace

int HashFeature(int kind, int key_A, int key_B) {
  std::uint64_t x = (std::uint64_t(kind) << 60) ^ (std::uint64_t(std::uint32_t(key_A)) << 30) ^
                    std::uint64_t(std::uint32_t(key_B));
  // The finaliser of splitmix64 [Steele, Lea & Flood 2014]: every bit depends on all others.
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<int>((x ^ (x >> 31)) & (kMaxContactPoints - 1));
}

void FacetOverlap::MakeView(const Facet& facet, const Vec3& origin, bool reversed,
                            View* out) const {
  const size_t count = facet.points.size();
  out->corners.resize(count);
  out->keys.resize(count);
  for (size_t k = 0; k < count; ++k) {
    const size_t from = reversed ? count - 1 - k : k;
    out->corners[k] = axes_.transpose() * (facet.points[from] - origin);
    out->keys[k] = facet.keys[from];
  }
  if (count >= 3) {
    const Vec3 m = axes_.transpose() * facet.normal;
    out->slope = -m.head<2>() / m[2];
  }
}

void FacetOverlap::Add(const Vec2& q, double z_A, double z_B, int feature) {
  FacingPoint& point = points_.emplace_back();
  point.p = origin_ + axes_ * Vec3(q[0], q[1], 0.5 * (z_A + z_B));
  point.n = axes_.col(2);
  point.gap = z_B - z_A;
  point.feature = feature;
}

FacetOverlap::Corner FacetOverlap::MakeCrossing(const Corner& before, const Corner& after,
                                                double d_before, double d_after, int edge,
                                                bool leaving) const {
  Corner out;
  out.q = before.q + (after.q - before.q) * (d_before / (d_before - d_after));
  const int count = static_cast<int>(view_B_.keys.size());
  if (!before.on_B) {
    out.feature = HashFeature(kCrossing, view_A_.keys[before.edge], view_B_.keys[edge]);
  } else if ((before.edge + 1) % count == edge) {
    out.corner_B = edge;
  } else if ((edge + 1) % count == before.edge) {
    out.corner_B = before.edge;
  } else {
    out.feature = HashFeature(kDegenerate, view_B_.keys[before.edge], view_B_.keys[edge]);
  }
  if (out.corner_B >= 0) out.feature = HashFeature(kCornerOfB, view_B_.keys[out.corner_B], 0);
  // Leaving, the outline goes on along the cutting edge; entering, along the edge it came on.
  out.on_B = leaving || before.on_B;
  out.edge = leaving ? edge : before.edge;
  return out;
}

// Keeps what is left of the line [Sutherland & Hodgman 1974].
void FacetOverlap::Cut(const Vec2& from, const Vec2& to, int edge) {
  next_.clear();
  const Vec2 along = to - from;
  const double length = along.norm();
  if (!(length > 0)) return;
  const auto distance = [&](const Corner& c) { return Cross(along, c.q - from) / length; };
  const double slack = -0.01 * kSame * size_;
  for (size_t k = 0; k < corners_.size(); ++k) {
    const Corner &here = corners_[k], &after = corners_[(k + 1) % corners_.size()];
    const double d = distance(here), d_after = distance(after);
    const bool inside = d >= slack, inside_after = d_after >= slack;
    if (inside) next_.push_back(here);
    if (inside != inside_after) {
      next_.push_back(MakeCrossing(here, after, d, d_after, edge, inside));
    }
  }
  corners_.swap(next_);
}

void FacetOverlap::AddCorner(const Corner& corner) {
  const int a = corner.corner_A, b = corner.corner_B;
  Add(corner.q, a >= 0 ? view_A_.corners[a][2] : view_A_.CalcHeight(corner.q),
      b >= 0 ? view_B_.corners[b][2] : view_B_.CalcHeight(corner.q), corner.feature);
}

void FacetOverlap::FindPolygons() {
  corners_.clear();
  for (size_t k = 0; k < view_A_.corners.size(); ++k) {
    corners_.push_back({view_A_.corners[k].head<2>(), HashFeature(kCornerOfA, view_A_.keys[k], 0),
                        false, static_cast<int>(k), static_cast<int>(k), -1});
  }
  const size_t count = view_B_.corners.size();
  for (size_t k = 0; k < count && !corners_.empty(); ++k) {
    Cut(view_B_.corners[k].head<2>(), view_B_.corners[(k + 1) % count].head<2>(),
        static_cast<int>(k));
  }
  for (size_t k = 0; k < corners_.size(); ++k) {
    const Vec2& q = corners_[k].q;
    const bool repeats = std::any_of(corners_.begin(), corners_.begin() + k, [&](const Corner& c) {
      return (c.q - q).norm() < kSame * size_;
    });
    if (!repeats) AddCorner(corners_[k]);
  }
}

void FacetOverlap::FindSegmentOnPolygon(const View& segment, const View& polygon, bool flipped) {
  const Vec2 from = segment.corners[0].head<2>(), along = segment.corners[1].head<2>() - from;
  const double slack = kSame * size_;
  double low = 0, high = 1;
  int edge_low = -1, edge_high = -1;
  const size_t count = polygon.corners.size();
  for (size_t k = 0; k < count; ++k) {
    const Vec2 start = polygon.corners[k].head<2>();
    const Vec2 side = (polygon.corners[(k + 1) % count].head<2>() - start).normalized();
    const double d = Cross(side, from - start), rate = Cross(side, along);
    if (d >= -slack && d + rate >= -slack) continue;
    if (d < -slack && d + rate < -slack) return;
    const double t = -d / rate;
    if (rate > 0 && t > low) low = t, edge_low = static_cast<int>(k);
    if (rate < 0 && t < high) high = t, edge_high = static_cast<int>(k);
  }
  if (!(low < high)) return;
  const auto add = [&](double t, int end, int edge) {
    const Vec2 q = from + t * along;
    const double z_segment =
        segment.corners[0][2] + t * (segment.corners[1][2] - segment.corners[0][2]);
    const double z_polygon = polygon.CalcHeight(q);
    const int corner = flipped ? kCornerOfB : kCornerOfA;
    const int other = edge < 0 ? 0 : polygon.keys[edge];
    const int feature = edge < 0 ? HashFeature(corner, segment.keys[end], 0)
                                 : HashFeature(kCrossing + 4 * corner, other, end);
    Add(q, flipped ? z_polygon : z_segment, flipped ? z_segment : z_polygon, feature);
  };
  add(low, 0, edge_low);
  if ((high - low) * along.norm() > slack) add(high, 1, edge_high);
}

bool FacetOverlap::AddStation(const Facet& P, double s, const Facet& Q, const Vec3& n,
                              bool flipped) {
  const Vec3 along_P = P.points[1] - P.points[0];
  const Vec3 u_Q = (Q.points[1] - Q.points[0]).normalized();
  const Vec3 c = P.points[0] - P.push + s * along_P;
  const Vec3 from_Q = c - (Q.points[0] - Q.push);
  const Vec3 d = u_Q * u_Q.dot(from_Q) - from_Q;  // to the nearest point of Q's core
  const double r_P = P.push.norm(), r_Q = Q.push.norm();
  const Vec3 outwards = flipped ? Vec3(-n) : n;
  const double height = outwards.dot(d), lateral = (d - height * outwards).norm();
  const bool is_round = r_P + r_Q > 0;
  if (lateral > (is_round ? 0.1 * (r_P + r_Q) : 1e-6 * size_) || (is_round && !(height > 0))) {
    return false;
  }
  Vec3 m = is_round ? Vec3(d / d.norm()).normalized() : outwards;
  // The point of P's surface there, and from it to the core of Q.
  Vec3 push = m;
  if (!P.has_round_ends) {
    const Vec3 u_P = along_P.normalized();
    push = (m - u_P.dot(m) * u_P).normalized();
  }
  const Vec3 surface = c + r_P * push;
  Vec3 e = d - r_P * push;
  e -= u_Q.dot(e) * u_Q;
  double distance = m.dot(e);
  if (r_Q > 0) {
    // Beyond the axis of Q, sideways is the nearer way out.
    if (!(distance > 0)) return false;
    distance = e.norm();
    m = Vec3(e / distance).normalized();
  }
  FacingPoint& point = points_.emplace_back();
  point.gap = distance - r_Q;
  point.n = flipped ? Vec3(-m) : m;
  point.p = surface + 0.5 * point.gap * m;
  return true;
}

void FacetOverlap::FindSegments(const Facet& A, const Facet& B, const Vec3& n) {
  const Vec3 along_A = A.points[1] - A.points[0], along_B = B.points[1] - B.points[0];
  const double length_A = along_A.norm(), length_B = along_B.norm();
  const double cosine = along_A.dot(along_B) / (length_A * length_B);
  if (std::abs(cosine) < 0.99) return;
  // Ends of what they have in common: two, of either.
  int count = 0;
  const auto try_end = [&](const Facet& P, int end, const Facet& Q, bool flipped) {
    const Vec3 along = Q.points[1] - Q.points[0];
    const Vec3 c = P.points[end] - P.push - (Q.points[0] - Q.push);
    const double t = along.dot(c) / along.squaredNorm();
    if (t < 0 || t > 1 || count == 2) return;
    if (!AddStation(P, end, Q, n, flipped)) return;
    points_.back().feature = HashFeature(kDegenerate + 1 + flipped, P.keys[end], 0);
    ++count;
  };
  for (int end : {0, 1}) try_end(A, end, B, false);
  for (int end : {0, 1}) try_end(B, end, A, true);
  // One alone is no more than the nearest points tell.
  if (count < 2) points_.clear();
}

void FacetOverlap::Find(const Facet& A, const Facet& B, const Vec3& origin, const Vec3& n,
                        double size) {
  points_.clear();
  size_ = size;
  const size_t count_A = A.points.size(), count_B = B.points.size();
  if (count_A < 2 || count_B < 2) return;
  if (count_A == 2 && count_B == 2) return FindSegments(A, B, n);
  axes_ = RotationWithZ(n);
  origin_ = origin;
  MakeView(A, origin, false, &view_A_);
  MakeView(B, origin, true, &view_B_);
  if (count_A == 2) return FindSegmentOnPolygon(view_A_, view_B_, false);
  if (count_B == 2) return FindSegmentOnPolygon(view_B_, view_A_, true);
  FindPolygons();
}

}  // namespace voigt
