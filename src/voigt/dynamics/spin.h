#pragma once

#include "voigt/math/types.h"

namespace voigt {

// The torque-free spin of a rigid body with principal moments I, in its principal axes:
//   I ω̇ + ω × I ω = 0,   that is   ω̇₁ = k₁ ω₂ ω₃, …   with   k₁ = (I₂ − I₃) / I₁, …
// Advances ω over h by the implicit midpoint rule, in substeps of at most half a radian. The rule
// keeps the energy ½ ωᵀIω and the length of the momentum Iω exactly, so neither large steps nor
// fast spin can feed energy into a body; taken explicitly, the gyroscopic torque would.
//
// Where the midpoint equations cannot be solved (spin beyond ~30 radians per step), ω is returned
// unchanged, which keeps the energy too, and *gave_up is set.
Vec3 AdvanceSpin(const Vec3& moments, const Vec3& omega, double h, bool* gave_up);

}  // namespace voigt
