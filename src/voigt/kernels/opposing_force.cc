#include "voigt/kernels/opposing_force.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace voigt {

// The least of ½ xᵀ B x + cᵀ x within the limit, and the only one: x = −(B + s)⁻¹ c, where 1/‖x‖
// rises with s and is hardly bent, so that Newton's method comes to its root from below [Moré &
// Sorensen 1983].
Vec3 FindOpposing(const Mat3& B, const Vec3& c, double limit, bool* stops) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(B);
  const Vec3 b = eigen.eigenvalues().cwiseMax(0);
  const Vec3 part = eigen.eigenvectors().transpose() * c;
  // ‖x‖ is no less than the limit from here on.
  double s = 0;
  for (int i = 0; i < 3; ++i) s = std::max(s, std::fabs(part[i]) / limit - b[i]);
  Vec3 x = Vec3::Zero();
  *stops = false;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double slope = 0;
    for (int i = 0; i < 3; ++i) {
      x[i] = part[i] == 0 ? 0 : -part[i] / (b[i] + s);
      if (part[i] != 0) slope += x[i] * x[i] / (b[i] + s);
    }
    const double size = x.norm(), excess = size - limit;
    *stops = s == 0 && excess <= 0;
    if (!(excess > 4e-16 * limit)) break;
    s += excess / limit * size * size / slope;
  }
  return eigen.eigenvectors() * x;
}

}  // namespace voigt
