#pragma once

#include "voigt/dynamics/free_velocity.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/state.h"

namespace voigt {

enum class StepStatus {
  kOk,
  kSingularMassMatrix,   // M̂ lost positive definiteness
  kNotFinite,            // NaN or infinity in the new state
  kToleranceNotReached,  // the adaptive integrator gave up
};

// A sentence for the user, with likely causes.
const char* Explain(StepStatus status);

// Everything a step computes on its way. One per thread; reused from step to step, so that a step
// allocates nothing.
struct StepWorkspace {
  StepWorkspace() = default;
  explicit StepWorkspace(const Model& model) : kinematics(model), free(model) {}

  Kinematics kinematics;
  FreeVelocity free;
  VecX v1;
  double work = 0;  // of loads, dampers and servos during the step
};

// One time step of length h. If the status is not kOk, the state is as before.
StepStatus Step(const Model& model, double h, State* state, StepWorkspace* workspace);

}  // namespace voigt
