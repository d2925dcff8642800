#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Two points at a distance d = ‖p_B − p_A‖: a rod (φ = d − length, both ways), a rope
// (φ = length − d ≥ 0) or a least distance (φ = d − length ≥ 0). The force acts along the line
// through the points. `kind` is the variant's content in `spec`.
std::shared_ptr<const Constraint> MakeDistance(const Model& model, const ConstraintSpec& spec,
                                               const DistanceSpec& kind);

}  // namespace voigt
