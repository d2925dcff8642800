#pragma once

#include <Eigen/Core>

#include "voigt/math/types.h"

namespace voigt {

// P A = L U with partial pivoting, in place, without memory of its own: for matrices whose size
// changes from call to call. A and its columns' distance are as the map says; `swaps[k]` is the row
// that changed places with row k. Returns the smallest |U_kk| relative to the largest entry of A:
// zero where A is singular (the factor is then useless), tiny where it is nearly so.
using DenseBlock = Eigen::Map<MatX, 0, Eigen::OuterStride<>>;
double FactorLu(DenseBlock A, int* swaps);

// x ← A⁻¹ x.
void SolveLu(const DenseBlock& LU, const int* swaps, double* x);

}  // namespace voigt
