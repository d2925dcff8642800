#pragma once

#include <vector>

#include "voigt/sim/impact_phases.h"

namespace voigt {

// Impacts by Poisson's law, in two phases [Glocker & Pfeiffer 1995; Anitescu & Potra 1997]:
//
//   compression     v_c = v₀ + M⁻¹ Gᵀ p_c,   0 ≤ φ̇ ⟂ p_c ≥ 0 at the contacts, with friction
//   decompression   v⁺ = v_c + M⁻¹ Gᵀ p_d,   p_d,n = e p_c,n + x,   0 ≤ φ̇ ⟂ x ≥ 0, with friction
//                   ‖p_d,t‖ ≤ μ p_d,n
//
// where e counts for contacts whose p_c,n is worth more velocity than restitution_speed.
//
// In the second problem e p_c,n is in v*, and a contact's own normal impulse is x. The share
// μ e p_c,n of its friction comes from another contact with the same tangents, whose normal stops
// a mass of its own that has the momentum e p_c,n: two discs against one slip are as good as one
// with the sum of their radii.
class PoissonImpact final : public ImpactPhases {
 public:
  bool Update(const Model& model, const std::vector<Contact>& contacts,
              const std::vector<ImpactRow>& impacts, const VelocityProblem& problem,
              const Configuration& start, const VecX& v0, bool has_audit,
              Formulation* formulation) override;

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

  VelocityProblem compression_, decompression_;
  std::vector<int> rows_;  // of the step's problem, per row of compression_
  std::vector<Normal> normals_;
  int with_friction_ = 0;              // how many normals restore impulses and have friction
  std::vector<int> rows_of_friction_;  // of the step's problem, per row behind compression_'s

  // Of decompression_: the mechanism and the masses that stand for e p_c,n.
  std::vector<int> parents_;
  TreePattern pattern_;
  VecX M_;
  TreeFactor factor_;

  VecX restored_;
};

}  // namespace voigt
