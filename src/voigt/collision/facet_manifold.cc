#include "voigt/collision/facet_manifold.h"

#include <algorithm>

namespace voigt {
namespace {

// Relative to the size: points whose gaps exceed the least by less are as deep as the deepest.
constexpr double kSameGap = 1e-11;

}  // namespace

void FacetManifold::Append(const ConvexPair& pair, const Meeting& meeting, double margin,
                           Manifold* out) {
  const Pose I;
  const Vec3 middle = 0.5 * (meeting.a + meeting.b);
  MakeFacet(*pair.A, I, meeting.n, &facet_A_);
  MakeFacet(*pair.B, pair.X_AB, -meeting.n, &facet_B_);
  overlap_.Find(facet_A_, facet_B_, middle, meeting.n, pair.size);

  const size_t first = out->size();
  const auto append = [&](const Vec3& p, const Vec3& n, double phi, int feature,
                          const RelativeCurvature& curvature) {
    const int free_feature = FindFreeFeature(feature, first, *out);
    ManifoldPoint& point = out->emplace_back();
    point.p_W = pair.X_WA * p;
    point.n_W = (pair.X_WA.R * n).normalized();
    point.phi = phi;
    point.feature = free_feature;
    point.SetCurvature(curvature);
  };
  const double same = meeting.phi + kSameGap * pair.size;
  int deepest_count = 0;
  for (const FacingPoint& point : overlap_.points()) deepest_count += point.gap <= same;
  const RelativeCurvature curvature =
      CalcRelativeCurvature(meeting.feature_A, meeting.feature_B, meeting.n);
  for (const FacingPoint& point : overlap_.points()) {
    if (point.gap > margin) continue;
    // No gap is less than the least one, but for rounding; those that equal it share its normal.
    const bool is_deepest = point.gap <= same;
    // Where it is the only one it is where the shapes meet, which is known to more digits.
    const bool is_meeting = is_deepest && deepest_count == 1;
    append(is_meeting ? middle : point.p, is_deepest ? meeting.n : point.n,
           std::max(point.gap, meeting.phi), point.feature,
           is_meeting ? curvature : RelativeCurvature{});
  }
  if (deepest_count == 0) {
    append(middle, meeting.n, meeting.phi,
           HashFeature(0, meeting.feature_A.key, meeting.feature_B.key), curvature);
  }
}

}  // namespace voigt
