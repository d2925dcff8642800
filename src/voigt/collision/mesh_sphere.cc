#include "voigt/collision/mesh_sphere.h"

#include <algorithm>
#include <cmath>

#include "voigt/collision/mesh_nearest.h"
#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

// How far a direction may leave a normal cone before its feature is not the nearest: more than
// rounding, as a minimum that falls between two features must not be lost. What both claim is
// merged.
constexpr double kConeSlack = 1e-9;
constexpr double kSameMinimum = 1e-8;  // relative to the size of the sphere and the margin

}  // namespace

void MeshSphereCollider::Consider(const MeshSurface& A, int t, const Vec3& q, double reach) {
  const SurfacePoint point = FindNearestOnTriangle(A, t, q);
  if (point.distance > reach) return;
  Candidate candidate{FeatureOf(A, point), point.p, Vec3::Zero(), point.distance, false};
  const bool is_sheet = A.kind == MeshSurface::Kind::kSheet;
  const double rounding = RoundingOf(A.size + q.norm());
  if (point.kind == SurfacePoint::Kind::kRegion) {
    const MeshSurface::Region& region = A.regions[point.index];
    const double height = region.normal.dot(q) - region.offset;
    // Solids are not touched from behind.
    if (!is_sheet && height < -rounding) return;
    candidate.n = height < 0 ? Vec3(-region.normal) : region.normal;
    candidate.is_region = true;
  } else {
    const bool is_edge = point.kind == SurfacePoint::Kind::kEdge;
    // Across a flat edge the neighbour is nearer.
    if (is_edge && A.edges[point.index].bend == MeshSurface::Bend::kFlat) return;
    const Vec3 mean = is_edge ? A.edges[point.index].normal : A.vertices[point.index].normal;
    candidate.n = mean.normalized();
    if (point.distance > rounding) {
      candidate.n = ((q - point.p) / point.distance).normalized();
      const double excess = is_edge ? A.CalcEdgeExcess(point.index, candidate.n)
                                    : A.CalcVertexExcess(point.index, candidate.n);
      if (excess > kConeSlack + 10 * rounding / point.distance) return;
      if (!is_sheet && candidate.n.dot(mean) < 0) return;
    }
  }
  candidates_.push_back(candidate);
}

void MeshSphereCollider::Collide(const MeshSurface& A, const Pose& X_WA, const Sphere& B,
                                 const Pose& X_WB, double margin, Manifold* out) {
  const Pose X = A.Place(X_WA);
  const Vec3 q = X.R.transpose() * (X_WB.p - X.p);
  if (!q.allFinite()) return;
  if (const auto way = FindWayOut(A, q, &near_)) {
    const double phi = -way->point.distance - B.radius;
    const bool is_region = way->point.kind == SurfacePoint::Kind::kRegion;
    AppendPoint(X, q - (B.radius + 0.5 * phi) * way->n, way->n, phi, FeatureOf(A, way->point),
                {is_region ? B.radius : kInfinity}, out);
    return;
  }
  const double reach = B.radius + margin;
  near_.clear();
  A.FindNear({q.array() - reach, q.array() + reach}, &near_);
  std::sort(near_.begin(), near_.end());
  candidates_.clear();
  for (int t : near_) Consider(A, t, q, reach);
  // Regions before edges before vertices; of several in one place the first stays.
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.feature != b.feature ? a.feature < b.feature : a.distance < b.distance;
  });
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& candidate = candidates_[i];
    const auto same = [&](const Candidate& other) {
      return other.feature == candidate.feature ||
             (other.p - candidate.p).norm() <= kSameMinimum * reach;
    };
    if (std::any_of(candidates_.begin(), candidates_.begin() + i, same)) continue;
    const double phi = candidate.distance - B.radius;
    AppendPoint(X, q - (B.radius + 0.5 * phi) * candidate.n, candidate.n, phi, candidate.feature,
                {candidate.is_region ? B.radius : kInfinity}, out);
  }
}

}  // namespace voigt
