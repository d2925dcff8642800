#pragma once

#include "voigt/collision/surface_feature.h"

namespace voigt {

// Where two surfaces are nearest, or overlap least: points a and b with b - a = φ n, both surfaces
// with n as their normal there. In the frame of A.
struct Meeting {
  Vec3 n = Vec3::UnitZ();  // unit, from A to B
  double phi = 0;          // m, negative where the shapes overlap
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  SurfaceFeature feature_A, feature_B;
};

// Solves for the meeting of two features by Newton's method from the guesses: unknown are n, the
// gap δ of the cores and the parameters s, t of the points on their features,
//
//   x_B(t, n) - x_A(s, n) = δ n,   n·n = 1,   n·∂x_A/∂s = 0,   n·∂x_B/∂t = 0,
//
// a system that stays regular as the gap passes through zero. Where flat features meet in more than
// one point it is singular but consistent, and any of its solutions will do. False where Newton's
// method does not converge.
bool SolveMeeting(const SurfaceFeature& A, const FeatureGuess& guess_A, const SurfaceFeature& B,
                  const FeatureGuess& guess_B, double size, Meeting* out);

}  // namespace voigt
