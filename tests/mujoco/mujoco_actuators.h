#pragma once

#include <mujoco/mujoco.h>

#include "voigt/model/model.h"

namespace voigt::testing {

// The tree that ImportMujocoTree makes, with the fixed tendons and the actuators on joints and such
// tendons that MuJoCo compiled from a file. Throws std::runtime_error where there are others.
Model ImportMujocoActuators(const mjModel* source);

}  // namespace voigt::testing
