#pragma once

#include "voigt/collision/manifold.h"
#include "voigt/collision/relative_curvature.h"
#include "voigt/math/pose.h"

// What files for pairs of shapes share. They look at a pair in the frame of one of the two shapes:
// there the numbers are as small as the shapes and their distance, wherever in the world they are.
namespace voigt {

// X_AB. The difference of the positions comes first: far from the origin it is exact, or nearly so.
inline Pose CalcRelativePose(const Pose& X_WA, const Pose& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
}

// Appends a point that is known in the frame G of one of the shapes.
inline void AppendPoint(const Pose& X_WG, const Vec3& p_G, const Vec3& n_G, double phi, int feature,
                        const RelativeCurvature& curvature, Manifold* out) {
  ManifoldPoint& point = out->emplace_back();
  point.p_W = X_WG * p_G;
  point.n_W = (X_WG.R * n_G).normalized();
  point.phi = phi;
  point.feature = feature;
  point.SetCurvature(curvature);
}

// What rounding may do to lengths that are computed from numbers of this size: two points nearer
// than this are one, and gaps that differ by less are equal.
inline double RoundingOf(double size) { return 1e-13 * size; }

}  // namespace voigt
