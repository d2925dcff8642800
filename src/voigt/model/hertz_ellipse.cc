#include "voigt/model/hertz_ellipse.h"

#include <algorithm>
#include <cmath>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// Complete elliptic integrals of modulus e = √(1 − k²), k being the short semi-axis by the long one
// of the ellipse: K, and D = (K − E)/e², B = (E − k²K)/e² = K − D, which keep their digits where
// the ellipse is nearly a circle.
struct EllipticIntegrals {
  double K, D, B;
};

// By the arithmetic-geometric mean of 1 and k: K = π/(2 a) and K − E = K Σ 2^{n−1} c_n², where
// c₀ = e and c_{n+1} = c_n²/(4 a_{n+1}).
EllipticIntegrals CalcIntegrals(double k) {
  double a = 0.5 * (1 + k), b = std::sqrt(k), power = 1;
  double c_2 = 0.25 * (1 - k) * (1 - k);    // c_n²
  double share = 0.25 * (1 - k) / (1 + k);  // c_n²/e²
  double sum = 0.5;
  while (power * share > 1e-17 * sum) {
    sum += power * share;
    const double next = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = next;
    share *= c_2 / (16 * a * a);
    c_2 *= c_2 / (16 * a * a);
    power *= 2;
  }
  const double K = 0.5 * kPi / a, D = K * sum;
  return {K, D, K - D};
}

// κ₁/κ₂ of the surfaces whose contact has this ellipse [Johnson 1985, eq. 4.28].
double CalcRatio(double k) {
  const EllipticIntegrals of = CalcIntegrals(k);
  return k * k * of.D / of.B;
}

// The inverse by secants of ln CalcRatio(exp(x)), which is nearly a straight line of slope 3/2.
double SolveEllipse(double ratio) {
  const auto residual = [&](double x) { return std::log(CalcRatio(std::exp(x)) / ratio); };
  double x_0 = 2.0 / 3.0 * std::log(ratio), f_0 = residual(x_0);
  double x_1 = x_0 - f_0 / 1.5;
  constexpr int kMaxSteps = 50;  // never seen: about six do
  for (int step = 0; step < kMaxSteps; ++step) {
    const double f_1 = residual(x_1);
    if (f_1 == f_0 || f_1 == 0) break;
    const double x_2 = x_1 - f_1 * (x_1 - x_0) / (f_1 - f_0);
    const bool is_done = std::abs(x_2 - x_1) <= 1e-15 * (1 + std::abs(x_2));
    x_0 = x_1;
    f_0 = f_1;
    x_1 = x_2;
    if (is_done) break;
  }
  return std::exp(std::min(x_1, 0.0));
}

}  // namespace

// With the pressure p₀ in the middle and semi-axes b = k a, eqs. 4.25 to 4.27 say
//
//   κ₂/2 = (p₀/E*) B/b,  d = (p₀/E*) b K,  N = (2/3) p₀ π a b.
double CalcHertzFactor(double ratio) {
  if (!(ratio < 1)) return 1;
  const double k = SolveEllipse(ratio);
  const EllipticIntegrals of = CalcIntegrals(k);
  return kPi * std::sqrt(0.5 * of.B * std::sqrt(ratio)) / (k * of.K * std::sqrt(of.K));
}

double CalcRoundRadius(double radius, double ratio) {
  if (!(ratio < 1)) return radius;
  const double factor = CalcHertzFactor(ratio);
  return factor * factor * radius;
}

}  // namespace voigt
