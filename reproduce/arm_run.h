#pragma once

#include <string>
#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// An arm of eight joints that falls with friction in them [Drumwright & Shell 2010, §5.3].
struct ArmRun {
  std::vector<Vec2> angle, rate;  // of the elbow or another joint over time
  VecX start, end;                // angles, rad
  VecX end_rate;
  double drift = 0;  // the largest change of any angle
};

struct ArmFriction {
  double dry = 0, viscous = 0;  // N m, N m s
};

// By impulses within bounds, quadratic program 4, in `formulation`. `viscous_as`: bound, as in the
// paper, or damper. `joint`: whose angle is kept.
ArmRun RunArm(const Trial& trial, const ArmFriction& friction, double h,
              const std::string& formulation, const std::string& viscous_as, int joint);

// By the law of accelerations, eq. 6, in explicit steps, until `until` or until it diverges.
ArmRun RunArmByAccelerations(const Trial& trial, const ArmFriction& friction, double h,
                             double until, int joint);

}  // namespace voigt::reproduce
