#pragma once

#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/constraint_set.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/model/state.h"

namespace voigt {

// Forces of constraints and contacts from a measured motion q, v, v̇, where deformations are too
// small to be measured and are taken as zero [Drumwright 2019, §7]:
//
//   Gᵀ λ = M v̇ + c(q, v) − τ,
//
// with τ the loads, springs, dampers and drives of joints. Constraints of both signs, limits and
// contacts that only push (within their friction cones), bounded forces within their bounds. Where
// several λ do, the one of least norm; where none does, the one whose accelerations come closest
// to v̇ in the metric of M:
//
//   min ½ ‖M⁻¹ (Gᵀ λ + τ − c) − v̇‖²_M  over λ in its bounds and cones,
//
// which is the rigid problem of one step in terms of forces and accelerations. Stiffness, damping
// and the laws of soft contacts play no part; viscous friction is that of v.
class ForceEstimator {
 public:
  // Limits and contacts with gaps of up to `touch` (m, rad) count as closed. `model` must outlive
  // the estimator.
  explicit ForceEstimator(const Model& model, double touch = 1e-6);

  // False if there is no answer: numbers that are not finite, or a singular mass matrix. The
  // results are then those of before.
  bool Update(const State& state, const VecX& v_dot);

  // One per row of problem(): N, N m.
  const VecX& lambda() const { return lambda_; }
  // v̇ less the acceleration that the forces give: zero where the motion is one that the
  // constraints allow.
  const VecX& unexplained() const { return unexplained_; }
  // Which rows belong to which constraint or contact: groups and G.
  const VelocityProblem& problem() const { return problem_; }
  const ConstraintSet& constraints() const { return constraints_; }
  const std::vector<Contact>& contacts() const { return contacts_.contacts(); }

 private:
  void AddRows(const State& state);

  const Model* model_;
  double touch_;
  Configuration configuration_;
  EquationsOfMotion equations_;
  ConstraintSet constraints_;
  ContactFinder contacts_;
  Compliant compliant_;
  std::vector<ContactMemory> closed_;
  VelocityProblem problem_;
  Solution solution_;
  VecX free_, lambda_, unexplained_;
};

}  // namespace voigt
