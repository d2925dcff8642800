#include "voigt/sim/step.h"

#include <utility>

#include "voigt/steppers/integrate.h"

namespace voigt {

StepStatus Step(const Model& model, double h, State* state, StepWorkspace* workspace) {
  StepWorkspace& ws = *workspace;

  // Where the bodies are: poses, inertias, M (kept from the end of the last step).
  if (!ws.start.Update(model, state->q)) return StepStatus::kSingularMassMatrix;

  // Forces: loads, gravity, implicit springs and drives → the rates without constraints.
  if (!ws.free.Update(model, ws.start, *state, h)) return StepStatus::kSingularMassMatrix;
  ws.v1 = ws.free.v_star();
  if (!ws.v1.allFinite()) return StepStatus::kNotFinite;

  // Motion: the bodies go where the new rates take them, on paths that inertia bends.
  ws.start.SetRates(model, ws.v1);
  ws.mean.Update(model, ws.start, ws.free, ws.v1, h);
  ws.q1 = state->q;
  IntegratePositions(model, ws.mean.v(), h, &ws.q1);
  if (!ws.q1.allFinite()) return StepStatus::kNotFinite;
  if (!ws.end.Update(model, ws.q1)) return StepStatus::kSingularMassMatrix;

  // Inertia: they keep their momenta, and the joints' rates follow.
  ws.work = ws.free.CalcWork(model, *state, ws.v1, h);
  ws.transport.Update(model, ws.v1, h, ws.start, &ws.end);
  if (!ws.transport.v().allFinite()) return StepStatus::kNotFinite;

  state->q = ws.q1;
  state->v = ws.transport.v();
  state->t += h;
  std::swap(ws.start, ws.end);
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
             "are undefined at this time (1/0, sqrt of a negative number), or a step too long for "
             "rk4";
    case StepStatus::kToleranceNotReached:
      return "the adaptive integrator could not meet its tolerance: the motion is singular here, "
             "or a load is undefined at this time";
  }
  return "";
}

}  // namespace voigt
