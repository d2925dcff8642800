// Forces that are functions of time alone: their impulses, and the moments at which they part, move
// or stop what rests, whatever intervals a run is asked for in.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/events/event_run.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

constexpr double kSteps[] = {1, 0.5, 0.2, 0.13, 0.1, 0.07, 0.01};

struct LoadCase {
  const char* force;  // on 1 kg, from rest
  double v, x;        // after 1 s
};

// A jump, a wave, a pulse of which steps at rest see nothing, and one that is made of pieces.
TEST(VaryingLoads, HaveTheirImpulsesWithBothIntegrators) {
  const double root = std::sqrt(kPi);
  const LoadCase cases[] = {
      {"t < 0.53 ? 1 : 0", 0.53, 0.53 * 0.53 / 2 + 0.53 * 0.47},
      {"sin(40*t)", (1 - std::cos(40.0)) / 40, (1 - std::sin(40.0) / 40) / 40},
      {"exp(-((t-0.55)/0.01)^2)", 0.01 * root, 0.01 * root * 0.45},
      {"(t > 0.5) * (t < 0.51)", 0.01, 0.01 * 0.495},
      {"abs(t - 0.3)", 0.3 * 0.3 / 2 + 0.7 * 0.7 / 2, 0.3 * 0.3 / 2 * 0.9 + 0.7 * 0.7 * 0.7 / 6},
  };
  for (const LoadCase& load : cases) {
    for (const char* integrator : {"adaptive", "event-driven"}) {
      for (double step : kSteps) {
        SCOPED_TRACE(fmt::format("{} {} {}", load.force, integrator, step));
        const Scene scene = ParseScene(fmt::format(R"(
gravity: [0, 0, 0]
bodies: [{{name: block, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: guide, type: prismatic, axis: [1, 0, 0], child: block}}]
loads: [{{body: block, force: ['{}', 0, 0]}}]
simulation: {{integrator: {}, step: {}, until: 1}}
)",
                                                   load.force, integrator, step),
                                       "text");
        Simulator simulator(scene.model, scene.settings, scene.initial);
        ASSERT_EQ(voigt::Run(&simulator, nullptr).status, StepStatus::kOk);
        EXPECT_NEAR(simulator.state().v[0], load.v, 2e-13);
        EXPECT_NEAR(simulator.state().q[0], load.x, 2e-13);
      }
    }
  }
}

// Targets of servos and loads on joints are functions of time, too: ẍ = 100 (s(t) − x) with a
// target that is there from 0.25 s on, x = 1 − cos(10 (t − 0.25)).
TEST(VaryingLoads, MoveTargetsOfServos) {
  for (double step : kSteps) {
    const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, 0]
bodies: [{{name: block, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: guide, type: prismatic, axis: [1, 0, 0], child: block}}]
drives: [{{type: servo, joint: guide, stiffness: 100, target: 't < 0.25 ? 0 : 1'}}]
simulation: {{integrator: event-driven, step: {}, until: 1}}
)",
                                                 step));
    EXPECT_NEAR(run.end.q[0], 1 - std::cos(7.5), 1e-11) << step;
    EXPECT_NEAR(run.end.v[0], 10 * std::sin(7.5), 1e-10) << step;
  }
}

// A bead on a rough guide that holds 5 N, pulled by 4 N and a pulse of 2 N.
TEST(VaryingLoads, MoveWhatSticksAtTheirTime) {
  const double start = 0.05 - 0.01 * std::sqrt(std::log(2));
  double first = 0;
  for (double step : kSteps) {
    const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, -10]
bodies: [{{name: block, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: guide, type: prismatic, axis: [1, 0, 0], child: block, friction: {{static: 0.5, kinetic: 0.3}}}}]
loads: [{{body: block, force: ['4 + 2*exp(-((t-0.05)/0.01)^2)', 0, 0]}}]
simulation: {{integrator: event-driven, formulation: working, step: {}, until: 1}}
)",
                                                 step));
    ASSERT_EQ(run.TimesOf(EventKind::kSlip).size(), 1u) << step;
    EXPECT_NEAR(run.TimesOf(EventKind::kSlip)[0], start, 1e-10) << step;
    // From there on 4 N and the rest of the pulse against 3 N.
    const double rest = 0.02 * std::sqrt(kPi) / 2 * (1 + std::erf(std::sqrt(std::log(2))));
    EXPECT_NEAR(run.end.v[0], (1 - start) + rest, 1e-9) << step;
    if (first == 0) first = run.end.q[0];
    EXPECT_NEAR(run.end.q[0], first, 1e-11) << step;
  }
}

// A pull that is there just after a moment, not at it, which may be the end of a step.
TEST(VaryingLoads, MoveWhatSticksJustAfterAMoment) {
  for (double moment : {0.5, 0.55, 0.7, 1.1, 1.5}) {
    for (double step : {2.0, 0.5, 0.25, 0.1}) {
      SCOPED_TRACE(fmt::format("{} {}", moment, step));
      const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, -10]
bodies: [{{name: block, mass: 2, inertia: [1, 1, 1]}}]
joints: [{{name: guide, type: prismatic, axis: [1, 0, 0], child: block, friction: {{static: 0.5, kinetic: 0.3}}}}]
loads: [{{body: block, force: ['t > {} ? 15 : 0', 0, 0]}}]
simulation: {{integrator: event-driven, formulation: working, step: {}, until: 2}}
)",
                                                   moment, step));
      EXPECT_NEAR(run.end.v[0], 4.5 * (2 - moment), 1e-12);
      EXPECT_EQ(run.summary.events.events(), 1);
    }
  }
}

// Times are sums of steps, and may be less than a step of the clock before a jump.
TEST(VaryingLoads, JumpNextToTheEndsOfSteps) {
  const std::pair<double, double> cases[] = {{0.1, 5.9}, {1.0 / 60, 1.9}, {0.05, 2.95}};
  for (const auto& [step, moment] : cases) {
    for (const char* integrator : {"adaptive", "event-driven"}) {
      SCOPED_TRACE(fmt::format("{} {} {}", integrator, step, moment));
      const Scene scene = ParseScene(fmt::format(R"(
gravity: [0, 0, 0]
bodies: [{{name: block, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: guide, type: prismatic, axis: [1, 0, 0], child: block}}]
loads: [{{body: block, force: ['t < {} ? 1 : 0', 0, 0]}}]
simulation: {{integrator: {}, step: {:.17g}, until: 6}}
)",
                                                 moment, integrator, step),
                                     "text");
      Simulator simulator(scene.model, scene.settings, scene.initial);
      ASSERT_EQ(voigt::Run(&simulator, nullptr).status, StepStatus::kOk);
      EXPECT_NEAR(simulator.state().v[0], moment, 1e-12);
    }
  }
}

// A box on a floor that holds 5 N, pulled by 6 sin² (π t/T), from pulse to pulse by fixed steps.
double SolvePulses(double period, double until) {
  double x = 0, v = 0;
  constexpr long kCount = 2000000;
  const double h = until / kCount;
  for (long k = 0; k < kCount; ++k) {
    const double s = std::sin(kPi * (k + 0.5) * h / period), pull = 6 * s * s;
    if (v == 0 && pull <= 5) continue;
    const double next = std::max(v + h * (pull - 5), 0.0);
    x += 0.5 * h * (v + next);
    v = next;
  }
  return x;
}

TEST(VaryingLoads, MoveABoxOnAFloorFromPulseToPulse) {
  const double way = SolvePulses(0.1, 1);
  EXPECT_NEAR(way, 4.0906e-3, 1e-7);
  // Of `max-dissipation` see Sticking.EndsWhereFrictionDoes.
  for (const auto& [formulation, tolerance] :
       {std::pair{"working", 1e-9}, std::pair{"max-dissipation", 1e-5}}) {
    for (double step : {1.0, 0.13, 0.1, 0.01}) {
      SCOPED_TRACE(fmt::format("{} {}", formulation, step));
      const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, -10]
materials: {{default: {{friction: 0.5}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies: [{{name: b, mass: 1, inertia: [0.01, 0.01, 0.01], geometry: [{{shape: box, size: [0.3, 0.2, 0.1]}}]}}]
joints: [{{name: f, type: free, child: b, frame: {{position: [0, 0, 0.05]}}}}]
loads: [{{body: b, point: [0, 0, -0.05], force: ['6*sin(pi*t/0.1)^2', 0, 0]}}]
simulation: {{integrator: event-driven, formulation: {}, step: {}, until: 1}}
)",
                                                   formulation, step));
      EXPECT_NEAR(run.end.q[0], way, tolerance);
    }
  }
}

// The same box, lifted by 30 sin² (π t/T): it leaves the floor where that is its weight.
TEST(VaryingLoads, LiftWhatRestsAtTheirTime) {
  const double leaves = 0.1 / kPi * std::asin(std::sqrt(1.0 / 3));
  for (double step : kSteps) {
    const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, -10]
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies: [{{name: b, mass: 1, inertia: [0.01, 0.01, 0.01], geometry: [{{shape: box, size: [0.3, 0.2, 0.1]}}]}}]
joints: [{{name: f, type: free, child: b, frame: {{position: [0, 0, 0.05]}}}}]
loads: [{{body: b, force: [0, 0, '30*sin(pi*t/0.1)^2']}}]
simulation: {{integrator: event-driven, formulation: working, step: {}, until: 1}}
)",
                                                 step));
    ASSERT_FALSE(run.TimesOf(EventKind::kRelease).empty()) << step;
    EXPECT_NEAR(run.TimesOf(EventKind::kRelease)[0], leaves, 1e-9) << step;
    // ∫ 30 sin² − 10 from there on.
    const auto impulse = [](double t) {
      return 5 * t - 15 * 0.1 / (2 * kPi) * std::sin(20 * kPi * t);
    };
    EXPECT_NEAR(run.end.v[2], impulse(1) - impulse(leaves), 1e-9) << step;
  }
}

}  // namespace
}  // namespace voigt
