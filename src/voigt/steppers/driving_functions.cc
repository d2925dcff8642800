#include "voigt/steppers/driving_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace voigt {
namespace {

// What Fehlberg's method makes of ∫ f dt: the rule of Newton and Cotes with seven moments, of order
// eight.
constexpr std::array<double, 7> kWeights = {41.0 / 840, 216.0 / 840, 27.0 / 840, 272.0 / 840,
                                            27.0 / 840, 216.0 / 840, 41.0 / 840};
constexpr int kParts = 8, kMoments = 6 * kParts + 1;

struct Moments {
  double impulse = 0;    // ∫ f ds over the step, as a part of it
  double way = 0;        // ∫ (1 − s) f ds: what the impulses have moved where it ends
  double magnitude = 0;  // ∫ |f| ds
};

// The rule once for every `stride` values, on parts of the step that are as long.
Moments Integrate(const std::array<double, kMoments>& f, int stride) {
  Moments out;
  const int parts = (kMoments - 1) / (6 * stride);
  for (int part = 0; part < parts; ++part) {
    for (int k = 0; k < 7; ++k) {
      const int i = (6 * part + k) * stride;
      const double s = static_cast<double>(i) / (kMoments - 1), w = kWeights[k] / parts;
      out.impulse += w * f[i];
      out.way += w * (1 - s) * f[i];
      out.magnitude += w * std::fabs(f[i]);
    }
  }
  return out;
}

}  // namespace

DrivingFunctions::DrivingFunctions(const Model& model) {
  const auto add = [this](const auto& functions, bool is_force) {
    for (const TimeFunction& function : functions) {
      if (function.is_constant()) continue;
      if (is_force) forces_.emplace_back(function);
      CompiledTimeFunction compiled(function);
      if (compiled.has_pieces()) pieces_.push_back(std::move(compiled));
    }
  };
  const ModelSpec& spec = model.spec();
  for (const BodyLoad& load : spec.body_loads) {
    add(load.force, true);
    add(load.torque, true);
  }
  for (const JointLoad& load : spec.joint_loads) add(load.force, true);
  for (const Servo& servo : spec.servos) {
    add(servo.target, true);
    add(servo.target_rate, true);
  }
  for (const ActuatorSpec& actuator : spec.actuators) add(std::array{actuator.input}, true);
  // Motion that is prescribed is followed by other means.
  for (const PrescribedJoint& motion : spec.prescribed_joints) add(motion.position, false);
  for (const Motor& motor : spec.motors) add(motor.rate, false);
  for (const ConstraintSpec& constraint : spec.constraints) {
    if (const auto* const point = std::get_if<PrescribedPointSpec>(&constraint.kind)) {
      add(point->position, false);
    }
    if (const auto* const speed = std::get_if<ConstantSpeedSpec>(&constraint.kind)) {
      add(std::array{speed->speed}, false);
    }
  }
}

double DrivingFunctions::CalcMissed(double t, double h) const {
  constexpr double kFollowed = 1e-12;  // of the magnitude
  // N, m or whatever they are: the ends of a pulse that fades away are no matter.
  constexpr double kNothing = 1e-17;
  if (h <= kShortestFollowed) return 0;
  double worst = 0;
  std::array<double, kMoments> f;
  for (const CompiledTimeFunction& function : forces_) {
    f[0] = function(CalcStart(t));
    for (int i = 1; i < kMoments; ++i) f[i] = function(t + i * h / (kMoments - 1));
    const Moments step = Integrate(f, kParts), exact = Integrate(f, 1);
    const double off =
        std::max(std::fabs(step.impulse - exact.impulse), std::fabs(step.way - exact.way));
    if (off > 0) worst = std::max(worst, off / (kFollowed * exact.magnitude + kNothing));
  }
  return worst;
}

}  // namespace voigt
