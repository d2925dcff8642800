#pragma once

#include <vector>

#include "voigt/model/model.h"
#include "voigt/model/state.h"

namespace voigt {

// From inputs to activations: what the actuators of a model act with during a step.
//
// An input is that of the controller or, where there is none, the scene's function at the end of
// the step, as the targets of servos are; it holds over the step. Activations are followed over the
// step and act with the value of its end.
class Actuation {
 public:
  Actuation() = default;
  explicit Actuation(const Model& model);

  // For a step from t to t + h; for h = 0, how things are at t. The activation may be empty: as at
  // the start of a run.
  void Update(const Model& model, const Inputs& inputs, const VecX& activation, double t, double h);

  // Per actuator: its input within range, and the activation a that it acts with.
  const VecX& input() const { return input_; }
  const VecX& drive() const { return drive_; }
  // The activations at the end of the step, as in State::activation.
  const VecX& activation() const { return activation_; }

 private:
  std::vector<CompiledTimeFunction> functions_;  // per actuator
  VecX input_, drive_, activation_;
};

}  // namespace voigt
