// Bounces of bodies with several points, and of chains, come to an end.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/events/event_run.h"
#include "tests/events/falling_chain.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// A box that is dropped on its face by a tenth of a millimetre rocks on its edges, slides and turns
// until it lies still, and a force that friction holds does not go on moving it.
TEST(Bouncing, OfABoxComesToAnEnd) {
  for (const char* force : {"0.02, 0", "0.02, -0.013", "-0.5, 0.2"}) {
    for (const double step : {0.05, 0.3}) {
      SCOPED_TRACE(fmt::format("{} {}", force, step));
      const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, -9.81]
materials: {{default: {{friction: 0.3, restitution: 0.4}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies: [{{name: block, mass: 1, geometry: [{{shape: box, size: [0.3, 0.2, 0.1]}}]}}]
joints: [{{name: free, type: free, child: block, frame: {{position: [0, 0, 0.0501]}}}}]
loads: [{{body: block, force: [{}, 0]}}]
simulation: {{integrator: event-driven, formulation: working, until: 0.6, step: {}}}
)",
                                                   force, step));
      EXPECT_LT(run.end.v.norm(), 1e-12);
      EXPECT_NEAR(run.end.q[2] + 0.0501, 0.05, 1e-9);
      EXPECT_LT(run.summary.events.impacts, 200);
    }
  }
}

// A chain of three links with friction in its hinges falls flat and comes to lie: what holds it, at
// five points on a line, could not all stop at once while some of them still bounce.
TEST(Bouncing, OfAChainComesToAnEnd) {
  const EventRun run = RunByEvents(testing::MakeFallingChain(
      "friction: 0.58, restitution: 0.3", "q: [0, 0.6, -1.49], v: [0.3, -1, -0.5]",
      {{1.9, 0.004}, {5.3, 0.02, 0.33, 0.022, 0.05, -0.5}, {9.6, 0.002, 0.52, 0.037, -0.1, 0.8}},
      1.5, 0.1));
  EXPECT_LT(run.end.v.norm(), 1e-9);
  EXPECT_GT(run.summary.events.impacts, 10);
}

// Two links meet at a hinge that lies on the floor: what holds their two points, in one place,
// holds both.
TEST(Bouncing, OfLinksThatMeetOnTheFloorComesToAnEnd) {
  const EventRun run = RunByEvents(testing::MakeFallingChain(
      "friction: 0.91, restitution: 0.13", "q: [0, 3.54, 1.29], v: [2.63, -4.04, 0.76]",
      {{0.359, 0.0015},
       {1.468, 0.0014, 0.36, 0.016, 0.37, 2},
       {9.81, 0.0052, 0.37, 0.026, -1.28, -0.72},
       {0.305, 0.0248, 0.46, 0.049, -1.23, -4.31},
       {0.12, 0.0011, 0.41, 0.014, -0.56, 3.09}},
      1, 0.1));
  EXPECT_LT(run.summary.events.events(), 500);
}

}  // namespace
}  // namespace voigt
