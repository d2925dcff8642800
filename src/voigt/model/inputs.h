#pragma once

#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// A force [N] on a point of a body and a torque [N m] on it, both in world axes.
struct AppliedWrench {
  int body = 0;               // its number in the model
  Vec3 point = Vec3::Zero();  // m, in the body's frame: it moves along
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
};

// What a controller does to a model, beside the loads and drives of the scene. It holds until it is
// changed, and is part of the state: a state that was saved goes on with the inputs it had.
struct Inputs {
  VecX actuators;    // u of each actuator; NaN, or none at all: as the scene says
  VecX joint_force;  // on each rate of the tree joints, N or N m; empty for none
  std::vector<AppliedWrench> wrenches;
};

}  // namespace voigt
