#pragma once

#include <gtest/gtest.h>

#include "voigt/model/mass_properties.h"

namespace voigt::testing {

inline constexpr double kDensity = 700;

inline void ExpectNear(const MassProperties& a, const MassProperties& b, double tolerance,
                       double length = 1) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.com - b.com).norm(), tolerance * length);
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

// Textbook values, so that no test compares the library's box with itself.
inline MassProperties BoxBetween(const Vec3& low, const Vec3& high, double density = kDensity) {
  const Vec3 size = high - low;
  const double m = density * size[0] * size[1] * size[2];
  MassProperties out{m, (low + high) / 2, Mat3::Zero()};
  for (int axis = 0; axis < 3; ++axis) {
    const double a = size[(axis + 1) % 3], b = size[(axis + 2) % 3];
    out.inertia(axis, axis) = m * (a * a + b * b) / 12;
  }
  return out;
}

}  // namespace voigt::testing
