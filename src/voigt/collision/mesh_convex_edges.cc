#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "voigt/collision/mesh_convex.h"
#include "voigt/math/rotation.h"

// The part of MeshConvexCollider that looks at edges.
namespace voigt {

bool MeshConvexCollider::RunsAlongSide(const Vec3& p_A, const Vec3& along, const Vec3& n) const {
  const size_t count = facet_B_.points.size();
  bool is_along = false;
  for (size_t k = 0; count > 2 && k < count; ++k) {
    const Vec3 side = (facet_B_.points[(k + 1) % count] - facet_B_.points[k]).normalized();
    const double beside = side.cross(p_A - facet_B_.points[k]).dot(n);
    const double sine = side.cross(along).dot(n);
    if (std::abs(beside) > 100 * kInside * size_) continue;
    if (std::abs(sine) > kParallel) return false;
    is_along = true;
  }
  return is_along;
}

bool MeshConvexCollider::IsInCone(int edge, const Vec3& n, bool at_end, int vertex,
                                  double slack) const {
  const MeshSurface::Edge& e = A_->edges[edge];
  const Vec3 from = A_->vertices[e.vertices[0]].p, to = A_->vertices[e.vertices[1]].p;
  if (!(n.dot(center_ - 0.5 * (from + to)) > 0)) return false;
  const bool is_across = std::abs(n.dot(to - from)) <= slack * (to - from).norm();
  if (!is_across && !at_end) return false;
  const Vec3& mean = is_across ? e.normal : A_->vertices[vertex].normal;
  if (A_->kind != MeshSurface::Kind::kSheet && n.dot(mean) < 0) return false;
  return (is_across ? A_->CalcEdgeExcess(edge, n) : A_->CalcVertexExcess(vertex, n)) <= slack;
}

void MeshConvexCollider::ViewEdgeOtherwise(const Vec3& middle, EdgeView* view) {
  const MeshSurface::Edge& edge = A_->edges[view->edge];
  // The cone is an arc from a to b, both of unit length.
  const MeshSurface::Triangle& first = A_->triangles[A_->edge_triangles[edge.first]];
  const int side = first.edges[0] == view->edge ? 0 : first.edges[1] == view->edge ? 1 : 2;
  const int last = A_->edge_triangles[edge.first + edge.count - 1];
  const Vec3 a = MakeRegionView(first.region).n;
  const Vec3 b =
      edge.count == 2 ? MakeRegionView(A_->triangles[last].region).n : Vec3(-first.inward[side]);
  const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
  const auto direction = [&](double t) -> Vec3 {
    if (t == 0 || angle < kSharp) return a;
    if (t == 1) return b;
    return (std::sin((1 - t) * angle) * a + std::sin(t * angle) * b).normalized();
  };
  const auto gap_at = [&](double t) {
    const Vec3 n = direction(t);
    return n.dot(center_ - middle) > 0 ? CalcGap(n, n.dot(middle)) : -kInfinity;
  };
  // The best of samples, then between its neighbours.
  constexpr int kSamples = 16;
  double best = 0;
  for (int k = 1; k <= kSamples; ++k) {
    const double t = static_cast<double>(k) / kSamples;
    if (gap_at(t) > gap_at(best)) best = t;
  }
  double low = std::max(0.0, best - 1.0 / kSamples), high = std::min(1.0, best + 1.0 / kSamples);
  for (int k = 0; k < 60; ++k) {
    const double t = low + (high - low) / 3, u = high - (high - low) / 3;
    if (gap_at(t) < gap_at(u)) {
      low = t;
    } else {
      high = u;
    }
  }
  if (const double t = 0.5 * (low + high); gap_at(t) > gap_at(best) + kSameGap * size_) best = t;
  view->gap = gap_at(best);
  view->n = direction(best);
  for (size_t r = 0; r < regions_.size(); ++r) {
    if (regions_[r].is_front && regions_[r].n == view->n) view->region = static_cast<int>(r);
  }
  view->has_point = view->region < 0 && FindCrossing(view);
}

bool MeshConvexCollider::FindCrossing(EdgeView* view) {
  const MeshSurface::Edge& edge = A_->edges[view->edge];
  const Vec3 from = A_->vertices[edge.vertices[0]].p,
             along = A_->vertices[edge.vertices[1]].p - from;
  MakeFacet(*B_, X_AB_, -view->n, &facet_B_);
  int id = 0;
  Vec3 on_B =
      X_AB_ * B_->FindSupport(-(X_AB_.R.transpose() * view->n), &id) - B_->rounding * view->n;
  if (facet_B_.points.size() == 2) {
    // Where the two lines cross, seen along n.
    const Vec3 side = facet_B_.points[1] - facet_B_.points[0];
    const double product = side.cross(along).dot(view->n);
    const double u = (from - facet_B_.points[0]).cross(along).dot(view->n) / product;
    if (std::isfinite(u)) on_B = facet_B_.points[0] + std::clamp(u, 0.0, 1.0) * side;
  }
  const double s = along.dot(on_B - from) / along.squaredNorm();
  if (!(s >= 0 && s <= 1)) return false;
  const Vec3 on_A = from + s * along;
  view->p = 0.5 * (on_A + on_B);
  view->key_A = A_->EdgeFeature(view->edge);
  view->key_B = facet_B_.keys[0];
  return IsOverlapped(on_A, std::min(view->gap, 0.0));
}

bool MeshConvexCollider::MeetEdge(int e, double margin, Pose* X, Meeting* out) {
  const MeshSurface::Edge& edge = A_->edges[e];
  const Vec3 from = A_->vertices[edge.vertices[0]].p, to = A_->vertices[edge.vertices[1]].p;
  const double half = 0.5 * (to - from).norm();
  segment_.polytope.vertices = {Vec3(0, 0, -half), Vec3(0, 0, half)};
  segment_.polytope.reach = segment_.reach = half;
  *X = {RotationWithZ((to - from) / (2 * half)), 0.5 * (from + to)};
  const ConvexPair pair(segment_, *X, *B_, X_AG_);
  if (collider_.Solve(pair, margin, out) == ConvexCollider::Status::kApart) return false;
  if (!std::isfinite(out->phi)) return false;
  if (out->phi < nearest_.phi) {
    nearest_ = {out->phi,           (X->R * out->n).normalized(), *X * (0.5 * (out->a + out->b)),
                A_->EdgeFeature(e), out->feature_B.key,           out->phi <= 0};
  }
  return true;
}

void MeshConvexCollider::ViewEdge(int e) {
  Pose X;
  Meeting meeting;
  if (!MeetEdge(e, margin_, &X, &meeting)) return;
  const MeshSurface::Edge& edge = A_->edges[e];
  const double half = segment_.reach;
  EdgeView view;
  view.edge = e;
  const Vec3 n = (X.R * meeting.n).normalized();
  const double z = meeting.a[2];
  const bool at_end = std::abs(z) >= half - kInside * size_;
  const int vertex = edge.vertices[z > 0];
  MakeFacet(*B_, X_AB_, -n, &facet_B_);
  const bool is_flat = facet_B_.points.size() > 1;
  const bool is_strict = IsInCone(e, n, at_end, vertex, kSharp);
  const bool is_near = is_strict || (is_flat && IsInCone(e, n, at_end, vertex, kFacetSlope));
  if (is_near) {
    view.n = n;
    view.gap = meeting.phi;
    view.has_point = is_strict;
    view.p = X * (0.5 * (meeting.a + meeting.b));
    view.key_A = at_end ? A_->VertexFeature(vertex) : A_->EdgeFeature(e);
    view.key_B = meeting.feature_B.key;
  } else {
    ViewEdgeOtherwise(X.p, &view);
  }
  if (view.gap == -kInfinity) return;
  // What leaves the plane across n through the edge leaves the triangles beside it, too.
  if (is_strict || !is_near) {
    for (RegionView& region : regions_) {
      for (int k = edge.first; k < edge.first + edge.count; ++k) {
        if (A_->triangles[A_->edge_triangles[k]].region != region.region) continue;
        if (!(view.gap > region.gap + kSameGap * size_)) continue;
        const bool is_alike = view.n.dot(region.n) > 1 - 0.5 * kFacetSlope * kFacetSlope;
        if (is_alike) region.least = std::max(region.least, view.gap);
        region.is_worse |= !is_alike;
      }
    }
  }
  edges_.push_back(view);
}

void MeshConvexCollider::ViewEdges() {
  edges_.clear();
  near_edges_.clear();
  unseen_edges_.clear();
  nearest_ = {};
  for (int t : near_) {
    for (int e : A_->triangles[t].edges) {
      if (A_->edges[e].bend != MeshSurface::Bend::kFlat) near_edges_.push_back(e);
    }
  }
  std::sort(near_edges_.begin(), near_edges_.end());
  near_edges_.erase(std::unique(near_edges_.begin(), near_edges_.end()), near_edges_.end());
  for (int e : near_edges_) {
    const MeshSurface::Edge& edge = A_->edges[e];
    const bool is_sheet = A_->kind == MeshSurface::Kind::kSheet;
    const bool is_concave = !is_sheet && edge.bend == MeshSurface::Bend::kConcave;
    // Seen from B's centre, which may be on either side of a sheet: does the surface rise beyond
    // the edge wherever one looks from?
    bool rises = edge.count == 2, is_front = false;
    for (int k = edge.first; k < edge.first + edge.count; ++k) {
      const RegionView view = MakeRegionView(A_->triangles[A_->edge_triangles[k]].region);
      is_front |= view.is_front;
      rises = rises && view.is_front && A_->CalcEdgeExcess(e, view.n) > kSharp;
    }
    if (is_front && !rises && !is_concave) {
      ViewEdge(e);
    } else {
      unseen_edges_.push_back(e);
    }
  }
}

bool MeshConvexCollider::IsCovered(const Vec3& point, const Vec3& n) const {
  const size_t count = facet_B_.points.size();
  if (count < 3) return false;
  // The facet looks along -n: counter-clockwise seen from there.
  for (size_t k = 0; k < count; ++k) {
    const Vec3 side = (facet_B_.points[(k + 1) % count] - facet_B_.points[k]).normalized();
    if (side.cross(point - facet_B_.points[k]).dot(n) > kParallel * kSamePoint * size_)
      return false;
  }
  return true;
}

void MeshConvexCollider::AddEdgePoints(const EdgeView& view) {
  const MeshSurface::Edge& edge = A_->edges[view.edge];
  facet_A_.points.resize(2);
  facet_A_.keys.resize(2);
  for (int k = 0; k < 2; ++k) {
    facet_A_.points[k] = A_->vertices[edge.vertices[k]].p;
    facet_A_.keys[k] = k;
  }
  MakeFacet(*B_, X_AB_, -view.n, &facet_B_);
  overlap_.Find(facet_A_, facet_B_, 0.5 * (facet_A_.points[0] + facet_A_.points[1]), view.n, size_);
  const Vec3 along = (facet_A_.points[1] - facet_A_.points[0]).normalized();
  bool has_deepest = false;
  for (const FacingPoint& point : overlap_.points()) {
    const Vec3 on_A = point.p - 0.5 * point.gap * point.n;
    if (point.gap > margin_ || (point.gap < 0 && !IsOverlapped(on_A, point.gap))) continue;
    has_deepest |= point.gap <= view.gap + kSameGap * size_;
    int feature = HashFeature(kAcrossEdge, A_->EdgeFeature(view.edge), point.feature);
    bool is_vertex = false, goes_on = false;
    for (int k = 0; k < 2; ++k) {
      if ((on_A - facet_A_.points[k]).norm() > kInside * size_) continue;
      feature = HashFeature(kAtVertex, A_->VertexFeature(edge.vertices[k]), 0);
      is_vertex = true;
      // A straight edge of several pieces is one.
      const Vec3 beyond =
          kSamePoint * size_ * (facet_A_.points[k] - facet_A_.points[1 - k]).normalized();
      goes_on = !A_->vertices[edge.vertices[k]].is_corner && IsCovered(on_A + beyond, view.n);
    }
    if (goes_on || (!is_vertex && RunsAlongSide(on_A, along, view.n))) continue;
    // No gap is less than the least one, but for rounding and rims made of chords.
    Add(point.p, point.n, std::max(point.gap, view.gap), feature, {});
  }
  if (!has_deepest && view.has_point && view.gap <= margin_) {
    Add(view.p, view.n, view.gap, HashFeature(kMeeting, view.key_A, view.key_B), {});
  }
}

}  // namespace voigt
