#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A servo on a joint of the tree or a loop, with targets of the end of the step, t₁ = t + h:
// λ = K (s(t₁) − q₁) + B (ṡ(t₁) − v₁), within ± h · limit where the servo has a limit. As a spring
// and damper: φ = q − s(t₁) + h ṡ(t₁) and φ_t = −ṡ(t₁), so that φ₁ = q₁ − s(t₁). Angles of a loop
// joint are taken within half a turn of the target.
std::shared_ptr<const Constraint> MakeServo(const Model& model, const Servo& servo);

}  // namespace voigt
