#include "voigt/dynamics/free_velocity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// One wheel with spring, damper and servo: the implicit step solved by hand.
TEST(FreeVelocity, SolvesTheImplicitStepOfOneWheelExactly) {
  ModelBuilder builder;
  BodySpec wheel;
  wheel.name = "wheel";
  wheel.mass_source = MassSource::kExplicit;
  wheel.mass = {1.0, Vec3::Zero(), Mat3(0.02 * Mat3::Identity())};
  JointSpec axle;
  axle.name = "axle";
  axle.type = JointType::kRevolute;
  axle.child = "wheel";
  axle.stiffness = {300};
  axle.rest = {0.2};
  axle.damping = {0.7};
  axle.armature = {0.01};
  builder.AddBody(wheel).AddJoint(axle);
  Servo servo;
  servo.joint = "axle";
  servo.stiffness = {1000};
  servo.damping = {5};
  servo.target = {TimeFunction::Parse("sin(t)")};
  servo.target_rate = {TimeFunction::Parse("cos(t)")};
  builder.spec().servos.push_back(servo);
  builder.spec().joint_loads.push_back({"", "axle", {TimeFunction(2.5)}, {}});
  const Model model = builder.Build();

  State state;
  state.t = 0.4;
  state.q = VecX::Constant(1, 0.9);
  state.v = VecX::Constant(1, -3.0);
  const double h = 0.05, t1 = 0.45;
  Configuration start(model);
  ASSERT_TRUE(start.Update(model, state.q));
  FreeVelocity free(model);
  ASSERT_TRUE(free.Update(model, start, state, VecX(), h));
  const double v1 = free.v_star()[0], q1 = 0.9 + h * v1;
  const double force =
      2.5 - 300 * (q1 - 0.2) - 0.7 * v1 + 1000 * (std::sin(t1) - q1) + 5 * (std::cos(t1) - v1);
  EXPECT_NEAR(0.03 * (v1 + 3.0), h * force, 1e-12 * std::abs(h * force) + 1e-13);

  // The work of load, damper and servo at the mean velocity.
  const ForceWork work = free.CalcWork(model, state.q, state.v, free.v_star(), h);
  const double path = h * 0.5 * (v1 - 3.0);
  EXPECT_NEAR(work.loads, 2.5 * path, 1e-11);
  EXPECT_NEAR(work.dampers, -0.7 * v1 * path, 1e-11);
  EXPECT_NEAR(work.servos, (1000 * (std::sin(t1) - q1) + 5 * (std::cos(t1) - v1)) * path, 1e-11);
  EXPECT_EQ(work.actuators, 0);
}

// Without springs, dampers and drives, M̂ is M, and its factor serves.
TEST(FreeVelocity, IsTheStepOfGravityAloneWithoutOtherForces) {
  const Scene scene = testing::LoadNamedScene("arm");
  const Model& model = scene.model;
  Configuration start(model);
  ASSERT_TRUE(start.Update(model, scene.initial.q));
  FreeVelocity free(model);
  const double h = 0.01;
  ASSERT_TRUE(free.Update(model, start, scene.initial, VecX(), h));
  EquationsOfMotion equations(model);
  VecX v_dot(model.nv());
  equations.CalcAcceleration(0, scene.initial.q, scene.initial.v, &v_dot);
  EXPECT_LT((free.v_star() - h * v_dot).norm(), 1e-12 * h * v_dot.norm());
}

}  // namespace
}  // namespace voigt
