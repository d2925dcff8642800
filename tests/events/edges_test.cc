// Boxes that slide over the edge of a table: corners are lost and points of edges come in their
// place, without a blow.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/events/event_run.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

constexpr double kMu = 0.3, kGravity = 9.81;

EventRun SlideOff(double speed, double yaw, double until, double step) {
  return RunByEvents(fmt::format(R"(
gravity: [0, 0, -9.81]
materials: {{default: {{friction: 0.3}}}}
world: {{geometry: [{{shape: box, size: [1, 0.6, 0.4]}}]}}
bodies: [{{name: top, geometry: [{{shape: box, size: [0.4, 0.3, 0.3], density: 300}}]}}]
joints: [{{name: b, type: free, child: top, frame: {{position: [0.1, 0, 0.35]}}}}]
initial: {{b: {{velocity: [{}, 0, 0], rpy: [0, 0, {}]}}}}
simulation: {{integrator: event-driven, formulation: working, step: {}, until: {}}}
)",
                                 speed, yaw, step, until));
}

// The work that is summed step by step accounts for all energy, though a step ends at each edge.
double CalcUnaccounted(const EventRun& run) { return std::fabs(run.summary.Drift()); }

TEST(Edges, CornersPassThemWhileTheBoxSlidesOn) {
  for (const double step : {0.01, 0.03, 0.1, 1.0}) {
    SCOPED_TRACE(step);
    const double until = 0.2;  // its middle is still over the table
    const EventRun run = SlideOff(2, 0, until, step);
    EXPECT_EQ(run.summary.events.impacts, 0);
    EXPECT_EQ(run.summary.events.releases, 0);
    EXPECT_NEAR(run.end.q[0], 2 * until - 0.5 * kMu * kGravity * until * until, 1e-10);
    EXPECT_NEAR(run.end.v[0], 2 - kMu * kGravity * until, 1e-9);
    EXPECT_LT(std::fabs(run.end.q[2]), 1e-12);
    EXPECT_LT(CalcUnaccounted(run), 1e-9);
  }
}

// Then it tips: the corners behind are released when what bears it, which friction has moved ahead
// of its middle by μ times its height, is over the edge.
TEST(Edges, TheBoxTipsWhereNothingBearsItBehindThem) {
  const double over =
      (2 - std::sqrt(4 - 2 * kMu * kGravity * (0.4 - kMu * 0.15))) / (kMu * kGravity);
  const EventRun reference = SlideOff(2, 0, 0.6, 0.05);
  for (const double step : {0.01, 0.03, 0.1, 1.0}) {
    SCOPED_TRACE(step);
    const EventRun run = SlideOff(2, 0, 0.6, step);
    const std::vector<double> releases = run.TimesOf(EventKind::kRelease);
    ASSERT_EQ(releases.size(), 4u);
    EXPECT_NEAR(releases[0], over, 1e-9);
    EXPECT_NEAR(releases[1], over, 1e-9);
    EXPECT_EQ(run.summary.events.impacts, 0);
    EXPECT_LT((run.end.q - reference.end.q).norm(), 2e-8);
    EXPECT_LT(CalcUnaccounted(run), 1e-8);
  }
}

// Turned, its corners pass one after the other. Next to the edge the last of them lies so close to
// the table that it counts as closed for a moment, and how it goes on differs by that.
TEST(Edges, CornersPassOneByOne) {
  const EventRun reference = SlideOff(2.2, 0.3, 0.6, 0.05);
  for (const double step : {0.01, 0.03, 0.1, 1.0}) {
    SCOPED_TRACE(step);
    const EventRun before = SlideOff(2.2, 0.3, 0.17, step);
    EXPECT_EQ(before.summary.events.impacts, 0);
    EXPECT_LT(CalcUnaccounted(before), 1e-8);
    const EventRun run = SlideOff(2.2, 0.3, 0.6, step);
    EXPECT_LT(run.summary.events.impacts, 10);
    EXPECT_LT((run.end.q - reference.end.q).norm(), 5e-6);
    EXPECT_LT(CalcUnaccounted(run), 1e-7);
  }
}

}  // namespace
}  // namespace voigt
