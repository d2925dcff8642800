#include "voigt/dynamics/actuation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/specs.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// Actuators on the rail of one cart.
Model MakeDrivenCart(const std::vector<ActuatorSpec>& actuators) {
  ModelBuilder builder;
  builder.AddBody(testing::MakeBody("cart"));
  builder.AddJoint(testing::MakeJoint("rail", JointType::kPrismatic, "world", "cart"));
  for (ActuatorSpec actuator : actuators) {
    actuator.name = "a" + std::to_string(builder.spec().actuators.size());
    actuator.joint = "rail";
    builder.spec().actuators.push_back(actuator);
  }
  return builder.Build();
}

// τ ȧ = 1 − a from 0: a = 1 − exp(−t/τ), however long the steps are.
TEST(Actuation, AFilterAnswersAStepByAnExponential) {
  ActuatorSpec actuator;
  actuator.activation = ActivationLaw::kFilter;
  actuator.time_constant = 0.03;
  const Model model = MakeDrivenCart({actuator});
  Inputs inputs;
  inputs.actuators = VecX::Ones(1);
  for (double h : {1e-6, 1e-3, 0.02, 1.0, 1e3}) {
    Actuation actuation(model);
    VecX activation = VecX::Zero(1);
    for (int i = 1; i <= 20; ++i) {
      actuation.Update(model, inputs, activation, 0, h);
      activation = actuation.activation();
      EXPECT_NEAR(activation[0], -std::expm1(-i * h / 0.03), 1e-14) << h;
      EXPECT_EQ(actuation.drive()[0], activation[0]);
    }
  }
}

TEST(Actuation, AnIntegratorSumsItsInputWithinItsRange) {
  ActuatorSpec actuator;
  actuator.activation = ActivationLaw::kIntegrator;
  actuator.start = 0.25;
  actuator.activation_range = {-1, 1};
  const Model model = MakeDrivenCart({actuator});
  Inputs inputs;
  inputs.actuators = VecX::Constant(1, 2);
  Actuation actuation(model);
  actuation.Update(model, inputs, VecX(), 0, 0.125);
  EXPECT_EQ(actuation.activation()[0], 0.5);
  actuation.Update(model, inputs, actuation.activation(), 0, 10);
  EXPECT_EQ(actuation.activation()[0], 1);
  inputs.actuators[0] = -100;
  actuation.Update(model, inputs, actuation.activation(), 0, 10);
  EXPECT_EQ(actuation.activation()[0], -1);
  // No time passes, nothing changes.
  actuation.Update(model, inputs, actuation.activation(), 0, 0);
  EXPECT_EQ(actuation.activation()[0], -1);
}

TEST(Actuation, InputsAreThoseOfTheControllerOrOfTheSceneWithinTheirRange) {
  ActuatorSpec first;
  first.input = TimeFunction::Parse("10*t");
  first.input_range = {-3, 4};
  ActuatorSpec second;
  second.activation = ActivationLaw::kFilter;
  second.time_constant = 1;
  ActuatorSpec third;
  third.input = 7;
  const Model model = MakeDrivenCart({first, second, third});
  EXPECT_EQ(model.activation_count(), 1);
  EXPECT_EQ(model.activation_index(0), -1);
  EXPECT_EQ(model.activation_index(1), 0);
  Actuation actuation(model);
  actuation.Update(model, {}, VecX(), 0.1, 0.1);  // the function at the end of the step
  EXPECT_DOUBLE_EQ(actuation.drive()[0], 2);
  EXPECT_EQ(actuation.drive()[2], 7);
  actuation.Update(model, {}, VecX(), 5, 0.1);
  EXPECT_EQ(actuation.drive()[0], 4);
  Inputs inputs;
  inputs.actuators = Vec3(-9, 0, kNaN);
  actuation.Update(model, inputs, VecX(), 5, 0.1);
  EXPECT_EQ(actuation.drive()[0], -3);
  EXPECT_EQ(actuation.drive()[2], 7);
}

TEST(SpringForce, PartsOfTheWrongSignBecomeConstant) {
  const SpringForce force = {5, -2, 3};
  const SpringForce stable = force.MakeStable(0.5, 0.25);
  EXPECT_EQ(stable.stiffness, 0);
  EXPECT_EQ(stable.damping, 3);
  EXPECT_DOUBLE_EQ(stable(0.5, 0.25), force(0.5, 0.25));
  EXPECT_DOUBLE_EQ(stable(9, 0.25), force(0.5, 0.25));
  const SpringForce good = {5, 2, 0};
  EXPECT_EQ(good.MakeStable(1, 1).offset, 5);
  EXPECT_EQ(good.MakeStable(1, 1).stiffness, 2);
}

TEST(ActuatorForce, IsGainTimesActivationPlusBias) {
  ActuatorSpec actuator;
  actuator.gain = {2, 3, 4};
  actuator.bias = {5, 6, 7};
  const double a = 1.5, l = 0.3, l_dot = -0.2;
  const double expected = (2 + 3 * l + 4 * l_dot) * a + 5 + 6 * l + 7 * l_dot;
  EXPECT_NEAR(CalcActuatorForce(actuator, a)(l, l_dot), expected, 1e-14);
  MakePositionActuator(100, 10, &actuator);
  EXPECT_NEAR(CalcActuatorForce(actuator, a)(l, l_dot), 100 * (a - l) - 10 * l_dot, 1e-12);
  MakeVelocityActuator(8, &actuator);
  EXPECT_NEAR(CalcActuatorForce(actuator, a)(l, l_dot), 8 * (a - l_dot), 1e-13);
}

}  // namespace
}  // namespace voigt
