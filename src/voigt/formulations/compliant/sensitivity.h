#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/islands.h"
#include "voigt/kernels/newton_matrix.h"
#include "voigt/problem/perturbation.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// How the solution of a problem follows a small change of its data. At the solution the natural map
// γ = Proj_C(z), z = γ − S⁻¹ u, u = G v + R γ − b, stays met:
//
//   dγ = D (dγ − S⁻¹ (G dv₁ + R dγ − db)) + (∂Proj/∂μ) dμ,    dv₁ = dv* + M⁻¹ Gᵀ dγ,
//
// with D = ∂Proj/∂z and db = (∂v̂/∂φ) dφ: linear in dγ, with the matrix I + P W of Newton's method.
// It is solved like a step of that method (kernels/natural_newton.h), with R raised where it is
// smaller than rounding allows, and refined, so that rigid rows get their exact derivative.
//
// Where the solution sits on a switch (a contact that just touches, friction that just slips) there
// is no derivative, and this is the one of one side.
class Sensitivity {
 public:
  // `program` is the problem with the sets and radii of the solution, `islands` are its own, gamma
  // the solution's impulses. A column of dv1 for each change; the matrix is factored once for all.
  // False if it cannot be factored; *dv1 is then zero.
  //
  // Friction of `lagged` contacts counts as bounded by the force that it was bounded by. Changes
  // that rigid rows contradict each other about (one of two equal rows) have no derivative.
  bool Calc(const VelocityProblem& problem, const ConvexProgram& program, const Islands& islands,
            bool lagged, const VecX& gamma, std::span<const Perturbation> changes, MatX* dv1);

 private:
  void Resize(const ConvexProgram& program);
  // D, P and what a gap does, at the solution.
  void Linearize(const VelocityProblem& problem, const ConvexProgram& program, int block,
                 const VecX& gamma);
  bool Factor(const ConvexProgram& program, const Islands& islands, int island);
  // What one change does to a block that its rates do not; dγ starts from zero.
  void Change(const VelocityProblem& problem, const ConvexProgram& program, int block, bool lagged,
              const Perturbation& change);
  // r of the linear equation for dγ and dv₁ as they are, made ready for a step.
  void CalcResidual(const ConvexProgram& program, int block, const double* dv1);
  // dγ ← dγ + Δγ on an island; dv₁ follows.
  void TakeStep(const ConvexProgram& program, const Islands& islands, int island,
                const VecX& dv_star, double* dv1);

  NewtonMatrix matrix_;
  std::vector<int> P_start_;   // per block, of D and P
  std::vector<double> D_, P_;  // derivatives of projections; Newton's P
  // Per row: scale; R raised to a floor; what a gap of one adds to b, or to the impulse of a smooth
  // law; slope of a smooth law.
  std::vector<double> S_, R_, gap_, slope_;
  std::vector<double> z_, projected_;
  // Per row, of one change: db; (∂Proj/∂μ) dμ; dz; r.
  std::vector<double> db_, moved_, dz_, r_, y_;
  VecX v_, dgamma_, x_;
};

}  // namespace voigt
