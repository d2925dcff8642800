// Constraints on velocities that are no gaps: in event-driven runs their rows hold on
// accelerations, G v̇ + Ġ v = dv̂/dt, as those of others do.

#include <fmt/format.h>

#include "tests/events/event_run.h"
#include "tests/support/velocity_row_scenes.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::kRollingAcceleration;
using testing::kRollingBall;
using testing::kSkate;
using testing::kTwoWheels;
using testing::RunByEvents;
using testing::SkateAfter;
using testing::TwoWheelsAfter;

std::string VelocityRowSettings(const char* formulation, const char* step) {
  return fmt::format(
      "simulation: {{integrator: event-driven, formulation: {}, until: 2, step: {}}}\n",
      formulation, step);
}

TEST(VelocityRows, SkateOnASlopeGoesAside) {
  for (const char* formulation : {"working", "max-dissipation"}) {
    for (const char* step : {"2", "0.1"}) {
      const EventRun run = RunByEvents(kSkate + VelocityRowSettings(formulation, step));
      EXPECT_LT((run.end.q - SkateAfter(2)).cwiseAbs().maxCoeff(), 1e-10) << step;
      EXPECT_NEAR(run.end.q[2], SkateAfter(2)[2], 1e-12);
      EXPECT_NEAR(run.summary.Drift(), 0, 1e-10);
      EXPECT_EQ(run.summary.moments.failed, 0);
    }
  }
}

TEST(VelocityRows, BallRollsDownASlope) {
  const EventRun run = RunByEvents(kRollingBall + VelocityRowSettings("working", "0.5"));
  EXPECT_NEAR(run.end.q[0], 0.5 * kRollingAcceleration * 4, 1e-10);
  EXPECT_NEAR(run.end.q[2], 0.1, 1e-12);
  EXPECT_NEAR(run.summary.Drift(), 0, 1e-9);
}

// What the wheels take is the work of loads and drives.
TEST(VelocityRows, SpeedsAddUpToWhatIsAskedFor) {
  const EventRun run = RunByEvents(kTwoWheels + VelocityRowSettings("working", "0.1"));
  EXPECT_LT((run.end.v - TwoWheelsAfter(2)).cwiseAbs().maxCoeff(), 1e-9);
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
