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

// λ = K d^{3/2} s with s = 1 − a' φ̇, a' = 3a/2. Both factors fall as φ̇ grows, so γ does too while
// both are positive. With D = d at φ̇ and s linear in d (φ̇ = −(φ + d)/h), s = s₀ + (a'/h) d,
// s₀ = 1 + a' φ/h, the potential is ∫ K d^{3/2} (s₀ + (a'/h) d) dd between the end of contact and
// D.
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
  return {h * K * d32 * s, h * K * (1.5 * h * root * s + a1 * d32), primitive(d) - primitive(end)};
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
