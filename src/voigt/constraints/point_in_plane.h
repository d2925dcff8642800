#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Point B stays in a plane of body A through p_A, or on one side of it: φ = ± n · (p_B − p_A).
std::shared_ptr<const Constraint> MakePointInPlane(const Model& model, const ConstraintSpec& spec,
                                                   const PointInPlaneSpec& kind);

}  // namespace voigt
