#pragma once

#include <span>

#include "voigt/problem/friction_mode.h"
#include "voigt/problem/row_inertia.h"
#include "voigt/problem/solution.h"
#include "voigt/problem/velocity_problem.h"
#include "voigt/problem/velocity_scale.h"

namespace voigt {

// Which friction law is judged. A disc of a contact (slip, spin, rolling) has the radius
//   kCoulomb  μ γ_n
//   kLagged   μ γ̄_n, where γ̄_n is `normal_bound` of the group or, where there is none, the group's
//             lagged impulse; where neither is known any radius will do, as long as γ_t opposes
//             slip
//   kCone     μ γ_n, with the cone's own normal u_n = Σ μ ‖u_t‖ over the discs that slide
//   kPolyhedral  μ γ_n, and a polygon with its corners at that radius instead of the disc
//   kMaxDissipation  μ γ_n; γ is the least of ½ γᵀ(W + R)γ + γᵀu(0) among all with u ≥ 0 of rigid
//             normals and unilateral rows, u = 0 of bilateral ones and of springs that push without
//             friction, and sums of rigid normal impulses that are no larger than without friction;
//             viscous friction in the cone widens its disc (WidenCone)
//   kMinimumNorm  μ γ_n; γ is the least of ½ ζ γ_n² + ½ γ_t² + ½ (u_t/r)² among all with u ≥ 0 of
//             normals and unilateral rows and u = 0 of bilateral ones, where r is R of friction,
//             or that of the claim; bounded rows count like friction, but without their γ²
struct FrictionRule {
  FrictionMode mode = FrictionMode::kCoulomb;
  std::span<const double> normal_bound = {};         // one per group, NaN if unknown; or empty
  int directions = 0;                                // of polyhedral cones
  std::span<const double> cone_angle = {};           // of their first corner: one per group
  const MaxDissipationClaim* dissipation = nullptr;  // of max-dissipation
  const MinimumNormClaim* minimum_norm = nullptr;    // of minimum-norm
  double tolerance = 1e-12;                          // of the residual: what was asked for

  PolyhedralCone cone(int group) const { return {directions, cone_angle[group]}; }
};

// Whether a row can only push: a normal, or one of a unilateral group. Of those, whether a spring
// or a force law decides its impulse: maximum dissipation leaves it to them.
inline bool CanOnlyPush(const RowGroup& group, int r) {
  return group.law == Law::kUnilateral || (group.law == Law::kContact && r == 0);
}
bool IsPushingSpring(const RowGroup& group, int r, const Row& row);

// The rule that a solution claims.
FrictionRule RuleOf(const Solution& solution);

// The cone of slip by maximum dissipation where the normal impulse is `normal`.
WidenedCone CalcSlipCone(const VelocityProblem& problem, int group, double normal,
                         const MaxDissipationClaim& claim);

// μ times the normal impulse that bounds a disc of a contact.
double CalcFrictionRadius(const VelocityProblem& problem, int group, const Disc& disc,
                          const VecX& gamma, const FrictionRule& rule);

// How far impulses γ are from the laws of their rows, judged without any solver: only γ is taken
// from it, v₁ = v* + M⁻¹ Gᵀ γ follows. Every residual is a natural map (zero exactly where the law
// holds) in units of velocity. With w = diag(W) + R, the velocity that a unit impulse makes of a
// row alone, and s = wγ:
//
//   bilateral    |u|
//   unilateral   |min(s, u)|
//   bounded      |s − clamp(s − u, w lower, w upper)|
//   contact      normal as unilateral; each disc ‖s_t − Proj_disc(s_t − u_t)‖, all its rows with
//                the mean of their w, so that turning the tangents does not matter
//   polyhedral   the same with polygons
//   cone mode    ‖w (γ − Proj_K(γ − u/w))‖, the projection in the metric of w
//   max. dissipation  the optimality conditions, with the claimed multipliers m of u and the price
//                p of the sums: as in cone mode, with ũ = u(γ − m) + p − R m in place of u, and
//                |min(w m, u)|, |min(p, w̄ (Σγ without friction − Σγ))|; the impulses without
//                friction are judged by their own laws
//   minimum norm  the optimality conditions, with the claimed multipliers m: as in cone mode, with
//                the gradient of what is minimised less those of its conditions in place of u, and
//                |min(w m, u)|, |u + (r − R) γ + r² m| of friction and bounds; gradients and m as
//                parts of the largest of them, times the scale
//   force law    |γ − γ(φ̇₁)| w / (1 + k w) with w = diag(W) and the slope k of the law: the change
//                of the row's own velocity that would mend it, to first order
//
// A vector's residual is attributed to its first row. All are divided by one velocity scale of the
// problem: the largest over the rows of Σ|G_ik v*_k|, |φ_t|, |wγ| and |v̂| (but not that of a gap
// which stays open; problem/velocity_scale.h says how far |wγ| counts). Those numbers are added up
// to form u, so rounding alone leaves about 1e-16 times as much. Angles count as if a radian were a
// metre.
class LawResidual {
 public:
  // Everything that does not depend on γ. The problem must stay as it is until the last Calc.
  void SetProblem(const VelocityProblem& problem);

  // The largest residual, relative; infinite if γ or v₁ is not finite. Allocates nothing once the
  // sizes have been seen.
  double Calc(const VecX& gamma, const FrictionRule& rule = {});
  double Calc(const VelocityProblem& problem, const VecX& gamma, const FrictionRule& rule = {}) {
    SetProblem(problem);
    return Calc(gamma, rule);
  }

  // What the last Calc found.
  const VecX& rows() const { return rows_; }        // residuals, in m/s or rad/s
  double scale() const { return scale_.value(); }   // m/s
  int worst_row() const { return worst_row_; }      // −1 if there are no rows
  const VecX& impulse() const { return impulse_; }  // Gᵀ γ
  const VecX& v1() const { return v1_; }            // v* + M⁻¹ Gᵀ γ
  const VecX& phi_dot() const { return phi_dot_; }  // G v₁ + φ_t
  const VecX& u() const { return u_; }              // φ̇₁ + Rγ − v̂; of no meaning for force laws
  const VecX& w() const { return w_; }              // diag(W) + R; without R for force laws
  // ũ, of max-dissipation and minimum-norm alone.
  const VecX& reduced_u() const { return reduced_u_; }

 private:
  void CalcVelocities(const VecX& gamma);
  void CalcGroup(int g, const VecX& gamma, const FrictionRule& rule);
  void CalcRow(int i, const RowGroup& group, const VecX& gamma, const VecX& u);
  void CalcForceLawRow(int i, const RowGroup& group, const VecX& gamma);
  void CalcDisc(const RowGroup& group, const Disc& disc, const VecX& gamma, double radius);
  void CalcPolygon(const RowGroup& group, const Disc& disc, const VecX& gamma, double radius,
                   const PolyhedralCone& cone);
  // `u_n` in place of the normal's; `widened` in place of the first disc's μ, if given.
  void CalcCone(const RowGroup& group, const VecX& gamma, double u_n, const VecX& u,
                const WidenedCone* widened = nullptr);
  double CalcNormalForCone(const RowGroup& group, const VecX& gamma) const;
  // Of programs with multipliers p: reduced_u_ ← W p, and R of a row, of a force law that of its
  // tangent.
  void CalcResponse(const VecX& p);
  double CalcTangentR(const RowGroup& group, int r) const;
  // Of max-dissipation (max_dissipation_residual.cc).
  void CalcFrictionless(const MaxDissipationClaim& claim);
  void CalcMaxDissipation(const VecX& gamma, const MaxDissipationClaim& claim);
  void CalcPushingRow(int g, int r, const VecX& gamma, const MaxDissipationClaim& claim);
  void CalcReducedVelocities(const MaxDissipationClaim& claim);
  void CalcSums(const VecX& gamma, const MaxDissipationClaim& claim);
  void CalcSlips(const MaxDissipationClaim& claim);
  // Of minimum-norm (minimum_norm_residual.cc).
  void CalcMinimumNorm(const VecX& gamma, const MinimumNormClaim& claim);
  void CalcGradient(const VecX& gamma, const MinimumNormClaim& claim);
  void CalcSoftRow(const RowGroup& group, int r, const VecX& gamma, const MinimumNormClaim& claim);
  double CalcExcess(const RowGroup& group, int r, const VecX& gamma) const;

  const VelocityProblem* problem_ = nullptr;
  RowInertiaScratch scratch_;
  VecX w_, impulse_, v1_, phi_dot_, u_, rows_;
  VecX reduced_u_, frictionless_rows_, multiplier_impulse_, free_u_;
  double gradient_scale_ = 0;  // of minimum-norm: velocity per unit of the gradient
  double free_scale_ = 0;      // without wγ and v̂
  VelocityScale scale_{kNaN, kNaN};
  int worst_row_ = -1;
};

}  // namespace voigt
