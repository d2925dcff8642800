#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

namespace voigt {

// An actuator whose force is a row (see IsAppliedAsForce of dynamics/drive_forces.h). Its force
// f = o − K l − B l̇ (SpringForce, made stable at the start of the step) is taken at the end of the
// step, as a spring and damper: φ = l − o/K; as a damper about l̇ = o/B where K = 0; and as a row of
// a given impulse where both are zero. Force limits are the bounds of its impulse.
std::shared_ptr<const Constraint> MakeActuatorRow(const Model& model, int actuator);

}  // namespace voigt
