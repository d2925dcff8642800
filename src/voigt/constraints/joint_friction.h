#pragma once

#include <memory>

#include "voigt/constraints/joint_rows.h"

namespace voigt {

// Dry friction of a joint: each rate is brought to zero by an impulse within ± h f, with f the
// largest friction force of Joint::dry_friction.
std::shared_ptr<const Constraint> MakeJointFriction(const Model& model, const JointRows& joint);

}  // namespace voigt
