#pragma once

#include "voigt/kernels/dense_lu.h"

namespace voigt {

// A = L Lᵀ in place (lower triangle; what is above the diagonal is neither read nor meant), without
// memory of its own. Returns false, with a useless factor, where a pivot is below `tolerance` times
// the diagonal entry that it comes from: A is then not positive definite to working precision.
bool FactorCholesky(DenseBlock A, double tolerance);

// x ← A⁻¹ x.
void SolveCholesky(const DenseBlock& L, double* x);

}  // namespace voigt
