#include <gtest/gtest.h>

#include "tests/constraints/row_checks.h"
#include "voigt/constraints/servo.h"
#include "voigt/dynamics/drive_forces.h"
#include "voigt/model/drive_limits.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::MakeRows;
using testing::Rows;

constexpr double kStep = 0.01;

// A body on a joint j along z, with what `add` says.
template <typename Add>
Model MakeBodyOn(JointType type, Add add) {
  ModelBuilder builder;
  BodySpec body;
  body.name = "b";
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3::Zero(), Mat3::Identity()};
  JointSpec joint;
  joint.name = "j";
  joint.type = type;
  joint.child = "b";
  builder.AddBody(body).AddJoint(joint);
  add(&builder.spec());
  return builder.Build();
}

template <typename Add>
Model MakeSleeve(Add add) {
  return MakeBodyOn(JointType::kCylindrical, add);
}

State CylinderState(double angle, double rise) {
  State state;
  state.t = 2;
  state.q = Vec2(angle, rise);
  state.v = Vec2(0.3, -0.2);
  return state;
}

// Rows of everything but the joint itself, on the tree and on a loop.
std::vector<Rows> BothWays(const Model& model, const State& state) {
  const Model free = ToMaximal(model);
  const auto list =
      testing::Select(free, [](const Constraint& c) { return c.name() != "joint 'j'"; });
  std::vector<Rows> out;
  out.push_back(MakeRows(model, state, kStep));
  out.push_back(MakeRows(free, list, ToMaximalState(model, state, free), kStep));
  return out;
}

TEST(JointFriction, IsABoundedImpulseAgainstTheRate) {
  const Model model = MakeSleeve([](ModelSpec* spec) { spec->joints[0].dry_friction = {3, 0.5}; });
  for (const Rows& rows : BothWays(model, CylinderState(0.1, 0.2))) {
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows.problem.groups[1].law, Law::kBounded);
    EXPECT_DOUBLE_EQ(rows[0].upper, 0.03);
    EXPECT_DOUBLE_EQ(rows[1].upper, 0.005);
    EXPECT_DOUBLE_EQ(rows[1].lower, -0.005);
    EXPECT_EQ(rows[0].R, 0);
    EXPECT_EQ(rows[0].v_hat, 0);
    EXPECT_TRUE(rows[0].angular);
    EXPECT_FALSE(rows[1].angular);
  }
}

TEST(Servo, WithALimitIsABoundedRow) {
  const Model model = MakeSleeve([](ModelSpec* spec) {
    Servo servo;
    servo.joint = "j";
    servo.stiffness = {100, 200};
    servo.damping = {4};
    servo.target = {TimeFunction::Parse("0.5*t"), TimeFunction(1)};
    servo.target_rate = {TimeFunction(0.5), TimeFunction(0)};
    servo.force_limit = {7};
    spec->servos.push_back(servo);
  });
  EXPECT_TRUE(DriveForces(model).empty());  // once, not twice
  const State state = CylinderState(0.1, 0.2);
  for (const Rows& rows : BothWays(model, state)) {
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows.problem.groups[0].law, Law::kBounded);
    EXPECT_DOUBLE_EQ(rows[0].upper, 0.07);
    EXPECT_DOUBLE_EQ(rows[0].lower, -0.07);
    // γ = h (K (s₁ − q − h v) + B (ṡ₁ − v)), whatever v is, where u = 0.
    for (int k = 0; k < 2; ++k) {
      const double v = 0.7, K = k == 0 ? 100 : 200, target = k == 0 ? 0.5 * (2 + kStep) : 1;
      const double rate = k == 0 ? 0.5 : 0;
      const double gamma = kStep * (K * (target - state.q[k] - kStep * v) + 4 * (rate - v));
      const double u = v + rows[k].phi_t + rows[k].R * gamma - rows[k].v_hat;
      EXPECT_NEAR(u, 0, 1e-14);
    }
  }
}

TEST(Servo, OfALoopFollowsATargetThatTurns) {
  Model model = MakeSleeve([](ModelSpec* spec) {
    Servo servo;
    servo.joint = "j";
    servo.stiffness = {100};
    servo.target = {TimeFunction::Parse("10*t"), TimeFunction(0)};
    spec->servos.push_back(servo);
  });
  const Model free = ToMaximal(model);
  const State state = CylinderState(20, 0);
  const Rows rows = MakeRows(free, {MakeServo(free, free.servos()[0])},
                             ToMaximalState(model, state, free), kStep);
  EXPECT_NEAR(rows[0].phi, 20 - 10 * (2 + kStep), 1e-13);
}

TEST(Motor, IsBoundedByItsLimit) {
  const auto make = [](std::vector<double> limit, std::vector<double> gain) {
    return MakeSleeve([&](ModelSpec* spec) {
      Motor motor;
      motor.joint = "j";
      motor.rate = {TimeFunction::Parse("3*t"), TimeFunction(-1)};
      motor.force_limit = limit;
      motor.gain = gain;
      spec->motors.push_back(motor);
    });
  };
  for (const Rows& rows : BothWays(make({5, 6}, {}), CylinderState(0.1, 0.2))) {
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows.problem.groups[0].law, Law::kBounded);
    EXPECT_DOUBLE_EQ(rows[0].v_hat, 3 * (2 + kStep));
    EXPECT_EQ(rows[1].v_hat, -1);
    EXPECT_EQ(rows[0].R, 0);
    EXPECT_DOUBLE_EQ(rows[0].upper, 0.05);
    EXPECT_DOUBLE_EQ(rows[1].lower, -0.06);
  }
  for (const Rows& rows : BothWays(make({}, {50}), CylinderState(0.1, 0.2))) {
    EXPECT_EQ(rows.problem.groups[0].law, Law::kBilateral);
    EXPECT_DOUBLE_EQ(rows[0].R, 1 / (kStep * 50));
  }
}

// A slider that a motor wants to move at 3 m/s, with soft limits at ± 1 m.
Model MakeSafeSlider(double k_position, double speed) {
  return MakeBodyOn(JointType::kPrismatic, [&](ModelSpec* spec) {
    spec->joints[0].drive_limit = 30;
    spec->joints[0].drive_safety = DriveSafety{-1, 1, k_position, 200, speed};
    Motor motor;
    motor.joint = "j";
    motor.rate = {TimeFunction(3)};
    spec->motors = {motor};
    ApplyDriveLimits(spec);
  });
}

TEST(Motor, IsNarrowedBySafetyNearSoftLimitsAndAtSpeed) {
  const Model model = MakeSafeSlider(20, 2);
  const auto bounds = [&](double q, double v) -> Vec2 {
    State state;
    state.q = VecX::Constant(1, q);
    state.v = VecX::Constant(1, v);
    const std::vector<Rows> both = BothWays(model, state);
    EXPECT_NEAR(both[0][0].upper, both[1][0].upper, 1e-13);
    EXPECT_NEAR(both[0][0].lower, both[1][0].lower, 1e-13);
    return Vec2(both[0][0].lower, both[0][0].upper) / kStep;
  };
  EXPECT_LT((bounds(0, 0) - Vec2(-30, 30)).norm(), 1e-13);
  // v_hi = 20 · 0.05 = 1: nothing more at 1 m/s, and 200 (1 − 0.9) = 20 N at 0.9 m/s.
  EXPECT_LT((bounds(0.95, 1) - Vec2(-30, 0)).norm(), 1e-11);
  EXPECT_LT((bounds(0.95, 0.9) - Vec2(-30, 20)).norm(), 1e-11);
  EXPECT_LT((bounds(-0.95, -0.9) - Vec2(-20, 30)).norm(), 1e-11);
  // At speed, and beyond the soft limit, where it has to come back.
  EXPECT_LT((bounds(0, 1.95) - Vec2(-30, 10)).norm(), 1e-11);
  EXPECT_LT((bounds(1.1, 0) - Vec2(-30, -30)).norm(), 1e-11);
  // Without k_position, speed alone.
  State fast;
  fast.q = VecX::Constant(1, 5);
  fast.v = VecX::Constant(1, 2.1);
  const Rows rows = MakeRows(MakeSafeSlider(0, 2), fast, kStep);
  EXPECT_NEAR(rows[0].upper / kStep, -20, 1e-11);
}

TEST(PrescribedJoint, IsMetAtTheEndOfTheStep) {
  const Model model = MakeSleeve([](ModelSpec* spec) {
    PrescribedJoint motion;
    motion.joint = "j";
    motion.position = {TimeFunction::Parse("4*sin(t)"), TimeFunction::Parse("t^2")};
    spec->prescribed_joints.push_back(motion);
  });
  const State state = CylinderState(4 * std::sin(2.0) + 0.1, 4.2);  // off by 0.1 and 0.2
  const double end[] = {4 * std::sin(2 + kStep), (2 + kStep) * (2 + kStep)};
  for (const Rows& rows : BothWays(model, state)) {
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows.problem.groups[0].law, Law::kBilateral);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(rows[k].phi, 0.1 * (k + 1), 1e-14);
      // u = 0 at the rate that ends at s(t + h).
      const double v = (end[k] - state.q[k]) / kStep;
      EXPECT_NEAR(v + rows[k].phi_t - rows[k].v_hat, 0, 1e-11);
    }
  }
}

// Rotations of ball and free joints, anywhere near and far from the motion, of the tree and of a
// loop.
TEST(PrescribedJoint, HasRowsThatAreExactDerivatives) {
  for (JointType type : {JointType::kPlanar, JointType::kBall, JointType::kFree}) {
    const Model model = MakeBodyOn(type, [&](ModelSpec* spec) {
      PrescribedJoint motion;
      motion.joint = "j";
      for (int k = 0; k < DofCount(type); ++k) {
        motion.position.push_back(TimeFunction::Parse(k % 2 == 0 ? "sin(t)" : "2*t"));
      }
      spec->prescribed_joints.push_back(motion);
    });
    for (int seed = 0; seed < 10; ++seed) {
      testing::Random random(seed);
      State state = testing::MakeRandomState(model, &random);
      state.t = 0.4;
      const Model free = ToMaximal(model);
      for (const Model* each : {&model, &free}) {
        const auto list =
            testing::Select(*each, [](const Constraint& c) { return c.name() != "joint 'j'"; });
        ASSERT_EQ(list.size(), 1u);
        const State there = each == &model ? state : ToMaximalState(model, state, free);
        EXPECT_EQ(MakeRows(*each, list, there).size(), DofCount(type));
        EXPECT_LT(testing::CalcDerivativeError(*each, list, there, &random), 1e-7)
            << ToString(type) << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace voigt
