#pragma once

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/newton_workspace.h"

namespace voigt {

struct NaturalNewtonSettings {
  int max_iterations = 20;
  int patience = 10;     // iterations without progress
  int steady_steps = 0;  // most in a row that gain less than half a digit each; 0 for any number
  int extra_steps = 2;   // just below the aim
  // Velocities, of the natural residual: below the one a solution is accepted, and goes on to the
  // other only while every step gains a digit.
  double accepted = 1e-13, aim = 1e-13;
  bool accelerate = true;  // slow progress, by Anderson's method
  bool careful = false;    // steps end where a row or disc reaches its bound
  Deadline deadline;
};

struct NaturalNewtonResult {
  double residual = kNaN;  // velocity: the largest S |γ − Proj_C(γ − S⁻¹ u)|
  bool converged = false;  // accepted
};

// Semismooth Newton on the natural map r(γ) = γ − Proj_C(γ − S⁻¹ u(γ)), u = G v(γ) + R γ − b, with
// v(γ) = v* + M⁻¹ Gᵀ γ always exact. R may be zero and rows may repeat: the step
//
//   (I + P W) Δγ = −r̂   ⇒   Δγ = −r̂ + P G H⁻¹ Gᵀ r̂,      H = M + Gᵀ P G,
//
// is made with R raised to ws->R, so it is a proximal step that converges at the rate
// R_floor/(R_floor + W) and at the same time the iterative refinement of the impulses: errors of
// the factor, amplified by w/R, are corrected rather than kept. Along directions in which rows
// repeat each other the impulses stay as they come in.
//
// Full steps may go far astray where discs of one body, which turn or slide together, seem partly
// to stick; and rows that contradict each other as long as none of them gives way (a plate that has
// to tilt by a hair to stand on all its feet, held by friction against rolling) grow their impulses
// by as much in each step. `careful` ends every step where something gives way, be it sooner or
// later.
//
// gamma: start and result (the best point met). v: the velocity of that point.
NaturalNewtonResult SolveNaturalMap(const IslandView& island, const NaturalNewtonSettings& settings,
                                    VecX* v, VecX* gamma, NewtonWorkspace* ws, NewtonStats* stats);

// The residual alone, for gamma as it is; fills v, and ws->D, ws->step (= r) for the next step.
double CalcNaturalResidual(const IslandView& island, VecX* v, const VecX& gamma,
                           NewtonWorkspace* ws);

// Works out ws->P and ws->step (= r̂) from what the last residual left, and factors the island's
// matrix, or its chain where that applies; or keeps a factor that differs by no more than
// `tolerance`, relative.
bool FactorNaturalMap(const IslandView& island, double tolerance, NewtonWorkspace* ws,
                      NewtonStats* stats);

// x ← H⁻¹ x on the island's degrees of freedom, with the last factor that there is, or one made of
// what the last residual left. gamma: of the island's rows, M x_after = x_before + Gᵀ γ.
void SolveHeld(const IslandView& island, NewtonWorkspace* ws, NewtonStats* stats, VecX* x,
               VecX* gamma);

}  // namespace voigt
