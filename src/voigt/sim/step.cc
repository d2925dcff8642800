#include "voigt/sim/step.h"

#include "voigt/steppers/integrate.h"

namespace voigt {

StepStatus Step(const Model& model, double h, State* state, StepWorkspace* workspace) {
  StepWorkspace& ws = *workspace;

  // Kinematics: where the links are and how they move.
  UpdatePositions(model, state->q, &ws.kinematics);
  UpdateVelocities(model, state->v, &ws.kinematics);

  // Dynamics: M, bias, loads, implicit springs and drives → the velocity without constraints.
  if (!ws.free.Update(model, ws.kinematics, *state, h)) return StepStatus::kSingularMassMatrix;
  ws.v1 = ws.free.v_star();
  if (!ws.v1.allFinite()) return StepStatus::kNotFinite;

  // Integration: v first, then q with the new v.
  ws.work = ws.free.CalcWork(model, *state, ws.v1, h);
  state->v = ws.v1;
  IntegratePositions(model, state->v, h, &state->q);
  state->t += h;
  return StepStatus::kOk;
}

const char* Explain(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "fine";
    case StepStatus::kSingularMassMatrix:
      return "the mass matrix is not positive definite: a joint moves no inertia in this "
             "configuration, or masses differ by more than double precision holds";
    case StepStatus::kNotFinite:
      return "a velocity became infinite or undefined: look for loads that grow without bound or "
             "are undefined at this time (1/0, sqrt of a negative number)";
    case StepStatus::kToleranceNotReached:
      return "the adaptive integrator could not meet its tolerance: the motion is singular here, or "
             "a load is undefined at this time";
  }
  return "";
}

}  // namespace voigt
