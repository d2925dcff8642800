// Where energy comes from and goes: every line against what is known otherwise, and the sum of all.

#include "voigt/sim/energy_books.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/scenes.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

struct Books {
  RunSummary summary;
  double line(EnergyLine which) const { return summary.balance.lines[static_cast<size_t>(which)]; }
};

Books RunText(const std::string& text) {
  const Scene scene = ParseScene(text, "books");
  Simulator simulator = testing::MakeSimulator(scene);
  Books books{voigt::Run(&simulator, nullptr)};
  EXPECT_EQ(books.summary.status, StepStatus::kOk);
  EXPECT_TRUE(books.summary.IsAccurate(scene.settings));
  return books;
}

// A mass of 2 kg on a vertical rail.
std::string Lift(const std::string& drive, const std::string& rest = "", double z = 0) {
  return fmt::format(
      "bodies: [{{name: box, mass: 2, inertia: point}}]\n"
      "joints: [{{name: rail, type: prismatic, child: box, axis: [0, 0, 1]{}}}]\n"
      "initial: {{rail: {}}}\n{}\n"
      "simulation: {{step: 1e-3, until: 1}}\n",
      rest, z, drive);
}

constexpr double kWeight = 2 * 9.81;

TEST(EnergyBooks, AMotorsWorkIsItsOwn) {
  const Books books =
      RunText(Lift("drives: [{type: motor, joint: rail, rate: 0.5, force_limit: 1000}]"));
  // It lifts by half a metre, and gives the speed.
  EXPECT_NEAR(books.line(EnergyLine::kMotors), kWeight * 0.5 + 0.25, 0.01);
  EXPECT_EQ(books.line(EnergyLine::kServos), 0);
  EXPECT_EQ(books.line(EnergyLine::kJointFriction), 0);
}

TEST(EnergyBooks, AServosWorkIsItsOwn) {
  const Books books = RunText(
      Lift("drives: [{type: servo, joint: rail, stiffness: 1e6, damping: 1e4, target: 0.5 * t}]"));
  // Its damper brakes with 5 kN, which leaves the box 5 mm behind.
  EXPECT_NEAR(books.line(EnergyLine::kServos), kWeight * 0.495 + 0.25, 0.02);
  EXPECT_EQ(books.line(EnergyLine::kActuators), 0);
}

TEST(EnergyBooks, LoadsAndDampersAreApart) {
  const Books books =
      RunText(Lift("loads: [{joint: rail, force: 2 * 9.81 + 10}]", ", damping: 10"));
  const RunSummary& run = books.summary;
  // v = 1 − e^(−5t) m/s: F x, and what is left of it in the box.
  const double x = 1 - (1 - std::exp(-5.0)) / 5;
  EXPECT_NEAR(books.line(EnergyLine::kLoads), (kWeight + 10) * x, 0.05);
  const double gained = run.end.Total() - run.start.Total();
  EXPECT_NEAR(books.line(EnergyLine::kDampers), gained - books.line(EnergyLine::kLoads), 0.05);
  EXPECT_LT(books.line(EnergyLine::kDampers), -1);
}

TEST(EnergyBooks, AStopTakesWhatArrives) {
  const Books books = RunText(Lift("", ", limits: [0, 10]", 1));
  EXPECT_NEAR(books.line(EnergyLine::kLimits), -kWeight, 0.01 * kWeight);
}

TEST(EnergyBooks, FrictionTakesWhatSlides) {
  const Books books = RunText(R"(
materials: {default: {friction: 0.5}}
world: {geometry: [{shape: half-space}]}
bodies: [{name: box, mass: 3, geometry: [{shape: box, size: [0.2, 0.2, 0.1]}]}]
joints: [{name: f, type: free, child: box}]
initial: {f: {position: [0, 0, 0.05], velocity: [2, 0, 0]}}
simulation: {step: 1e-3, until: 1}
)");
  EXPECT_NEAR(books.line(EnergyLine::kContactFriction), -6, 0.05);
  EXPECT_NEAR(books.line(EnergyLine::kContacts), 0, 0.02);
}

TEST(EnergyBooks, AnImpactTakesWhatFalls) {
  const Books books = RunText(R"(
world: {geometry: [{shape: half-space}]}
bodies: [{name: ball, mass: 2, geometry: [{shape: sphere, radius: 0.1}]}]
joints: [{name: f, type: free, child: ball}]
initial: {f: {position: [0, 0, 1.1]}}
simulation: {step: 1e-3, until: 1}
)");
  EXPECT_NEAR(books.line(EnergyLine::kContacts), -kWeight, 0.01 * kWeight);
}

// A soft contact at rest holds ½ (m g)²/K; the rest of what it fell is gone by its damper.
TEST(EnergyBooks, SpringsOfContactsHoldEnergy) {
  const Books books = RunText(R"(
materials: {default: {stiffness: 1e4, damping: 400}}
world: {geometry: [{shape: half-space}]}
bodies: [{name: ball, mass: 2, geometry: [{shape: sphere, radius: 0.1}]}]
joints: [{name: f, type: free, child: ball}]
initial: {f: {position: [0, 0, 0.1]}}
simulation: {step: 1e-3, until: 2}
)");
  const double held = 0.5 * kWeight * kWeight / 5e3;  // two surfaces, one behind the other
  EXPECT_NEAR(books.summary.end.contacts, held, 1e-6 * held);
  EXPECT_NEAR(books.line(EnergyLine::kContacts), -held, 0.05 * held);
}

TEST(EnergyBooks, SpringsInMaximalCoordinatesHoldEnergy) {
  const std::string joint =
      "bodies: [{name: box, mass: 2, inertia: [1, 1, 1]}]\n"
      "joints: [{name: rail, type: prismatic, child: box, axis: [1, 0, 0], spring: {stiffness: "
      "200}}]\n"
      "initial: {rail: 0.1}\n"
      "simulation: {step: 1e-4, until: 0.05, kick: whole, coordinates: ";
  const Books minimal = RunText(joint + "minimal}\n"), maximal = RunText(joint + "maximal}\n");
  EXPECT_NEAR(maximal.summary.start.constraints, 1, 1e-12);
  EXPECT_NEAR(maximal.summary.end.constraints, minimal.summary.end.spring, 1e-6);
  EXPECT_NEAR(maximal.summary.end.kinetic, minimal.summary.end.kinetic, 1e-6);
}

TEST(EnergyBooks, OverlapsAtTheStartHaveALine) {
  const auto run = [](const char* material) {
    return RunText(fmt::format(R"(
gravity: [0, 0, 0]
materials: {{default: {}}}
world: {{geometry: [{{shape: half-space}}]}}
bodies: [{{name: ball, mass: 2, geometry: [{{shape: sphere, radius: 0.6}}]}}]
joints: [{{name: f, type: free, child: ball}}]
initial: {{f: {{position: [0, 0, 0.1]}}}}
simulation: {{step: 1e-3, until: 1}}
)",
                               material));
  };
  // Let out at the speed of recovery, 1 m/s.
  const Books rigid = run("{}");
  EXPECT_NEAR(rigid.line(EnergyLine::kRecovery), 1, 1e-6);
  EXPECT_NEAR(rigid.summary.end.kinetic, 1, 1e-6);
  // A spring whose foot moves at that speed throws the ball at twice that at most, where half a
  // metre of it would hold 62 500 J.
  const Books soft = run("{stiffness: 1e6}");
  EXPECT_LE(soft.line(EnergyLine::kRecovery), 4);
  EXPECT_LE(soft.summary.end.kinetic, 4);
  EXPECT_GE(soft.summary.end.kinetic, 0.5);
}

// What is said line by line is what is said in all, in every scene that time steps run.
class EnergyBooksOfScenes : public ::testing::TestWithParam<std::string> {};

TEST_P(EnergyBooksOfScenes, AddUp) {
  Scene scene = testing::LoadNamedScene(GetParam());
  if (scene.settings.integrator != Integrator::kSemiImplicitEuler) return;
  scene.settings.until = std::min(scene.settings.until, 40 * scene.settings.step);
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary run = voigt::Run(&simulator, nullptr);
  const EnergyLines& lines = run.balance.lines;
  const double sum = std::accumulate(lines.begin(), lines.end(), 0.0);
  const double scale = run.balance.scale + std::abs(run.start.Total()) + 1e-9;
  EXPECT_NEAR(sum, run.work + run.constraint_work + run.end.InRows() - run.start.InRows(),
              1e-9 * scale);
  EXPECT_NEAR(run.balance.integrator, run.Drift(), 1e-9 * scale);
  EXPECT_TRUE(run.balance.IsExplained(0.01))
      << run.balance.unexplained() << " of " << run.balance.scale;
}

INSTANTIATE_TEST_SUITE_P(All, EnergyBooksOfScenes, ::testing::ValuesIn(testing::ListNamedScenes()),
                         [](const auto& entry) { return entry.param; });

// One row that pushes a mass of 1 kg: three times the impulse that its law allows.
TEST(EnergyBooks, ImpulsesBeyondTheirLawAreUnexplainedByName) {
  const Scene scene = ParseScene(R"(
bodies: [{name: box, mass: 1, inertia: point}]
joints: [{name: rail, type: prismatic, child: box, axis: [1, 0, 0], limits: [0, 1]}]
initial: {rail: {q: 0, v: -1}}
gravity: [0, 0, 0]
simulation: {step: 1e-3, until: 0.01}
)",
                                 "books");
  Simulator simulator = testing::MakeSimulator(scene);
  const VecX v0 = simulator.state().v;
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const VelocityProblem& problem = simulator.problem();
  const ConstraintSet constraints(simulator.model());
  const auto unexplained = [&](double factor) {
    EnergyBooks books(constraints);
    const VecX gamma = factor * simulator.solution().gamma;
    const VecX v1 = v0 + problem.ToDenseG().transpose() * gamma;
    books.AddRows(problem, gamma, v0, v1, 0, EnergyBooks::Claim::kEachRow, 1e-12);
    return books.unexplained();
  };
  EXPECT_EQ(unexplained(1).sum, 0);
  // 3 N s against 1 m/s leave 2 m/s: γ φ̇₁.
  EXPECT_NEAR(unexplained(3).sum, 6, 1e-9);
  EXPECT_EQ(unexplained(3).id, problem.groups[0].id);
}

// Two masses that a coupler and a stop hold: nothing is in play, and rounding is no energy from
// nowhere.
TEST(EnergyBooks, LetRestBeRest) {
  Simulator simulator = testing::MakeSimulator(ParseScene(R"(
bodies:
  - {name: b, mass: 3, inertia: [1, 1, 1]}
  - {name: c, mass: 2, inertia: [1, 1, 1]}
joints:
  - {name: up, type: prismatic, child: b, axis: [0, 0, 1], limits: [0, 1]}
  - {name: up2, type: prismatic, child: c, axis: [0, 0, 1]}
constraints:
  - {type: coupler, terms: [{joint: up, factor: 1}, {joint: up2, factor: 2}]}
simulation: {step: 1e-3, until: 0.3}
)",
                                                          "rest"));
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_TRUE(summary.balance.IsExplained(0.01)) << summary.balance.unexplained();
}

}  // namespace
}  // namespace voigt
