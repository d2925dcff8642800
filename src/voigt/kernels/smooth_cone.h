#pragma once

#include "voigt/kernels/convex_program.h"

namespace voigt {

// What the cone of a contact with a smooth normal law comes to.
struct SmoothConePoint {
  double rate = 0;   // ρ, at which the law gives γ₀
  double slope = 0;  // of the law there
};

// A cone whose first row has a smooth law. With ψ the conjugate of the law's potential, ψ'(γ₀) = −ρ
// where γ₀ = γ(ρ), this is
//
//   γ = argmin over ‖γ_d‖ ≤ μ_d γ₀ of  ψ(γ₀) + γ₀ y₀ + ½ Σ_d S_d ‖γ_d − z_d‖²
//
// for the row's rate y₀ and the z_d of its discs. For a given γ₀, γ_d is the projection of z_d onto
// its disc, and what the discs' edges ask for takes from the rate: γ₀ = γ(ρ) with
//
//   ρ = y₀ − Σ_d μ_d S_d max(0, ‖z_d‖ − μ_d γ₀),
//
// one monotone equation for ρ that needs the law itself and not its inverse. With z_d = (b − y)/R
// and S = R these are the impulses of the convex program; with z_d = γ_d − u_d/S_d its fixed points
// are the solutions: where it slides, ρ = y₀ − Σ_d μ_d ‖u_d‖.
//
// z, S and gamma have row_count numbers (z[0] and S[0] are not read; S is the same over each
// disc). D, row by row: its first column is −∂γ/∂y₀, the others are ∂γ/∂z.
SmoothConePoint ProjectSmoothCone(const ConvexProgram& program, const ConvexBlock& block, double y0,
                                  const double* z, const double* S, double* gamma, double* D);

inline bool IsSmoothCone(const ConvexBlock& block) {
  return block.smooth && block.set == ConvexSet::kCone;
}

}  // namespace voigt
