#pragma once

#include <span>

#include "voigt/math/types.h"

namespace voigt {

// min ½ xᵀHx + gᵀx  subject to  C x + d ∈ K  and  E x + e = 0,
//
// H symmetric and positive semidefinite, K a product of cones s₀ ≥ ‖s₁‥‖ of 1 (a half-line), 2 or 3
// numbers each: linear inequalities, ‖x_t‖ ≤ μ x_n and ‖x_t‖ ≤ r are of this kind. A view: whatever
// it is made from has to outlive it. Scaled by the caller so that x, C x and H x are alike in size.
struct ConeQuadraticProgram {
  Eigen::Ref<const MatX> H;
  Eigen::Ref<const VecX> g;
  Eigen::Ref<const MatX> C;
  Eigen::Ref<const VecX> d;
  std::span<const int> cones;  // sizes, in the order of the rows of C
  Eigen::Ref<const MatX> E;
  Eigen::Ref<const VecX> e;

  int size() const { return static_cast<int>(g.size()); }
  int cone_rows() const { return static_cast<int>(d.size()); }
  int equations() const { return static_cast<int>(e.size()); }
};

// x and the multipliers of cones (in K, too) and equations: at the solution
//   H x + g = Cᵀz + Eᵀy,   K ∋ C x + d ⟂ z ∈ K,   E x + e = 0.
struct ConeQpPoint {
  VecX x, z, y;
};

// Checks sizes (a broken precondition is a bug of the caller).
void CheckSizes(const ConeQuadraticProgram& program);

// The certificate: the largest of |H x + g − Cᵀz − Eᵀy|, |E x + e| and, with s = C x + d,
// |s − Proj_K(s − z)|, over the largest of |g_i| + Σ|H_ij x_j| and |d_i| + Σ|C_ij x_j|. Zero
// exactly at solutions; infinite where something is not finite.
double CalcConeQpResidual(const ConeQuadraticProgram& program, const ConeQpPoint& point);

}  // namespace voigt
