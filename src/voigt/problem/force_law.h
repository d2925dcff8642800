#pragma once

#include <memory>
#include <string_view>

#include "voigt/math/types.h"

namespace voigt {

// What a nonlinear law says at a rate of the gap.
struct ForceLawValue {
  double gamma = 0;      // impulse over the step, N s
  double slope = 0;      // −dγ/dφ̇₁ ≥ 0, kg
  double potential = 0;  // ℓ(φ̇₁) with ℓ' = −γ: convex, J
};

// A law that is not a linear spring and damper, written by a user.
class UserForceLaw {
 public:
  virtual ~UserForceLaw() = default;
  // γ must not increase with the rate φ̇₁.
  virtual ForceLawValue Calc(double phi_dot, double phi, double h) const = 0;
};

// The force of a scalar row as a function of its depth d = −φ₁ = −(φ₀ + h φ̇₁) and of its rate:
//   linear         the row's own c and τ                                     (no potential here)
//   hertz          λ = K d^{3/2}                                             K in N/m^{3/2}
//   hunt_crossley  λ = K d^{3/2} (1 − (3/2) a φ̇₁) where positive             a in s/m
// for d > 0, and zero otherwise. The impulse γ = hλ does not increase with φ̇₁, so its potential is
// convex. [Hunt & Crossley 1975]
struct ForceLaw {
  enum class Kind { kLinear, kHertz, kHuntCrossley, kUser };

  Kind kind = Kind::kLinear;
  double stiffness = 0;    // K
  double dissipation = 0;  // a
  std::shared_ptr<const UserForceLaw> user;

  bool is_linear() const { return kind == Kind::kLinear; }
};

// For laws that are not linear.
ForceLawValue CalcForceLaw(const ForceLaw& law, double phi_dot, double phi, double h);

// The linear law with the same impulse and slope at φ̇₁: R and b with γ = (b − φ̇₁)/R. Where the
// slope is zero, R is infinite.
struct ForceLawTangent {
  double R = kInfinity, b = 0;
};
ForceLawTangent CalcForceLawTangent(const ForceLaw& law, double phi_dot, double phi, double h);

}  // namespace voigt
