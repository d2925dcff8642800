#include "voigt/collision/solid_distance.h"

#include "voigt/collision/mesh_nearest.h"
#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

NearestPoint FindNearestOnSphere(double radius, const Vec3& q) {
  const double distance = q.stableNorm();
  return {.n = distance > 0 ? Vec3((q / distance).normalized()) : Vec3::UnitX(),
          .distance = distance - radius};
}

struct DistanceVisitor {
  using Result = std::optional<NearestPoint>;

  const CollisionShape& solid;
  const Vec3& q;
  double reach;
  std::vector<int>* near;

  Result operator()(const Sphere& s) const { return FindNearestOnSphere(s.radius, q); }
  Result operator()(const Box& s) const { return FindNearestOnBox(0.5 * s.size, q); }
  Result operator()(const Capsule& s) const { return FindNearestOnCapsule(s, q); }
  Result operator()(const Cylinder& s) const { return FindNearestOnCylinder(s, q); }
  Result operator()(const Ellipsoid& s) const {
    // Not worth a root, where even the ball around the ellipsoid is too far.
    if (q.norm() - s.radii.maxCoeff() > reach) return std::nullopt;
    return FindNearestOnEllipsoid(s, q);
  }
  Result operator()(const HalfSpace&) const { return NearestPoint{.distance = q[2]}; }
  Result operator()(const ConvexHull&) const { return OnSurface(solid.skin); }
  Result operator()(const TriangleMesh&) const { return OnSurface(solid.surface); }
  Result operator()(const HeightField&) const { return OnSurface(solid.surface); }
  Result operator()(const ContactPoints&) const { return std::nullopt; }
  Result operator()(const Foundation&) const { return std::nullopt; }

  Result OnSurface(const std::optional<MeshSurface>& surface) const {
    if (!surface) return std::nullopt;
    return FindSignedDistance(*surface, q - surface->center, reach, near);
  }
};

// Whether a ball reaches over the border of a height field. There the ground ends at once, and the
// distance is not continuous.
bool CrossesBorder(const MeshSurface& surface, const Vec3& center, double radius) {
  if (surface.kind != MeshSurface::Kind::kGround) return false;
  const MeshSurface::Grid& grid = surface.grid;
  const Vec2 lower = grid.origin;
  const Vec2 upper = lower + grid.spacing.cwiseProduct(Vec2(grid.nx - 1, grid.ny - 1));
  const Vec2 q = (center - surface.center).head<2>();
  const bool is_over = ((q - lower).array() > radius).all() && ((upper - q).array() > radius).all();
  const bool is_beside =
      ((q - upper).array() > radius).any() || ((lower - q).array() > radius).any();
  return !is_over && !is_beside;
}

}  // namespace

std::optional<NearestPoint> FindSignedDistance(const CollisionShape& solid, const Vec3& q,
                                               double reach, std::vector<int>* near) {
  return std::visit(DistanceVisitor{solid, q, reach, near}, solid.shape);
}

bool IsBallFar(const CollisionShape& solid, const Vec3& center, double radius, double reach,
               std::vector<int>* near) {
  const double far = radius + reach + 10 * RoundingOf(radius + center.norm());
  if (solid.surface && CrossesBorder(*solid.surface, center, radius)) return false;
  const auto nearest = FindSignedDistance(solid, center, far, near);
  return !nearest || nearest->distance > far;
}

}  // namespace voigt
