#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random_model.h"
#include "voigt/math/rotation.h"
#include "voigt/model/joint_motion.h"

// Joints of every type, at random coordinates.
namespace voigt::testing {

// Of screws.
inline constexpr double kPitch = 0.3;

inline VecX RandomCoordinates(JointType type, Random* random, double scale = 2) {
  VecX q(CoordinateCount(type));
  for (double& value : q) value = Uniform(random, -scale, scale);
  if (HasQuaternion(type)) {
    q.segment<4>(QuaternionStart(type)) = MatrixToQuaternion(RandomRotation(random));
  }
  return q;
}

inline VecX RandomJointRates(JointType type, Random* random, double scale = 2) {
  VecX v(DofCount(type));
  for (double& value : v) value = Uniform(random, -scale, scale);
  return v;
}

// q ⊕ v.
inline VecX Moved(JointType type, VecX q, const VecX& v) {
  IntegrateCoordinates(type, v.data(), q.data());
  return q;
}

inline Pose JointPose(JointType type, const VecX& q) {
  return CalcJointPose(type, kPitch, q.data());
}

inline std::vector<Vec6> Axes(JointType type, const Mat3& R_WF, const Mat3& R_WM) {
  std::vector<Vec6> S(DofCount(type), Vec6::Constant(kNaN));
  CalcJointAxes(type, kPitch, R_WF, R_WM, S.data());
  return S;
}

// The parameter is the type.
class JointMotion : public ::testing::TestWithParam<int> {
 protected:
  JointType type() const { return static_cast<JointType>(GetParam()); }
  int nq() const { return CoordinateCount(type()); }
  int nv() const { return DofCount(type()); }
  Random random_{static_cast<unsigned>(7 + GetParam())};
};

}  // namespace voigt::testing
