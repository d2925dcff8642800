#pragma once

#include "voigt/dynamics/applied_loads.h"
#include "voigt/dynamics/articulated_body.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/servo_forces.h"

namespace voigt {

// The ordinary differential equation of a tree of bodies without constraints,
//   q̇ = N(q) v,   M v̇ = τ(t, q, v) − c(q, v),
// with all forces as they are now: loads, springs, dampers, servos. For integrators of high order
// and for reading off accelerations and reactions.
class EquationsOfMotion {
 public:
  explicit EquationsOfMotion(const Model& model);

  // v̇ at (t, q, v).
  void CalcAcceleration(double t, const VecX& q, const VecX& v, VecX* v_dot);

  // The power of loads, dampers and servos at the point of the last CalcAcceleration: what changes
  // the energy of bodies and springs.
  double power() const { return power_; }

  // Reactions of all joints at (t, q, v), per body, as joint_reactions.h defines them.
  void CalcReactions(double t, const VecX& q, const VecX& v, std::vector<Vec6>* reactions);

  const Model& model() const { return *model_; }
  const Kinematics& kinematics() const { return kin_; }

 private:
  const Model* model_;
  Kinematics kin_;
  AppliedLoads loads_;
  ServoForces servos_;
  ArticulatedBody articulated_;
  NewtonEulerScratch newton_euler_;
  VecX tau_, v_dot_;
  double power_ = 0;
};

}  // namespace voigt
