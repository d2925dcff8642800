#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Point B stays on a circle of body A: φ are its height over the circle's plane and its distance
// from the axis, less the radius. On the axis itself any direction is taken as outwards.
std::shared_ptr<const Constraint> MakePointOnCircle(const Model& model, const ConstraintSpec& spec,
                                                    const PointOnCircleSpec& kind);

}  // namespace voigt
