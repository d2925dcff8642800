#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// A skate or blade: the point p_B of body B has no velocity relative to body A along a direction
// that is fixed to B. A row about velocities: rigid, or a damper.
std::shared_ptr<const Constraint> MakeKnifeEdge(const Model& model, const ConstraintSpec& spec,
                                                const KnifeEdgeSpec& kind);

}  // namespace voigt
