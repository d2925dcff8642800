#include "voigt/problem/force_law.h"

#include <cmath>

#include "voigt/base/check.h"
#include "voigt/math/extremes.h"

namespace voigt {
namespace {

// λ = K d^{3/2}, d = −φ − h φ̇; the potential of γ = hλ is (2/5) K d^{5/2}.
ForceLawValue CalcHertz(double K, double phi_dot, double phi, double h) {
  const double d = -phi - h * phi_dot;
  if (!(d > 0)) return {};
  const double root = std::sqrt(d);
  return {h * K * d * root, 1.5 * h * h * K * root, 0.4 * K * d * d * root};
}

// ∫ x^{3/2} (s + k (x − d)) dx from where the second factor is zero, d − s/k, to d, where that is
// the smaller part of d: primitives would cancel. By the rule of Gauss and Legendre with six
// points, which leaves 1e-13 where the interval is half of d, and rounding where it is a tenth.
double IntegrateBeyond(double d, double s, double k) {
  constexpr double kAt[3] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
  constexpr double kWeight[3] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
  const double half = 0.5 * s / k, middle = d - half;
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (const double y : {-kAt[i] * half, kAt[i] * half}) {
      const double x = middle + y;
      sum += kWeight[i] * x * std::sqrt(x) * (half + y);
    }
  }
  return sum * half * k;
}

// λ = K d^{3/2} s with s = 1 − a' φ̇, a' = 3a/2. Both factors fall as φ̇ grows, so γ does too while
// both are positive. s is linear in d (φ̇ = −(φ + d)/h): s = s₀ + (a'/h) d, s₀ = 1 + a' φ/h, and the
// potential is ∫ K x^{3/2} (s₀ + (a'/h) x) dx from where contact ends to d.
ForceLawValue CalcHuntCrossley(double K, double a, double phi_dot, double phi, double h) {
  const double a1 = 1.5 * a;
  const double d = -phi - h * phi_dot, s = 1 - a1 * phi_dot;
  if (!(d > 0) || !(s > 0)) return {};
  const double root = std::sqrt(d), d32 = d * root;
  const double s0 = 1 + a1 * phi / h;
  const auto primitive = [&](double x) {
    return K * x * x * std::sqrt(x) * (0.4 * s0 + (2.0 / 7.0) * a1 / h * x);
  };
  // Contact ends where d = 0 or, if that comes first as the gap opens, where s = 0.
  const double end = Larger(0, a1 > 0 ? -s0 * h / a1 : 0);
  const double potential =
      end > 0.5 * d ? K * IntegrateBeyond(d, s, a1 / h) : primitive(d) - primitive(end);
  return {h * K * d32 * s, h * K * (1.5 * h * root * s + a1 * d32), potential};
}

}  // namespace

ForceLawValue CalcForceLaw(const ForceLaw& law, double phi_dot, double phi, double h) {
  switch (law.kind) {
    case ForceLaw::Kind::kLinear:
      break;
    case ForceLaw::Kind::kHertz:
      return CalcHertz(law.stiffness, phi_dot, phi, h);
    case ForceLaw::Kind::kHuntCrossley:
      return CalcHuntCrossley(law.stiffness, law.dissipation, phi_dot, phi, h);
    case ForceLaw::Kind::kUser:
      return law.user->Calc(phi_dot, phi, h);
  }
  VOIGT_CHECK(!"a linear law has its numbers in the row");
  return {};
}

ForceLawTangent CalcForceLawTangent(const ForceLaw& law, double phi_dot, double phi, double h) {
  const ForceLawValue value = CalcForceLaw(law, phi_dot, phi, h);
  if (!(value.slope > 0)) return {};
  return {1 / value.slope, phi_dot + value.gamma / value.slope};
}

}  // namespace voigt
