#pragma once

#include "voigt/kernels/convex_program.h"

// Blocks of a first row and several discs (spin and rolling beside slip): what convex_set.h asks of
// a set, for them. Those of one disc, which are many, have quicker ways there.
namespace voigt {

// The largest such block: slip, spin and rolling of a contact.
inline constexpr int kMaxDiscRows = 6;

// kDisc and kCoulomb: the projection, and its derivative D row by row.
void ProjectHalfLineAndDiscs(const ConvexBlock& block, const double* z, double* gamma, double* D);

// kCone, the intersection of the cones ‖γ_d‖ ≤ μ_d γ₀, in the metric diag(S), S being the same over
// the rows of each disc. For given γ₀ every disc is projected on its own, so that γ₀ is the zero of
//
//   S₀ (γ₀ − z₀) − Σ_d μ_d S_d max(0, ‖z_d‖ − μ_d γ₀),
//
// which rises with γ₀ and is linear but for one kink per disc: exact after as many steps.
void ProjectConeOfDiscs(const ConvexBlock& block, const double* z, const double* S, double* gamma,
                        double* D);

// CalcNewtonTerms of convex_set.h.
void CalcNewtonTermsOfDiscs(const ConvexBlock& block, const double* D, const double* S,
                            const double* R, double slope, double* P, double* r);

// The solution of the Coulomb law of one block with the others held, u = W γ + q, by sweeps over
// its discs: the first together with γ₀ as in local_coulomb.h, then each with its radius μ_d γ₀.
// A few sweeps from `gamma`, which is good enough where the whole is repeated. Where rows are
// coupled far more strongly than bodies do, some go in circles.
void SweepLocalDiscs(const ConvexBlock& block, const double* W, const double* q, double* gamma,
                     int sweeps = 20);

// The rows of a disc, or any that follow one another, of u = W γ + q with n rows: A of these and c
// with the part that all other rows make of them.
void GatherDisc(int n, const double* W, const double* q, const double* gamma, const Disc& rows,
                double* A, double* c);

// The minimum of ½ xᵀ A x + cᵀ x over ‖x‖ ≤ radius for one or two rows, A positive definite.
void MinimizeOverDisc(int row_count, const double* A, const double* c, double radius, double* x);

}  // namespace voigt
