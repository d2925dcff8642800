#pragma once

#include <span>

namespace voigt::internal {

// Products with panels that have many rows. All matrices are stored by columns.

// C −= A Bᵀ for a C of m × n and an inner size of k, tile by tile in registers: the widest that the
// machine has. Each entry of A Bᵀ is summed by itself in the order of the columns of A, without
// fused operations, so that the width of registers does not show in the result.
void SubtractPanelProduct(int m, int n, int k, const double* A, int lda, const double* B, int ldb,
                          double* C, int ldc);

// Those that this machine can run, for tests: the first of them runs everywhere, the last one is
// SubtractPanelProduct.
using PanelProduct = void (*)(int m, int n, int k, const double* A, int lda, const double* B,
                              int ldb, double* C, int ldc);
std::span<const PanelProduct> PanelProducts();

// y −= A x and y −= Aᵀ x for an A of m × n.
void SubtractPanelVector(int m, int n, const double* A, int lda, const double* x, double* y);
void SubtractTransposedPanelVector(int m, int n, const double* A, int lda, const double* x,
                                   double* y);

}  // namespace voigt::internal
