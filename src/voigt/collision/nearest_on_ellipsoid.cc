// The point x of an ellipsoid nearest to q satisfies q - x = τ D⁻² x, D = diag(radii e). With e₀
// the shortest radius, r_i = (e_i/e₀)², z_i = |q_i|/e_i and s = 1 + τ/e₀² this says for w_i =
// x_i/e_i
//
//   w_i = r_i z_i/(s + r_i - 1),  |w| = 1.
//
// The nearest point, not merely a stationary one, belongs to the largest root, which is the only
// one with s ≥ 0, wherever q is. The variable s and the differences r_i - 1 keep all their digits
// where q is near the plane that points of both sides are equally far from (s → 0).
//
// 1/|w| is concave for s ≥ 0 and nearly a straight line: Newton's method from the left converges to
// |w| = 1 from that side and within a few steps, as in [Moré & Sorensen 1983].

#include <algorithm>
#include <cmath>

#include "voigt/collision/nearest_point.h"

namespace voigt {
namespace {

struct Secular {
  Vec3 rz = Vec3::Zero();        // r_i z_i
  Vec3 r_less_1 = Vec3::Zero();  // r_i - 1, zero for the shortest radius

  Vec3 CalcW(double s) const {
    Vec3 w;
    for (int i = 0; i < 3; ++i) w[i] = rz[i] == 0 ? 0 : rz[i] / (s + r_less_1[i]);
    return w;
  }
};

// Root s of |w(s)| = 1, or 0 where |w| < 1 all the way down to s = 0.
double SolveSecular(const Secular& f) {
  // No w_i exceeds one at the root.
  double s = std::max(0.0, (f.rz - f.r_less_1).maxCoeff());
  constexpr int kMaxSteps = 100;  // never seen: about ten do
  for (int step = 0; step < kMaxSteps; ++step) {
    const Vec3 w = f.CalcW(s);
    const double norm = w.norm();
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += w[i] == 0 ? 0 : w[i] * w[i] / (s + f.r_less_1[i]);
    if (norm <= 1 || sum == 0) break;
    const double next = s + (norm - 1) * norm * norm / sum;
    if (next <= s) break;
    s = next;
  }
  return s;
}

// The trace of the shape operator is h (tr D⁻² - nᵀD⁻²n), its determinant h⁴/(e₁e₂e₃)², where
// h = |D n| is the distance of the tangent plane from the centre.
void CalcCurvatures(const Vec3& e, NearestPoint* out) {
  const Vec3 D_2 = e.cwiseProduct(e).cwiseInverse();
  const double h = e.cwiseProduct(out->n).norm();
  const double half_trace = 0.5 * h * (D_2.sum() - D_2.dot(out->n.cwiseProduct(out->n)));
  const double root = h * h / e.prod();
  const double difference = std::sqrt(std::max(0.0, (half_trace - root) * (half_trace + root)));
  out->curvature_1 = half_trace + difference;
  out->curvature_2 = root * root / out->curvature_1;
}

}  // namespace

NearestPoint FindNearestOnEllipsoid(const Ellipsoid& ellipsoid, const Vec3& q) {
  const Vec3& e = ellipsoid.radii;
  int shortest = 0;
  const double e_0 = e.minCoeff(&shortest);
  Secular f;
  for (int i = 0; i < 3; ++i) {
    f.rz[i] = std::abs(q[i]) / e_0 * (e[i] / e_0);
    f.r_less_1[i] = (e[i] - e_0) / e_0 * ((e[i] + e_0) / e_0);
  }
  Vec3 w = f.CalcW(SolveSecular(f));
  // Near enough to the centre the nearest points are on both sides of the plane that q is in.
  const double rest = 1 - w.squaredNorm();
  if (w[shortest] == 0 && rest > 0) w[shortest] = std::sqrt(rest);
  w.normalize();
  for (int i = 0; i < 3; ++i) w[i] = std::copysign(w[i], q[i]);

  NearestPoint out;
  out.n = w.cwiseQuotient(e / e_0).normalized();
  out.distance = out.n.dot(q - e.cwiseProduct(w));
  CalcCurvatures(e, &out);
  return out;
}

}  // namespace voigt
