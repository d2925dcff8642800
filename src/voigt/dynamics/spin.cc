#include "voigt/dynamics/spin.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

constexpr double kSubstepAngle = 0.5;  // rad
constexpr int kMaxSubsteps = 64;
constexpr int kMaxNewtonSteps = 12;

// (I₂ − I₃) / I₁ and its cyclic neighbours; zero for a point mass.
Vec3 CouplingOf(const Vec3& I) {
  const auto quotient = [](double a, double b) { return b > 0 ? a / b : 0; };
  return {quotient(I[1] - I[2], I[0]), quotient(I[2] - I[0], I[1]), quotient(I[0] - I[1], I[2])};
}

// One midpoint step: m = ω + a (m₂m₃, m₃m₁, m₁m₂) with a = h k / 2, then ω⁺ = 2m − ω. Newton's
// method; physical bodies have |k| ≤ 1, so the solution is unique and near ω while h‖ω‖ < 1.
bool MidpointStep(const Vec3& a, Vec3* omega) {
  const Vec3 w = *omega;
  const double tolerance = 1e-15 * w.norm();
  Vec3 m = w;
  for (int i = 0; i < kMaxNewtonSteps; ++i) {
    const Vec3 f(m[0] - w[0] - a[0] * m[1] * m[2], m[1] - w[1] - a[1] * m[2] * m[0],
                 m[2] - w[2] - a[2] * m[0] * m[1]);
    // J = [1, -a₁m₃, -a₁m₂; -a₂m₃, 1, -a₂m₁; -a₃m₂, -a₃m₁, 1], solved by cofactors.
    const double j01 = -a[0] * m[2], j02 = -a[0] * m[1], j10 = -a[1] * m[2], j12 = -a[1] * m[0],
                 j20 = -a[2] * m[1], j21 = -a[2] * m[0];
    const double c00 = 1 - j12 * j21, c01 = j02 * j21 - j01, c02 = j01 * j12 - j02;
    const double c10 = j12 * j20 - j10, c11 = 1 - j02 * j20, c12 = j02 * j10 - j12;
    const double c20 = j10 * j21 - j20, c21 = j01 * j20 - j21, c22 = 1 - j01 * j10;
    const double determinant = c00 + j01 * c10 + j02 * c20;
    const Vec3 step =
        Vec3(c00 * f[0] + c01 * f[1] + c02 * f[2], c10 * f[0] + c11 * f[1] + c12 * f[2],
             c20 * f[0] + c21 * f[1] + c22 * f[2]) /
        determinant;
    m -= step;
    if (step.cwiseAbs().maxCoeff() <= tolerance) {
      *omega = 2 * m - w;
      return true;
    }
  }
  return false;
}

}  // namespace

Vec3 AdvanceSpin(const Vec3& moments, const Vec3& omega, double h, bool* gave_up) {
  *gave_up = false;
  const double angle = std::abs(h) * omega.norm();
  if (!(angle > 0)) return omega;  // also if it is not a number
  const Vec3 k = CouplingOf(moments);
  if (k.isZero(0)) return omega;
  const int substeps =
      static_cast<int>(std::clamp(std::ceil(angle / kSubstepAngle), 1.0, double{kMaxSubsteps}));
  Vec3 out = omega;
  for (int i = 0; i < substeps; ++i) {
    if (MidpointStep(0.5 * h / substeps * k, &out)) continue;
    *gave_up = true;
    return omega;
  }
  return out;
}

}  // namespace voigt
