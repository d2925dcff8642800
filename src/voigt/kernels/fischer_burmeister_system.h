#pragma once

#include <vector>

#include "voigt/kernels/kept_memory.h"
#include "voigt/kernels/levenberg_marquardt.h"

namespace voigt {

// φ(a, b) = √(a² + b²) − a − b: zero exactly where 0 ≤ a ⟂ b ≥ 0 [Fischer 1992].
double CalcFischerBurmeister(double a, double b);

// The boxed linear complementarity problem of complementarity.h as equations Φ(z) = 0, row by row
// with w = N z + q + ε (z − c):
//
//   free         −w
//   lower bound  φ(z − l, w)
//   upper bound  −φ(u − z, −w)
//   box          φ(z − l, φ(u − z, −w))     [Ferris, Kanzow & Munson 1999]
//   l = u        l − z
//
// ½‖Φ‖² is continuously differentiable, though Φ is not. A row of its Jacobian is D_a eᵢ + D_b Nᵢ
// with D_a, D_b between −2 and 0. Where both arguments of a φ vanish, the limit along d is taken, d
// being 1 for all variables of such rows and 0 for the others: (ξ − 1, ρ − 1) with (ξ, ρ) the unit
// vector along the rates of the two arguments, (dᵢ, Nᵢ d) for a lower bound. As dᵢ = 1 it is never
// the zero vector, and since the limit is the same for all rows at once, the matrix is an element
// of the generalised Jacobian. (The row printed in [Mylapilli & Jain 2014] is not.)
class FischerBurmeisterSystem : public SquareSystem {
 public:
  // All must stay as they are while the system is used; ε = 0.
  void SetProblem(const KeptMatrix* N, const KeptVector* q, const KeptVector* lower,
                  const KeptVector* upper);
  // ε > 0 draws z towards c: N + ε I is definite wherever N is semidefinite.
  void SetProximal(double epsilon, const Eigen::Ref<const VecX>& center);
  void ClearProximal() { epsilon_ = 0; }

  int size() const override { return static_cast<int>(q_->get().size()); }
  void CalcResidual(const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> phi) override;
  void CalcJacobian(const Eigen::Ref<const VecX>& z, Eigen::Ref<MatX> J) override;

 private:
  struct Slopes {
    double a = 0, b = 0;  // D_a, D_b
  };
  double CalcRow(int i, double z, double w) const;
  bool IsDegenerate(int i, double z, double w) const;
  // d_w: the rate of w along d.
  Slopes CalcSlopes(int i, double z, double w, double d_w) const;

  const KeptMatrix* N_ = nullptr;
  const KeptVector *q_ = nullptr, *lower_ = nullptr, *upper_ = nullptr;
  double epsilon_ = 0;
  KeptVector center_, w_, d_, d_w_;
};

}  // namespace voigt
