#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A weighted sum of the rates of joints: Σ aᵢ vᵢ = w(t + h). Rigid, or a damper.
std::shared_ptr<const Constraint> MakeConstantSpeed(const Model& model, const ConstraintSpec& spec,
                                                    const ConstantSpeedSpec& kind);

}  // namespace voigt
