#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A motor on a joint of the tree or a loop: v = w(t₁), the rate of the end of the step, by a
// bounded row, or a bilateral one if there is no limit; with a gain B, λ = B (w(t₁) − v₁).
std::shared_ptr<const Constraint> MakeMotor(const Model& model, const Motor& motor);

}  // namespace voigt
