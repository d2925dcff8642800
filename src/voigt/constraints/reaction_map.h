#pragma once

#include <vector>

#include "voigt/constraints/constraint_set.h"
#include "voigt/dynamics/inverse_dynamics.h"

namespace voigt {

// The forces that joints and constraints transmit, as functions of multipliers: f = f₀ + F λ, in
// world axes. Those of tree joints are what Newton and Euler ask for the bodies beyond them,
//   f = Σ m v̇ − external forces − forces of rows on these bodies,
// where v̇ depends on λ, too; those of loop joints and constraints are λ itself.
class ReactionMap {
 public:
  explicit ReactionMap(const Model& model) : forces_(model), tau_(VecX::Zero(model.nv())) {}

  // At accelerations v̇ with external forces per body, which stay as they are.
  void Start(const Model& model, const Kinematics& kin, const VecX& v_dot,
             const std::vector<Vec6>& F_ext);
  // One more row with its force: what it does to accelerations, and on the bodies by its wrenches.
  void AddRow(const Model& model, const Kinematics& kin, const VecX& response, int row,
              const std::vector<RowWrench>& wrenches);

  // f₀ of joint(body), and its column of F for the row that was last added.
  Vec3 CalcTreeForce(int body) const { return forces_.F[body].tail<3>(); }
  Vec3 CalcTreeMoment(int body) const { return forces_.F[body].head<3>(); }
  const std::vector<Vec6>& forces() const { return forces_.F; }  // both, moment first, per body

 private:
  NewtonEulerScratch forces_;
  VecX tau_;
};

// P f + P_m m + of_row λ of a loop joint or constraint for λ = 1 of a bilateral row: zero unless
// the row is its own. Of a joint of the tree of_row λ alone.
Vec3 CalcOwnNormal(const ConstraintSet& constraints, const FrictionRows& friction, int row,
                   const std::vector<RowWrench>& wrenches);
// The part of one wrench of the joint or constraint.
inline Vec3 CalcNormalOfWrench(const FrictionRows& friction, const RowWrench& wrench) {
  const Vec3 moment = wrench.torque + (wrench.p - friction.origin).cross(wrench.force);
  return friction.P * wrench.force + friction.P_m * moment;
}
// Whether a wrench is one of the joint or constraint that friction belongs to.
bool IsOwnWrench(const ConstraintSet& constraints, const FrictionRows& friction,
                 const RowWrench& wrench);

}  // namespace voigt
