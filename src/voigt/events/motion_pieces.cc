#include "voigt/events/motion_pieces.h"

#include <variant>

namespace voigt {

std::vector<CompiledTimeFunction> ListMotionPieces(const Model& model) {
  std::vector<CompiledTimeFunction> out;
  const auto add = [&out](const TimeFunction& function) {
    CompiledTimeFunction compiled(function);
    if (compiled.has_pieces()) out.push_back(std::move(compiled));
  };
  const ModelSpec& spec = model.spec();
  for (const PrescribedJoint& motion : spec.prescribed_joints) {
    for (const TimeFunction& position : motion.position) add(position);
  }
  for (const Motor& motor : spec.motors) {
    for (const TimeFunction& rate : motor.rate) add(rate);
  }
  for (const ConstraintSpec& constraint : spec.constraints) {
    if (const auto* const point = std::get_if<PrescribedPointSpec>(&constraint.kind)) {
      for (const TimeFunction& position : point->position) add(position);
    }
    if (const auto* const speed = std::get_if<ConstantSpeedSpec>(&constraint.kind)) {
      add(speed->speed);
    }
  }
  return out;
}

}  // namespace voigt
