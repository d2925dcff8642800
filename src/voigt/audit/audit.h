#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "voigt/audit/contradiction.h"
#include "voigt/audit/law_residual.h"

namespace voigt {

// A step's impulses judged against what must hold whatever solved them. Numbers that should be zero
// or below; none depends on how they were found. Velocities are relative to LawResidual's scale,
// impulses of contacts to the largest of them, energies to those of the step. Friction is that of
// every disc of a contact: slip, spin and rolling.
struct Audit {
  double law = kNaN;              // LawResidual, without `contradiction`
  double momentum = kNaN;         // ‖M (v₁ − v*) − Gᵀγ‖ / (‖M v*‖ + ‖Gᵀγ‖), largest entries; where
                                  // momenta cancel, relative to the Σ|M_ij v*_j| that do
  double normal = kNaN;           // −min γ over unilateral rows and normals, N s; not scaled
  double cone = kNaN;             // ‖γ_t‖ − radius
  double antiparallel = kNaN;     // 1 + cos of the angle between γ_t and u_t where it slides; not
                                  // of polygons, whose friction acts along corners
  double max_dissipation = kNaN;  // |γ_t · u_t + radius ‖u_t‖|, of polygons with the largest
                                  // −d · u_t over the corners d in place of ‖u_t‖; less what
                                  // residuals within `law` explain
  double friction_power = kNaN;   // γ_t · (φ̇_t − v̂_t), less what residuals within `law` explain
  double energy = kNaN;  // T₁ + V₁ − T₀ − V₀ − h f · v₁ − work of drives and recovery, less
                         // what residuals within `law` explain

  // By maximum dissipation (FrictionMode::kMaxDissipation) friction is against ũ_t, it may do work
  // at single contacts (friction_power is zero), and what must not grow is the energy after the
  // forces of the step: ½ γᵀ(W + R)γ + γᵀu(0), for rigid rows T₁ − T* − work of drives and
  // recovery.
  //
  // Minimum-norm impulses (kMinimumNorm) promise as little: friction is against the gradient of
  // what is minimised, and friction_power is zero. `energy` is asked of them all the same: they may
  // fail in it, and this is where it shows.

  double work = kNaN;  // T₁ − T* − γ · G v₁

  // Reported, not judged: against rigid bodies and the exact cone, in m or rad, N s and J.
  double penetration = kNaN;    // largest −φ₁ of unilateral rows and normals, φ₁ = φ + h φ̇₁
  double separation = kNaN;     // largest φ₁ of those that push: what `cone` opens
  double violation = kNaN;      // largest |φ| of rigid bilateral rows; of velocity rows h |φ̇₁ − v̂|
  double deflection = kNaN;     // largest |φ| of bilateral rows with stiffness
  double exact_cone = kNaN;     // largest ‖γ_t‖ − μ γ_n
  double coulomb = kNaN;        // the exact Coulomb law: that of `law` if the rule says so
  double infeasibility = kNaN;  // CalcInfeasibility
  double contradiction = kNaN;  // of rigid rows that repeat each other, relative like `law`
  double recovery_work = kNaN;  // energy that rigid rows put in to close or open gaps
  double drive_work = kNaN;     // energy that came in by moving constraints and bounded rows
};

// One judged number and what it may be: the tolerances are those of arithmetic, but that of the
// law, which is what was asked for.
struct AuditItem {
  std::string_view name;
  double value = 0, tolerance = 0;
  bool passes() const { return value <= tolerance; }  // false for NaN
};
inline constexpr int kAuditItems = 9;
std::array<AuditItem, kAuditItems> ListItems(const Audit& audit, double tolerance = 1e-12);

// Of a moment: forces λ and accelerations a of event-driven motion, in place of impulses and
// velocities. `law`, relative to the accelerations that are added up, has |a| of rows that are
// held, |min(w λ, a)| of one-sided ones, and w ‖λ_t + μ N d‖ of friction that slides; `momentum` is
// that of M v̇ = f + Gᵀλ; `normal` and `cone` are relative to the largest force, `antiparallel` is
// the angle between friction and slip. Gaps are there, too, and all else is NaN: what was not
// judged.
inline constexpr int kMomentItems = 5;
std::array<AuditItem, kMomentItems> ListMomentItems(const Audit& audit);

// Keeps the larger one of every number, or the only one that there is.
void TakeWorse(const Audit& other, Audit* worst);

// At the start of the step: the largest depth of rigid unilateral rows and normals and |φ| of rigid
// bilateral rows, I(q) of [Anitescu, Miller & Hart 2003, eq. 3.15], m or rad.
double CalcInfeasibility(const VelocityProblem& problem);

// Keeps its memory from call to call.
class Auditor {
 public:
  // `v1` is the velocity that the solver returned; `v0` that before the step, if known: otherwise
  // the energy is that of a step without other forces, v₀ = v*.
  //
  // Energy. Springs hold V = ½ K φ², those that only push ½ K min(0, φ)², force laws their
  // potential. The friction of mode kCone does not keep to it where springs are soft: the gap that
  // it opens loads them.
  void Calc(const VelocityProblem& problem, const VecX& gamma, const VecX& v1, const VecX* v0,
            const FrictionRule& rule, Audit* out);

  const LawResidual& law() const { return law_; }

 private:
  void CalcMomentum(const VelocityProblem& problem, const VecX& v1, Audit* out);
  void CalcFriction(const VelocityProblem& problem, int group, const Disc& disc, const VecX& gamma,
                    const FrictionRule& rule, Audit* out) const;
  void CalcGaps(const VelocityProblem& problem, const VecX& gamma, Audit* out) const;
  void CalcEnergy(const VelocityProblem& problem, const VecX& gamma, const VecX& v1, const VecX* v0,
                  const FrictionRule& rule, Audit* out);
  double CalcAddedByRows(const VelocityProblem& problem, const VecX& gamma);
  // Σ|γ| times the residuals of the law, J: what velocities that are as good as can be told put in
  // where impulses are large and cancel one another, as those of a stiff contact that is jammed.
  double CalcExplainedEnergy(const VelocityProblem& problem, const VecX& gamma,
                             double tolerance) const;

  LawResidual law_;
  LawResidual coulomb_;  // where the rule is another one
  Contradiction contradiction_;
  double impulse_scale_ = 0;  // the largest of a contact, N s
  VecX M_v1_, M_v_star_, M_v0_, magnitudes_, speeds_, free_rates_;
};

}  // namespace voigt
