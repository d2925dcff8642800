#pragma once

#include "voigt/collision/contact.h"
#include "voigt/constraints/constraint_set.h"
#include "voigt/constraints/impacts.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/model/state.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Friction that comes from reactions, where there is any: its rows follow those of the constraints.
struct ReactionFrictionRows {
  std::vector<FrictionRows> friction;
  std::vector<RowWrench> wrenches;  // of all rows of the problem, contacts included
};

// The constraint problem of one step: M̂ and v* of the free motion, the rows of all constraints at
// the start of the step, then those of the contacts; each with the impulse that the last step lets
// expect. `start` is up to date with the state; actuators act with `drive`. The problem points into
// `start` and `free`. `viscous_in_cone`: ConstraintContext. Friction from reactions has no bounds
// so far; *friction tells where they come from, and may be null where no constraint has any.
void BuildProblem(const Model& model, const ConstraintSet& constraints,
                  const std::vector<Contact>& contacts, const Configuration& start,
                  const FreeVelocity& free, const State& state, const VecX& drive, double h,
                  const Stabilization& stabilization, RestitutionLaw restitution,
                  bool viscous_in_cone, VelocityProblem* problem, ReactionFrictionRows* friction);

// After the step: what it leaves to the next one in state->warm_start and state->contacts.
void RememberImpulses(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                      const std::vector<Contact>& contacts, State* state);

}  // namespace voigt
