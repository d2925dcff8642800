#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A joint of the tree or a loop is moved along s(t): φ = q − s(t), φ_t = −(s(t₁) − s(t))/h, so that
// q₁ = s(t₁) at the end of the step, t₁ = t + h. Differences of rotations are rotation vectors,
// φ = log(R_s(t)ᵀ R_FM) with φ̇ = A v + φ_t, and φ_t = −(φ + A log(R_FMᵀ R_s(t₁)))/h ends there,
// too. On the motion φ = 0, A = 1.
std::shared_ptr<const Constraint> MakePrescribedJoint(const Model& model,
                                                      const PrescribedJoint& motion);

// Whether a constraint is such a motion.
bool IsPrescribedJoint(const Model& model, const Constraint& constraint);
// Whether it is that of a joint of the tree, and rigid: hybrid dynamics knows
// it.
bool IsPrescribedInTree(const Model& model, const Constraint& constraint);

}  // namespace voigt
