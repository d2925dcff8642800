#pragma once

#include "voigt/kernels/convex_program.h"

// One contact, u = W γ + q, where the whole is repeated: quick ways that begin at the impulses of
// the last time. local_coulomb.h and several_discs.h have those that begin anywhere.
namespace voigt {

// A contact of three rows that does not stick. False if no case fits.
bool Slide(const double* W, const double* q, double mu, double* gamma);

// Disc after disc: slip with the normal, then spin and rolling with the radius that this leaves
// them. Once, since the whole is repeated.
bool SolveDiscs(const ConvexBlock& block, int n, const double* W, const double* q, double* gamma);

}  // namespace voigt
