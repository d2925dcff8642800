#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

// Drives of joints as rows, on joints of the tree or loops alike. Targets are those of the end of
// the step, t₁ = t + h.
namespace voigt {

// λ = K (s(t₁) − q₁) + B (ṡ(t₁) − v₁), within ± h · limit where the servo has a limit. As a spring
// and damper: φ = q − s(t₁) + h ṡ(t₁) and φ_t = −ṡ(t₁), so that φ₁ = q₁ − s(t₁). Angles of a loop
// joint are taken within half a turn of the target.
std::shared_ptr<const Constraint> MakeServo(const Model& model, const Servo& servo);

// v = w(t₁) by a bounded row, or a bilateral one if there is no limit; with a gain B,
// λ = B (w(t₁) − v₁).
std::shared_ptr<const Constraint> MakeMotor(const Model& model, const Motor& motor);

// φ = q − s(t), φ_t = −(s(t₁) − s(t))/h: q₁ = s(t₁) at the end of the step.
std::shared_ptr<const Constraint> MakePrescribedJoint(const Model& model,
                                                      const PrescribedJoint& motion);

// Whether a constraint is such a motion of a joint of the tree, and rigid: hybrid dynamics knows
// it.
bool IsPrescribedInTree(const Model& model, const Constraint& constraint);

}  // namespace voigt
