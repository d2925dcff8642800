#pragma once

#include "voigt/audit/audit.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"
#include "voigt/problem/solution.h"
#include "voigt/sim/settings.h"

namespace voigt::testing {

// Judges a semi-implicit Euler step from where it began: poses, masses, contacts, gaps, Jacobians
// and free velocity are computed anew from the model and the state, with objects that have seen no
// other step; of the solver's work, impulses alone are taken, and the claims that name its law
// (which normal impulse bounded friction, which polygon). Nothing that a step keeps from the one
// before, and nothing that it wrote into its own problem, plays a part.
//
// Not of steps whose problem the step changes on its way: impacts by Poisson's law, curvature
// terms, friction from reactions.
Audit JudgeAnew(const Model& model, const SimulationSettings& settings, const State& before,
                double h, const Solution& solution);

}  // namespace voigt::testing
