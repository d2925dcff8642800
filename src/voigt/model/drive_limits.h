#pragma once

#include "voigt/model/model_spec.h"

namespace voigt {

// Gives servos, motors and actuators on joints with a JointSpec::drive_limit that limit, where they
// have none of their own. An actuator with gear g may pull with limit/|g| along its length. Servos
// and motors take the joint's drive_safety, too.
void ApplyDriveLimits(ModelSpec* spec);

}  // namespace voigt
