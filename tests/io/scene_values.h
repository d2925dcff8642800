#pragma once

#include <initializer_list>

#include "voigt/model/time_function.h"

// Values of scenes, written and read briefly.
namespace voigt::testing {

inline double At(const TimeFunction& function, double t) {
  return CompiledTimeFunction(function)(t);
}

inline VecX List(std::initializer_list<double> values) {
  return Eigen::Map<const VecX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace voigt::testing
