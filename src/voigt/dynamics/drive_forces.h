#pragma once

#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// Whether an actuator is a force among those of the tree joints. Others are rows of their own
// (constraints/actuator_row.h): those that feel more than one coordinate, or have a limit to a
// force that feels any, or pull at joints that close loops.
bool IsAppliedAsForce(const Model& model, int actuator);

// Servos and actuators of a model's tree joints, but for those that are rows. Per degree of freedom
// their forces add up to
//   force = offset − stiffness q − damping v.
// A servo gives its stiffness and damping, and stiffness · target + damping · rate to the offset;
// an actuator over one coordinate what SpringForce says, times the gear once and twice; one without
// feedback its force, times each gear.
class DriveForces {
 public:
  DriveForces() = default;
  explicit DriveForces(const Model& model);

  bool empty() const { return servos_.empty() && actuators_.empty(); }
  bool has_actuators() const { return !actuators_.empty(); }
  // True if any force depends on q or v.
  bool has_feedback() const { return has_feedback_; }

  // Takes targets at time t, and actuators with these activations (actuation.h) at (q, v).
  void Update(const Model& model, double t, const VecX& drive, const VecX& q, const VecX& v);

  // tau += force at (q, v).
  void AddForces(const VecX& q, const VecX& v, VecX* tau) const;
  // J: of the servos alone, with their forces at the end of a step, q + h v₁, along the way `path`.
  double CalcServoWork(const VecX& q, const VecX& v1, const VecX& path, double h) const;

  // Whether any acts on a rate now.
  bool ActsOn(int dof) const {
    return offset_[dof] != 0 || stiffness_[dof] != 0 || damping_[dof] != 0;
  }

  // The rates that they act on, each once.
  const std::vector<int>& dofs() const { return dofs_; }

  const VecX& stiffness() const { return stiffness_; }
  const VecX& damping() const { return damping_; }

 private:
  struct ServoDof {
    int dof, coordinate;
    double stiffness, damping;
    CompiledTimeFunction target, rate;
    double offset = 0;  // of the last Update
  };
  struct ActuatorDof {
    int actuator, dof;
    int coordinate;  // −1 where its force needs none
    double gear;
  };

  void UseDof(int dof, int coordinate);

  std::vector<ServoDof> servos_;
  std::vector<ActuatorDof> actuators_;
  std::vector<int> dofs_, coordinates_;  // each driven dof once; coordinate −1: no stiffness
  VecX stiffness_, damping_, offset_;
  bool has_feedback_ = false;
};

}  // namespace voigt
