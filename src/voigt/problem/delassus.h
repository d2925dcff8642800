#pragma once

#include "voigt/problem/velocity_problem.h"

namespace voigt {

// The contact problem u = W γ + q with Coulomb friction μ, given without any bodies, as a problem
// with unit masses: W = G Gᵀ by Cholesky with pivoting, M = I, v* = 0, φ_t = q, h = 1, all rows
// rigid. One velocity per unit of rank; W may be singular. In each contact of `dimension` rows the
// first one is the normal.
//
// `tolerance` is that of symmetry and semi-definiteness, relative to the largest diagonal entry.
// Throws InputError where sizes do not fit, where W is not symmetric or not positive semi-definite,
// where μ is negative and where numbers are not finite.
OwnedProblem MakeProblemFromDelassus(const MatX& W, const VecX& q, int dimension, const VecX& mu,
                                     double tolerance = 1e-10);

}  // namespace voigt
