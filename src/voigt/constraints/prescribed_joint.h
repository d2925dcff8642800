#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A joint of the tree or a loop is moved along s(t): φ = q − s(t), φ_t = −(s(t₁) − s(t))/h, so that
// q₁ = s(t₁) at the end of the step, t₁ = t + h.
std::shared_ptr<const Constraint> MakePrescribedJoint(const Model& model,
                                                      const PrescribedJoint& motion);

// Whether a constraint is such a motion of a joint of the tree, and rigid: hybrid dynamics knows
// it.
bool IsPrescribedInTree(const Model& model, const Constraint& constraint);

}  // namespace voigt
