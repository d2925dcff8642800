#include "voigt/collision/mesh_convex.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "voigt/collision/mesh_nearest.h"
#include "voigt/collision/pair_frame.h"

namespace voigt {

double MeshConvexCollider::CalcOutside(const ConvexShape& B, const Vec3& x) {
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

MeshConvexCollider::MeshConvexCollider() { segment_.polytope = MakeSegment(2); }

double MeshConvexCollider::CalcGap(const Vec3& n, double offset) const {
  int id = 0;
  const Vec3 lowest = X_AB_ * B_->FindSupport(-(X_AB_.R.transpose() * n), &id);
  return n.dot(lowest) - B_->rounding - offset;
}

RelativeCurvature MeshConvexCollider::CalcCurvatureOnPlane(const Vec3& n) const {
  if (B_->kind == ConvexShape::Kind::kEllipsoid) {
    return CalcEllipsoidOnPlane(B_->radii, X_AB_.R.transpose() * n);
  }
  return {B_->rounding > 0 ? B_->rounding : kInfinity};
}

bool MeshConvexCollider::IsOverlapped(const Vec3& p_A, double gap) const {
  // Corners of a facet that is not quite parallel are a little beside the point below them.
  const double slack = std::min(1.5 * kFacetSlope * std::abs(gap), kBeside * B_->reach);
  return CalcOutside(*B_, X_AB_.R.transpose() * (p_A - X_AB_.p)) <= slack + kInside * size_;
}

bool MeshConvexCollider::IsBehind(const RegionView& view, int t, const Vec3& point, double gap) {
  if (A_->kind != MeshSurface::Kind::kSheet) {
    // Not of a region whose plane, but not itself, is above the point. Of corners above one
    // another, the way out to the side is short, but not from a little further inwards.
    const auto is_deep = [&](const Vec3& p) {
      const auto way = FindWayOut(*A_, p, &scratch_);
      return way && -gap <= kFarther * way->point.distance + kInside * size_;
    };
    const Vec3 inwards = center_ - point - view.n.dot(center_ - point) * view.n;
    if (is_deep(point)) return true;
    if (IsOver(t, point) && is_deep(point - gap * inwards.stableNormalized())) return true;
    if (A_->kind == MeshSurface::Kind::kGround) return false;
  }
  // What leads from there to B's centre is in B; does it pass the region?
  const Vec3 up = center_ - point;
  const Vec3 passage = point - gap / view.n.dot(up) * up;
  for (int i = view.first; i < view.first + view.count; ++i) {
    if (IsOver(near_[i], passage)) return true;
  }
  return A_->kind == MeshSurface::Kind::kSheet && IsOverlapped(point - gap * view.n, gap);
}

void MeshConvexCollider::Add(const Vec3& p, const Vec3& n, double phi, int feature,
                             const RelativeCurvature& curvature) {
  const ContactPoint point{X_WA_ * p, (X_WA_.R * n).normalized(), phi};
  MergePoint({point, feature, curvature.radius, kNaN, curvature.ratio}, kSamePoint * B_->reach,
             kSameGap * size_, first_, out_);
}

void MeshConvexCollider::PushOut(const Vec3& n, const Vec3& surface_point, int feature) {
  MakeFacet(*B_, X_AB_, -n, &facet_B_);
  for (size_t k = 0; k < facet_B_.points.size(); ++k) {
    const double gap = n.dot(facet_B_.points[k] - surface_point);
    if (gap > margin_) continue;
    Add(facet_B_.points[k] - 0.5 * gap * n, n, gap,
        HashFeature(kOnRegion, feature, facet_B_.keys[k]), CalcCurvatureOnPlane(n));
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

double MeshConvexCollider::CalcWallSlack(const RegionView& view, int t, int side) const {
  const MeshSurface::Triangle& triangle = A_->triangles[t];
  const MeshSurface::Edge& edge = A_->edges[triangle.edges[side]];
  if (edge.bend == MeshSurface::Bend::kFlat || edge.count != 2) return 0;
  const int first = A_->edge_triangles[edge.first];
  const int other = first == t ? A_->edge_triangles[edge.first + 1] : first;
  const RegionView wall = MakeRegionView(A_->triangles[other].region);
  const double rise = wall.n.dot(triangle.inward[side]);
  const bool is_wall = wall.is_front && wall.gap < 0 && rise > kFacetSlope &&
                       A_->CalcEdgeExcess(triangle.edges[side], view.n) > kFacetSlope;
  return is_wall ? -wall.gap / rise : 0;
}

template <typename Slack>
bool MeshConvexCollider::IsOver(int t, const Vec3& point, Slack slack) const {
  const MeshSurface::Triangle& triangle = A_->triangles[t];
  for (int side = 0; side < 3; ++side) {
    const Vec3 from = A_->vertices[triangle.vertices[side]].p;
    const double least = -slack(side) - kInside * size_;
    if (!(triangle.inward[side].dot(point - from) >= least)) return false;
  }
  return true;
}

bool MeshConvexCollider::IsOver(int t, const Vec3& point) const {
  return IsOver(t, point, [](int) { return 0.0; });
}

bool MeshConvexCollider::IsAbove(const RegionView& view, int t, const Vec3& point) const {
  return IsOver(t, point, [&](int side) { return CalcWallSlack(view, t, side); });
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
      if (gap < 0 && !IsBehind(view, near_[i], point, gap)) continue;
      is_done_[k] = 1;
      Add(point - 0.5 * gap * view.n, view.n, std::max(gap, view.least),
          HashFeature(kOnRegion, A_->RegionFeature(view.region), facet_B_.keys[k]),
          CalcCurvatureOnPlane(view.n));
    }
  }
}

void MeshConvexCollider::MeetRegion(const RegionView& view) {
  const MeshSurface::Region& plane = A_->regions[view.region];
  const auto is_over = [&](const Vec3& point) {
    const auto begin = near_.begin() + view.first;
    return std::any_of(begin, begin + view.count, [&](int t) { return IsOver(t, point); });
  };
  int id = 0;
  const Vec3 normal_B = X_AB_.R.transpose() * plane.normal;
  const Vec3 lowest = X_AB_ * B_->FindSupport(-normal_B, &id) - B_->rounding * plane.normal;
  const Vec3 highest = X_AB_ * B_->FindSupport(normal_B, &id) + B_->rounding * plane.normal;
  const double low = plane.normal.dot(lowest) - plane.offset;
  const double high = plane.normal.dot(highest) - plane.offset;
  if (low <= 0 && high >= 0) {
    // B cuts the plane, in the region or beside it, or across its edges, which tell that
    // themselves.
    const double share = low < high ? low / (low - high) : 0;
    const Vec3 inside = lowest + share * (highest - lowest);
    if (!is_over(inside)) return;
    nearest_.touches = true;
    nearest_.p = inside;
    return;
  }
  const double gap = std::max(low, -high);
  const Vec3& nearest = low > 0 ? lowest : highest;
  if (!(gap < nearest_.phi) || !is_over(nearest)) return;
  const Vec3 n = low > 0 ? plane.normal : Vec3(-plane.normal);
  nearest_ = {gap, n, nearest - 0.5 * gap * n, A_->RegionFeature(view.region), -1};
}

void MeshConvexCollider::Complete() {
  for (size_t r = 0; !nearest_.touches && r < regions_.size(); ++r) MeetRegion(regions_[r]);
  for (size_t k = 0; !nearest_.touches && k < unseen_edges_.size(); ++k) {
    Pose X;
    Meeting meeting;
    MeetEdge(unseen_edges_[k], std::min(margin_, nearest_.phi), &X, &meeting);
  }
  const double tolerance = kCertain * size_;
  if (!nearest_.touches) {
    const auto is_too_near = [&](const ManifoldPoint& point) {
      return point.phi < nearest_.phi - tolerance;
    };
    out_->erase(std::remove_if(out_->begin() + first_, out_->end(), is_too_near), out_->end());
  }
  const double least = nearest_.touches ? 0 : nearest_.phi;
  const bool is_found = std::any_of(out_->begin() + first_, out_->end(), [&](const auto& point) {
    return point.phi <= least + tolerance;
  });
  if (is_found) return;
  if (nearest_.touches) {
    AddShallowest();
  } else if (least <= margin_) {
    Add(nearest_.p, nearest_.n, nearest_.phi, HashFeature(kMeeting, nearest_.key_A, nearest_.key_B),
        {});
  }
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
    // Of an edge of A that is in B, no deeper than that edge is.
    if (nearest_.phi < 0) gap = std::max(gap, nearest_.phi);
    Add(nearest_.p, n, gap, HashFeature(kMeeting, key, -1), {});
  } else if (A_->kind != MeshSurface::Kind::kGround) {
    // All of A nearby looks away from B's centre.
    n = (center_ - nearest_.p).stableNormalized();
    gap = CalcGap(n, n.dot(nearest_.p));
    if (gap < 0) Add(nearest_.p, n, gap, HashFeature(kMeeting, nearest_.key_A, -1), {});
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
    return PushOut(way->n, way->point.p, FeatureOf(A, way->point));
  }
  if (IsInside()) return PushOutOfB();
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
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return regions_[a].gap != regions_[b].gap ? regions_[a].gap > regions_[b].gap : a < b;
  });
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
  Complete();
}

}  // namespace voigt
