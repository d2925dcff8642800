#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Holds a joint of any type at given coordinates: φ = e, its deflection from them
// (joint_motion.h).
std::shared_ptr<const Constraint> MakeJointLock(const Model& model, const ConstraintSpec& spec,
                                                const JointLockSpec& kind);

}  // namespace voigt
