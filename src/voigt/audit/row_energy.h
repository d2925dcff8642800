#pragma once

#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Energies of the constraints of a step, J.
struct RowEnergy {
  double V0 = 0, V1 = 0;  // of springs and force laws, before and after
  double drive = 0;       // put in by moving constraints, velocity targets and motors
  double recovery = 0;    // put in by rigid rows that close or open a gap: no spring holds it
  double work = 0;        // γ · G v₁
  double moved = 0;       // the sizes of its parts: Σ |γ φ̇₁| + |γ φ_t|
};

// Adds the rows of a group, with impulses γ and rates φ̇₁ of the whole problem. For laws that hold,
// γ G v₁ + V₁ − V₀ is at most drive + recovery:
//   springs          γ φ̇₁ = −K φ₁ (φ₁ − φ) − h B φ̇₁², and V₁ − V₀ = K φ₁ (φ₁ − φ) − ½ K (φ₁ − φ)²
//   without springs  γ (φ̇₁ − v̂) = γ u − R γ², where the law has γ u ≤ 0
//   force laws       ℓ(φ̇₁) − ℓ(0) ≤ ℓ'(φ̇₁) φ̇₁ = −γ φ̇₁ by convexity; ℓ stands for V
void AddRowEnergy(const VelocityProblem& problem, const RowGroup& group, const VecX& gamma,
                  const VecX& phi_dot, RowEnergy* out);

}  // namespace voigt
