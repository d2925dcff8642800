#pragma once

#include <memory>

#include "voigt/constraints/joint_rows.h"

namespace voigt {

// The limit of a ball joint's swing: φ = α − θ ≥ 0 with θ the angle between z_F and z_M, whose rate
// is ω · (z_F × z_M)/sin θ. Joint::cone_limit must be there.
std::shared_ptr<const Constraint> MakeConeLimit(const Model& model, const JointRows& joint);

}  // namespace voigt
