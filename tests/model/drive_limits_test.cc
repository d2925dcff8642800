#include "voigt/model/drive_limits.h"

#include <gtest/gtest.h>

namespace voigt {
namespace {

TEST(DriveLimits, BoundDrivesThatHaveNoLimitOfTheirOwn) {
  ModelSpec spec;
  JointSpec strong, weak;
  strong.name = "strong";
  weak.name = "weak";
  weak.drive_limit = 5;
  spec.joints = {strong, weak};
  Servo servo;
  servo.joint = "weak";
  Motor motor;
  motor.joint = "weak";
  spec.servos = {servo, servo, servo};
  spec.servos[0].joint = "strong";
  spec.servos[2].force_limit = {7};
  spec.motors = {motor};
  ActuatorSpec geared;
  geared.joint = "weak";
  geared.gear = {-4};
  ActuatorSpec bounded = geared;
  bounded.force_range = {-1, 100};
  ActuatorSpec pulling;
  pulling.tendon = "weak";
  spec.actuators = {geared, bounded, pulling};
  ApplyDriveLimits(&spec);
  EXPECT_TRUE(spec.servos[0].force_limit.empty());
  EXPECT_EQ(spec.servos[1].force_limit, std::vector<double>{5});
  EXPECT_EQ(spec.servos[2].force_limit, std::vector<double>{7});
  EXPECT_EQ(spec.motors[0].force_limit, std::vector<double>{5});
  EXPECT_EQ(spec.actuators[0].force_range.upper, 1.25);
  EXPECT_EQ(spec.actuators[0].force_range.lower, -1.25);
  EXPECT_EQ(spec.actuators[1].force_range.upper, 100);
  EXPECT_FALSE(spec.actuators[2].force_range.is_bounded());
}

TEST(DriveLimits, SafetyGoesToServosAndMotors) {
  ModelSpec spec;
  JointSpec joint;
  joint.name = "j";
  joint.drive_safety = DriveSafety{-1, 1, 20, 10, 2};
  spec.joints = {joint};
  Servo servo;
  servo.joint = "j";
  Motor motor;
  motor.joint = "j";
  motor.force_limit = {3};
  spec.servos = {servo};
  spec.motors = {motor};
  ApplyDriveLimits(&spec);
  ASSERT_TRUE(spec.servos[0].safety && spec.motors[0].safety);
  EXPECT_EQ(spec.servos[0].safety->k_position, 20);
  EXPECT_EQ(spec.servos[0].force_limit, std::vector<double>{kInfinity});
  EXPECT_EQ(spec.motors[0].force_limit, std::vector<double>{3});
}

}  // namespace
}  // namespace voigt
