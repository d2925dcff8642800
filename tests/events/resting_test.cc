// Closed contacts between events: sliding, sticking, pressing and parting, at the times of closed
// solutions.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"
#include "voigt/base/errors.h"
#include "voigt/events/event_integrator.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// After v/(μ g), at v²/(2 μ g), on all four feet.
TEST(Sliding, EndsAtItsTime) {
  for (const char* step : {"0.01", "1"}) {
    const EventRun run = RunByEvents(testing::LoadNamedScene(
        "sliding_block", {{"simulation.integrator", "event-driven"}, {"simulation.step", step}}));
    const std::vector<double> stops = run.TimesOf(EventKind::kStick);
    ASSERT_EQ(stops.size(), 4u);
    for (double t : stops) EXPECT_NEAR(t, 1 / (0.25 * 9.8), 1e-13);
    EXPECT_EQ(run.summary.events.events(), 4);
    EXPECT_NEAR(run.end.q[0], 1 / (2 * 0.25 * 9.8), 1e-13);
    EXPECT_NEAR(run.summary.constraint_work, -0.5, 1e-12);
  }
}

// A sphere slides and then rolls: the number of the prototype, and 2 v/(7 μ g).
TEST(Sliding, OfASphereTurnsIntoRolling) {
  const EventRun run = RunByEvents(testing::LoadNamedScene(
      "sliding_sphere", {{"simulation.integrator", "event-driven"}, {"simulation.until", "0.6"}}));
  const std::vector<double> stops = run.TimesOf(EventKind::kStick);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_NEAR(stops[0], 0.291247997670, 1e-12);
  EXPECT_NEAR(run.end.q[0], 0.940356570763, 1e-12);
  EXPECT_NEAR(run.end.v[0], 10.0 / 7, 1e-12);
}

constexpr const char* kPulledBlock = R"(
gravity: [0, 0, -10]
materials: {default: {friction: 0.5}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies:
  - {name: block, mass: 2, inertia: [0.02, 0.02, 0.03], geometry: [{shape: box, size: [0.4, 0.2, 0.1]}]}
joints: [{name: free, type: free, child: block, frame: {position: [0, 0, 0.05]}}]
simulation: {integrator: event-driven, until: 1, step: 0.1}
)";

// Pulled by a force 20 t at the height of the floor, it holds up to μ m g = 10 N. How four corners
// share is not determined: other formulations than `working` may let them go one by one, and where
// a step ends (docs/theory/event_driven.md). With steps of 0.1 s one ends where all should.
TEST(Sticking, EndsWhereFrictionDoes) {
  for (const std::string formulation : {"working", "max-dissipation"}) {
    for (const std::string step : {"0.1", "0.07", "0.01"}) {
      SCOPED_TRACE(formulation + " " + step);
      const bool is_exact = formulation == "working" || step == "0.1";
      const double tolerance = is_exact ? 1e-8 : 5e-5;
      Scene scene =
          ParseScene(std::string(kPulledBlock) +
                         "loads: [{body: block, point: [0, 0, -0.05], force: [20*t, 0, 0]}]\n",
                     "text", {{"simulation.step", step}, {"simulation.formulation", formulation}});
      const EventRun run = RunByEvents(scene);
      const std::vector<double> slips = run.TimesOf(EventKind::kSlip);
      ASSERT_EQ(slips.size(), 4u);
      if (is_exact) {
        for (double t : slips) EXPECT_NEAR(t, 0.5, tolerance);
      }
      // m v̇ = 20 t − 10 from there.
      EXPECT_NEAR(run.end.v[0], 10 * 0.25 / 2, tolerance);
      EXPECT_NEAR(run.end.q[0], 10 * 0.125 / 6, tolerance);
    }
  }
}

// Lifted by a force 40 t, it leaves the floor at 0.5 s without a jerk.
TEST(Pressing, EndsWhereTheForceDoes) {
  const EventRun run =
      RunByEvents(std::string(kPulledBlock) + "loads: [{body: block, force: [0, 0, 40*t]}]\n");
  // Four corners, of which rounding may close and open one again at that moment.
  std::set<std::uint64_t> corners;
  for (const Event& event : run.events) {
    EXPECT_NEAR(event.t, 0.5, 1e-10);
    if (event.kind == EventKind::kRelease) corners.insert(event.id);
  }
  EXPECT_EQ(corners.size(), 4u);
  EXPECT_NEAR(run.end.q[2], 20 * 0.125 / 6, 1e-9);
  EXPECT_EQ(run.summary.events.impacts, 0);
}

// Viscous friction beside Coulomb's: m v̇ = −μ m g − B v, which ends at (m/B) ln(1 + B v/(μ m g)).
TEST(Sliding, FeelsViscousFrictionBesideCoulombs) {
  const EventRun run = RunByEvents(R"(
gravity: [0, 0, -10]
materials: {default: {friction: 0.2, viscous_friction: 3}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies: [{name: block, mass: 2, inertia: [1, 1, 1], geometry: [{shape: points, positions: [[0, 0, 0]]}]}]
joints: [{name: free, type: planar, child: block, frame: {rpy: [90 deg, 0, 0]}}]
initial: {free: {v: [2, 0, 0]}}
simulation: {integrator: event-driven, until: 1, step: 0.5}
)");
  const std::vector<double> stops = run.TimesOf(EventKind::kStick);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_NEAR(stops[0], 2.0 / 3 * std::log(1 + 3.0 * 2 / (0.2 * 2 * 10)), 1e-11);
}

// Loops keep their energy and stay closed.
TEST(Loops, MoveAsExactlyAsTrees) {
  const EventRun run = RunByEvents(testing::LoadNamedScene(
      "slider_crank", {{"simulation.integrator", "event-driven"}, {"simulation.step", "0.05"}}));
  EXPECT_NEAR(run.summary.end.Total(), run.summary.start.Total(), 1e-9);
  EXPECT_EQ(run.summary.events.events(), 0);
}

TEST(EventDriven, RefusesWhatItDoesNotKnowByName) {
  const auto complaint = [](const std::string& name) {
    try {
      const Scene scene =
          testing::LoadNamedScene(name, {{"simulation.integrator", "event-driven"}});
      Simulator simulator(scene.model, scene.settings, scene.initial);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint("joint_limit").find("limits of joint 'pin'"), std::string::npos);
  EXPECT_NE(complaint("joint_limit").find("soft constraints and limits"), std::string::npos);
  EXPECT_NE(complaint("eight_joint_arm").find("friction of joint"), std::string::npos);
  EXPECT_NE(complaint("ramp").find("soft contact"), std::string::npos);
  EXPECT_NE(complaint("spinning_ball").find("rolling friction"), std::string::npos);
  EXPECT_NE(complaint("foundation").find("foundations"), std::string::npos);
  EXPECT_EQ(complaint("sliding_block"), "");
}

// What is rigid cannot begin beyond where it closes.
TEST(EventDriven, RefusesRigidOverlapsAtTheStart) {
  const auto complaint = [](const char* material, double height) {
    const Scene scene = ParseScene(fmt::format(R"(
materials: {{default: {{{}}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies: [{{name: block, mass: 1, geometry: [{{shape: box, size: [0.3, 0.2, 0.1]}}]}}]
joints: [{{name: free, type: free, child: block, frame: {{position: [0, 0, {}]}}}}]
simulation: {{integrator: event-driven, formulation: working, until: 0.1, step: 0.1}}
)",
                                               material, height),
                                   "text");
    try {
      Simulator simulator(scene.model, scene.settings, scene.initial);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string told = complaint("friction: 0.3", 0.04);
  EXPECT_NE(told.find("text:4"), std::string::npos) << told;
  EXPECT_NE(told.find("contact of floor and block"), std::string::npos) << told;
  EXPECT_NE(told.find("0.01 m of overlap"), std::string::npos) << told;
  EXPECT_EQ(told.find('\n'), std::string::npos) << told;  // once for all corners
  EXPECT_EQ(complaint("friction: 0.3", 0.05 - 5e-7), "");
  EXPECT_EQ(complaint("friction: 0.3, stiffness: 1e4", 0.04), "");
}

// Events that are more than can be told apart end a run with a status.
TEST(EventDriven, TellsOfEventsWithoutEnd) {
  const Scene scene = testing::LoadNamedScene("bouncing_ball");
  EventIntegrator::Settings settings;
  settings.most_at_once = 0;
  EventIntegrator integrator(scene.model, scene.settings.formulation, false, settings);
  State state = scene.initial;
  EXPECT_EQ(integrator.AdvanceTo(scene.settings.until, &state), EventStatus::kEventsWithoutEnd);
  EXPECT_LT(state.t, scene.settings.until);
  EXPECT_TRUE(state.q.allFinite());
}

}  // namespace
}  // namespace voigt
