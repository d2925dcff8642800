// Rates that belong to the time of the state, where nothing holds.

#include "voigt/sim/free_trees.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/sim/energy_balance.h"

namespace voigt {
namespace {

using testing::MakeSimulator;

constexpr double kG = 9.81;

constexpr char kBall[] = R"(
world: {geometry: [{shape: half-space}]}
materials: {default: {restitution: 1, friction: 0}}
bodies: [{name: ball, geometry: [{shape: sphere, radius: 0.1, density: 1000}]}]
joints: [{name: free, type: free, child: ball}]
)";

Scene LoadBall(double height, const std::string& simulation) {
  return ParseScene(std::string(kBall) + "initial: {free: {position: [0, 0, " +
                        std::to_string(height) + "]}}\nsimulation: {" + simulation + "}\n",
                    "ball");
}

TEST(FreeTrees, FallOnParabolas) {
  Simulator simulator = MakeSimulator(LoadBall(10, "step: 0.05"));
  EXPECT_TRUE(simulator.state().synchronous[1]);
  for (double h : {0.05, 0.1, 0.013, 0.2, 0.001}) {
    ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
    const State& state = simulator.state();
    EXPECT_NEAR(state.q[2], 10 - 0.5 * kG * state.t * state.t, 1e-13);
    EXPECT_NEAR(state.v[2], -kG * state.t, 1e-14);
    EXPECT_TRUE(state.synchronous[1]);
  }
}

TEST(FreeTrees, FallByWholeKicksOnRequest) {
  Simulator simulator = MakeSimulator(LoadBall(10, "step: 0.1, kick: whole"));
  EXPECT_FALSE(simulator.state().synchronous[1]);
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_NEAR(simulator.state().q[2], 10 - 0.01 * kG, 1e-14);
  EXPECT_NEAR(simulator.state().v[2], -0.1 * kG, 1e-15);
  EXPECT_FALSE(simulator.state().synchronous[1]);
}

// A step that ends in a contact begins with the rates of half a step before, and leaves with them:
// the bounce takes back the path by which the ball has come.
TEST(FreeTrees, KeepTheirEnergyFromBounceToBounce) {
  Simulator simulator = MakeSimulator(LoadBall(1, "step: 5e-3"));
  const double start = simulator.CalcEnergy().Total();
  int bounces = 0;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (!simulator.state().synchronous[1]) {
      ++bounces;
      continue;
    }
    EXPECT_NEAR(simulator.CalcEnergy().Total(), start, 1e-10 * start);
    EXPECT_NEAR(simulator.constraint_work(), 0, 1e-10 * start);
  }
  EXPECT_GT(bounces, 20);
}

TEST(FreeTrees, AreNotThoseThatRestAtTheStart) {
  Simulator simulator = MakeSimulator(LoadBall(0.1, "step: 1e-3"));
  EXPECT_FALSE(simulator.state().synchronous[1]);
  const double weight = simulator.model().TotalMass() * kG;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    std::vector<ContactReport> contacts;
    simulator.ListContacts(&contacts);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].normal_force, weight, 1e-9 * weight);
    EXPECT_LT(simulator.state().v.norm(), 1e-15);
  }
}

// Dampers and what feels where it is are taken at the end of a step.
TEST(FreeTrees, HaveNoDampersOrFeedback) {
  const auto is_free = [](const std::string& joint, const std::string& rest) {
    const Scene scene = ParseScene(
        "bodies: [{name: a, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}]\njoints: [{name: "
        "pin, type: revolute, axis: [0, 1, 0], child: a" +
            joint + "}]\ninitial: {pin: 0.5}\n" + rest,
        "scene");
    Simulator simulator = MakeSimulator(scene);
    const bool at_start = simulator.state().synchronous[1] != 0;
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_EQ(simulator.state().synchronous[1] != 0, at_start);
    return at_start;
  };
  EXPECT_TRUE(is_free("", ""));
  EXPECT_TRUE(is_free(", armature: 0.1", "loads: [{joint: pin, force: 'sin(t)'}]\n"));
  EXPECT_TRUE(is_free(", limits: [-1, 1]", ""));
  EXPECT_TRUE(is_free("", "actuators: [{name: m, type: motor, joint: pin, input: 1}]\n"));
  EXPECT_TRUE(is_free(", spring: {stiffness: 1}", ""));
  EXPECT_FALSE(is_free(", damping: 1", ""));
  EXPECT_FALSE(is_free(", friction: {dry: 1}", ""));
  EXPECT_FALSE(is_free("", "actuators: [{name: p, type: position, joint: pin, stiffness: 1}]\n"));
}

// A weight on a spring, soft or stiffer than any step can follow: its path is that of the implicit
// Euler method, q̈ₙ = g − ω² qₙ₊₁ in differences, and the rates between two points are half of those
// before and half of those after.
TEST(FreeTrees, OnSpringsHaveRatesOfTheMoment) {
  for (const double stiffness : {1.0, 1e3, 1e10}) {
    SCOPED_TRACE(stiffness);
    Simulator simulator = MakeSimulator(
        ParseScene("bodies: [{name: weight, mass: 2, inertia: [1, 1, 1]}]\n"
                   "joints: [{name: rail, type: prismatic, child: weight, axis: [0, 0, -1], "
                   "spring: {stiffness: " +
                       std::to_string(stiffness) +
                       "}}]\n"
                       "initial: {rail: 0.01}\nsimulation: {step: 0.02}\n",
                   "weight"));
    constexpr double kH = 0.02;
    const double omega_squared = stiffness / 2;
    std::vector<double> q{0.01}, v{0};
    for (int n = 0; n < 50; ++n) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      q.push_back(simulator.state().q[0]);
      v.push_back(simulator.state().v[0]);
    }
    const double size = 0.01 + kG / omega_squared;
    // From rest, by the half of a kick.
    const double stiff = omega_squared * kH * kH;
    EXPECT_NEAR(q[1], (q[0] + 0.5 * kH * kH * kG) / (1 + 0.5 * stiff), 1e-12 * size);
    for (size_t n = 1; n + 1 < q.size(); ++n) {
      EXPECT_NEAR(q[n + 1], (2 * q[n] - q[n - 1] + kH * kH * kG) / (1 + stiff), 1e-12 * size);
      EXPECT_NEAR(v[n], (q[n + 1] - q[n - 1]) / (2 * kH), 1e-11 * size / kH);
    }
  }
}

// A pendulum with a torque, by steps of changing length.
constexpr char kDriven[] = R"(
bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [0.1, 0.1, 0.1]}]
joints: [{name: pin, type: revolute, child: bob, axis: [0, 1, 0]}]
loads: [{joint: pin, force: '3 * sin(2 * t)'}]
initial: {pin: 1.5}
simulation: {step: 1e-3, integrator: adaptive}
)";

State Drive(double h, EnergyBalance* balance) {
  Scene scene = ParseScene(kDriven, "driven");
  scene.settings.integrator = Integrator::kSemiImplicitEuler;
  scene.settings.step = h;
  Simulator simulator = MakeSimulator(scene);
  EnergyBalanceWatch watch(&simulator);
  for (int i = 0; simulator.state().t < 2 - 0.1 * h; ++i) {
    EXPECT_EQ(simulator.Step(i % 2 == 0 ? 0.5 * h : 1.5 * h), StepStatus::kOk);
  }
  watch.Look(&simulator);
  *balance = watch.Close(&simulator);
  return simulator.state();
}

TEST(FreeTrees, MoveToSecondOrder) {
  const Scene scene = ParseScene(kDriven, "driven");
  State exact = scene.initial;
  AdaptiveIntegrator reference(scene.model);
  ASSERT_TRUE(reference.AdvanceTo(2, &exact));
  EnergyBalance coarse_books, fine_books;
  const State coarse = Drive(4e-3, &coarse_books), fine = Drive(2e-3, &fine_books);
  ASSERT_NEAR(fine.t, 2, 1e-12);
  EXPECT_LT(std::abs(fine.q[0] - exact.q[0]), 1e-5);
  EXPECT_LT(std::abs(fine.v[0] - exact.v[0]), 1e-4);
  EXPECT_NEAR((coarse.q[0] - exact.q[0]) / (fine.q[0] - exact.q[0]), 4, 0.1);
  EXPECT_NEAR((coarse.v[0] - exact.v[0]) / (fine.v[0] - exact.v[0]), 4, 0.1);
  // What the load has done is told as well as the motion.
  EXPECT_LT(std::abs(fine_books.integrator), 1e-4);
  EXPECT_NEAR(coarse_books.integrator / fine_books.integrator, 4, 0.4);
}

// On a slider, a force that does not change does what it does exactly.
TEST(FreeTrees, CloseTheirBooksUnderConstantForces) {
  const Scene scene = ParseScene(R"(
bodies: [{name: cart, mass: 2, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, child: cart, axis: [1, 0, 0]}]
loads: [{joint: rail, force: 6}]
simulation: {step: 0.1}
)",
                                 "cart");
  Simulator simulator = MakeSimulator(scene);
  for (int i = 1; i <= 10; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const double t = simulator.state().t;
    EXPECT_NEAR(simulator.state().q[0], 1.5 * t * t, 1e-13);
    EXPECT_NEAR(simulator.work(), simulator.CalcEnergy().kinetic, 1e-12);
    EXPECT_NEAR(simulator.work(), 6 * 1.5 * t * t, 1e-12);
  }
}

// A controller's force holds from one step to the next: what it was before leaves no trace.
TEST(FreeTrees, TakeForcesOfControllersAsTheyAreHeld) {
  const Scene scene = ParseScene(R"(
bodies: [{name: cart, mass: 2, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, child: cart, axis: [1, 0, 0]}]
actuators: [{name: motor, type: motor, joint: rail}]
simulation: {step: 0.1}
)",
                                 "cart");
  Simulator simulator = MakeSimulator(scene);
  double q = 0, v = 0;
  for (double u : {1.0, -3.0, 0.0, 7.0, 2.0}) {
    simulator.SetInput("motor", u);
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    q += 0.1 * v + 0.5 * 0.01 * u / 2;
    v += 0.1 * u / 2;
    EXPECT_NEAR(simulator.state().q[0], q, 1e-15);
    EXPECT_NEAR(simulator.state().v[0], v, 1e-15);
    EXPECT_NEAR(simulator.work(), simulator.CalcEnergy().kinetic, 1e-13);
  }
}

}  // namespace
}  // namespace voigt
