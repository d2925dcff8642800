#include "voigt/collision/mesh_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "voigt/collision/facet.h"
#include "voigt/collision/facet_overlap.h"
#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

constexpr double kCornerSlope = kFacetSlope;  // cosine: how far a normal may leave a corner's cone
constexpr double kEdgeSlope = 0.02;           // the same for edges that cross
constexpr double kSharp = 1e-9;               // the same where a corner meets an edge or a corner
constexpr double kParallelEdges = 1e-3;       // sine: edges nearer to parallel do not cross
constexpr double kInside = 1e-10;             // of the size
constexpr double kReach = 0.02;               // of the size: how deep edges cross
constexpr double kDeeply = 0.5;               // of what a wedge demands (IsCrossedDeeply)
constexpr double kSameCorner = 1e-3;          // of the size
constexpr double kNudge = 1e-7;               // of the size: what is on a surface and what inside

enum MeshFeatureKind {
  kMeshCornerOfB = 8,
  kMeshCornerOfA = 9,
  kMeshCrossing = 10,
  kMeshDeepest = 11,
  kMeshPiercing = 12,
};

bool IsSheet(const MeshSurface& surface) { return surface.kind == MeshSurface::Kind::kSheet; }

}  // namespace

void MeshMeshCollider::Add(const Vec3& p, const Vec3& n, double phi, int feature) {
  const ContactPoint point{X_WA_ * p, (X_WA_.R * n).normalized(), phi};
  MergePoint({point, feature, kInfinity}, kSameCorner * size_, kInside * size_, first_, out_);
}

void MeshMeshCollider::FindEdges() {
  A_.edges.clear();
  B_.edges.clear();
  const MeshSurface &A = *A_.surface, &B = *B_.surface;
  const double reach = margin_ + reach_;
  pairs_.clear();
  if (A.kind != MeshSurface::Kind::kGround && B.kind != MeshSurface::Kind::kGround) {
    BoxTree::FindPairs(A.tree, B.tree, B_.X, reach, &pairs_);
  } else {
    // Cells under each triangle of the other.
    const bool flips = B.kind == MeshSurface::Kind::kGround;
    Side &ground = flips ? B_ : A_, &other = flips ? A_ : B_;
    const Pose X = CalcRelativePose(ground.X, other.X);
    for (size_t u = 0; u < other.surface->triangles.size(); ++u) {
      AxisBox box{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
      for (int v : other.surface->triangles[u].vertices) {
        const Vec3 p = X * other.surface->vertices[v].p;
        box = {box.lower.cwiseMin(p), box.upper.cwiseMax(p)};
      }
      near_.clear();
      ground.surface->FindNear({box.lower.array() - reach, box.upper.array() + reach}, &near_);
      const int of_other = static_cast<int>(u);
      for (int t : near_) pairs_.push_back({flips ? of_other : t, flips ? t : of_other});
    }
  }
  for (const auto& [t, u] : pairs_) {
    ListEdges(t, &A_);
    ListEdges(u, &B_);
  }
  for (Side* side : {&A_, &B_}) {
    std::sort(side->edges.begin(), side->edges.end());
    side->edges.erase(std::unique(side->edges.begin(), side->edges.end()), side->edges.end());
  }
}

void MeshMeshCollider::ListEdges(int t, Side* side) {
  const MeshSurface& surface = *side->surface;
  for (int e : surface.triangles[t].edges) {
    const auto bend = surface.edges[e].bend;
    const bool is_flat = bend == MeshSurface::Bend::kFlat;
    const bool is_concave = bend == MeshSurface::Bend::kConcave && !IsSheet(surface);
    if (!is_flat && !is_concave) side->edges.push_back(e);
  }
}

bool MeshMeshCollider::IsInside(const Side& side, const Vec3& p) {
  return FindWayOut(*side.surface, side.X.R.transpose() * (p - side.X.p), &scratch_).has_value();
}

void MeshMeshCollider::AddCorner(const Side& P, const Side& Q, int vertex, double sign) {
  const MeshSurface &surface = *P.surface, &other = *Q.surface;
  // Everything in P's frame; R leads from it to Q's.
  const Vec3 b = P.X.R.transpose() * (Q.X * other.vertices[vertex].p - P.X.p);
  const Mat3 R = Q.X.R.transpose() * P.X.R;
  // A corner in the plane of a side face is on neither side of it: a point just behind it tells.
  const Vec3 m = R.transpose() * other.vertices[vertex].normal.normalized();
  auto way = FindWayOut(surface, b, &scratch_);
  if (!way) way = FindWayOut(surface, b - kNudge * size_ * m, &scratch_);
  const double reach = way ? std::max(margin_, 2 * way->point.distance + kReach * size_) : margin_;
  near_.clear();
  surface.FindNear({b.array() - reach, b.array() + reach}, &near_);
  std::sort(near_.begin(), near_.end());
  const auto add = [&](const Vec3& n, double gap, int feature) {
    const Vec3 middle = P.X * (b - 0.5 * gap * n);
    const int kind = sign > 0 ? kMeshCornerOfB : kMeshCornerOfA;
    Add(middle, sign * (P.X.R * n), gap, HashFeature(kind, feature, other.VertexFeature(vertex)));
  };
  Behind behind;
  for (int t : near_) {
    const SurfacePoint point = FindNearestOnTriangle(surface, t, b);
    const bool is_region = point.kind == SurfacePoint::Kind::kRegion;
    if (is_region) {
      const MeshSurface::Region& region = surface.regions[point.index];
      double gap = region.normal.dot(b) - region.offset;
      Vec3 n = region.normal;
      if (IsSheet(surface)) {
        // The side that the corner sticks out towards; of two sheets, the one where it is.
        if (IsSheet(other) ? gap < 0 : n.dot(m) > 0) n = -n, gap = -gap;
        if (gap < 0 && !IsInside(Q, P.X * (point.p - kNudge * size_ * m))) continue;
      }
      if (gap > margin_ || (gap < 0 && !way && !IsSheet(surface))) continue;
      if (other.CalcVertexExcess(vertex, -(R * n)) > kCornerSlope) continue;
      if (gap >= 0 || IsSheet(surface)) {
        if (!way) add(n, gap, FeatureOf(surface, point));
      } else if (gap > behind.gap) {
        behind = {point.index, gap, n};
      }
      continue;
    }
    // A corner near an edge or a corner, both apart.
    if (way || !(point.distance > kInside * size_) || point.distance > margin_) continue;
    const Vec3 n = ((b - point.p) / point.distance).normalized();
    const bool is_edge = point.kind == SurfacePoint::Kind::kEdge;
    if (is_edge && surface.edges[point.index].bend == MeshSurface::Bend::kFlat) continue;
    const double excess =
        is_edge ? surface.CalcEdgeExcess(point.index, n) : surface.CalcVertexExcess(point.index, n);
    if (excess > kSharp || other.CalcVertexExcess(vertex, -(R * n)) > kSharp) continue;
    add(n, point.distance, FeatureOf(surface, point));
  }
  if (behind.region >= 0) add(behind.n, behind.gap, surface.RegionFeature(behind.region));
}

void MeshMeshCollider::AddCorners(const Side& P, const Side& Q, double sign) {
  const AxisBox& bounds = P.surface->bounds;
  const Pose X = CalcRelativePose(P.X, Q.X);
  for (size_t v = 0; v < Q.surface->vertices.size(); ++v) {
    const MeshSurface::Vertex& vertex = Q.surface->vertices[v];
    if (!vertex.is_corner) continue;
    const Vec3 b = X * vertex.p;
    if ((b.array() > bounds.upper.array() + margin_).any()) continue;
    // The ground has no bottom.
    const int count = P.surface->kind == MeshSurface::Kind::kGround ? 2 : 3;
    if ((b.array() < bounds.lower.array() - margin_).head(count).any()) continue;
    AddCorner(P, Q, static_cast<int>(v), sign);
  }
}

// Whether the other mesh's edge from `start` to `end`, whose point p is inside, has no way out that
// is much shorter than across this edge. Points on it are looked at, up to where it would be as
// deep behind a face as it is across; `length` away. Of a wedge, one of them is as deep as the
// wedge lets it be, but near the end of the edge the way out may be that of its end.
bool MeshMeshCollider::IsCrossedDeeply(const Side& side, int edge, const Vec3& p, const Vec3& start,
                                       const Vec3& end, double depth, double length) {
  const Vec3 sum = side.surface->edges[edge].normal;
  const Vec3 nudge = kNudge * size_ * (side.X.R * sum.normalized());
  const double enough = deeply_ * 0.5 * sum.norm() * depth;
  const auto is_deep = [&](const Vec3& at) {
    const auto way =
        FindWayOut(*side.surface, side.X.R.transpose() * (at - nudge - side.X.p), &scratch_);
    return way && way->point.distance >= enough;
  };
  if (is_deep(p)) return true;
  for (const Vec3& to : {start, end}) {
    const double share = std::min(1.0, length / std::max((to - p).norm(), 1e-300));
    if (is_deep(p + share * (to - p)) || is_deep(p + 0.5 * share * (to - p))) return true;
  }
  return false;
}

void MeshMeshCollider::AddCrossing(int edge_A, int edge_B) {
  const MeshSurface &A = *A_.surface, &B = *B_.surface;
  const auto& [a_0, a_1] = A.edges[edge_A].vertices;
  const auto& [b_0, b_1] = B.edges[edge_B].vertices;
  const Vec3 p = A.vertices[a_0].p, u = A.vertices[a_1].p - p;
  const Vec3 q = B_.X * B.vertices[b_0].p, v = B_.X * B.vertices[b_1].p - q;
  const Vec3 across = u.cross(v);
  if (!(across.norm() > kParallelEdges * u.norm() * v.norm())) return;
  const double s = (q - p).cross(v).dot(across) / across.squaredNorm();
  const double t = (q - p).cross(u).dot(across) / across.squaredNorm();
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return;
  const Vec3 on_A = p + s * u, on_B = q + t * v;
  for (const double sign : {1.0, -1.0}) {
    const Vec3 n = sign * across.normalized();
    const double gap = n.dot(on_B - on_A);
    if (gap > margin_ || gap < -reach_) continue;
    if (A.CalcEdgeExcess(edge_A, n) > kEdgeSlope) continue;
    if (B.CalcEdgeExcess(edge_B, -(B_.X.R.transpose() * n)) > kEdgeSlope) continue;
    if (!IsSheet(A) && n.dot(A.edges[edge_A].normal) < 0) continue;
    if (!IsSheet(B) && n.dot(B_.X.R * B.edges[edge_B].normal) > 0) continue;
    if (gap < 0) {
      // Sheets have no inside, and two of them no depth.
      if (IsSheet(A) && IsSheet(B)) continue;
      const double length = -gap * u.norm() * v.norm() / across.norm();
      if (!IsSheet(A) && !IsCrossedDeeply(A_, edge_A, on_B, q, q + v, -gap, length)) continue;
      if (!IsSheet(B) && !IsCrossedDeeply(B_, edge_B, on_A, p, p + u, -gap, length)) continue;
    }
    Add(0.5 * (on_A + on_B), n, gap,
        HashFeature(kMeshCrossing, A.EdgeFeature(edge_A), B.EdgeFeature(edge_B)));
  }
}

void MeshMeshCollider::AddCrossings() {
  // Boxes of B's edges first: most pairs are far apart.
  for (int e : A_.edges) {
    const auto& ends = A_.surface->edges[e].vertices;
    const Vec3 &a = A_.surface->vertices[ends[0]].p, &b = A_.surface->vertices[ends[1]].p;
    const double reach = margin_ + reach_;
    const Vec3 low = (a.cwiseMin(b)).array() - reach, high = (a.cwiseMax(b)).array() + reach;
    for (int f : B_.edges) {
      const auto& other = B_.surface->edges[f].vertices;
      const Vec3 c = B_.X * B_.surface->vertices[other[0]].p;
      const Vec3 d = B_.X * B_.surface->vertices[other[1]].p;
      if ((c.cwiseMin(d).array() > high.array()).any()) continue;
      if ((c.cwiseMax(d).array() < low.array()).any()) continue;
      AddCrossing(e, f);
    }
  }
}

bool MeshMeshCollider::HasContact() const {
  return std::any_of(out_->begin() + static_cast<long>(first_), out_->end(),
                     [&](const ManifoldPoint& point) { return point.phi <= kInside * size_; });
}

void MeshMeshCollider::Pierce(const Side& P, int t, const Side& Q, int u, double sign,
                              Withdrawal* best) {
  const MeshSurface::Triangle& triangle = P.surface->triangles[t];
  const auto height_of = [&](const Vec3& p) {
    return triangle.normal.dot(p - P.surface->vertices[triangle.vertices[0]].p);
  };
  const Pose X = CalcRelativePose(P.X, Q.X);
  for (int e : Q.surface->triangles[u].edges) {
    const MeshSurface::Edge& edge = Q.surface->edges[e];
    if (edge.bend == MeshSurface::Bend::kFlat) continue;
    const Vec3 from = X * Q.surface->vertices[edge.vertices[0]].p;
    const Vec3 to = X * Q.surface->vertices[edge.vertices[1]].p;
    const double h_0 = height_of(from), h_1 = height_of(to);
    if ((h_0 > 0) == (h_1 > 0)) continue;
    const Vec3 x = from + h_0 / (h_0 - h_1) * (to - from);
    bool is_over = true;
    for (int k = 0; k < 3; ++k) {
      is_over &= triangle.inward[k].dot(x - P.surface->vertices[triangle.vertices[k]].p) >= 0;
    }
    if (!is_over) continue;
    // A solid is left by the end that is behind its surface, a sheet by the nearer one.
    const bool flips = IsSheet(*P.surface) && std::max(h_0, h_1) < -std::min(h_0, h_1);
    const double depth = flips ? std::max(h_0, h_1) : -std::min(h_0, h_1);
    if (!(depth < best->depth)) continue;
    const Vec3 n = (flips ? -sign : sign) * (P.X.R * triangle.normal);
    *best = {depth, n, P.X * x,
             HashFeature(kMeshPiercing, P.surface->RegionFeature(triangle.region),
                         Q.surface->EdgeFeature(e))};
  }
}

MeshMeshCollider::Withdrawal MeshMeshCollider::FindPiercing() const {
  Withdrawal best;
  for (const auto& [t, u] : pairs_) {
    Pierce(A_, t, B_, u, 1, &best);
    Pierce(B_, u, A_, t, -1, &best);
  }
  return best;
}

// Across edges however deep, of which the shallowest counts, or back.
void MeshMeshCollider::AddShallowest(const Withdrawal& withdrawal) {
  const size_t before = out_->size();
  reach_ = kInfinity;
  AddCrossings();
  ManifoldPoint best;
  static_cast<ContactPoint&>(best) = {X_WA_ * withdrawal.p, (X_WA_.R * withdrawal.n).normalized(),
                                      -withdrawal.depth};
  best.feature = withdrawal.feature;
  for (size_t k = before; k < out_->size(); ++k) {
    const ManifoldPoint& point = (*out_)[k];
    if (point.phi <= 0 && point.phi > best.phi) best = point;
  }
  out_->resize(before);
  out_->push_back(best);
}

bool MeshMeshCollider::IsEnclosed() {
  const auto starts_in = [&](const Side& P, const Side& Q) {
    const auto& triangles = Q.surface->triangles;
    return !triangles.empty() && IsInside(P, Q.X * Q.surface->vertices[triangles[0].vertices[0]].p);
  };
  return starts_in(A_, B_) || starts_in(B_, A_);
}

MeshMeshCollider::Deepest MeshMeshCollider::FindDeepest(const Side& P, const Side& Q) {
  Deepest out;
  if (IsSheet(*P.surface)) return out;
  const Pose X = CalcRelativePose(P.X, Q.X);
  for (size_t v = 0; v < Q.surface->vertices.size(); ++v) {
    if (Q.surface->vertices[v].triangle < 0) continue;
    const auto way = FindWayOut(*P.surface, X * Q.surface->vertices[v].p, &scratch_);
    if (!way || way->point.distance <= out.depth) continue;
    out = {static_cast<int>(v), way->point.distance, *way};
  }
  return out;
}

void MeshMeshCollider::PushOut() {
  const Deepest of_B = FindDeepest(A_, B_), of_A = FindDeepest(B_, A_);
  const bool is_B = of_B.depth >= of_A.depth;
  const Deepest& deepest = is_B ? of_B : of_A;
  if (deepest.vertex < 0) return;
  const Side &P = is_B ? A_ : B_, &Q = is_B ? B_ : A_;
  const WayOut& way = deepest.way;
  Add(P.X * (way.point.p - 0.5 * deepest.depth * way.n), (is_B ? 1 : -1) * (P.X.R * way.n),
      -deepest.depth,
      HashFeature(kMeshDeepest, FeatureOf(*P.surface, way.point),
                  Q.surface->VertexFeature(deepest.vertex)));
}

void MeshMeshCollider::Collide(const MeshSurface& A, const Pose& X_WA, const MeshSurface& B,
                               const Pose& X_WB, double margin, Manifold* out) {
  A_.surface = &A;
  B_.surface = &B;
  X_WA_ = A.Place(X_WA);
  A_.X = Pose{};
  B_.X = CalcRelativePose(X_WA_, B.Place(X_WB));
  margin_ = margin;
  size_ = std::min(A.size, B.size);
  out_ = out;
  first_ = out->size();
  if (!B_.X.p.allFinite() || !B_.X.R.allFinite()) return;
  // Balls around both.
  if (B_.X.p.norm() - 0.5 * (A.size + B.size) > margin) return;
  reach_ = kReach * size_;
  deeply_ = kDeeply;
  FindEdges();
  AddCorners(A_, B_, 1);
  AddCorners(B_, A_, -1);
  AddCrossings();
  if (HasContact()) return;
  const Withdrawal withdrawal = FindPiercing();
  const bool pierces = withdrawal.depth < kInfinity;
  if (pierces || out->size() == first_ || IsEnclosed()) PushOut();
  if (!pierces || HasContact()) return;
  // Edges of bodies that stick far in, with no corner inside.
  deeply_ = 0;
  AddCrossings();
  if (!HasContact()) AddShallowest(withdrawal);
}

}  // namespace voigt
