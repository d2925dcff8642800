#include "voigt/model/prescribed_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "voigt/math/rotation.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

PrescribedMotion MakeMotion(JointType type, const std::vector<std::string>& texts) {
  std::vector<TimeFunction> functions;
  for (const std::string& text : texts) functions.push_back(TimeFunction::Parse(text));
  return PrescribedMotion(type, functions);
}

TEST(PrescribedMotion, OfAFreeJointIsAPlaceAndARotationVector) {
  const PrescribedMotion motion =
      MakeMotion(JointType::kFree, {"t", "t^2", "3", "0.5 * t", "0", "sin(t)"});
  EXPECT_FALSE(motion.is_constant());
  double q[7], v[6], v_dot[6];
  const double t = 0.8;
  motion.CalcCoordinates(t, q);
  motion.CalcRates(t, v);
  motion.CalcAccelerations(t, v_dot);
  EXPECT_EQ(Vec3(q), Vec3(t, t * t, 3));
  EXPECT_LT((Vec3(v) - Vec3(1, 2 * t, 0)).norm(), 1e-15);
  EXPECT_LT((Vec3(v_dot) - Vec3(0, 2, 0)).norm(), 1e-15);
  const Mat3 R = QuaternionToMatrix(Vec4(q + 3));
  const Vec3 theta(0.5 * t, 0, std::sin(t));
  EXPECT_LT((R - RotationAbout(theta.normalized(), theta.norm())).norm(), 1e-15);
}

// Rates and accelerations by differences of coordinates, for every type that moves.
TEST(PrescribedMotion, HasTheDerivativesOfItsCoordinates) {
  for (int type = 1; type < kJointTypeCount; ++type) {
    const JointType joint = static_cast<JointType>(type);
    std::vector<std::string> texts;
    for (int k = 0; k < DofCount(joint); ++k)
      texts.push_back("sin((t + 1) / " + std::to_string(k + 2) + ") + t^2");
    const PrescribedMotion motion = MakeMotion(joint, texts);
    for (double t : {0.0, 0.9, 2.0}) {
      // Coordinates from those of rates that change evenly: q(t + s) ≈ q ⊕ s (v ± …).
      constexpr double s = 1e-4;
      double q[7], before[7], after[7], v[6], v_dot[6], v_before[6], v_after[6], e[6], e_back[6];
      motion.CalcCoordinates(t, q);
      motion.CalcCoordinates(t - s, before);
      motion.CalcCoordinates(t + s, after);
      motion.CalcRates(t, v);
      motion.CalcRates(t - s, v_before);
      motion.CalcRates(t + s, v_after);
      motion.CalcAccelerations(t, v_dot);
      CalcDeflection(joint, after, q, e);
      CalcDeflection(joint, before, q, e_back);
      for (int k = 0; k < DofCount(joint); ++k) {
        EXPECT_NEAR(v[k], (e[k] - e_back[k]) / (2 * s), 1e-6) << ToString(joint) << ' ' << k;
        EXPECT_NEAR(v_dot[k], (v_after[k] - v_before[k]) / (2 * s), 1e-6) << ToString(joint);
      }
    }
  }
}

// From where the motion is at t: the way that it goes.
Vec3 CalcTurn(const PrescribedMotion& motion, double t, double h) {
  double q[4], out[3];
  motion.CalcCoordinates(t, q);
  motion.CalcStep(t, h, q, out);
  return Vec3(out);
}

TEST(PrescribedMotion, StepsGoTheWayOfTheMotion) {
  const PrescribedMotion motion = MakeMotion(JointType::kBall, {"0", "0", "100 * t"});
  for (double h : {1e-3, 0.031, 0.0315, 0.06, 2 * M_PI / 100, 0.1}) {
    for (double t : {0.0, 0.013, 7.0}) {
      EXPECT_LT((CalcTurn(motion, t, h) - Vec3(0, 0, 100 * h)).norm(), 1e-12) << h << ' ' << t;
    }
  }
  const PrescribedMotion still(JointType::kBall,
                               {TimeFunction(1), TimeFunction(2), TimeFunction(3)});
  EXPECT_TRUE(still.is_constant());
  EXPECT_LT(CalcTurn(still, 0, 0.1).norm(), 1e-15);
}

// Only where the motion is at the two ends of a step counts, as for a hinge.
TEST(PrescribedMotion, StepsDoNotTrustRatesAtTheirStart) {
  const PrescribedMotion stops = MakeMotion(JointType::kBall, {"0", "0", "min(100 * t, 1)"});
  EXPECT_LT((CalcTurn(stops, 0, 0.1) - Vec3(0, 0, 1)).norm(), 1e-14);
  const PrescribedMotion starts = MakeMotion(JointType::kBall, {"500 * t ^ 2", "0", "0"});
  EXPECT_LT((CalcTurn(starts, 0, 0.1) - Vec3(5, 0, 0)).norm(), 1e-14);
  const PrescribedMotion leaps =
      MakeMotion(JointType::kBall, {"0", "t < 1 ? 0 : sqrt(t - 1)", "0"});
  EXPECT_LT((CalcTurn(leaps, 1, 0.01) - Vec3(0, 0.1, 0)).norm(), 1e-14);
}

// Whatever the joint is off by: rates of such a step end on the motion.
TEST(PrescribedMotion, StepsLeadThereFromAnywhere) {
  const PrescribedMotion motion =
      MakeMotion(JointType::kBall, {"sin(t)", "2 * t", "cos(3 * t) - t"});
  std::srand(3);
  for (int i = 0; i < 100; ++i) {
    const double t = 0.05 * i, h = 0.3;
    const Vec3 offset = 0.8 * Vec3::Random();
    double q[4], s[4], end[4], e[3], out[3];
    motion.CalcCoordinates(t, s);
    motion.CalcCoordinates(t + h, end);
    const Vec4 turned = QuaternionProduct(Vec4(s), QuaternionExp(offset));
    std::copy_n(turned.data(), 4, q);
    motion.CalcStep(t, h, q, out);
    CalcDeflection(JointType::kBall, q, s, e);
    const Mat3 A = CalcDeflectionRateMatrix(JointType::kBall, e).topLeftCorner<3, 3>();
    const Vec3 way = A.inverse() * (Vec3(out) - Vec3(e));
    IntegrateCoordinates(JointType::kBall, way.data(), q);
    EXPECT_LT((QuaternionToMatrix(Vec4(q)) - QuaternionToMatrix(Vec4(end))).norm(), 1e-13) << i;
  }
}

}  // namespace
}  // namespace voigt
