#pragma once

#include <vector>

#include "voigt/constraints/joint_sum.h"
#include "voigt/dynamics/actuation.h"

namespace voigt {

// An actuator in a state: what sensors on it would say.
struct ActuatorReport {
  double length = 0;      // l: m or rad
  double rate = 0;        // l̇
  double input = 0;       // u within its range
  double activation = 0;  // a
  double force = 0;       // f within its range, N or N m
};

// Reads the actuators of a model in any state. Forces are those of that instant; a step acts with
// those at its end.
class ActuatorReporter {
 public:
  explicit ActuatorReporter(const Model& model);

  // kin is up to date with the state's q. The forces on the rates, Σ f ∂l̇/∂v, are added to
  // *joint_force unless it is null.
  void Calc(const Model& model, const Kinematics& kin, const State& state,
            std::vector<ActuatorReport>* out, VecX* joint_force = nullptr);

 private:
  std::vector<JointSum> lengths_;
  Actuation actuation_;
  VelocityProblem rows_;  // scratch: one row per actuator
};

}  // namespace voigt
