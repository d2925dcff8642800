#pragma once

#include <mujoco/mujoco.h>

#include "voigt/model/model.h"

namespace voigt::testing {

// The joint tree that MuJoCo compiled from a file, as a Model: bodies, inertias, joints and
// armature, nothing else. A body with several joints becomes a chain of massless links.
Model ImportMujocoTree(const mjModel* source);

}  // namespace voigt::testing
