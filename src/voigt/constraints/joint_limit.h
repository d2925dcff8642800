#pragma once

#include <memory>

#include "voigt/constraints/joint_rows.h"

namespace voigt {

// Limits of a joint's scalar coordinates: φ = q − lower ≥ 0 and φ = upper − q ≥ 0, each a group of
// its own, always present. Rigid, or with Joint::limit_stiffness and limit_damping.
//
// An angle of a loop joint is taken within half a turn of the middle of its limits, or of the only
// limit there is.
std::shared_ptr<const Constraint> MakeJointLimit(const Model& model, const JointRows& joint);

}  // namespace voigt
