#pragma once

#include "voigt/constraints/constraint_set.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/model/state.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// The constraint problem of one step: M̂ and v* of the free motion, and the rows of all constraints
// at the start of the step. The problem points into `start` and `free`.
void BuildProblem(const Model& model, const ConstraintSet& constraints, const Configuration& start,
                  const FreeVelocity& free, const State& state, double h, VelocityProblem* problem);

}  // namespace voigt
