#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

// Rolling without slip on a plane with normal n through p_A, fixed to body A. The point of contact
// is the lowest one of a ball about c = p_B, p = c − r n, or of a disc with axis a,
// p = c − r m with m = (n − (n · a) a)/‖…‖.
namespace voigt {

// Both bodies have the same velocity at p, along the plane: two rows about velocities.
std::shared_ptr<const Constraint> MakeRolling(const Model& model, const ConstraintSpec& spec,
                                              const RollingSpec& kind);

// The lowest point is in the plane: φ = n · (p − p_A), whose rate is that of the material point at
// p.
std::shared_ptr<const Constraint> MakeRollingTouch(const Model& model, const ConstraintSpec& spec,
                                                   const RollingSpec& kind);

}  // namespace voigt
