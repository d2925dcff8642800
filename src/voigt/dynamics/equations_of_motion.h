#pragma once

#include "voigt/dynamics/actuation.h"
#include "voigt/dynamics/applied_loads.h"
#include "voigt/dynamics/articulated_body.h"
#include "voigt/dynamics/drive_forces.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/prescribed_rates.h"

namespace voigt {

// The ordinary differential equation of a tree of bodies without constraints,
//   q̇ = N(q) v,   M v̇ = τ(t, q, v) − c(q, v),
// with all forces as they are now: loads, springs, dampers, drives that are no rows. For
// integrators of high order and for reading off accelerations and reactions.
class EquationsOfMotion {
 public:
  explicit EquationsOfMotion(const Model& model);

  // What a controller does, and the activations of actuators; none and as at the start until this
  // is called.
  void SetInputs(const Inputs& inputs, const VecX& activation);

  // v̇ at (t, q, v).
  void CalcAcceleration(double t, const VecX& q, const VecX& v, VecX* v_dot);
  // The same where the motion of some rates is prescribed.
  void CalcAcceleration(double t, const VecX& q, const VecX& v, const PrescribedRates& prescribed,
                        VecX* v_dot);

  // The power of loads, dampers and drives at the point of the last CalcAcceleration: what changes
  // the energy of bodies and springs.
  double power() const { return power_; }

  // There: all forces on rates but those of constraints and prescribed motion, and loads per body.
  const VecX& applied_force() const { return tau_; }
  const std::vector<Vec6>& external_forces() const { return loads_.F_ext(); }
  // Of them, those of drives, per rate.
  const VecX& drive_force() const { return drive_force_; }

  // What actuators acted with there (actuation.h).
  const VecX& drive() const { return actuation_.drive(); }

  // Reactions of all joints at (t, q, v), per body, as joint_reactions.h defines them.
  void CalcReactions(double t, const VecX& q, const VecX& v, std::vector<Vec6>* reactions);

  const Model& model() const { return *model_; }
  const Kinematics& kinematics() const { return kin_; }

 private:
  void UpdateForces(double t, const VecX& q, const VecX& v);

  const Model* model_;
  Kinematics kin_;
  AppliedLoads loads_;
  DriveForces drives_;
  Actuation actuation_;
  Inputs inputs_;
  VecX activation_;
  ArticulatedBody articulated_;
  NewtonEulerScratch newton_euler_;
  VecX drive_force_, tau_, tau_hybrid_, v_dot_;
  double power_ = 0;
};

}  // namespace voigt
