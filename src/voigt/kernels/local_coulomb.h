#pragma once

namespace voigt {

// The smallest problem with friction: one block of 1, 2 or 3 rows, u = W γ + q with W symmetric and
// positive definite (row by row), and
//
//   0 ≤ γ₀ ⟂ u₀ ≥ 0,   ‖γ_t‖ ≤ μ γ₀,   γ_t = −μ γ₀ u_t/‖u_t‖ where u_t ≠ 0.
//
// Solved case by case: no impulse; sticking, u = 0; sliding along a direction e, where u₀ = 0 gives
// γ₀(e) and the direction follows from one equation in its angle, a trigonometric polynomial of the
// second degree. That is looked for from the direction of
// `gamma` on entry first; then all are, and if several will do, that nearest to `gamma` is taken.
// Returns false and leaves gamma as it was if no case fits, which takes a W that is not definite.
bool SolveLocalCoulomb(int row_count, const double* W, const double* q, double mu, double* gamma);

// The last case alone, of three rows with q₀ < 0.
bool SlideLocalCoulomb(const double* W, const double* q, double mu, double* gamma);

}  // namespace voigt
