#pragma once

#include <vector>

#include "voigt/base/errors.h"
#include "voigt/model/model_spec.h"

// Checks of what becomes constraints: like spec_checks.h, every problem is listed.
namespace voigt {

// Stiffness and damping of limits and loops, cone limits.
void CheckJointConstraints(const ModelSpec& spec, ProblemList* problems);

// Force limits of servos, motors, prescribed motions.
void CheckDrives(const ModelSpec& spec, ProblemList* problems);

void CheckConstraints(const ModelSpec& spec, ProblemList* problems);
void CheckTendons(const ModelSpec& spec, ProblemList* problems);
void CheckActuators(const ModelSpec& spec, ProblemList* problems);

// Joints that close loops cannot count turns: limits further apart than one have no meaning there.
void CheckLoopLimits(const ModelSpec& spec, const std::vector<int>& loops, ProblemList* problems);

}  // namespace voigt
