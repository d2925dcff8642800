#pragma once

#include <vector>

#include "voigt/constraints/constraint_set.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/events/held_forces.h"
#include "voigt/model/state.h"
#include "voigt/sim/step.h"

namespace voigt {

// What acts along one row of a constraint, N, or N m where the row is an angle: positive in the
// direction in which the row's coordinate grows, so that limits never pull.
struct ConstraintForce {
  int constraint = 0;  // in ConstraintSet::list()
  int row = 0;         // of that constraint
  bool is_angular = false;
  double force = kNaN;
};

// Accelerations and forces, as means over a step or at a moment; NaN where they are not known.
struct ForceReport {
  bool is_known = false;
  VecX acceleration;  // per rate, m/s² or rad/s²
  // Of motors, servos and actuators, per rate, N or N m; those that are springs as at the end of
  // the step.
  VecX drive_force;
  // Every row, in the order of ConstraintSet, but for friction from reactions (GuideReport).
  std::vector<ConstraintForce> constraints;

  // Everything unknown.
  void Clear(const Model& model);
};

// The rows of a model's constraints, without forces: those of every report of a run. Constraints of
// the user's own (ModelSpec::user_constraints) are not among them, since theirs may come and go.
std::vector<ConstraintForce> ListConstraintRows(const Model& model,
                                                const ConstraintSet& constraints);

// What acts on `rows`, in their order; NaN on those of which nothing is known.
void ReadForces(const std::vector<ConstraintForce>& rows, const std::vector<ConstraintForce>& known,
                std::vector<double>* out);

// Per rate, whether a motor, a servo or an actuator acts on it.
std::vector<char> FindDrivenRates(const Model& model, const ConstraintSet& constraints);

// Of the step that left `step` as it is; accelerations are left to who knows where it came from.
void CalcForces(const StepWorkspace& step, ForceReport* out);

// Of a moment of event-driven motion. What acts on rows of joints whose motion is prescribed is not
// known (Simulator::prescribed_force has the sum).
void CalcForces(const HeldForces& forces, ForceReport* out);

// Of a state that no constraint holds.
void CalcForces(const State& state, EquationsOfMotion* equations, ForceReport* out);

}  // namespace voigt
