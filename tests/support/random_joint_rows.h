#pragma once

#include "tests/support/random_model.h"
#include "voigt/model/model_spec.h"

namespace voigt::testing {

struct JointRowOptions {
  double stiffness = kInfinity, damping = 0;
  bool with_motion = true;  // prescribed; not where other rows than these could forbid it
};

// What acts along the joints of a tree, at random, none of it in conflict with the rest: every
// coordinate is bounded by limits, or tied to another one by a coupler, or moved, or left alone;
// besides, it may have a motor, a servo, both with a limit, or dry friction. Ball joints may have a
// cone limit. All of it is met in this state; rates may not.
void AddJointRows(const Model& tree, const State& state, const JointRowOptions& options,
                  Random* random, ModelSpec* spec);

}  // namespace voigt::testing
