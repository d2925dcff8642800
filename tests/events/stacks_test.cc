// Stacks by `working`: what sticks is found where corners repeat each other.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// Cubes of 1 kg and 0.1 m, each out of line with the one below, `gap` apart.
std::string MakeCubes(int count, double shift, double gap, const char* material, double until) {
  return fmt::format(R"yaml(
materials: {{default: {{{3}}}}}
world: {{geometry: [{{name: ground, shape: half-space}}]}}
bodies:
  - repeat: {{i: {0}}}
    name: box${{i}}
    geometry: [{{shape: box, size: [0.1, 0.1, 0.1], density: 1000}}]
joints:
  - {{repeat: {{i: {0}}}, name: "free${{i}}", type: free, child: "box${{i}}"}}
initial:
  - repeat: {{i: {0}}}
    joint: "free${{i}}"
    position: ["{1} * ${{i}}", "0.5 * {1} * ${{i}}", "0.05 + {2} + ${{i}} * (0.1 + {2})"]
simulation: {{integrator: event-driven, formulation: working, step: 0.01, until: {4}}}
)yaml",
                     count, shift, gap, material, until);
}

// Soft ones that touch without pressing sink to where springs bear them: n cubes on four corners of
// K each, at the interface k the weight of n − k cubes.
TEST(Stacks, SoftCubesSinkToWhereTheyAreBorne) {
  for (int count : {2, 3}) {
    SCOPED_TRACE(count);
    // Two equal surfaces have half of their stiffness.
    const EventRun run =
        RunByEvents(MakeCubes(count, 0, 0, "friction: 0.5, stiffness: 40000, damping: 800", 0.4));
    double z = 0.05;
    for (int i = 0; i < count; ++i) {
      z -= (count - i) * 9.81 / (4 * 20000);
      EXPECT_NEAR(run.end.q[7 * i + 2], z + 0.1 * i, 1e-6) << i;
      EXPECT_NEAR(run.end.q.segment<2>(7 * i).norm(), 0, 1e-9);
    }
    EXPECT_NEAR(run.summary.Drift(), 0, 1e-9);
  }
}

TEST(Stacks, SoftCubesOutOfLineComeToRest) {
  const EventRun run =
      RunByEvents(MakeCubes(3, 0.01, 0, "friction: 0.5, stiffness: 40000, damping: 800", 1));
  EXPECT_LT(run.end.v.norm(), 1e-4);
  EXPECT_NEAR(run.summary.Drift(), 0, 1e-8);
}

TEST(Stacks, RigidCubesFallAndStand) {
  const EventRun run = RunByEvents(MakeCubes(3, 0.01, 1e-3, "friction: 0.5", 0.3));
  EXPECT_LT(run.end.v.norm(), 1e-9);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(run.end.q[7 * i + 2], 0.05 + 0.1 * i, 1e-9);
}

// A box that is pushed off another one: its corners slide over the edge at 2.6 m/s, and close and
// open there a few times at most.
TEST(Stacks, BoxIsPushedOffABox) {
  const testing::EventRun run = testing::RunByEvents(R"(
gravity: [5.55, 1.79, -9.81]
materials: {default: {static_friction: 0.835, friction: 0.071}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies:
  - {name: below, mass: 1.98, geometry: [{shape: box, size: [0.6, 0.4, 0.1]}]}
  - {name: above, mass: 1.56, geometry: [{shape: box, size: [0.3, 0.2, 0.1]}]}
joints:
  - {name: first, type: free, child: below, frame: {position: [0, 0, 0.05]}}
  - {name: second, type: free, child: above, frame: {position: [0, 0, 0.15]}}
loads: [{body: above, force: [5.3*sin(1.9*t), 1.9*t, 0]}]
simulation: {integrator: event-driven, formulation: working, until: 1, step: 0.05}
)");
  EXPECT_LT(run.summary.events.impacts, 200);
  // It is beside the other one, which has not left the floor.
  EXPECT_GT(run.end.q[7], 0.45);
  EXPECT_NEAR(run.end.q[2] + 0.05, 0.05, 1e-9);
}

// Two soft boxes on a table that is shaken slide on it and on each other, rock, and stick with four
// corners each, which cannot all be at rest while they rock.
Scene MakeShakenBoxes(const char* friction, double until, const char* how, double step) {
  return ParseScene(fmt::format(R"yaml(
gravity: [0, 0, -9.81]
materials: {{default: {{{}, stiffness: 4e4, damping: 100}}}}
bodies:
  - {{name: table, mass: 5, inertia: [1, 1, 1], geometry: [{{shape: box, size: [1, 1, 0.1]}}]}}
  - {{name: a, mass: 1, geometry: [{{shape: box, size: [0.2, 0.2, 0.1]}}]}}
  - {{name: b, mass: 0.5, geometry: [{{shape: box, size: [0.15, 0.15, 0.1]}}]}}
joints:
  - {{name: x, type: prismatic, axis: [1, 0, 0], child: table}}
  - {{name: ja, type: free, child: a, frame: {{position: [0, 0, 0.1]}}}}
  - {{name: jb, type: free, child: b, frame: {{position: [0.01, 0.02, 0.2]}}}}
drives: [{{type: prescribed, joint: x, position: "0.05*(1-cos(10*t))"}}]
initial: {{ja: {{position: [0, 0, -0.000184]}}, jb: {{position: [0, 0, -0.000245]}}}}
simulation: {{{}, until: {}, step: {}}}
)yaml",
                                friction, how, until, step),
                    "text");
}

constexpr const char* kByEvents = "integrator: event-driven, formulation: working";

// Time steps come to the same, with errors that fall as the step does: what they come to is told by
// two of them.
TEST(Stacks, SoftBoxesOnAShakenTableMoveAsByTimeSteps) {
  const auto run = [](const char* how, double step) {
    return RunByEvents(MakeShakenBoxes("friction: 0.3", 0.15, how, step)).end.q;
  };
  constexpr const char* kBySteps = "formulation: compliant";
  const VecX coarse = run(kBySteps, 2e-4), fine = run(kBySteps, 1e-4);
  const VecX limit = 2 * fine - coarse;
  const VecX by_events = run(kByEvents, 0.1);
  EXPECT_GT((fine - limit).norm(), 1e-6);
  EXPECT_LT((by_events - limit).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT((run(kByEvents, 0.03) - by_events).lpNorm<Eigen::Infinity>(), 1e-8);
}

// With more friction at rest, they stop and let go again and again.
TEST(Stacks, SoftBoxesOnAShakenTableStickAndSlip) {
  const EventRun run =
      RunByEvents(MakeShakenBoxes("friction: 0.3, static_friction: 0.45", 0.35, kByEvents, 0.05));
  EXPECT_GE(run.summary.events.breakaways, 8);
  EXPECT_GE(run.summary.events.sticks, 8);
  EXPECT_LT(std::fabs(run.summary.Drift()), 1e-7);
}

}  // namespace
}  // namespace voigt
