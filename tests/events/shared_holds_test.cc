// Bodies on several feet that friction holds by one way of sharing a load or another, and where no
// way is left.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/events/event_run.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// Feet at equal heights under a body of 2 kg: friction of each is at most μ_s N, and holds a load
// (F, M) exactly if no twist (u, ω) gains more by it than friction takes, F·u + M ω ≤ Σ μ_s N
// ‖v_i‖.
struct Feet {
  std::array<Vec2, 3> at;
  Vec2 pull_at;
  double limit = 0;  // μ_s N of each

  static Vec2 CalcPull(double t) { return {12 * std::sin(3 * t), 6 * std::sin(7 * t)}; }

  // What a twist gains over what friction takes from it.
  double CalcRatio(double t, double alpha, double beta) const {
    constexpr double kLever = 0.2;  // m
    const Vec2 u = std::cos(beta) * Vec2(std::cos(alpha), std::sin(alpha));
    const double omega = std::sin(beta) / kLever;
    const auto velocity = [&](const Vec2& p) -> Vec2 { return u + omega * Vec2(-p[1], p[0]); };
    double taken = 0;
    for (const Vec2& p : at) taken += limit * velocity(p).norm();
    return CalcPull(t).dot(velocity(pull_at)) / taken;
  }

  // The most of all twists, by a search that halves its steps.
  double CalcWorst(double t) const {
    double best = 0, alpha = 0, beta = 0;
    constexpr int kGrid = 60;
    for (int i = 0; i < kGrid * kGrid; ++i) {
      const double a = 2 * kPi * (i % kGrid) / kGrid;
      const double b = kPi * ((i / kGrid + 0.5) / kGrid - 0.5);
      const double ratio = CalcRatio(t, a, b);
      if (ratio > best) best = ratio, alpha = a, beta = b;
    }
    for (double step = 0.1; step > 1e-8;) {
      bool any = false;
      for (const Vec2& d : {Vec2(1, 0), Vec2(-1, 0), Vec2(0, 1), Vec2(0, -1), Vec2(1, 1),
                            Vec2(-1, -1), Vec2(1, -1), Vec2(-1, 1)}) {
        const double ratio = CalcRatio(t, alpha + step * d[0], beta + step * d[1]);
        if (ratio <= best) continue;
        best = ratio, alpha += step * d[0], beta += step * d[1];
        any = true;
      }
      if (!any) step /= 2;
    }
    return best;
  }

  double FindBreakaway() const {
    double low = 0.01, high = 0.3;
    while (high - low > 1e-13) {
      const double middle = 0.5 * (low + high);
      (CalcWorst(middle) < 1 ? low : high) = middle;
    }
    return high;
  }
};

std::string MakePads(const Vec2& pull_at, double step) {
  std::string pads;
  for (const char* at : {"0.2, 0", "-0.1, 0.15", "-0.1, -0.15"}) {
    pads += fmt::format(
        "  - {{type: point-in-plane, name: 'at {0}', body: box, point: [{0}, 0], side: above, "
        "friction: {{kinetic: 0.3, static: 0.5}}}}\n",
        at);
  }
  return fmt::format(R"(
gravity: [0, 0, -10]
bodies: [{{name: box, mass: 2, inertia: [0.02, 0.02, 0.03]}}]
joints: [{{name: free, type: free, child: box}}]
constraints:
{}loads: [{{body: box, force: [12*sin(3*t), 6*sin(7*t), 0], point: [{}, {}, 0]}}]
simulation: {{integrator: event-driven, formulation: working, step: {}, until: 1}}
)",
                     pads, pull_at[0], pull_at[1], step);
}

// Three pads, pulled beside their middle: proportional shares are beyond the limit of one of them
// long before all of them together are. Sweeps that look for other ways of sharing are slow next to
// the end, and give up a little before it, within 0.1 µs at the same moment in all runs.
TEST(SharedHolds, EndWhereNoSharingIsLeft) {
  for (const Vec2& pull_at : {Vec2(0, 0), Vec2(0.05, 0.03), Vec2(-0.1, 0.02), Vec2(0.3, 0)}) {
    const Feet feet{.at = {Vec2(0.2, 0), Vec2(-0.1, 0.15), Vec2(-0.1, -0.15)},
                    .pull_at = pull_at,
                    .limit = 0.5 * 2 * 10 / 3};
    const double expected = feet.FindBreakaway();
    VecX end;
    double first = 0;
    for (const double step : {1.0, 0.1, 0.03}) {
      SCOPED_TRACE(fmt::format("{} {} step {}", pull_at[0], pull_at[1], step));
      const EventRun run = RunByEvents(MakePads(pull_at, step));
      const std::vector<double> slips = run.TimesOf(EventKind::kSlip);
      ASSERT_GE(slips.size(), 3u);
      EXPECT_EQ(slips[1], slips[0]);  // one of them may be what it turns about
      EXPECT_EQ(run.summary.moments.failed, 0);
      EXPECT_LT(slips.front(), expected + 1e-9);
      EXPECT_GT(slips.front(), expected - 1e-4);
      if (end.size() == 0) {
        end = run.end.q;
        first = slips.front();
      }
      EXPECT_NEAR(slips.front(), first, 1e-7);
      EXPECT_LT((run.end.q - end).norm(), 1e-6);
    }
  }
}

// A box on a floor, and a body on three round feet that roll as they turn: ends do not depend on
// the times that a run is asked for, and the box is where time steps of 0.1 ms have it.
TEST(SharedHolds, EndStatesDoNotDependOnSteps) {
  const auto make_box = [](const char* settings) {
    return fmt::format(R"(
materials: {{default: {{friction: 0.3, static_friction: 0.5}}}}
world: {{geometry: [{{shape: half-space}}]}}
bodies: [{{name: box, mass: 2, geometry: [{{shape: box, size: [0.3, 0.3, 0.2]}}]}}]
joints: [{{name: free, type: free, child: box, frame: {{position: [0, 0, 0.1]}}}}]
loads: [{{body: box, force: [12*sin(3*t), 6*sin(7*t), 0], point: [0.02, 0.01, 0]}}]
simulation: {{until: 1, {}}}
)",
                       settings);
  };
  const State box =
      RunByEvents(make_box("integrator: event-driven, formulation: working, step: 1")).end;
  for (const char* step : {"0.1", "0.03"}) {
    const EventRun run = RunByEvents(make_box(
        fmt::format("integrator: event-driven, formulation: working, step: {}", step).c_str()));
    EXPECT_LT((run.end.q - box.q).norm(), 1e-6);
    EXPECT_LT((run.end.v - box.v).norm(), 1e-6);
  }
  const Scene scene = ParseScene(make_box("step: 1e-4, formulation: compliant"), "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  ASSERT_EQ(voigt::Run(&simulator, nullptr).status, StepStatus::kOk);
  EXPECT_NEAR(simulator.state().q[0], box.q[0], 1e-3 * std::fabs(box.q[0]));
  EXPECT_NEAR(simulator.state().v[0], box.v[0], 1e-3 * std::fabs(box.v[0]));

  VecX end;
  for (const char* step : {"1", "0.1", "0.03"}) {
    const EventRun run = RunByEvents(fmt::format(R"(
materials: {{default: {{friction: 0.4}}}}
world: {{geometry: [{{shape: half-space}}]}}
bodies:
  - name: stool
    mass: 3
    inertia: [0.05, 0.05, 0.05]
    geometry:
      - {{shape: sphere, radius: 0.02, position: [0.2, 0, -0.1]}}
      - {{shape: sphere, radius: 0.02, position: [-0.1, 0.15, -0.1]}}
      - {{shape: sphere, radius: 0.02, position: [-0.1, -0.15, -0.1]}}
joints: [{{name: free, type: free, child: stool, frame: {{position: [0, 0, 0.12]}}}}]
loads: [{{body: stool, force: [15*t, 5*t, 0], torque: [0, 0, 2*t]}}]
simulation: {{integrator: event-driven, formulation: working, step: {}, until: 0.8}}
)",
                                                 step));
    if (end.size() == 0) end = run.end.q;
    EXPECT_LT((run.end.q - end).norm(), 1e-7) << step;
  }
}

}  // namespace
}  // namespace voigt
