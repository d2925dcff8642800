// Poses, axes, rates and deflections of joints: against differences, against each other, and by
// hand.

#include "voigt/model/joint_motion.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <string>
#include <vector>

#include "tests/model/every_joint.h"
#include "tests/support/pose_error.h"
#include "tests/support/random_model.h"
#include "voigt/math/rotation.h"
#include "voigt/math/spatial.h"

namespace voigt {
namespace {

using testing::Axes;
using testing::JointMotion;
using testing::JointPose;
using testing::Moved;
using testing::PoseError;
using testing::RandomCoordinates;
using testing::RandomJointRates;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

VecX Neutral(JointType type) {
  VecX q(CoordinateCount(type));
  SetNeutral(type, q.data());
  return q;
}

// [ω; v at the origin of M] of the motion from `minus` to `plus` in the time 2s, in axes of F.
Vec6 MotionByDifference(const Pose& plus, const Pose& minus, double s) {
  Vec6 out;
  out << QuaternionLog(MatrixToQuaternion(plus.R * minus.R.transpose())) / (2 * s),
      (plus.p - minus.p) / (2 * s);
  return out;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, JointMotion, ::testing::Range(0, kJointTypeCount),
                         [](const auto& instance) {
                           return std::string(ToString(static_cast<JointType>(instance.param)));
                         });

TEST_P(JointMotion, FramesCoincideAtNeutral) {
  const Pose X = JointPose(type(), Neutral(type()));
  EXPECT_EQ(X.R, Mat3(Mat3::Identity()));
  EXPECT_EQ(X.p, Vec3(Vec3::Zero()));
}

TEST_P(JointMotion, PosesAreRotationsAndOneToOne) {
  for (int i = 0; i < 20; ++i) {
    const Pose X = JointPose(type(), RandomCoordinates(type(), &random_));
    EXPECT_LT((X.R * X.R.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_GT(X.R.determinant(), 0);
  }
}

TEST_P(JointMotion, AxesAreDerivativesOfThePose) {
  const double s = 1e-5;
  for (int i = 0; i < 20; ++i) {
    const VecX q = RandomCoordinates(type(), &random_);
    const Pose X_WF = RandomPose(&random_);
    const Pose X_WM = X_WF * JointPose(type(), q);
    const std::vector<Vec6> S = Axes(type(), X_WF.R, X_WM.R);
    for (int k = 0; k < nv(); ++k) {
      const VecX step = s * VecX::Unit(nv(), k);
      const Pose plus = X_WF * JointPose(type(), Moved(type(), q, step));
      const Pose minus = X_WF * JointPose(type(), Moved(type(), q, -step));
      EXPECT_LT((S[k] - MotionByDifference(plus, minus, s)).norm(), 1e-9) << "dof " << k;
    }
  }
}

TEST_P(JointMotion, CoordinateRatesAreDerivativesOfTheCoordinates) {
  const double s = 1e-5;
  for (int i = 0; i < 20; ++i) {
    const VecX q = RandomCoordinates(type(), &random_);
    const VecX v = RandomJointRates(type(), &random_);
    VecX q_dot(nq());
    CalcCoordinateRates(type(), q.data(), v.data(), q_dot.data());
    const VecX difference = (Moved(type(), q, s * v) - Moved(type(), q, -s * v)) / (2 * s);
    EXPECT_LT((q_dot - difference).norm(), 1e-9);
  }
}

TEST_P(JointMotion, IntegratingBackReturns) {
  for (double scale : {1e-9, 1e-3, 1.0, 10.0}) {
    const VecX q = RandomCoordinates(type(), &random_);
    const VecX v = RandomJointRates(type(), &random_, scale);
    const VecX back = Moved(type(), Moved(type(), q, v), -v);
    EXPECT_LT((back - q).norm(), 1e-14 * (1 + scale));
  }
}

TEST_P(JointMotion, IntegratingInPartsIsIntegratingAtOnce) {
  // Constant rates: the motion is a one-parameter group in every coordinate, quaternions included.
  const VecX q = RandomCoordinates(type(), &random_);
  const VecX v = RandomJointRates(type(), &random_);
  VecX stepped = q;
  for (int i = 0; i < 10; ++i) stepped = Moved(type(), stepped, v / 10);
  EXPECT_LT((stepped - Moved(type(), q, v)).norm(), 1e-14);
}

TEST_P(JointMotion, IntegrationKeepsQuaternionsOfUnitLength) {
  VecX q = RandomCoordinates(type(), &random_);
  for (int i = 0; i < 1000; ++i) q = Moved(type(), q, RandomJointRates(type(), &random_));
  EXPECT_TRUE(q.allFinite());
  if (!HasQuaternion(type())) return;
  EXPECT_NEAR(q.segment<4>(QuaternionStart(type())).norm(), 1, 2e-15);
}

TEST_P(JointMotion, NormalizingChangesTheLengthOfQuaternionsAlone) {
  const VecX q = RandomCoordinates(type(), &random_);
  VecX scaled = q;
  if (HasQuaternion(type())) scaled.segment<4>(QuaternionStart(type())) *= 3;
  // The pose ignores the length.
  EXPECT_LT(PoseError(JointPose(type(), scaled), JointPose(type(), q)), 1e-14);
  NormalizeCoordinates(type(), scaled.data());
  if (HasQuaternion(type())) {
    EXPECT_LT((scaled - q).norm(), 4e-15);
  } else {
    EXPECT_EQ(scaled, q);
  }
}

// The line of an axis is fixed in the frame that AxisMovesWithM names: the twist of a unit rate,
// expressed in that frame (axes and origin), is the same for every q. Where M is named, F does not
// carry the axis, or F would have been named.
TEST_P(JointMotion, NamedFrameCarriesTheAxis) {
  for (int k = 0; k < nv(); ++k) {
    const auto twist_in_frame = [&](const VecX& q, bool in_M) {
      const Pose X_FM = JointPose(type(), q);
      const Vec6 S = Axes(type(), Mat3::Identity(), X_FM.R)[k];  // at the origin of M, axes of F
      if (!in_M) return ShiftMotion(S, -X_FM.p);
      Vec6 out;
      out << X_FM.R.transpose() * S.head<3>(), X_FM.R.transpose() * S.tail<3>();
      return out;
    };
    const bool named = AxisMovesWithM(type(), k);
    const Vec6 reference_named = twist_in_frame(Neutral(type()), named);
    double spread_named = 0, spread_F = 0;
    for (int i = 0; i < 20; ++i) {
      const VecX q = RandomCoordinates(type(), &random_);
      spread_named = std::max(spread_named, (twist_in_frame(q, named) - reference_named).norm());
      spread_F = std::max(
          spread_F, (twist_in_frame(q, false) - twist_in_frame(Neutral(type()), false)).norm());
    }
    EXPECT_LT(spread_named, 1e-14) << "dof " << k;
    if (!named) continue;
    EXPECT_GT(spread_F, 0.1) << "dof " << k << " is carried by F as well";
  }
}

// What the flag is for: with F moving at V_F, the rate of the axis is the cross product with the
// velocity of the frame that carries it.
TEST_P(JointMotion, AxisRatesInAMovingFrameFollowTheNamedFrame) {
  const double s = 1e-5;
  for (int i = 0; i < 10; ++i) {
    const VecX q = RandomCoordinates(type(), &random_);
    const VecX v = RandomJointRates(type(), &random_);
    const Pose X_WF = RandomPose(&random_);
    Vec6 V_F;  // of F, at its origin
    V_F << RandomVector(&random_), RandomVector(&random_);
    const auto F_at = [&](double t) {
      return Pose{QuaternionToMatrix(QuaternionExp(t * Vec3(V_F.head<3>()))) * X_WF.R,
                  Vec3(X_WF.p + t * V_F.tail<3>())};
    };
    // Spatial vectors about the world's origin, which does not move.
    const auto axes_at = [&](double t) {
      const Pose F = F_at(t);
      const Pose M = F * JointPose(type(), Moved(type(), q, t * v));
      std::vector<Vec6> S = Axes(type(), F.R, M.R);
      for (Vec6& axis : S) axis = ShiftMotion(axis, -M.p);
      return S;
    };
    const std::vector<Vec6> now = axes_at(0), plus = axes_at(s), minus = axes_at(-s);
    const Vec6 V_F_world = ShiftMotion(V_F, -X_WF.p);
    Vec6 V_M_world = V_F_world;
    for (int k = 0; k < nv(); ++k) V_M_world += now[k] * v[k];
    for (int k = 0; k < nv(); ++k) {
      const Vec6 carrier = AxisMovesWithM(type(), k) ? V_M_world : V_F_world;
      const Vec6 rate = (plus[k] - minus[k]) / (2 * s);
      EXPECT_LT((rate - CrossMotion(carrier, now[k])).norm(), 1e-8) << "dof " << k;
    }
  }
}

TEST_P(JointMotion, DeflectionVanishesAtRest) {
  const VecX rest = RandomCoordinates(type(), &random_);
  VecX e(nv());
  CalcDeflection(type(), rest.data(), rest.data(), e.data());
  EXPECT_LT(e.norm(), 4e-15);
}

TEST_P(JointMotion, DeflectionUndoesIntegration) {
  // Along constant rates from rest the rotation vector is that of the step.
  for (double scale : {1e-8, 1e-2, 0.5, 1.5}) {
    const VecX rest = RandomCoordinates(type(), &random_);
    const VecX v = RandomJointRates(type(), &random_, scale);
    const VecX q = Moved(type(), rest, v);
    VecX e(nv());
    CalcDeflection(type(), q.data(), rest.data(), e.data());
    EXPECT_LT((e - v).norm(), 1e-14);
  }
}

TEST_P(JointMotion, DeflectionIgnoresLengthAndSignOfQuaternions) {
  if (!HasQuaternion(type())) return;
  const VecX rest = RandomCoordinates(type(), &random_);
  const VecX q = Moved(type(), rest, RandomJointRates(type(), &random_, 1));
  VecX expected(nv()), e(nv());
  CalcDeflection(type(), q.data(), rest.data(), expected.data());
  for (double scale : {-1.0, 2.5}) {
    VecX other = q;
    other.segment<4>(QuaternionStart(type())) *= scale;
    CalcDeflection(type(), other.data(), rest.data(), e.data());
    EXPECT_LT((e - expected).norm(), 1e-14);
  }
}

TEST_P(JointMotion, SpringForceIsMinusTheGradientOfItsEnergy) {
  const double s = 1e-4;
  for (int i = 0; i < 20; ++i) {
    const VecX rest = RandomCoordinates(type(), &random_);
    // Not too close to a half turn away, where the rotation vector jumps.
    const VecX q = Moved(type(), rest, RandomJointRates(type(), &random_, 1.5));
    VecX k(nv());
    for (double& value : k) value = Uniform(&random_, 0, 10);
    if (i % 2 == 0) k.setConstant(3);
    const auto energy = [&](const VecX& at) {
      VecX e(nv());
      CalcDeflection(type(), at.data(), rest.data(), e.data());
      return 0.5 * e.dot(k.cwiseProduct(e));
    };
    VecX e(nv());
    CalcDeflection(type(), q.data(), rest.data(), e.data());
    const MatX A = CalcDeflectionRateMatrix(type(), e.data()).topLeftCorner(nv(), nv());
    const VecX f = -A.transpose() * k.cwiseProduct(e);
    for (int d = 0; d < nv(); ++d) {
      const VecX step = s * VecX::Unit(nv(), d);
      const double slope =
          (energy(Moved(type(), q, step)) - energy(Moved(type(), q, -step))) / (2 * s);
      EXPECT_NEAR(f[d], -slope, 1e-7 * (1 + f.norm())) << "dof " << d;
    }
  }
}

// Poses written out by hand, so that the conventions of joint.h are pinned down.

TEST(JointPose, RevoluteTurnsXTowardsY) {
  const double q[] = {kPi / 2};
  const Pose X = CalcJointPose(JointType::kRevolute, 0, q);
  EXPECT_LT((X.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 4e-15);
  EXPECT_EQ(X.p, Vec3(Vec3::Zero()));
}

TEST(JointPose, PrismaticSlidesAlongZ) {
  const double q[] = {1.5};
  const Pose X = CalcJointPose(JointType::kPrismatic, 0, q);
  EXPECT_EQ(X.p, Vec3(0, 0, 1.5));
  EXPECT_EQ(X.R, Mat3(Mat3::Identity()));
}

TEST(JointPose, ScrewRisesByItsPitchPerRadian) {
  const double q[] = {kPi};
  const Pose X = CalcJointPose(JointType::kScrew, 0.5, q);
  EXPECT_LT((X.p - Vec3(0, 0, 0.5 * kPi)).norm(), 4e-15);
  EXPECT_LT((X.R * Vec3::UnitX() + Vec3::UnitX()).norm(), 4e-15);
}

TEST(JointPose, CylindricalTurnsFirstAndSlidesSecond) {
  const double q[] = {kPi / 2, -2};
  const Pose X = CalcJointPose(JointType::kCylindrical, 0, q);
  EXPECT_EQ(X.p, Vec3(0, 0, -2));
  EXPECT_LT((X.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 4e-15);
}

TEST(JointPose, UniversalTurnsAboutXOfFThenYOfM) {
  const double q[] = {kPi / 2, kPi / 2};
  const Pose X = CalcJointPose(JointType::kUniversal, 0, q);
  // Ry takes z to x; Rx leaves x. Ry leaves y; Rx takes it to z.
  EXPECT_LT((X.R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 4e-15);
  EXPECT_LT((X.R * Vec3::UnitY() - Vec3::UnitZ()).norm(), 4e-15);
}

TEST(JointPose, PlanarSlidesInXAndYAndTurnsAboutZ) {
  const double q[] = {3, 4, kPi / 2};
  const Pose X = CalcJointPose(JointType::kPlanar, 0, q);
  EXPECT_EQ(X.p, Vec3(3, 4, 0));
  EXPECT_LT((X.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 4e-15);
}

TEST(JointPose, FreeHoldsThePositionFirst) {
  const double q[] = {1, 2, 3, 0.5, 0.5, 0.5, 0.5};
  const Pose X = CalcJointPose(JointType::kFree, 0, q);
  EXPECT_EQ(X.p, Vec3(1, 2, 3));
  EXPECT_EQ(Vec3(X.R * Vec3::UnitX()), Vec3(Vec3::UnitY()));
}

}  // namespace
}  // namespace voigt
