#include "voigt/model/actuator.h"

#include <cmath>

#include "voigt/base/check.h"

namespace voigt {

void MakePositionActuator(double kp, double kv, ActuatorSpec* actuator) {
  actuator->gain = {kp, 0, 0};
  actuator->bias = {0, -kp, -kv};
}

void MakeVelocityActuator(double kv, ActuatorSpec* actuator) {
  actuator->gain = {kv, 0, 0};
  actuator->bias = {0, 0, -kv};
}

SpringForce SpringForce::MakeStable(double l, double l_dot) const {
  return {offset - std::min(stiffness, 0.0) * l - std::min(damping, 0.0) * l_dot,
          std::max(stiffness, 0.0), std::max(damping, 0.0)};
}

SpringForce CalcActuatorForce(const ActuatorSpec& actuator, double a) {
  const AffineLaw &gain = actuator.gain, &bias = actuator.bias;
  return {gain.constant * a + bias.constant, -(gain.length * a + bias.length),
          -(gain.velocity * a + bias.velocity)};
}

double CalcActivationRate(const ActuatorSpec& actuator, double a, double u) {
  switch (actuator.activation) {
    case ActivationLaw::kNone:
      return 0;
    case ActivationLaw::kIntegrator:
      return u;
    case ActivationLaw::kFilter:
      return (u - a) / actuator.time_constant;
  }
  return 0;
}

double AdvanceActivation(const ActuatorSpec& actuator, double a, double u, double h) {
  if (!actuator.has_state()) return u;
  if (actuator.activation == ActivationLaw::kIntegrator) {
    a += h * u;
  } else {
    a -= (u - a) * std::expm1(-h / actuator.time_constant);
  }
  return actuator.activation_range.Clamp(a);
}

std::vector<JointTerm> ListTransmission(const ActuatorSpec& actuator, JointType joint_type) {
  VOIGT_CHECK(static_cast<int>(actuator.gear.size()) == DofCount(joint_type));
  std::vector<JointTerm> terms;
  for (size_t k = 0; k < actuator.gear.size(); ++k) {
    if (actuator.gear[k] == 0) continue;
    terms.push_back({actuator.joint, static_cast<int>(k), actuator.gear[k]});
  }
  return terms;
}

std::vector<JointTerm> ListTransmission(const ActuatorSpec& actuator, const TendonSpec& tendon) {
  std::vector<JointTerm> terms = tendon.terms;
  for (JointTerm& term : terms) term.factor *= actuator.gear[0];
  return terms;
}

}  // namespace voigt
