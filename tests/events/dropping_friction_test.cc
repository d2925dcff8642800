// Friction of contacts that falls from μ_s to μ over a speed, by events.

#include "tests/support/dropping_friction.h"

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// 1 kg that moves along x and y, half of which presses on a plane, with 10 N.
std::string PressedPoint(const std::string& material, const std::string& rest, double until,
                         const char* step = "0.1") {
  return fmt::format(R"(
gravity: [0, 0, -20]
materials: {{default: {{friction: 0.3, static_friction: 0.5, {}}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies:
  - {{name: across, mass: 1e-12, inertia: [1e-12, 1e-12, 1e-12]}}
  - {{name: carrier, mass: 0.5, inertia: [0.01, 0.01, 0.01]}}
  - {{name: block, mass: 0.5, inertia: [0.01, 0.01, 0.01], geometry: [{{shape: sphere, radius: 0.1}}]}}
joints:
  - {{name: x, type: prismatic, axis: [1, 0, 0], child: across, frame: {{position: [0, 0, 0.1]}}}}
  - {{name: y, type: prismatic, axis: [0, 1, 0], parent: across, child: carrier}}
  - {{name: up, type: prismatic, axis: [0, 0, 1], parent: carrier, child: block}}
{}
simulation: {{integrator: event-driven, formulation: working, until: {}, step: {}}}
)",
                     material, rest, until, step);
}

EventRun RunDrag(const std::string& material, const char* step = "0.1") {
  return RunByEvents(PressedPoint(
      material, "drives: [{type: servo, joint: x, stiffness: 50, target: 0.1 * t}]", 2, step));
}

// The times of a block on a joint whose friction drops are known, too (DraggedBlock).
TEST(DroppingFriction, DraggedContactStopsWhereTheReferenceDoes) {
  EXPECT_NEAR(testing::SolveDrag(0.05).t, 1.605327846013, 1e-11);
  EXPECT_NEAR(testing::SolveDrag(0.2).t, 1.685746050560, 1e-11);
  for (double speed : {0.05, 0.2}) {
    const testing::DragStop exact = testing::SolveDrag(speed);
    for (const char* step : {"0.1", "0.037", "1"}) {
      const EventRun run = RunDrag(fmt::format("drop_speed: {}", speed), step);
      ASSERT_EQ(run.events.size(), 2u) << speed << " " << step;
      EXPECT_EQ(run.events[0].kind, EventKind::kSlip);
      EXPECT_NEAR(run.events[0].t, 1, 1e-8);
      EXPECT_EQ(run.events[1].kind, EventKind::kStick);
      EXPECT_NEAR(run.events[1].t, exact.t, 2e-9) << speed << " " << step;
      EXPECT_NEAR(run.end.q[0], exact.x, 1e-9) << speed << " " << step;
      EXPECT_EQ(run.summary.moments.failed, 0);
    }
  }
}

// The oscillator of a jump, and the root of v_d that a drop is late by: until v_d the block has
// only what the spring gains, K V t.
TEST(DroppingFriction, DropsAtOnceInTheLimit) {
  const double w = std::sqrt(50), theta = 2 * (kPi - std::atan(0.04 * w / 0.1));
  const double jump = 1 + theta / w;
  const auto stop = [](const std::string& material) { return RunDrag(material).events[1].t; };
  EXPECT_NEAR(stop("restitution: 0"), jump, 1e-7);
  EXPECT_EQ(stop("drop_speed: 0"), stop("restitution: 0"));
  double last = 0.03;
  for (double speed : {1e-3, 1e-5, 1e-7}) {
    const double late = stop(fmt::format("drop_speed: {}", speed)) - jump;
    const double exact = testing::SolveDrag(speed).t - jump;
    // Drops over less than what a step changes are met to a part of the delay.
    EXPECT_NEAR(late, exact, speed == 1e-3 ? 1e-7 : 0.03 * exact) << speed;
    EXPECT_GT(late, 0);
    EXPECT_LT(late, 0.25 * last) << speed;
    last = late;
  }
}

// In a plane, against the slip, whatever its direction: rigid, and soft with its own weight on it.
TEST(DroppingFriction, ThrownPointStopsAfterItsIntegral) {
  const testing::DragStop rigid = testing::SolveThrow(0.5, 2, 0);
  const std::string thrown = "initial: {x: {v: 1.2}, y: {v: 1.6}}";
  const EventRun run = RunByEvents(PressedPoint("drop_speed: 0.5", thrown, 2));
  ASSERT_EQ(run.TimesOf(EventKind::kStick).size(), 1u);
  EXPECT_NEAR(run.TimesOf(EventKind::kStick)[0], rigid.t, 1e-10);
  EXPECT_NEAR(run.end.q[0], 0.6 * rigid.x, 1e-10);
  EXPECT_NEAR(run.end.q[1], 0.8 * rigid.x, 1e-10);

  // A soft one sticks from the creep speed on; 10 N press it in by 1 mm.
  const testing::DragStop soft = testing::SolveThrow(0.5, 2, 1e-4);
  const EventRun yields =
      RunByEvents(PressedPoint("drop_speed: 0.5, stiffness: 2e4, damping: 100",
                               "initial: {x: {v: 1.2}, y: {v: 1.6}, up: {q: -0.001}}", 2));
  EXPECT_NEAR(yields.end.q.head<2>().norm(), soft.x, 1e-9);
  EXPECT_EQ(yields.end.v.head<2>().norm(), 0);
}

// A soft contact with a drop of its own creeps and slides by one function of its slip: it stops
// where the rigid one does but for what it slips below the creep speed.
TEST(DroppingFriction, SoftContactDropsOverItsSpeed) {
  const testing::DragStop exact = testing::SolveDrag(0.05);
  const EventRun run = RunByEvents(PressedPoint("drop_speed: 0.05, stiffness: 2e4, damping: 100",
                                                "drives: [{type: servo, joint: x, stiffness: 50, "
                                                "target: 0.1 * t}]\ninitial: {up: {q: -0.001}}",
                                                2));
  EXPECT_NEAR(run.end.q[0], exact.x, 1e-6);
}

// Impacts have the friction of the speed before them. The block falls by 0.1 m, with 2 m/s and 1 N
// s in the end: v_x falls by μ(v_x), and by at most 10 μ_s h in what is left of the step.
TEST(DroppingFriction, ImpactsHaveThatOfTheirSpeed) {
  const double h = 1e-4;
  for (double speed : {0.5, 0.6, 1.0}) {
    const std::string initial = fmt::format("initial: {{x: {{v: {}}}, up: {{q: 0.1}}}}", speed);
    const Scene scene = ParseScene(PressedPoint("drop_speed: 0.5", initial, 0.11, "1e-4"), "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    while (simulator.events().impacts == 0 && simulator.state().t < 0.109) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    }
    const double mu = 0.3 + 0.2 * std::exp(-(speed / 0.5) * (speed / 0.5));
    EXPECT_LE(simulator.state().v[0], speed - mu + 1e-9) << speed;
    EXPECT_GE(simulator.state().v[0], speed - mu - 5 * h) << speed;
  }
}

std::string ExplainDropRefusal(const std::string& contact) {
  try {
    ParseScene("materials: {default: {friction: 0.3}, oil: {drop_speed: -1}}\n" + contact, "text");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DroppingFriction, RefusesWhatHasNoMeaning) {
  EXPECT_NE(ExplainDropRefusal("").find("drop_speed = -1, expected a finite number ≥ 0"),
            std::string::npos)
      << ExplainDropRefusal("");
  const std::string pair = ExplainDropRefusal(
      "contact: {pairs: [{materials: [oil, default], friction: 0.1, drop_speed: 0.1}]}");
  EXPECT_NE(pair.find("drop_speed has no meaning without the static_friction that drops"),
            std::string::npos)
      << pair;
}

}  // namespace
}  // namespace voigt
