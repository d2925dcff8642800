#pragma once

#include "voigt/kernels/working_set.h"

// Problems of friction on accelerations, by hand.
namespace voigt::testing {

// With the force of a one-sided row for N, or with N given.
FrictionElement ElementAtRest(int row, int count, double mu, int normal_row);
FrictionElement ElementWithForce(int row, int rows, double mu, double N);

WorkingProblem MakeFromRows(const MatX& G, const VecX& inertia, const VecX& v_dot);

// How far a solution is from the laws, judged from λ and a alone.
double CalcWorkingError(const WorkingProblem& problem, const VecX& lambda);

}  // namespace voigt::testing
