#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Point B of a body stays on a line of body A through p_A: the components of p_B − p_A along two
// directions across it, fixed to A, are zero. A force along such a direction at p_B on both bodies
// is the exact derivative.
std::shared_ptr<const Constraint> MakePointOnLine(const Model& model, const ConstraintSpec& spec,
                                                  const PointOnLineSpec& kind);

}  // namespace voigt
