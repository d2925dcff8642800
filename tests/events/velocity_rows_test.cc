// Constraints on velocities that are no gaps: in event-driven runs their rows hold on
// accelerations, G v̇ + Ġ v = dv̂/dt, as those of others do.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

std::string VelocityRowSettings(const char* formulation, const char* step) {
  return fmt::format(
      "simulation: {{integrator: event-driven, formulation: {}, until: 2, step: {}}}\n",
      formulation, step);
}

// A skate on a slope of 30° spins with ω and slides along its blade: u̇ = g sin 30° cos ωt, so that
// it goes down by (g/(4 ω²)) sin² ωt and never further, and aside by (g/(4 ω²)) (ωt − ½ sin 2ωt).
TEST(VelocityRows, SkateOnASlopeGoesAside) {
  const double w = 3, t = 2;
  for (const char* formulation : {"working", "max-dissipation"}) {
    for (const char* step : {"2", "0.1"}) {
      const EventRun run = RunByEvents(std::string(R"(
gravity: [9.81 * sin(30 deg), 0, -9.81 * cos(30 deg)]
bodies: [{name: skate, mass: 0.7, inertia: [0.2, 0.3, 0.1]}]
joints: [{name: plane, type: planar, child: skate}]
constraints: [{type: knife-edge, body: skate, direction: [0, 1, 0]}]
initial: {plane: {v: [0, 0, 3]}}
)") + VelocityRowSettings(formulation, step));
      const double c = 9.81 / (4 * w * w);
      EXPECT_NEAR(run.end.q[0], c * std::sin(w * t) * std::sin(w * t), 1e-10) << step;
      EXPECT_NEAR(run.end.q[1], c * (w * t - 0.5 * std::sin(2 * w * t)), 1e-10) << step;
      EXPECT_NEAR(run.end.q[2], w * t, 1e-12);
      EXPECT_NEAR(run.summary.Drift(), 0, 1e-10);
      EXPECT_EQ(run.summary.moments.failed, 0);
    }
  }
}

// A ball that rolls without slip on a plane that is given by a constraint: 5/7 of g sin.
TEST(VelocityRows, BallRollsDownASlope) {
  const EventRun run = RunByEvents(std::string(R"(
gravity: [9.81 * sin(30 deg), 0, -9.81 * cos(30 deg)]
bodies: [{name: ball, mass: 2, inertia: [0.008, 0.008, 0.008]}]
joints: [{name: free, type: free, child: ball}]
constraints: [{type: rolling, body: ball, radius: 0.1}]
initial: {free: {position: [0, 0, 0.1]}}
)") + VelocityRowSettings("working", "0.5"));
  EXPECT_NEAR(run.end.q[0], 0.5 * 9.81 * 0.5 * 5 / 7 * 4, 1e-10);
  EXPECT_NEAR(run.end.q[2], 0.1, 1e-12);
  EXPECT_NEAR(run.summary.Drift(), 0, 1e-9);
}

// Two wheels of 1 and 3 kg m² whose speeds add up to s(t) = 3 − cos 5t: λ = ṡ/(1/I₁ + 1/I₂) on
// both, beside a torque of 0.6 N m on the first. What that takes is the work of loads and drives.
TEST(VelocityRows, SpeedsAddUpToWhatIsAskedFor) {
  const EventRun run = RunByEvents(std::string(R"(
gravity: [0, 0, 0]
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [3, 3, 3]}]
joints: [{name: first, type: revolute, child: a}, {name: second, type: revolute, child: b}]
constraints:
  - {type: constant-speed, terms: [{joint: first, factor: 1}, {joint: second, factor: 1}],
     speed: 3 - cos(5 * t)}
loads: [{body: a, torque: [0, 0, 0.6]}]
initial: {first: {v: 1.5}, second: {v: 0.5}}
)") + VelocityRowSettings("working", "0.1"));
  // λ + 0.6 = ω̇₁, λ = 3 ω̇₂, ω̇₁ + ω̇₂ = ṡ: λ = (ṡ − 0.6) 3/4.
  const double s = 3 - std::cos(10.0), first = 1.5 + 0.75 * (s - 2 - 1.2) + 1.2;
  EXPECT_NEAR(run.end.v[0], first, 1e-9);
  EXPECT_NEAR(run.end.v[1], s - first, 1e-9);
  EXPECT_NEAR(run.summary.Drift(), 0, 1e-8);
}

TEST(VelocityRows, RefusesWhatIsSoftAndWhatNeedsWorking) {
  const auto refuses = [](const std::string& constraint, const char* formulation,
                          const char* words) {
    try {
      const Scene scene = ParseScene(R"(
bodies: [{name: skate, mass: 0.7, inertia: [0.2, 0.3, 0.1]}]
joints: [{name: spin, type: revolute, child: skate}]
constraints: [)" + constraint + "]\n" + VelocityRowSettings(formulation, "0.1"),
                                     "text");
      Simulator simulator(scene.model, scene.settings, scene.initial);
      ADD_FAILURE() << constraint << " was not refused";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refuses("{type: constant-speed, terms: [{joint: spin, factor: 1}], speed: 2 * t}",
          "max-dissipation", "needs the formulation 'working'");
  refuses("{type: knife-edge, body: skate, direction: [0, 1, 0], damping: 5}", "working",
          "soft constraints");
}

}  // namespace
}  // namespace voigt
