// Coordinates and rates of joints from poses and velocities, on the joint and off it.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/model/every_joint.h"
#include "tests/support/random_model.h"
#include "voigt/math/rotation.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

using testing::Axes;
using testing::JointMotion;
using testing::JointPose;
using testing::kPitch;
using testing::Moved;
using testing::Random;
using testing::RandomCoordinates;
using testing::RandomJointRates;
using testing::RandomVector;
using testing::Uniform;

TEST_P(JointMotion, FitRecoversCoordinates) {
  for (int i = 0; i < 50; ++i) {
    const VecX q = RandomCoordinates(type(), &random_, 3);
    VecX hint = q, fitted(nq());
    for (double& value : hint) value += Uniform(&random_, -0.4, 0.4);
    FitCoordinates(type(), kPitch, JointPose(type(), q), hint.data(), fitted.data());
    EXPECT_LT((fitted - q).norm(), 1e-14 * (1 + q.norm()));
  }
}

TEST_P(JointMotion, FitFollowsTheHintOverManyTurns) {
  if (HasQuaternion(type())) return;
  for (int turns : {-100, -3, 1, 7, 1000}) {
    VecX q = RandomCoordinates(type(), &random_, 3);
    q.array() += 2 * kPi * turns;
    VecX hint = q, fitted(nq());
    for (double& value : hint) value += Uniform(&random_, -1, 1);
    FitCoordinates(type(), kPitch, JointPose(type(), q), hint.data(), fitted.data());
    EXPECT_LT((fitted - q).norm(), 1e-14 * (1 + q.norm()));
  }
}

TEST_P(JointMotion, FitTakesTheSignOfTheQuaternionFromTheHint) {
  if (!HasQuaternion(type())) return;
  for (int i = 0; i < 50; ++i) {
    VecX q = RandomCoordinates(type(), &random_);
    if (i % 2 == 0) q.segment<4>(QuaternionStart(type())) *= -1;
    VecX hint = q, fitted(nq());
    for (double& value : hint) value += Uniform(&random_, -0.1, 0.1);
    FitCoordinates(type(), kPitch, JointPose(type(), q), hint.data(), fitted.data());
    EXPECT_LT((fitted - q).norm(), 1e-14);
  }
}

TEST_P(JointMotion, FitRecoversRates) {
  for (int i = 0; i < 50; ++i) {
    const Mat3 R_FM = JointPose(type(), RandomCoordinates(type(), &random_)).R;
    const VecX v = RandomJointRates(type(), &random_);
    const std::vector<Vec6> S = Axes(type(), Mat3::Identity(), R_FM);
    Vec6 V = Vec6::Zero();
    for (int k = 0; k < nv(); ++k) V += S[k] * v[k];
    VecX fitted(nv());
    FitRates(type(), kPitch, R_FM, V, fitted.data());
    EXPECT_LT((fitted - v).norm(), 1e-14 * (1 + v.norm()));
  }
}

TEST_P(JointMotion, FittedRatesLeaveAResidualNormalToAllAxes) {
  // The mark of a least-squares solution, also where bodies have drifted off the joint.
  for (int i = 0; i < 50; ++i) {
    Mat3 R_FM = JointPose(type(), RandomCoordinates(type(), &random_)).R;
    if (i % 2 == 1) R_FM = R_FM * QuaternionToMatrix(QuaternionExp(RandomVector(&random_, 0.3)));
    Vec6 V;
    V << RandomVector(&random_), RandomVector(&random_);
    VecX fitted(nv());
    FitRates(type(), kPitch, R_FM, V, fitted.data());
    const std::vector<Vec6> S = Axes(type(), Mat3::Identity(), R_FM);
    Vec6 residual = V;
    for (int k = 0; k < nv(); ++k) residual -= S[k] * fitted[k];
    for (int k = 0; k < nv(); ++k) EXPECT_NEAR(S[k].dot(residual), 0, 1e-14) << "dof " << k;
  }
}

TEST_P(JointMotion, FitIsTheClosestPoseNearTheJoint) {
  // A pose off the joint: no small change of the fitted coordinates brings the rotation closer by
  // more than second order, and translations are projected.
  if (type() == JointType::kScrew || type() == JointType::kUniversal) return;
  for (int i = 0; i < 20; ++i) {
    const VecX q = RandomCoordinates(type(), &random_);
    Pose X = JointPose(type(), q);
    X.R = X.R * QuaternionToMatrix(QuaternionExp(RandomVector(&random_, 0.2)));
    X.p += RandomVector(&random_, 0.2);
    VecX fitted(nq());
    FitCoordinates(type(), kPitch, X, q.data(), fitted.data());
    const auto distance = [&](const VecX& at) {
      const Pose Y = JointPose(type(), at);
      return (Y.R - X.R).squaredNorm() + (Y.p - X.p).squaredNorm();
    };
    for (int k = 0; k < nv(); ++k) {
      const VecX step = 1e-3 * VecX::Unit(nv(), k);
      EXPECT_GE(distance(Moved(type(), fitted, step)), distance(fitted) - 1e-14);
      EXPECT_GE(distance(Moved(type(), fitted, -step)), distance(fitted) - 1e-14);
    }
  }
}

TEST(JointFit, ScrewCountsItsTurnsByTheRise) {
  // The hint is of no use here; the rise of 0.3 m/rad times 5 turns is.
  for (double angle : {5 * 2 * kPi + 0.4, -12 * 2 * kPi - 3, 1000.0, 0.1}) {
    const double hint = 0;
    double fitted = kNaN;
    FitCoordinates(JointType::kScrew, kPitch, CalcJointPose(JointType::kScrew, kPitch, &angle),
                   &hint, &fitted);
    EXPECT_NEAR(fitted, angle, 1e-13 * std::abs(angle));
  }
}

TEST(JointFit, ScrewWithoutPitchCountsItsTurnsByTheHint) {
  const double angle = 8 * kPi + 1, hint = 8 * kPi + 2;
  double fitted = kNaN;
  FitCoordinates(JointType::kScrew, 0, CalcJointPose(JointType::kScrew, 0, &angle), &hint, &fitted);
  EXPECT_NEAR(fitted, angle, 1e-13);
}

TEST(JointFit, AnglesComeWithinHalfATurnOfTheHint) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const double angle = Uniform(&random, -50, 50), hint = Uniform(&random, -50, 50);
    double fitted = kNaN;
    FitCoordinates(JointType::kRevolute, 0, CalcJointPose(JointType::kRevolute, 0, &angle), &hint,
                   &fitted);
    EXPECT_LE(std::abs(fitted - hint), kPi * (1 + 4e-15));
    EXPECT_NEAR(std::remainder(fitted - angle, 2 * kPi), 0, 1e-13);
  }
}

}  // namespace
}  // namespace voigt
