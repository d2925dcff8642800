#pragma once

namespace voigt {

// Hertz's law where two elastic bodies touch with relative principal curvatures κ₁ ≤ κ₂, so that
// their gap is (κ₁x² + κ₂y²)/2 and the area of contact an ellipse [Johnson 1985, §4.2c]:
//
//   N = f (4/3) E* √R d^{3/2},  R = 1/√(κ₁κ₂),
//
// with a factor f ≥ 1 of κ₁/κ₂ alone, 1 for spheres. It grows slowly: 1.04 for κ₁/κ₂ = 1/4, 1.11
// for 1/10, 1.44 for 1/100. `ratio` is κ₁/κ₂, positive and at most 1.
double CalcHertzFactor(double ratio);

// The radius that a sphere on a plane has the same law with, f² R.
double CalcRoundRadius(double radius, double ratio);

}  // namespace voigt
