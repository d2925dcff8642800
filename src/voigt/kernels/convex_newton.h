#pragma once

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/newton_workspace.h"

namespace voigt {

struct ConvexNewtonSettings {
  int max_iterations = 100;
  double tolerance = 1e-8;  // of the step, in the metric of H relative to the impulses' own work
  Deadline deadline;
};

// Newton's method on an island of the convex program of convex_program.h, in velocity space, with R
// raised to ws->R > 0 and b shifted by ws->shift. Each iteration solves H Δv = −∇ with H = M + Gᵀ P
// G, which is as large as the degrees of freedom however many rows there are, and searches along Δv
// for the minimum of the piecewise quadratic (its derivative's zero, which is bracketed). Globally
// convergent: the function is strictly convex and once differentiable.
//
// v: where to start, and the minimiser. gamma: the impulses there. Returns whether the step became
// smaller than the tolerance. `is_predicted`: v comes from PredictVelocity; if every row then is as
// it was taken to be, v is the minimiser and nothing is left to do.
bool MinimizeConvex(const IslandView& island, const ConvexNewtonSettings& settings,
                    bool is_predicted, VecX* v, VecX* gamma, NewtonWorkspace* ws,
                    NewtonStats* stats);

// A place to start: v of the linear problem that takes every row as it is at the impulses gamma
// (active or not, sticking or sliding). If these are from a similar problem, this is the minimiser
// already. `v` on entry matters for smooth laws only. False if H could not be factored.
bool PredictVelocity(const IslandView& island, const VecX& gamma, VecX* v, NewtonWorkspace* ws,
                     NewtonStats* stats);

}  // namespace voigt
