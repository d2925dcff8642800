// What a controller can do: inputs, wrenches and forces between steps.

#include "voigt/model/inputs.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/jacobian.h"

namespace voigt {
namespace {

constexpr const char* kFlyingBox = R"(
gravity: [0, 0, 0]
bodies: [{name: box, mass: 2, com: [0.1, 0, 0], inertia: [0.5, 0.6, 0.7]}]
joints: [{name: free, type: free, child: box}]
)";

TEST(Inputs, AWrenchPushesItsBodyAtItsPoint) {
  Simulator simulator = testing::MakeSimulator(ParseScene(kFlyingBox, "box"));
  simulator.inputs().wrenches = {{1, {0.3, 0, 0}, {0, 0, 5}, {0, 0.25, 0}}};
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  // About the centre of mass: a lever of 0.2 m along x, −1 N m about y, and the torque.
  const double h = simulator.settings().step, alpha = (0.25 - 0.2 * 5) / 0.6;
  const Kinematics& kin = simulator.CalcKinematics();
  const Vec6 V =
      CalcPointVelocity(kin, 1, CalcBodyPose(simulator.model(), kin, 1) * Vec3(0.1, 0, 0));
  EXPECT_NEAR(V[1], h * alpha, 1e-9);
  EXPECT_NEAR(V[5], h * 5 / 2, 1e-9);
  // It holds, and goes when it is taken away.
  simulator.Step();
  EXPECT_NEAR(simulator.state().v[4], 2 * h * alpha, 1e-6);
  simulator.inputs().wrenches.clear();
  const double before = simulator.CalcEnergy().kinetic;
  simulator.Step();
  EXPECT_NEAR(simulator.CalcEnergy().kinetic, before, 1e-12);
  EXPECT_NEAR(simulator.work(), before, 1e-9);
}

TEST(Inputs, AForceOnRatesIsThatOfALoad) {
  const std::string scene = kFlyingBox;
  Simulator by_input = testing::MakeSimulator(ParseScene(scene, "box"));
  Simulator by_load = testing::MakeSimulator(
      ParseScene(scene + "loads: [{joint: free, force: [1, 2, 3, 4, 5, 6]}]\n", "box"));
  by_input.inputs().joint_force = VecX::LinSpaced(6, 1, 6);
  for (int i = 0; i < 20; ++i) {
    by_input.Step();
    by_load.Step();
  }
  EXPECT_EQ(by_input.state().q, by_load.state().q);
  EXPECT_EQ(by_input.state().v, by_load.state().v);
  EXPECT_EQ(by_input.work(), by_load.work());
}

TEST(Inputs, ActWithEveryIntegrator) {
  for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
    Simulator simulator = testing::MakeSimulator(
        ParseScene("bodies: [{name: a, mass: 2, inertia: [1, 1, 1]}]\n"
                   "joints: [{name: rail, type: prismatic, child: a, axis: [1, 0, 0]}]\n"
                   "actuators: [{name: m, type: motor, joint: rail, input: 7}]\n",
                   "cart", {{"simulation.integrator", integrator}}));
    simulator.SetInput(0, 3);
    simulator.inputs().joint_force = VecX::Constant(1, 2);
    simulator.inputs().wrenches = {{1, Vec3::Zero(), {1, 0, 0}, Vec3::Zero()}};
    while (simulator.state().t < 0.1 - 1e-9) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_NEAR(simulator.state().v[0], 0.1 * 6 / 2, 1e-12) << integrator;
    EXPECT_NEAR(simulator.work(), simulator.CalcEnergy().kinetic, 1e-12) << integrator;
  }
}

TEST(Inputs, IntegratorsWithoutActivationsRefuseThem) {
  const std::string scene =
      "bodies: [{name: a, mass: 2, inertia: [1, 1, 1]}]\n"
      "joints: [{name: rail, type: prismatic, child: a, axis: [1, 0, 0]}]\n"
      "actuators: [{name: m, type: motor, joint: rail, activation: {type: integrator}}]\n";
  try {
    testing::MakeSimulator(ParseScene(scene, "cart", {{"simulation.integrator", "rk4"}}));
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "cart:3:13: actuator 'm': the integrator rk4 knows no activations; "
              "semi-implicit-euler does");
  }
}

TEST(Inputs, NumbersThatAreNoneStopTheStepAndSpreadNoFurther) {
  Simulator simulator = testing::MakeSimulator(ParseScene(kFlyingBox, "box"));
  simulator.inputs().joint_force = VecX::Constant(6, kNaN);
  EXPECT_EQ(simulator.Step(), StepStatus::kNotFinite);
  EXPECT_TRUE(simulator.state().IsFinite());
  State state = simulator.state();
  state.inputs.joint_force.setZero();
  simulator.SetState(state);
  EXPECT_EQ(simulator.Step(), StepStatus::kOk);
}

TEST(Inputs, StatesOfWrongSizesAreRefused) {
  Simulator simulator = testing::MakeSimulator(ParseScene(kFlyingBox, "box"));
  const auto complaint = [&](auto change) {
    State state = simulator.state();
    change(&state);
    try {
      simulator.SetState(state);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint([](State* s) { s->activation = VecX::Zero(2); }).find("2 activations"),
            std::string::npos);
  EXPECT_NE(complaint([](State* s) { s->inputs.actuators = VecX::Zero(1); }).find("1 actuator"),
            std::string::npos);
  EXPECT_NE(complaint([](State* s) { s->inputs.joint_force = VecX::Zero(5); }).find("5 joint"),
            std::string::npos);
  EXPECT_NE(complaint([](State* s) { s->inputs.wrenches.emplace_back().body = 2; }).find("body 2"),
            std::string::npos);
  EXPECT_EQ(complaint([](State*) {}), "");
}

// A controlled walker of sorts: contact, a filter, a tendon, wrenches.
const Scene& ControlledScene() {
  static const Scene scene = ParseScene(R"(
world: {geometry: [{shape: half-space}]}
bodies:
  - {name: body, mass: 3, geometry: [{shape: box, size: [0.3, 0.2, 0.1]}]}
  - {name: thigh, mass: 1, com: [0, 0, -0.1], inertia: [0.01, 0.01, 0.01]}
  - {name: shank, mass: 1, com: [0, 0, -0.1], inertia: [0.01, 0.01, 0.01]}
joints:
  - {name: base, type: free, child: body}
  - {name: hip, type: revolute, parent: body, child: thigh, axis: [0, 1, 0]}
  - {name: knee, type: revolute, parent: thigh, child: shank, axis: [0, 1, 0],
     frame: {position: [0, 0, -0.2]}, limits: [-1, 1]}
tendons: [{name: t, terms: [{joint: hip, factor: 1}, {joint: knee, factor: 0.5}], damping: 0.1}]
actuators:
  - {name: hip, type: motor, joint: hip, activation: {type: filter, time_constant: 0.05}}
  - {name: both, type: position, tendon: t, stiffness: 30, force_range: [-5, 5]}
initial: {base: {position: [0, 0, 0.06]}}
)",
                                        "walker");
  return scene;
}

// Everything that a loop of control does.
double ControlOnce(Simulator* simulator, Reactions* reactions, std::vector<ContactReport>* contacts,
                   std::vector<ActuatorReport>* actuators) {
  const double t = simulator->state().t;
  simulator->SetInput(0, 0.1 * std::sin(10 * t));
  simulator->SetInput(1, 0.03 * std::cos(7 * t));
  simulator->inputs().wrenches.clear();
  simulator->inputs().wrenches.push_back({1, {0.1, 0, 0}, {std::sin(5 * t), 0, 0}, {0, 0.1, 0}});
  simulator->inputs().joint_force.setZero(simulator->model().nv());
  simulator->inputs().joint_force[7] = 0.01 * t;
  EXPECT_EQ(simulator->Step(), StepStatus::kOk);
  simulator->ListContacts(contacts);
  simulator->CalcReactions(reactions);
  simulator->ListActuators(actuators);
  const Kinematics& kin = simulator->CalcKinematics();
  return CalcBodyPose(simulator->model(), kin, 1).p[2] + simulator->CalcEnergy().Total() +
         simulator->last_audit().law;
}

TEST(Inputs, AreWhatASavedStateGoesOnWith) {
  Simulator whole = testing::MakeSimulator(ControlledScene());
  Reactions reactions;
  std::vector<ContactReport> contacts;
  std::vector<ActuatorReport> actuators;
  for (int i = 0; i < 100; ++i) ControlOnce(&whole, &reactions, &contacts, &actuators);
  const State saved = State::Restore(whole.state().Serialize());
  for (int i = 0; i < 50; ++i) ASSERT_EQ(whole.Step(), StepStatus::kOk);
  Simulator rest(ControlledScene().model, ControlledScene().settings, saved);
  Simulator other = testing::MakeSimulator(ControlledScene());
  other.Step();
  other.SetState(saved);
  for (int i = 0; i < 50; ++i) {
    rest.Step();
    other.Step();
  }
  EXPECT_EQ(rest.state(), whole.state());
  EXPECT_EQ(other.state(), whole.state());
  EXPECT_GT(whole.state().activation.norm(), 0);
  EXPECT_EQ(whole.state().inputs.wrenches.size(), 1u);
}

TEST(Inputs, AControlLoopAllocatesNothingOnceItIsWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer counts allocations itself";
  Simulator simulator = testing::MakeSimulator(ControlledScene());
  Reactions reactions;
  std::vector<ContactReport> contacts;
  std::vector<ActuatorReport> actuators;
  double sum = 0;
  for (int i = 0; i < 300; ++i) sum += ControlOnce(&simulator, &reactions, &contacts, &actuators);
  const long before = testing::CountAllocations();
  for (int i = 0; i < 20; ++i) sum += ControlOnce(&simulator, &reactions, &contacts, &actuators);
  EXPECT_EQ(testing::CountAllocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
  EXPECT_FALSE(contacts.empty());
}

}  // namespace
}  // namespace voigt
