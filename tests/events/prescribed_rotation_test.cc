// Motion that is prescribed to ball and free joints: where it leads, and what it takes.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "voigt/math/rotation.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::EventSettings;
using testing::RunByEvents;

// A top, its centre of mass off its pivot, that is spun and tumbled.
constexpr char kTop[] = R"(
bodies: [{name: top, mass: 2, com: [0.1, 0, 0.3], inertia: [0.2, 0.3, 0.1]}]
joints: [{name: pivot, type: ball, child: top}]
drives: [{type: prescribed, joint: pivot, position: [0.3 * sin(2 * t), 0.4 * cos(3 * t), 5 * t]}]
)";

Mat3 TopAt(double t) {
  return QuaternionToMatrix(
      QuaternionExp(Vec3(0.3 * std::sin(2 * t), 0.4 * std::cos(3 * t), 5 * t)));
}

template <typename F>
auto Differ(const F& f, double t) {
  constexpr double s = 1e-3;
  return ((8 * (f(t + s) - f(t - s)) - (f(t + 2 * s) - f(t - 2 * s))) / (12 * s)).eval();
}

// ω in axes of the top.
Vec3 TopRate(double t) {
  const Mat3 W = TopAt(t).transpose() * Differ(TopAt, t);
  return {W(2, 1), W(0, 2), W(1, 0)};
}

// Euler's equations about the pivot: τ = I ω̇ + ω × I ω − m c × g.
Vec3 TopTorque(double t) {
  const Vec3 c(0.1, 0, 0.3), omega = TopRate(t);
  const Mat3 I = Vec3(0.2, 0.3, 0.1).asDiagonal().toDenseMatrix() +
                 2 * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  const Vec3 weight = TopAt(t).transpose() * Vec3(0, 0, -2 * 9.81);
  return I * Differ(TopRate, t) + omega.cross(I * omega) - c.cross(weight);
}

TEST(PrescribedRotation, TakesTheTorqueOfEulersEquations) {
  for (double until : {0.3, 1.0, 2.7}) {
    const EventRun run = RunByEvents(kTop + EventSettings(until, until / 3));
    const Vec3 torque = TopTorque(until);
    EXPECT_LT((run.summary.prescribed_force - torque).norm(), 1e-7 * torque.norm()) << until;
    EXPECT_LT((run.end.v - TopRate(until)).norm(), 1e-8);
    EXPECT_LT((QuaternionToMatrix(Vec4(run.end.q)) - TopAt(until)).norm(), 1e-12);
    EXPECT_NEAR(run.summary.Drift(), 0, 1e-8);
  }
}

// The same with a free body that a joint holds, whose rows are solved with all others.
TEST(PrescribedRotation, OfALoopIsFollowedByEvents) {
  const double until = 1.3;
  const Scene scene = ParseScene(kTop + EventSettings(until, 0.1), "text");
  const Model free = ToMaximal(scene.model);
  Simulator simulator(free, scene.settings, ToMaximalState(scene.model, scene.initial, free));
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  ASSERT_EQ(summary.status, StepStatus::kOk) << Explain(summary.status);
  EXPECT_LT((QuaternionToMatrix(Vec4(simulator.state().q.tail<4>())) - TopAt(until)).norm(), 1e-9);
  EXPECT_LT((simulator.state().v.tail<3>() - TopRate(until)).norm(), 1e-7);
}

// Thousands of turns round the angles of θ, and steps stay as long as they were.
TEST(PrescribedRotation, StepsStayLongAfterManyTurns) {
  const std::string top = R"(
bodies: [{name: top, mass: 2, inertia: [0.2, 0.3, 0.1]}]
joints: [{name: pivot, type: ball, child: top}]
drives: [{type: prescribed, joint: pivot, position: [600 * t, 0, 800 * t]}]
)";
  const EventRun some = RunByEvents(top + EventSettings(1, 1)),
                 more = RunByEvents(top + EventSettings(6, 1));
  EXPECT_LT(more.summary.events.pieces, 1.3 * 6 * some.summary.events.pieces);
  EXPECT_NEAR(more.end.v.norm(), 1000, 1e-7);
}

// Errors must not grow in steps of most of a turn.
TEST(PrescribedRotation, StaysMetInLongSteps) {
  const double h = 0.1;
  Scene scene = ParseScene(R"(
bodies: [{name: top, mass: 2, inertia: [0.2, 0.3, 0.1]}]
joints: [{name: pivot, type: ball, child: top}]
drives: [{type: prescribed, joint: pivot, position: [33 * t, 0, 44 * t]}]
simulation: {step: 0.1}
)",
                           "text");
  scene.initial.q = QuaternionExp(Vec3(0.2, 0.1, 0.05));  // off the motion
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
    const Mat3 R = QuaternionToMatrix(QuaternionExp(simulator.state().t * Vec3(33, 0, 44)));
    ASSERT_LT((QuaternionToMatrix(Vec4(simulator.state().q)) - R).norm(), 1e-6) << k;
  }
}

// In time steps the place is met at the end of each, whatever its length, by a joint of the tree
// and by one that holds a free body: to rounding but for what inertia adds to mean rates, ½ h a,
// which is held to half of the digits.
TEST(PrescribedRotation, IsMetAtTheEndOfEveryStep) {
  for (double h : {1e-3, 0.05, 0.5}) {
    Scene scene = ParseScene(kTop + fmt::format("simulation: {{step: {}}}\n", h), "text");
    const Model free = ToMaximal(scene.model);
    Simulator minimal(scene.model, scene.settings, scene.initial);
    Simulator maximal(free, scene.settings, ToMaximalState(scene.model, scene.initial, free));
    for (int k = 0; k < 20; ++k) {
      ASSERT_EQ(minimal.Step(h), StepStatus::kOk);
      ASSERT_EQ(maximal.Step(h), StepStatus::kOk);
      const Mat3 R = TopAt((k + 1) * h);
      const double bound = 1e-12 + 2e-7 * h * h;
      EXPECT_LT((QuaternionToMatrix(Vec4(minimal.state().q)) - R).norm(), bound) << h << ' ' << k;
      EXPECT_LT((QuaternionToMatrix(Vec4(maximal.state().q.tail<4>())) - R).norm(), bound)
          << h << ' ' << k;
    }
  }
}

// The mean torque of a step tends to that of the moment between two steps.
TEST(PrescribedRotation, TakesItsTorqueInTimeStepsToFirstOrder) {
  double last = 0;
  for (double h : {4e-3, 2e-3, 1e-3}) {
    const Scene scene =
        ParseScene(kTop + fmt::format("simulation: {{step: {}, until: 0.4}}\n", h), "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    const RunSummary summary = voigt::Run(&simulator, nullptr);
    const Vec3 torque = TopTorque(0.4);
    const double error = (summary.prescribed_force - torque).norm() / torque.norm();
    if (last != 0) {
      EXPECT_GT(last / error, 1.8);
    }
    last = error;
  }
  EXPECT_LT(last, 0.01);
}

// What hangs on a carriage does not know by what joint that is moved.
std::string Carriage(const std::string& joint, const std::string& position) {
  return fmt::format(R"(
bodies:
  - {{name: carriage, mass: 1, inertia: [0.1, 0.2, 0.3]}}
  - {{name: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints:
  - {{name: way, {}, child: carriage}}
  - {{name: pin, type: universal, parent: carriage, child: bob, frame: {{position: [0.3, 0, 0]}},
     child_frame: {{position: [0, 0, 0.5]}}}}
drives: [{{type: prescribed, joint: way, position: {}}}]
initial: {{pin: {{q: [0.4, 0.2]}}}}
)",
                     joint, position);
}

TEST(PrescribedRotation, MovesOthersLikeJointsOfFewerRates) {
  const std::string turn = "3 * t + sin(4 * t)";
  const std::string hinge = Carriage("type: revolute, axis: [0, 0, 1]", turn);
  const std::string ball = Carriage("type: ball", "[0, 0, " + turn + "]");
  const std::string free = Carriage("type: free", "[0, 0, 0, 0, 0, " + turn + "]");
  const std::string planar =
      Carriage("type: planar, axis: [0, 0, 1]", "[0.1 * t, sin(t), " + turn + "]");
  const std::string flying = Carriage("type: free", "[0.1 * t, sin(t), 0, 0, 0, " + turn + "]");
  const std::string settings = EventSettings(2, 0.1);
  const EventRun one = RunByEvents(hinge + settings), two = RunByEvents(ball + settings);
  const EventRun three = RunByEvents(free + settings);
  EXPECT_LT((one.end.q.tail<2>() - two.end.q.tail<2>()).norm(), 1e-9);
  EXPECT_LT((one.end.q.tail<2>() - three.end.q.tail<2>()).norm(), 1e-9);
  EXPECT_NEAR(one.summary.prescribed_force[0], two.summary.prescribed_force[2], 1e-6);
  const EventRun four = RunByEvents(planar + settings), five = RunByEvents(flying + settings);
  EXPECT_LT((four.end.q.tail<2>() - five.end.q.tail<2>()).norm(), 1e-9);
  // And in time steps to first order.
  double last = 0;
  for (double h : {0.01, 0.005, 0.0025}) {
    const EventRun run =
        RunByEvents(flying + fmt::format("simulation: {{step: {}, until: 2}}\n", h));
    const double error = (run.end.q.tail<2>() - five.end.q.tail<2>()).norm();
    EXPECT_LT(error, 2 * h);
    if (last != 0) {
      EXPECT_GT(last / error, 1.7) << h;
    }
    last = error;
  }
}

// A spring that leads: at rest it bears the weight's moment, m g l cos θ = K (θ − θ₀).
TEST(PrescribedRotation, MayBeSoft) {
  const Scene scene = ParseScene(R"(
bodies: [{name: arm, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}]
joints: [{name: pivot, type: ball, child: arm}]
drives: [{type: prescribed, joint: pivot, position: [0, 0.2, 0], stiffness: 30, damping: 20}]
simulation: {step: 0.01, until: 20}
)",
                                 "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  ASSERT_EQ(summary.status, StepStatus::kOk);
  const Vec3 theta = QuaternionLog(Vec4(simulator.state().q));
  EXPECT_NEAR(9.81 * 0.5 * std::cos(theta[1]), 30 * (theta[1] - 0.2), 1e-9);
  EXPECT_LT(std::hypot(theta[0], theta[2]), 1e-12);
}

}  // namespace
}  // namespace voigt
