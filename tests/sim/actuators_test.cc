// Actuators and tendons in motion, against closed solutions.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

constexpr double kMass = 2;

// Two carts of 2 kg and 3 kg on rails along x, without gravity along them.
std::string Carts(const std::string& rest, double step = 1e-3) {
  return "bodies:\n"
         "  - {name: a, mass: 2, inertia: [1, 1, 1]}\n"
         "  - {name: b, mass: 3, inertia: [1, 1, 1]}\n"
         "joints:\n"
         "  - {name: first, type: prismatic, child: a, axis: [1, 0, 0]}\n"
         "  - {name: second, type: prismatic, child: b, axis: [1, 0, 0]}\n"
         "simulation: {step: " +
         std::to_string(step) + "}\n" + rest;
}

Simulator MakeCarts(const std::string& rest, double step = 1e-3) {
  return testing::MakeSimulator(ParseScene(Carts(rest, step), "carts"));
}

TEST(Actuator, AMotorPushesWithItsInputTimesItsGear) {
  Simulator simulator = MakeCarts("actuators: [{name: m, type: motor, joint: first, gear: 4}]");
  simulator.SetInput("m", 0.5);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_NEAR(simulator.state().v[0], 0.5 * 4 / kMass * 0.1, 1e-14);
  EXPECT_EQ(simulator.state().v[1], 0);
  // Its work is what the cart has.
  EXPECT_NEAR(simulator.work(), simulator.CalcEnergy().kinetic, 1e-15);
}

TEST(Actuator, InputsHoldUntilTheyAreChangedAndNaNGivesThemBack) {
  Simulator simulator = MakeCarts(
      "actuators: [{name: m, type: motor, joint: first, input: 6, force_range: [-4, 4]}]");
  const double h = simulator.settings().step;
  simulator.Step();
  EXPECT_NEAR(simulator.state().v[0], h * 4 / kMass, 1e-17);
  simulator.SetInput(0, -2);
  simulator.Step();
  simulator.Step();
  EXPECT_NEAR(simulator.state().v[0], h * (4 - 2 - 2) / kMass, 1e-17);
  simulator.SetInput(0, kNaN);
  simulator.Step();
  EXPECT_NEAR(simulator.state().v[0], h * 4 / kMass, 1e-17);
  EXPECT_THROW(simulator.SetInput("x", 1), InputError);
}

// The implicit step: v₁ = (v₀ + h k/m (u − q₀))/(1 + h² k/m + h c/m), q₁ = q₀ + h v₁.
void ExpectImplicitOscillator(Simulator simulator, double k, double c, double u, double h) {
  double q = simulator.state().q[0], v = simulator.state().v[0];
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    v = (v + h * k / kMass * (u - q)) / (1 + h * h * k / kMass + h * c / kMass);
    q += h * v;
    ASSERT_NEAR(simulator.state().v[0], v, 1e-11);
    ASSERT_NEAR(simulator.state().q[0], q, 1e-11);
  }
}

TEST(Actuator, APositionActuatorTakesItsFeedbackAtTheEndOfTheStep) {
  // As a force, as a row that never reaches its bounds, and with a gear of 2.
  const std::string common = "type: position, joint: first, input: 0.3, ";
  for (const char* rest :
       {"stiffness: 500, damping: 3", "stiffness: 500, damping: 3, force_range: [-1e6, 1e6]"}) {
    ExpectImplicitOscillator(
        MakeCarts("actuators: [{name: p, " + common + rest + "}]\ninitial: {first: {v: 1}}", 0.01),
        500, 3, 0.3, 0.01);
  }
  for (const char* rest :
       {"stiffness: 125, damping: 1", "stiffness: 125, damping: 1, force_range: [-1e6, 1e6]"}) {
    ExpectImplicitOscillator(
        MakeCarts("actuators: [{name: p, gear: 2, " + common + rest + "}]", 0.01), 500, 4, 0.15,
        0.01);
  }
}

TEST(Actuator, AVelocityActuatorIsADamperAboutItsInput) {
  for (const char* rest : {"", ", force_range: [-1e6, 1e6]"}) {
    Simulator simulator =
        MakeCarts(std::string("actuators: [{name: s, type: velocity, joint: first, damping: 8, "
                              "input: 0.7") +
                      rest + "}]",
                  0.01);
    double v = 0;
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      v = (v + 0.01 * 8 / kMass * 0.7) / (1 + 0.01 * 8 / kMass);
      ASSERT_NEAR(simulator.state().v[0], v, 1e-13);
    }
  }
}

// Small steps show the oscillator itself: q = u (1 − cos ωt), to first order in h.
TEST(Actuator, APositionActuatorSwingsAtItsFrequency) {
  for (double h : {1e-3, 5e-4}) {
    Simulator simulator = MakeCarts(
        "actuators: [{name: p, type: position, joint: first, stiffness: 50, input: 0.2}]", h);
    const double omega = std::sqrt(50 / kMass);
    while (simulator.state().t < 1) simulator.Step();
    const double expected = 0.2 * (1 - std::cos(omega * simulator.state().t));
    EXPECT_NEAR(simulator.state().q[0], expected, 0.2 * omega * omega * h);
  }
}

// Any gain at any step: the joint stands where the input says after few steps.
TEST(Actuator, GainsWithoutMeasureLandOnTheirTarget) {
  const std::string tendon =
      "tendons: [{name: t, terms: [{joint: first, factor: 1}, {joint: second, factor: 1}]}]\n";
  for (const char* rest : {"joint: first", "joint: first, force_range: [-1e12, 1e12]", "tendon: t",
                           "tendon: t, force_range: [-1e12, 1e12]"}) {
    Simulator simulator =
        MakeCarts(tendon + "actuators: [{name: p, type: position, stiffness: 1e12, input: 0.5, " +
                      rest + "}]\ninitial: {first: {q: -3, v: 100}}",
                  0.05);
    for (int i = 0; i < 40; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk) << rest;
    const VecX& q = simulator.state().q;
    const bool is_tendon = std::string(rest).starts_with("tendon");
    EXPECT_NEAR(is_tendon ? q[0] + q[1] : q[0], 0.5, 1e-9) << rest;
  }
}

TEST(Actuator, LimitsOfForceHoldWhateverTheGain) {
  Simulator simulator = MakeCarts(
      "actuators: [{name: p, type: position, joint: first, stiffness: 1e9, damping: 1e6, input: "
      "10, "
      "force_range: [-5, 5]}]",
      0.01);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_NEAR(simulator.state().v[0], 5 / kMass, 1e-12);
  EXPECT_NEAR(simulator.constraint_work(), simulator.CalcEnergy().kinetic, 1e-10);
}

// A cable pulls and does not push: λ = max(0, K (u − q₁) − B v₁).
TEST(Actuator, ARangeOfForceMayBeOpenAtOneEnd) {
  const double K = 100, B = 20, h = 0.01;
  for (double u : {-1.0, 1.0}) {
    Simulator simulator = MakeCarts(
        "actuators: [{name: p, type: position, joint: first, stiffness: 100, damping: 20, "
        "force_range: [0, inf]}]",
        h);
    simulator.SetInput(0, u);
    double q = 0, v = 0;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      const double pull = (K * (u - q) - (h * K + B) * v) / (1 + (h * h * K + h * B) / kMass);
      v += h / kMass * std::max(0.0, pull);
      q += h * v;
      ASSERT_NEAR(simulator.state().v[0], v, 1e-12);
    }
    EXPECT_EQ(v > 0, u > 0);
    EXPECT_EQ(simulator.audit().failed, 0);
    EXPECT_EQ(simulator.solver().not_solved, 0);
  }
}

// Feedback that pushes away is taken at the start of the step: v₁ = v₀ + h/m (b l + d v₀).
TEST(Actuator, FeedbackOfTheWrongSignIsExplicit) {
  for (const char* rest : {"", ", force_range: [-1e6, 1e6]"}) {
    Simulator simulator = MakeCarts(
        std::string("actuators: [{name: g, type: general, joint: first, bias: {length: 30, "
                    "velocity: 4}") +
            rest + "}]\ninitial: {first: {q: 0.1, v: -0.2}}",
        0.01);
    double q = 0.1, v = -0.2;
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      v += 0.01 / kMass * (30 * q + 4 * v);
      q += 0.01 * v;
      ASSERT_NEAR(simulator.state().v[0], v, 1e-12 * (1 + std::abs(v)));
    }
  }
}

// The joints of a tendon are pulled with their factors, whether the force feels them or not.
TEST(Tendon, PullsItsJointsWithTheirFactors) {
  const std::string tendon =
      "tendons: [{name: t, terms: [{joint: first, factor: 2}, {joint: second, factor: -3}]}]\n";
  Simulator motor = MakeCarts(tendon + "actuators: [{name: m, type: motor, tendon: t, gear: 5}]");
  motor.SetInput(0, 1.5);
  motor.Step();
  EXPECT_NEAR(motor.state().v[0], 1e-3 * 7.5 * 2 / 2, 1e-16);
  EXPECT_NEAR(motor.state().v[1], 1e-3 * 7.5 * -3 / 3, 1e-16);
  EXPECT_EQ(motor.problem().row_count(), 0);
  Simulator servo = MakeCarts(
      tendon + "actuators: [{name: p, type: position, tendon: t, stiffness: 100, input: 1}]");
  servo.Step();
  ASSERT_EQ(servo.problem().row_count(), 1);
  // w = 2²/2 + 3²/3: λ = K (1 − h l̇)/(…), l̇ = h w λ.
  const double h = 1e-3, w = 5, lambda = 100 / (1 + h * h * 100 * w);
  EXPECT_NEAR(servo.state().v[0], h * lambda * 2 / 2, 1e-14);
  EXPECT_NEAR(servo.state().v[1], h * lambda * -3 / 3, 1e-14);
}

// l̈ = −K w l − B w l̇ with w = Σ factor²/m: the implicit step of one oscillator.
TEST(Tendon, ItsSpringAndDamperActAlongItsLength) {
  const double K = 300, B = 2, h = 0.01, w = 5, rest = 0.05;
  Simulator simulator = MakeCarts(
      "tendons: [{name: t, spring: {stiffness: 300, rest: 0.05}, damping: 2,\n"
      "           terms: [{joint: first, factor: 2}, {joint: second, factor: -3}]}]\n"
      "initial: {first: 0.4, second: {v: 0.2}}\n",
      h);
  double l = 0.8, l_dot = -0.6;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    l_dot = (l_dot - h * w * K * (l - rest)) / (1 + h * h * w * K + h * w * B);
    l += h * l_dot;
    const VecX& q = simulator.state().q;
    ASSERT_NEAR(2 * q[0] - 3 * q[1], l, 1e-12);
  }
}

TEST(Tendon, StopsAtTheEndsOfItsRange) {
  Simulator simulator = MakeCarts(
      "tendons: [{name: t, limits: [-0.1, 0.2], terms: [{joint: first, factor: 1}, "
      "{joint: second, factor: 1}]}]\n"
      "loads: [{joint: first, force: 't < 0.5 ? 10 : -10'}]\n");
  const auto length = [&] { return simulator.state().q.sum(); };
  while (simulator.state().t < 0.5) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_NEAR(length(), 0.2, 1e-9);
  while (simulator.state().t < 1.5) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_NEAR(length(), -0.1, 1e-9);
}

TEST(Tendon, DryFrictionHoldsSmallForcesAndTakesItsShareOfLargeOnes) {
  const std::string rope =
      "tendons: [{name: t, dry_friction: 2, terms: [{joint: first, factor: 1}]}]\n";
  Simulator held = MakeCarts(rope + "loads: [{joint: first, force: 1.9}]\n");
  Simulator slides = MakeCarts(rope + "loads: [{joint: first, force: 5}]\n");
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(held.Step(), StepStatus::kOk);
    ASSERT_EQ(slides.Step(), StepStatus::kOk);
  }
  EXPECT_NEAR(held.state().v[0], 0, 1e-14);
  EXPECT_NEAR(slides.state().v[0], (5 - 2) / kMass * 0.1, 1e-12);
}

// A torque in axes of the body spins a ball about them; feedback turns it to where the input says.
TEST(Actuator, DrivesABallJointAboutAnAxisOfItsOwn) {
  const auto scene = [](const std::string& law) {
    return ParseScene(
        "gravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [0.5, 0.5, 0.5]}]\n"
        "joints: [{name: j, type: ball, child: b}]\n"
        "actuators: [{name: m, joint: j, gear: [0, 3, 4], " +
            law + "}]\n",
        "ball");
  };
  Simulator motor = testing::MakeSimulator(scene("type: motor, input: 0.1"));
  for (int i = 0; i < 10; ++i) motor.Step();
  const Vec3 expected = 0.01 * 0.1 / 0.5 * Vec3(0, 3, 4);
  EXPECT_LT((motor.state().v - expected).norm(), 1e-13);
  Simulator servo = testing::MakeSimulator(
      scene("type: position, stiffness: 10, damping: 2, input: 2, force_range: [-99, 99]"));
  for (int i = 0; i < 4000; ++i) ASSERT_EQ(servo.Step(), StepStatus::kOk);
  // l = 5 θ about the axis (0, 3, 4)/5.
  std::vector<ActuatorReport> reports;
  servo.ListActuators(&reports);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NEAR(reports[0].length, 2, 1e-3);
  EXPECT_NEAR(std::acos(servo.state().q[0]) * 2, 0.4, 1e-3);
}

// The same actuators on a tree and, in maximal coordinates, on joints that all close loops.
TEST(Actuator, ActsAlikeOnTreeJointsAndOnLoopJoints) {
  const Scene scene = ParseScene(R"(
bodies:
  - {name: upper, mass: 1, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.01]}
  - {name: lower, mass: 1, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.01]}
joints:
  - {name: hip, type: revolute, child: upper, axis: [0, 1, 0]}
  - {name: knee, type: revolute, parent: upper, child: lower, axis: [0, 1, 0],
     frame: {position: [0, 0, -0.4]}}
tendons:
  - name: t
    terms: [{joint: hip, factor: 0.05}, {joint: knee, factor: -0.03}]
    spring: {stiffness: 2000, rest: 0.01}
    damping: 20
actuators:
  - {name: m, type: motor, joint: hip, input: 3}
  - {name: p, type: position, joint: knee, stiffness: 20, damping: 1, input: 0.4}
  - {name: s, type: velocity, tendon: t, damping: 300, input: 0.1}
  - {name: f, type: motor, tendon: t, gear: 7, input: 2}
initial: {hip: {q: 0.3, v: 1}, knee: {q: -0.5, v: 0.5}}
)",
                                 "leg");
  const Model maximal = ToMaximal(scene.model);
  double last = kInfinity;
  for (double h : {1e-3, 5e-4, 2.5e-4}) {
    SimulationSettings settings = scene.settings;
    settings.step = h;
    Simulator tree(scene.model, settings, scene.initial);
    Simulator loops(maximal, settings, ToMaximalState(scene.model, scene.initial, maximal));
    while (tree.state().t < 0.05 - h / 2) {
      ASSERT_EQ(tree.Step(), StepStatus::kOk);
      ASSERT_EQ(loops.Step(), StepStatus::kOk);
    }
    const State back = ToMinimalState(maximal, loops.state(), scene.model, tree.state()).state;
    const double error = (back.v - tree.state().v).norm();
    EXPECT_LT(error, 60 * h);
    EXPECT_LT(error, 0.7 * last);
    last = error;
  }
}

// What feedback and motors do is in the balance of energy: nothing here bends the paths.
TEST(Actuator, TheirWorkIsAccountedFor) {
  for (double h : {0.02, 1e-3}) {
    Simulator simulator = MakeCarts(
        "tendons: [{name: t, terms: [{joint: first, factor: 2}, {joint: second, factor: -3}]}]\n"
        "actuators:\n"
        "  - {name: m, type: motor, joint: first, input: 3 * sin(20 * t)}\n"
        "  - {name: p, type: position, joint: second, stiffness: 100, damping: 2, input: 0.1}\n"
        "  - {name: s, type: velocity, tendon: t, damping: 3, input: 0.2}\n",
        h);
    const Energy start = simulator.CalcEnergy();
    while (simulator.state().t < 1) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const double drift = simulator.CalcEnergy().Total() - start.Total() - simulator.work() -
                         simulator.constraint_work();
    EXPECT_GT(std::abs(simulator.work()) + std::abs(simulator.constraint_work()), 0.1);
    EXPECT_LT(std::abs(drift), 1e-12);
  }
}

}  // namespace
}  // namespace voigt
