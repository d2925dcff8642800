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
//   γ = argmin over ‖γ_t‖ ≤ μ γ₀ of  ψ(γ₀) + γ₀ y₀ + ½ S_t ‖γ_t − z_t‖²
//
// for the row's rate y₀ and tangential z_t. For a given γ₀, γ_t is the projection of z_t onto the
// disc, and what the disc's edge asks for takes from the rate: γ₀ = γ(ρ) with
//
//   ρ = y₀ − μ S_t max(0, ‖z_t‖ − μ γ₀),
//
// one monotone equation for ρ that needs the law itself and not its inverse. With z_t = (b − y)/R
// and S = R these are the impulses of the convex program; with z_t = γ_t − u_t/S_t its fixed points
// are the solutions: where it slides, ρ = y₀ − μ ‖u_t‖.
//
// z, S and gamma have row_count numbers (z[0] and S[0] are not read; S is the same for all
// tangents). D, row by row: its first column is −∂γ/∂y₀, the others are ∂γ/∂z.
SmoothConePoint ProjectSmoothCone(const ConvexProgram& program, const ConvexBlock& block, double y0,
                                  const double* z, const double* S, double* gamma, double* D);

inline bool IsSmoothCone(const ConvexBlock& block) {
  return block.smooth && block.set == ConvexSet::kCone;
}

}  // namespace voigt
