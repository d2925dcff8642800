#include "voigt/dynamics/actuation.h"

#include <cmath>

#include "voigt/base/check.h"

namespace voigt {

Actuation::Actuation(const Model& model)
    : input_(VecX::Zero(model.actuator_count())),
      drive_(VecX::Zero(model.actuator_count())),
      activation_(model.StartingActivation()) {
  for (const ActuatorSpec& actuator : model.actuators()) functions_.emplace_back(actuator.input);
}

void Actuation::Update(const Model& model, const Inputs& inputs, const VecX& activation, double t,
                       double h) {
  const int count = model.actuator_count();
  VOIGT_CHECK(inputs.actuators.size() == 0 || inputs.actuators.size() == count);
  VOIGT_CHECK(activation.size() == 0 || activation.size() == model.activation_count());
  for (int i = 0; i < count; ++i) {
    const ActuatorSpec& actuator = model.actuators()[i];
    const bool is_given = inputs.actuators.size() > 0 && !std::isnan(inputs.actuators[i]);
    const double u = is_given ? inputs.actuators[i] : functions_[i](t + h);
    // What is no number is not brought into range, so that the step can say so.
    input_[i] = std::isnan(u) ? u : actuator.input_range.Clamp(u);
    const int at = model.activation_index(i);
    const double a0 = at < 0 || activation.size() == 0 ? actuator.start : activation[at];
    drive_[i] = AdvanceActivation(actuator, a0, input_[i], h);
    if (at >= 0) activation_[at] = drive_[i];
  }
}

}  // namespace voigt
