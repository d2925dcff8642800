#include "voigt/collision/mesh_convex.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "voigt/collision/mesh_nearest.h"
#include "voigt/collision/pair_frame.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

constexpr double kSharp = 1e-6;      // cosine: how far a normal may leave a cone by rounding
constexpr double kInside = 1e-10;    // of the size: how far beside a triangle is still above it
constexpr double kSameGap = 1e-11;   // of the size
constexpr double kSamePoint = 1e-3;  // of B's size: points nearer than this are one
constexpr double kSameNormal = 0.95;
constexpr double kBeside = 0.02;    // of B's size: how far beside B a point that it overlaps may be
constexpr double kParallel = 1e-3;  // sine of an angle

enum FeatureKind { kOnRegion = 8, kAtVertex = 9, kAcrossEdge = 10, kMeeting = 11 };

// How far x is outside of B, about; B's frame about its centre.
double CalcOutside(const ConvexShape& B, const Vec3& x) {
  if (B.kind == ConvexShape::Kind::kEllipsoid) {
    return (x.cwiseQuotient(B.radii).norm() - 1) * B.radii.minCoeff();
  }
  if (B.kind == ConvexShape::Kind::kCylinder || !B.polytope.faces.empty()) {
    return B.CalcOutsideness(x) - B.rounding;
  }
  const std::vector<Vec3>& v = B.polytope.vertices;
  const Vec3 along = v.back() - v[0];
  const double length2 = along.squaredNorm();
  const double u = length2 > 0 ? std::clamp(along.dot(x - v[0]) / length2, 0.0, 1.0) : 0;
  return (x - v[0] - u * along).norm() - B.rounding;
}

}  // namespace

MeshConvexCollider::MeshConvexCollider() { segment_.polytope = MakeSegment(2); }

double MeshConvexCollider::CalcGap(const Vec3& n, double offset) const {
  int id = 0;
  const Vec3 lowest = X_AB_ * B_->FindSupport(-(X_AB_.R.transpose() * n), &id);
  return n.dot(lowest) - B_->rounding - offset;
}

double MeshConvexCollider::CalcRadiusOnPlane(const Vec3& n) const {
  if (B_->kind == ConvexShape::Kind::kEllipsoid) {
    const Vec3 Dn = B_->radii.cwiseProduct(X_AB_.R.transpose() * n);
    return B_->radii.prod() / Dn.squaredNorm();
  }
  return B_->rounding > 0 ? B_->rounding : kInfinity;
}

bool MeshConvexCollider::IsOverlapped(const Vec3& p_A, double gap) const {
  // Corners of a facet that is not quite parallel are a little beside the point below them.
  const double slack = std::min(1.5 * kFacetSlope * std::abs(gap), kBeside * B_->reach);
  return CalcOutside(*B_, X_AB_.R.transpose() * (p_A - X_AB_.p)) <= slack + kInside * size_;
}

bool MeshConvexCollider::IsBehind(const RegionView& view, const Vec3& point, double gap) {
  if (A_->kind != MeshSurface::Kind::kSheet && FindWayOut(*A_, point, &scratch_)) return true;
  // What leads from there to B's centre is in B; does it pass the region?
  const Vec3 up = center_ - point;
  const Vec3 passage = point - gap / view.n.dot(up) * up;
  for (int i = view.first; i < view.first + view.count; ++i) {
    if (IsAbove(view, near_[i], passage)) return true;
  }
  return A_->kind == MeshSurface::Kind::kSheet && IsOverlapped(point - gap * view.n, gap);
}

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

void MeshConvexCollider::Add(const Vec3& p, const Vec3& n, double phi, int feature, double radius) {
  const Vec3 p_W = X_WA_ * p, n_W = (X_WA_.R * n).normalized();
  for (size_t k = first_; k < out_->size(); ++k) {
    ManifoldPoint& other = (*out_)[k];
    const bool is_near = (other.p_W - p_W).norm() <= kSamePoint * B_->reach;
    if (!is_near || other.n_W.dot(n_W) < kSameNormal) continue;
    // One point, by the name of the first; the deeper one says how deep.
    if (phi < other.phi - kSameGap * size_) {
      other.p_W = p_W;
      other.n_W = n_W;
      other.phi = phi;
      other.radius = radius;
    }
    return;
  }
  const auto taken = [&](const ManifoldPoint& point) { return point.feature == feature; };
  while (std::any_of(out_->begin() + first_, out_->end(), taken)) {
    feature = (feature + 1) % kMaxContactPoints;
  }
  ManifoldPoint& point = out_->emplace_back();
  point.p_W = p_W;
  point.n_W = n_W;
  point.phi = phi;
  point.feature = feature;
  point.radius = radius;
}

void MeshConvexCollider::PushOut(const Vec3& n, const Vec3& surface_point, int feature) {
  MakeFacet(*B_, X_AB_, -n, &facet_B_);
  for (size_t k = 0; k < facet_B_.points.size(); ++k) {
    const double gap = n.dot(facet_B_.points[k] - surface_point);
    if (gap > margin_) continue;
    Add(facet_B_.points[k] - 0.5 * gap * n, n, gap,
        HashFeature(kOnRegion, feature, facet_B_.keys[k]), CalcRadiusOnPlane(n));
  }
}

MeshConvexCollider::RegionView MeshConvexCollider::MakeRegionView(int region) const {
  RegionView view;
  view.region = region;
  const MeshSurface::Region& plane = A_->regions[region];
  const double height = plane.normal.dot(center_) - plane.offset;
  const bool flips = A_->kind == MeshSurface::Kind::kSheet && height < 0;
  view.is_front = flips || height >= 0;
  view.n = flips ? Vec3(-plane.normal) : plane.normal;
  view.gap = CalcGap(view.n, flips ? -plane.offset : plane.offset);
  return view;
}

void MeshConvexCollider::ViewRegions() {
  regions_.clear();
  const auto region_of = [&](int t) { return A_->triangles[t].region; };
  std::sort(near_.begin(), near_.end(), [&](int a, int b) {
    return region_of(a) != region_of(b) ? region_of(a) < region_of(b) : a < b;
  });
  for (size_t k = 0; k < near_.size(); ++k) {
    if (k == 0 || region_of(near_[k]) != region_of(near_[k - 1])) {
      regions_.push_back(MakeRegionView(region_of(near_[k])));
      regions_.back().first = static_cast<int>(k);
    }
    ++regions_.back().count;
  }
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

void MeshConvexCollider::ViewEdgeOtherwise(const ConvexPair& pair, EdgeView* view) {
  const MeshSurface::Edge& edge = A_->edges[view->edge];
  const Vec3 middle = pair.X_WA.p;
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

void MeshConvexCollider::ViewEdge(int e) {
  const MeshSurface::Edge& edge = A_->edges[e];
  const Vec3 from = A_->vertices[edge.vertices[0]].p, to = A_->vertices[edge.vertices[1]].p;
  const double half = 0.5 * (to - from).norm();
  segment_.polytope.vertices = {Vec3(0, 0, -half), Vec3(0, 0, half)};
  segment_.polytope.reach = segment_.reach = half;
  const Pose X{RotationWithZ((to - from) / (2 * half)), 0.5 * (from + to)};
  const ConvexPair pair(segment_, X, *B_, X_AG_);
  Meeting meeting;
  if (collider_.Solve(pair, margin_, &meeting) == ConvexCollider::Status::kApart) return;
  if (!std::isfinite(meeting.phi)) return;
  if (meeting.phi < deepest_) {
    deepest_ = meeting.phi;
    pierced_ = X * (0.5 * (meeting.a + meeting.b));
  }

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
    ViewEdgeOtherwise(pair, &view);
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
  deepest_ = 0;
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
    if (!is_sheet && edge.bend == MeshSurface::Bend::kConcave) continue;
    // Seen from B's centre, which may be on either side of a sheet: does the surface rise beyond
    // the edge wherever one looks from?
    bool rises = edge.count == 2, is_front = false;
    for (int k = edge.first; k < edge.first + edge.count; ++k) {
      const RegionView view = MakeRegionView(A_->triangles[A_->edge_triangles[k]].region);
      is_front |= view.is_front;
      rises = rises && view.is_front && A_->CalcEdgeExcess(e, view.n) > kSharp;
    }
    if (is_front && !rises) ViewEdge(e);
  }
}

void MeshConvexCollider::DismissBehind(const RegionView& view) {
  const MeshSurface::Region& plane = A_->regions[view.region];
  const double offset = view.n.dot(plane.normal) * plane.offset;
  for (RegionView& other : regions_) {
    if (!(other.gap < view.gap - kSameGap * size_)) continue;
    const auto is_behind = [&](int t) {
      const auto& v = A_->triangles[t].vertices;
      return std::all_of(v.begin(), v.end(), [&](int k) {
        return view.n.dot(A_->vertices[k].p) - offset <= kInside * size_;
      });
    };
    const auto begin = near_.begin() + other.first;
    if (std::all_of(begin, begin + other.count, is_behind)) other.is_worse = true;
  }
}

bool MeshConvexCollider::IsAbove(const RegionView& view, int t, const Vec3& point) const {
  const MeshSurface::Triangle& triangle = A_->triangles[t];
  for (int side = 0; side < 3; ++side) {
    double slack = kInside * size_;
    const Vec3& inward = triangle.inward[side];
    const MeshSurface::Edge& edge = A_->edges[triangle.edges[side]];
    if (edge.bend != MeshSurface::Bend::kFlat && edge.count == 2) {
      // Beside a wall, what is in the wall is above the floor, too.
      const int first = A_->edge_triangles[edge.first];
      const int other = first == t ? A_->edge_triangles[edge.first + 1] : first;
      const RegionView wall = MakeRegionView(A_->triangles[other].region);
      const double rise = wall.n.dot(inward);
      const bool is_wall = wall.is_front && wall.gap < 0 && rise > kFacetSlope &&
                           A_->CalcEdgeExcess(triangle.edges[side], view.n) > kFacetSlope;
      if (is_wall) slack -= wall.gap / rise;
    }
    if (!(inward.dot(point - A_->vertices[triangle.vertices[side]].p) >= -slack)) return false;
  }
  return true;
}

void MeshConvexCollider::AddRegionPoints(const RegionView& view) {
  const MeshSurface::Region& plane = A_->regions[view.region];
  const double offset = view.n.dot(plane.normal) * plane.offset;
  MakeFacet(*B_, X_AB_, -view.n, &facet_B_);
  // The point of B that is deepest, where the corners that stand for a rim are not.
  int id = 0;
  facet_B_.points.push_back(X_AB_ * B_->FindSupport(-(X_AB_.R.transpose() * view.n), &id) -
                            B_->rounding * view.n);
  facet_B_.keys.push_back(-1);
  is_done_.assign(facet_B_.points.size(), 0);
  double least = kInfinity;
  for (size_t k = 0; k + 1 < is_done_.size(); ++k) {
    least = std::min(least, view.n.dot(facet_B_.points[k]) - offset);
  }
  is_done_.back() = least <= view.gap + kSameGap * size_;
  for (int i = view.first; i < view.first + view.count; ++i) {
    for (size_t k = 0; k < facet_B_.points.size(); ++k) {
      const Vec3& point = facet_B_.points[k];
      const double gap = view.n.dot(point) - offset;
      if (is_done_[k] || !(gap <= margin_) || !IsAbove(view, near_[i], point)) continue;
      if (gap < 0 && !IsBehind(view, point, gap)) continue;
      is_done_[k] = 1;
      Add(point - 0.5 * gap * view.n, view.n, std::max(gap, view.least),
          HashFeature(kOnRegion, A_->RegionFeature(view.region), facet_B_.keys[k]),
          CalcRadiusOnPlane(view.n));
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
    Add(point.p, point.n, std::max(point.gap, view.gap), feature, kInfinity);
  }
  if (!has_deepest && view.has_point && view.gap <= margin_) {
    Add(view.p, view.n, view.gap, HashFeature(kMeeting, view.key_A, view.key_B), kInfinity);
  }
}

bool MeshConvexCollider::FindPiercing() {
  for (const RegionView& view : regions_) {
    if (!(view.gap < 0)) continue;
    const MeshSurface::Region& plane = A_->regions[view.region];
    for (const Polytope::Edge& edge : B_->polytope.edges) {
      const Vec3 from = X_AB_ * B_->polytope.vertices[edge.vertices[0]];
      const Vec3 to = X_AB_ * B_->polytope.vertices[edge.vertices[1]];
      const double low = plane.normal.dot(from) - plane.offset;
      const double high = plane.normal.dot(to) - plane.offset;
      if ((low > 0) == (high > 0)) continue;
      pierced_ = from + low / (low - high) * (to - from);
      for (int i = view.first; i < view.first + view.count; ++i) {
        if (IsAbove(view, near_[i], pierced_)) return true;
      }
    }
  }
  return false;
}

void MeshConvexCollider::AddShallowest() {
  double gap = -kInfinity;
  Vec3 n = Vec3::UnitZ();
  int key = 0;
  for (const RegionView& view : regions_) {
    if (!view.is_front || view.gap >= 0 || view.gap <= gap) continue;
    gap = view.gap, n = view.n, key = view.region;
  }
  for (const EdgeView& view : edges_) {
    if (view.gap >= 0 || view.gap <= gap) continue;
    gap = view.gap, n = view.n, key = A_->EdgeFeature(view.edge);
  }
  if (std::isfinite(gap)) {
    Add(pierced_, n, gap, HashFeature(kMeeting, key, -1), kInfinity);
  }
}

void MeshConvexCollider::Collide(const MeshSurface& A, const Pose& X_WA, const ConvexShape& B,
                                 const Pose& X_WB, double margin, Manifold* out) {
  A_ = &A;
  B_ = &B;
  X_WA_ = A.Place(X_WA);
  X_AG_ = CalcRelativePose(X_WA_, X_WB);
  X_AB_ = B.Place(X_AG_);
  center_ =
      X_AB_ * (B.kind == ConvexShape::Kind::kPolytope ? B.polytope.center : Vec3(Vec3::Zero()));
  margin_ = margin;
  size_ = B.reach + std::min(A.size, B.reach + margin) + margin;
  out_ = out;
  first_ = out->size();
  if (!center_.allFinite()) return;
  if (const auto way = FindWayOut(A, center_, &near_)) {
    const bool is_region = way->point.kind == SurfacePoint::Kind::kRegion;
    return PushOut(way->n, way->point.p, is_region ? way->point.index : A.VertexFeature(0));
  }
  AxisBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = CalcGap(Vec3::Unit(axis), 0) - margin;
    box.upper[axis] = -CalcGap(-Vec3::Unit(axis), 0) + margin;
  }
  near_.clear();
  A.FindNear(box, &near_);
  if (near_.empty()) return;
  ViewRegions();
  ViewEdges();
  // The shallowest first: what is behind it is not where B gets out.
  order_.resize(regions_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return regions_[a].gap > regions_[b].gap; });
  for (int r : order_) {
    const RegionView& view = regions_[r];
    if (!view.is_front || view.is_worse || view.gap > margin) continue;
    const size_t before = out->size();
    AddRegionPoints(view);
    if (out->size() > before) DismissBehind(view);
  }
  for (const EdgeView& view : edges_) {
    const bool is_worse = view.region >= 0 && regions_[view.region].is_worse;
    if (!is_worse && view.gap <= margin) AddEdgePoints(view);
  }
  if (out->size() == first_ && (deepest_ < 0 || FindPiercing())) AddShallowest();
}

}  // namespace voigt
