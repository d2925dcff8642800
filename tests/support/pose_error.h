#pragma once

#include "voigt/math/pose.h"

namespace voigt::testing {

inline double PoseError(const Pose& a, const Pose& b) {
  return (a.R - b.R).norm() + (a.p - b.p).norm();
}

}  // namespace voigt::testing
