#pragma once

#include <string>

#include "voigt/audit/audit.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"
#include "voigt/problem/solution.h"
#include "voigt/sim/settings.h"

namespace voigt {

// Judges a semi-implicit Euler step from where it began: poses, masses, contacts, gaps, Jacobians
// and free velocity are computed anew from the model and the state, with objects that have seen no
// other step; of the solver's work, impulses are taken, velocities to compare them with, and the
// claims that name its law (which normal impulse bounded friction, which polygon). Nothing that a
// step keeps from the one before, and nothing that it wrote into its own problem, plays a part. It
// costs more than the step itself, and takes memory. Where as many rows are not found again,
// Audit::law is infinite.
//
// For what FindObstacleToFreshAudit lets pass.
Audit JudgeAnew(const Model& model, const SimulationSettings& settings, State before, double h,
                const Solution& solution);

// Why steps with these settings cannot be judged so: those that change their problem on their way.
// Empty if they can.
std::string FindObstacleToFreshAudit(const Model& model, const SimulationSettings& settings);

}  // namespace voigt
