#pragma once

#include <span>

#include "voigt/kernels/kept_memory.h"
#include "voigt/kernels/levenberg_marquardt.h"
#include "voigt/math/disc.h"

namespace voigt {

enum class NcpKind {
  kFree,        // u = 0, any number of rows
  kUnilateral,  // 0 ≤ γ ⟂ u ≥ 0, one row
  kBounded,     // lower ≤ γ ≤ upper, u ≥ 0 at the lower bound, ≤ 0 at the upper, else 0; one row
  kCone,        // contact: a unilateral row, then the rows of discs with Coulomb's law
};

struct NcpBlock {
  NcpKind kind = NcpKind::kFree;
  int first = 0, count = 1;                      // rows
  double lower = -kInfinity, upper = kInfinity;  // kBounded
  DiscList discs;                                // kCone: none, or tangents, spin, rolling
};

inline constexpr int kMaxNcpBlockRows = 6;  // of all kinds but kFree

// A contact with `tangents` rows behind its normal.
NcpBlock MakeNcpContact(int first, int tangents, double mu);

// F(z), the impulse that z stands for, of one block:
//
//   free        F = −z
//   unilateral  F = max(0, −z)
//   bounded     F = clamp(−z, lower, upper)
//   cone        Fₙ = max(0, −zₙ),  F_d = −m z_d,  m = min(1, μ Fₙ/‖z_d‖) for each disc
//
// With v = F + z, each pair (F, v) obeys the block's law exactly, and each pair that does is met by
// one z = v − F: zₙ > 0 parts, ‖z_d‖ ≤ μ Fₙ sticks, the rest slides with v_d = (1 − m) z_d.
// dF, where it is not null: ∂F/∂z, row by row; at kinks, that of the side where contacts part or
// stick. For a disc that slides, with e = z_d/‖z_d‖,
//
//   ∂F_d/∂z_d = −m (I − e eᵀ),   ∂F_d/∂zₙ = μ e,   ∂Fₙ/∂zₙ = −1.
void CalcNcpImpulse(const NcpBlock& block, const double* z, double* F, double* dF);

// Todorov's implicit complementarity [Todorov 2010, Mylapilli & Jain 2014] as equations in z:
//
//   Φ(z) = A F(z) + q + ε (F(z) − c) − v(z),   v = F + z,   J = (A + (ε − 1) I) F′ − I.
//
// A proximal term ε keeps F near c. As v = F + z adds an impulse to a velocity, the problem must
// come in units in which A is about 1 (implicit_ncp.h).
class ImplicitNcpSystem : public SquareSystem {
 public:
  // A, q and blocks must stay as they are while the system is used.
  void SetProblem(const KeptMatrix* A, const KeptVector* q, std::span<const NcpBlock> blocks);
  void SetProximal(double epsilon, const Eigen::Ref<const VecX>& center);
  void ClearProximal() { epsilon_ = 0; }

  int size() const override { return static_cast<int>(q_->get().size()); }
  void CalcResidual(const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> phi) override;
  void CalcJacobian(const Eigen::Ref<const VecX>& z, Eigen::Ref<MatX> J) override;

  void CalcImpulse(const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> F) const;
  // z of impulses and the velocities A F + q that they make; F(z) are the impulses again where
  // these obey the laws.
  void CalcVariables(const Eigen::Ref<const VecX>& F, Eigen::Ref<VecX> z) const;

 private:
  const KeptMatrix* A_ = nullptr;
  const KeptVector* q_ = nullptr;
  std::span<const NcpBlock> blocks_;
  double epsilon_ = 0;
  KeptVector center_, F_;
};

}  // namespace voigt
