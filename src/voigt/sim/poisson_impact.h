#pragma once

#include <vector>

#include "voigt/audit/audit.h"
#include "voigt/constraints/impacts.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/formulations/formulation.h"

namespace voigt {

// Impacts by Poisson's law, in two phases [Glocker & Pfeiffer 1995; Anitescu & Potra 1997]. They
// take no time and come before the forces of the step, so that forces have no part in them:
//
//   compression     v_c = v₀ + M⁻¹ Gᵀ p_c,   0 ≤ φ̇ ⟂ p_c ≥ 0 at the contacts, with friction
//   decompression   v⁺ = v_c + M⁻¹ Gᵀ p_d,   p_d,n = e p_c,n + x,   0 ≤ φ̇ ⟂ x ≥ 0, with friction
//                   ‖p_d,t‖ ≤ μ p_d,n
//
// where e counts for contacts whose p_c,n is worth more velocity than restitution_speed. Both are
// velocity problems, which any formulation solves. In the step that follows, contacts that rebound
// are held to the speed that they have then, as by Newton's law: with one contact and without
// friction both laws are the same, whatever the forces are. Rigid rows take part; what yields and
// what is bounded has finite forces, and so no impulse in no time. Gaps are not restored in the
// phases.
//
// In the second problem e p_c,n is in v*, and a contact's own normal impulse is x. The share
// μ e p_c,n of its friction comes from another contact with the same tangents, whose normal stops
// a mass of its own that has the momentum e p_c,n: two discs against one slip are as good as one
// with the sum of their radii.
class PoissonImpact {
 public:
  // What one step begins with. `problem` is its problem, with w; `formulation` solves the phases.
  // True if there was an impact.
  bool Update(const Model& model, const std::vector<Contact>& contacts,
              const std::vector<ImpactRow>& impacts, const VelocityProblem& problem,
              const Configuration& start, const VecX& v0, bool has_audit, Formulation* formulation);

  // v̂ of the contacts that rebound, in the problem of the step.
  void KeepRebounds(VelocityProblem* problem) const;

  // Of the last Update that had one.
  const VecX& v() const { return v_; }          // v⁺
  const VecX& gamma() const { return gamma_; }  // impulses of both phases, per row of the problem
  SolveStatus status() const { return status_; }
  double residual() const { return residual_; }  // the larger one of the phases
  const SolveStats& stats() const { return stats_; }
  const Audit& audit() const { return audit_; }  // the worse one of the phases, number by number

 private:
  // The normal of a contact in the problem of compression.
  struct Normal {
    int row = 0, contact = 0;
    int group = 0;
    double restored = 0;  // e p_c,n
  };

  void ListRows(const VelocityProblem& problem, const std::vector<ImpactRow>& impacts);
  void AddGroup(const VelocityProblem& problem, const RowGroup& group,
                const std::vector<ImpactRow>& impacts, int first_contact);
  void CalcRestored(const Model& model, const std::vector<Contact>& contacts);
  void BuildDecompression();
  void AddFrictionOfRestored(const Normal& normal, int dof);
  void SolvePhase(const VelocityProblem& problem, bool has_audit, Formulation* formulation);

  VelocityProblem compression_, decompression_;
  RowInertiaScratch row_inertia_;
  std::vector<int> rows_;  // of the step's problem, per row of compression_
  std::vector<Normal> normals_;
  int with_friction_ = 0;              // how many normals restore impulses and have friction
  std::vector<int> rows_of_friction_;  // of the step's problem, per row behind compression_'s

  // Of decompression_: the mechanism and the masses that stand for e p_c,n.
  std::vector<int> parents_;
  TreePattern pattern_;
  VecX M_;
  TreeFactor factor_;

  Solution solution_;
  Auditor auditor_;
  Audit phase_audit_, audit_;
  VecX restored_, v_, gamma_, no_guess_;
  SolveStatus status_ = SolveStatus::kSolved;
  double residual_ = 0;
  SolveStats stats_;
};

}  // namespace voigt
