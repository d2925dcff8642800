#pragma once

#include "voigt/math/types.h"

namespace voigt {

// A rigid transform X_AB: where frame B is in frame A. p_AQ = R p_BQ + p.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Pose operator*(const Pose& X) const { return {R * X.R, p + R * X.p}; }
  Vec3 operator*(const Vec3& point) const { return p + R * point; }
  Pose Inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

}  // namespace voigt
