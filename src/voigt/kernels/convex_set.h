#pragma once

#include "voigt/kernels/convex_program.h"

namespace voigt {

// The projection γ = Proj_C(z) in the metric diag(S), and its derivative D = ∂γ/∂z (for the Coulomb
// law, whose disc moves with γ₀, the derivative of the whole map; it is not symmetric).
// D of a coupled set is a full matrix (row by row), otherwise its diagonal. `lower` and `upper` are
// those of the block's rows.
void Project(const ConvexBlock& block, const double* z, const double* S, const double* lower,
             const double* upper, double* gamma, double* D);

// The number of entries of D.
inline int DerivativeSize(const ConvexBlock& block) {
  return IsCoupled(block.set) ? block.row_count * block.row_count : block.row_count;
}

// P = (I − D + D S⁻¹ R)⁻¹ D S⁻¹ and r ← (I − D + D S⁻¹ R)⁻¹ r, for R > 0: with these, Newton's step
// on r = γ − Proj_C(γ − S⁻¹ u(γ)) is (I + P W) Δγ = −r. Where S = R, P = D R⁻¹ and r stays.
// `slope` is that of the first row's smooth law, whose r is γ₀ − γ(y₀); of a smooth cone, whose D
// has it already (smooth_cone.h), it is 1.
void CalcNewtonTerms(const ConvexBlock& block, const double* D, const double* S, const double* R,
                     double slope, double* P, double* r);

}  // namespace voigt
