#pragma once

#include "voigt/math/types.h"

namespace voigt {

// How a robot's controller keeps a joint from running into its limits, after URDF's
// safety_controller: where the joint nears a soft limit, what drives it may command less speed, and
// pull less in that direction.
//   v_hi = clamp(−k_position (q − upper), ± speed),  force ≤ −k_velocity (v − v_hi),
// and the same from below. With k_position = 0 only the speed is limited.
struct DriveSafety {
  double lower = -kInfinity, upper = kInfinity;  // soft limits, m or rad
  double k_position = 0;                         // 1/s
  double k_velocity = 0;                         // N s/m or N m s/rad
  double speed = kInfinity;                      // m/s or rad/s
};

}  // namespace voigt
