#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Point B is moved along s(t), in the frame of A: φ = p_AB − s(t), φ_t = −(s(t + h) − s(t))/h, so
// that the point is at s(t + h) at the end of the step.
std::shared_ptr<const Constraint> MakePrescribedPoint(const Model& model,
                                                      const ConstraintSpec& spec,
                                                      const PrescribedPointSpec& kind);

}  // namespace voigt
