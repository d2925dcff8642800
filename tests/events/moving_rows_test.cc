// Points and loop joints whose motion is prescribed, beside the same motion of joints of the tree.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

constexpr char kByWorkingRows[] =
    "simulation: {integrator: event-driven, formulation: working, until: 2, step: 0.05}\n";

// A pendulum in a bearing that rubs, whose pivot goes to and fro: by a prescribed slider, or by a
// point that is told where to be.
TEST(MovingRows, PivotThatIsMovedSwingsAsOnAPrescribedSlider) {
  const auto run = [](const char* drive) {
    return RunByEvents(std::string(R"(
bodies:
  - {name: carriage, mass: 1, inertia: [1, 1, 1]}
  - {name: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: rail, type: prismatic, axis: [1, 0, 0], child: carriage}
  - name: pin
    type: revolute
    axis: [0, 1, 0]
    parent: carriage
    child: bob
    child_frame: {position: [0, 0, 0.5]}
    friction: {kinetic: 0.3, radius: 0.1}
initial: {rail: {v: 0.9}, pin: {q: 0.4}}
)") + drive + kByWorkingRows);
  };
  const EventRun tree =
      run("drives: [{type: prescribed, joint: rail, position: 0.3 * sin(3 * t)}]\n");
  const EventRun rows =
      run("constraints: [{name: pivot, type: prescribed-point, body: carriage, position: [0.3 * "
          "sin(3 * t), 0, 0]}]\n");
  EXPECT_NEAR(rows.end.q[0], 0.3 * std::sin(6), 1e-12);
  EXPECT_NEAR((rows.end.q - tree.end.q).norm(), 0, 1e-8);
  EXPECT_NEAR((rows.end.v - tree.end.v).norm(), 0, 1e-7);
  EXPECT_EQ(rows.summary.events.turns, tree.summary.events.turns);
  EXPECT_EQ(rows.summary.events.sticks, tree.summary.events.sticks);
  // What moves the point does the same work.
  EXPECT_NEAR(rows.summary.work, tree.summary.work, 1e-7);
  EXPECT_NEAR(rows.summary.Drift(), 0, 1e-8);
}

// A point may stand for long before it moves.
TEST(MovingRows, MotionThatBeginsLateIsMotion) {
  const EventRun run = RunByEvents(std::string(R"(
gravity: [0, 0, 0]
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, axis: [1, 0, 0], child: a}]
constraints: [{name: lead, type: prescribed-point, body: a, position: ["0.5 * max(t - 1.8, 0)^10", 0, 0]}]
)") + "simulation: {integrator: event-driven, formulation: working, until: 3, step: 0.05}\n");
  EXPECT_NEAR(run.end.q[0], 0.5 * std::pow(1.2, 10), 1e-9);
  EXPECT_NEAR(run.end.v[0], 5 * std::pow(1.2, 9), 1e-6);
}

// A crank that turns as it is told to, and a rod that hangs from it in a bearing that rubs. Where
// the crank's hinge closes a loop over a free joint, the motion is the same.
TEST(MovingRows, LoopJointThatIsPrescribedTurnsAsOneOfTheTree) {
  const auto run = [](const char* more, const char* tree) {
    return RunByEvents(fmt::format(R"(
bodies:
  - {{name: crank, mass: 1, inertia: [0.1, 0.1, 0.1]}}
  - {{name: rod, mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints:
  {}
  - {{name: hinge, type: revolute, axis: [0, 1, 0], child: crank, tree: {}}}
  - name: pin
    type: revolute
    axis: [0, 1, 0]
    parent: crank
    child: rod
    frame: {{position: [0.3, 0, 0]}}
    child_frame: {{position: [0, 0, 0.5]}}
    friction: {{kinetic: 0.3, radius: 0.1}}
drives: [{{type: prescribed, joint: hinge, position: 0.8 * sin(2 * t)}}]
)",
                                   more, tree) +
                       kByWorkingRows);
  };
  const EventRun tree = run("", "tree");
  const EventRun loop = run("- {name: free, type: free, child: crank, tree: tree}", "loop");
  const auto last = [](const VecX& x) { return x[x.size() - 1]; };
  EXPECT_NEAR(last(loop.end.q), last(tree.end.q), 1e-8);
  EXPECT_NEAR(last(loop.end.v), last(tree.end.v), 1e-7);
  EXPECT_EQ(loop.summary.events.sticks, tree.summary.events.sticks);
  EXPECT_EQ(loop.summary.events.turns, tree.summary.events.turns);
  EXPECT_NEAR(loop.summary.work, tree.summary.work, 1e-7);
  EXPECT_NEAR(loop.summary.Drift(), 0, 1e-8);
}

// A plate that a point pushes to and fro strikes a ball: its motion is not changed by the impact,
// and the ball leaves with (1 + e) times the plate's speed.
TEST(MovingRows, StruckBallTakesTheSpeedOfAPointThatIsMoved) {
  const EventRun run = RunByEvents(R"(
gravity: [0, 0, 0]
materials: {default: {friction: 0, restitution: 0.5}}
bodies:
  - {name: plate, mass: 0.1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
  - {name: ball, mass: 5, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
joints:
  - {name: rail, type: prismatic, axis: [1, 0, 0], child: plate}
  - {name: fly, type: prismatic, axis: [1, 0, 0], child: ball, frame: {position: [0.5, 0, 0]}}
constraints: [{type: prescribed-point, body: plate, position: [0.4 * t, 0, 0]}]
simulation: {integrator: event-driven, formulation: working, until: 1, step: 0.1}
)");
  EXPECT_EQ(run.summary.events.impacts, 1);
  EXPECT_NEAR(run.end.v[0], 0.4, 1e-10);
  EXPECT_NEAR(run.end.v[1], 1.5 * 0.4, 1e-9);
}

TEST(MovingRows, OtherFormulationsAreReferredToWorking) {
  try {
    const Scene scene = ParseScene(R"(
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, axis: [1, 0, 0], child: a}]
constraints: [{name: lead, type: prescribed-point, body: a, position: [0.4 * t, 0, 0]}]
simulation: {integrator: event-driven, until: 1, step: 0.1}
)",
                                   "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    ADD_FAILURE() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("lead"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("'working'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace voigt
