#pragma once

#include <memory>

#include "voigt/constraints/joint_rows.h"

namespace voigt {

// Dry friction of a joint: each rate is brought to zero by an impulse within ± h f, with f the
// largest friction force of Joint::dry_friction. Viscous friction in bounds (viscous_in_bounds) has
// f = μ_c + μ_v |q̇| with the rate of the free motion, after all forces of the step: QP 4 of
// [Drumwright & Shell 2010], whose bounds lack h and |·|, and whose rates lack the forces.
std::shared_ptr<const Constraint> MakeJointFriction(const Model& model, const JointRows& joint);

}  // namespace voigt
