// Friction from reactions, on accelerations (formulation `working`), against closed solutions.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

constexpr double kG = 9.81;

std::string Simulation(double until, const char* step = "0.1") {
  return fmt::format(
      "simulation: {{integrator: event-driven, formulation: working, until: {:.17g}, "
      "step: {}}}\n",
      until, step);
}

// A point mass on a rod without mass, in a bearing of radius R = 0.1.
std::string PinPendulum(double mu) {
  return fmt::format(R"(
bodies: [{{name: bob, mass: 1, com: [0, 0, -1], inertia: point}}]
joints:
  - {{name: pin, type: revolute, axis: [0, -1, 0], child: bob, friction: {{kinetic: {}, radius: 0.1}}}}
initial: {{pin: {{q: {:.17g}}}}}
)",
                     mu, kPi / 2);
}

// θ̇² of a swing towards smaller θ obeys a linear equation in θ (docs/theory/working.md): here its
// solution from a start at rest.
struct PinSolution {
  double e, A, B;

  explicit PinSolution(double epsilon) : e(epsilon / std::sqrt(1 - epsilon * epsilon)) {
    A = 2 * kG * (1 - 2 * e * e) / (1 + 4 * e * e);
    B = 6 * e * kG / (1 + 4 * e * e);
  }
  double CalcSquare(double theta, double start) const {
    const auto f = [&](double x) { return A * std::cos(x) + B * std::sin(x); };
    return f(theta) - f(start) * std::exp(2 * e * (theta - start));
  }
  // Where a swing from `start` > 0 ends.
  double CalcTurn(double start) const {
    double low = -start, high = 0;
    for (int k = 0; k < 200; ++k) {
      const double middle = 0.5 * (low + high);
      (CalcSquare(middle, start) > 0 ? high : low) = middle;
    }
    return 0.5 * (low + high);
  }
};

TEST(PinPendulum, IsWhereItsClosedSolutionIs) {
  const EventRun run = RunByEvents(PinPendulum(0.3) + Simulation(1));
  EXPECT_NEAR(run.end.q[0], -1.276510168457, 1e-11);
  EXPECT_NEAR(run.end.v[0], -1.578601573680, 1e-11);
}

// All eighteen half swings: turning angles by the closed solution, the angle and the time of rest
// as an independent integration of the equation has them.
TEST(PinPendulum, TurnsAndSticksWhereItsClosedSolutionDoes) {
  const Scene scene = ParseScene(PinPendulum(0.3) + Simulation(20), "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  std::vector<double> turns, times;
  const PinSolution solution(0.03);
  double turn = kPi / 2;
  while (simulator.state().t < 20) {
    ASSERT_EQ(simulator.Step(0.01), StepStatus::kOk);
    for (const Event& event : simulator.last_events()) times.push_back(event.t);
  }
  ASSERT_EQ(times.size(), 18u);
  EXPECT_NEAR(times.back(), 18.792295, 1e-6);
  for (int k = 0; k < 18; ++k) {
    // The state at the very moment of a turn.
    Simulator again(scene.model, scene.settings, scene.initial);
    ASSERT_EQ(again.Step(times[k]), StepStatus::kOk);
    const double next = -solution.CalcTurn(turn);
    EXPECT_NEAR(again.state().q[0], k % 2 == 0 ? -next : next, 1e-8) << k;
    turn = next;
  }
  EXPECT_NEAR(simulator.state().q[0], 0.010617004315, 1e-8);
  EXPECT_EQ(simulator.state().v[0], 0);
}

// Energy goes where friction takes it.
TEST(PinPendulum, LosesWhatFrictionTakes) {
  const EventRun run = RunByEvents(PinPendulum(0.5) + Simulation(5));
  EXPECT_LT(run.summary.constraint_work, -1);
  EXPECT_NEAR(run.summary.end.Total() - run.summary.start.Total(), run.summary.constraint_work,
              1e-10);
}

// 30° downhill along x, 3 N across.
std::string BeadOnWire(double v) {
  return fmt::format(R"(
bodies: [{{name: bead, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: bead}}]
constraints:
  - {{type: point-on-line, body: bead, direction: [{:.17g}, 0, -0.5], friction: {{kinetic: 0.2}}}}
loads: [{{body: bead, force: [0, 3, 0]}}]
initial: {{free: {{velocity: [{:.17g}, 0, {:.17g}]}}}}
)",
                     std::sqrt(0.75), -v * std::sqrt(0.75), v * 0.5);
}

// It slides up, turns, and slides down.
TEST(BeadOnWire, RubsByItsWholeReaction) {
  const EventRun run = RunByEvents(BeadOnWire(2) + Simulation(1));
  const double s = Vec3(-std::sqrt(0.75), 0, 0.5).dot(run.end.q.head<3>());
  EXPECT_NEAR(s, -0.465966313281, 1e-11);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].t, 2 / 6.706966425880, 1e-11);
}

// The same wire as a joint of the tree: a prismatic joint rubs by the same force.
TEST(BeadOnWire, IsAPrismaticJoint) {
  const EventRun run = RunByEvents(fmt::format(R"(
bodies: [{{name: bead, mass: 1, inertia: [1, 1, 1]}}]
joints:
  - {{name: wire, type: prismatic, axis: [{:.17g}, 0, -0.5], child: bead, friction: {{kinetic: 0.2}}}}
loads: [{{body: bead, force: [0, 3, 0]}}]
initial: {{wire: {{v: -2}}}}
)",
                                               std::sqrt(0.75)) +
                                   Simulation(1));
  EXPECT_NEAR(run.end.q[0], 0.465966313281, 1e-12);
}

TEST(BeadOnHoop, TurnsWhereItsClosedSolutionDoes) {
  const EventRun run = RunByEvents(testing::LoadNamedScene("bead_on_hoop"));
  ASSERT_FALSE(run.events.empty());
  const EventRun first = RunByEvents(testing::LoadNamedScene(
      "bead_on_hoop", {{"simulation.until", fmt::format("{:.17g}", run.events[0].t)}}));
  const double theta = std::atan2(1 + first.end.q[0], -first.end.q[2]);
  EXPECT_NEAR(theta, -0.777724175625, 1e-9);
  EXPECT_NEAR(std::hypot(1 + first.end.q[0], first.end.q[2]), 1, 1e-12);
}

// A bead on a rod that turns as it is told to.
TEST(PrescribedMotion, ThrowsABeadOutAgainstFriction) {
  const Scene scene = testing::LoadNamedScene("bead_on_turning_rod");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int k = 0; k < 10; ++k) ASSERT_EQ(simulator.Step(0.1), StepStatus::kOk);
  EXPECT_NEAR(simulator.state().q[0], 2, 1e-14);
  EXPECT_NEAR(simulator.state().q[1], 1.682653954251, 1e-9);
  EXPECT_NEAR(simulator.state().v[1], 2.696129225581, 1e-9);
  EXPECT_NEAR(simulator.prescribed_force()[0], 18.146610010, 1e-7);
  EXPECT_EQ(simulator.prescribed_force()[1], 0);
}

TEST(PrescribedMotion, CarriesWeightThatRubsToo) {
  const EventRun run = RunByEvents(testing::LoadNamedScene(
      "bead_on_turning_rod", {{"gravity", "[0, 0, -9.81]"}, {"parameters.v", "1.5"}}));
  EXPECT_NEAR(run.end.q[1], 2.897555225062, 1e-9);
  EXPECT_NEAR(run.end.v[1], 4.533760713961, 1e-9);
  // The drive pays for kinetic energy and friction.
  EXPECT_NEAR(run.summary.end.Total() - run.summary.start.Total(),
              run.summary.work + run.summary.constraint_work, 1e-9);
}

}  // namespace
}  // namespace voigt
