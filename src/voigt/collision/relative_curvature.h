#pragma once

#include <algorithm>
#include <cmath>

#include "voigt/math/types.h"

namespace voigt {

// How two surfaces that touch bend away from each other: their gap is (κ₁x² + κ₂y²)/2 along two
// axes at right angles, κ₁ ≤ κ₂ being the principal relative curvatures [Johnson 1985, §4.2].
struct RelativeCurvature {
  double radius = kInfinity;  // 1/√(κ₁κ₂), m; infinite where one is zero or a surface is sharp
  double ratio = 1;           // κ₁/κ₂; 1 where there is no radius
};

// From the sum and the product of positive curvatures.
inline RelativeCurvature MakeRelativeCurvature(double sum, double product) {
  const double root = std::sqrt(product), mean = 0.5 * sum;
  const double larger = mean + std::sqrt(std::max(0.0, (mean - root) * (mean + root)));
  return {1 / root, std::min(1.0, product / (larger * larger))};
}

// Of an ellipsoid on a plane with normal n, in axes of the ellipsoid. With D = diag(radii) and h =
// |D n|, the trace of the shape operator is h (tr D⁻² − nᵀD⁻²n), its determinant h⁴/(det D)².
inline RelativeCurvature CalcEllipsoidOnPlane(const Vec3& radii, const Vec3& n) {
  const double h = radii.cwiseProduct(n).norm(), root = h * h / radii.prod();
  const Vec3 D_2 = radii.cwiseAbs2().cwiseInverse();
  const double sum = h * (D_2.sum() - D_2.dot(n.cwiseAbs2()));
  RelativeCurvature out = MakeRelativeCurvature(sum, root * root);
  out.radius = radii.prod() / (h * h);
  return out;
}

}  // namespace voigt
