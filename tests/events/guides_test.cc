// Friction from reactions in joints of all kinds, and where it leaves no accelerations.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"
#include "voigt/base/errors.h"
#include "voigt/events/contact_modes.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

std::string WorkingUntil(double until, const char* step = "0.1") {
  return fmt::format(
      "\nsimulation: {{integrator: event-driven, formulation: working, until: {}, step: {}}}\n",
      until, step);
}

// F = 20 t against limits of 8 and 2 N; each pad carries half of the weight.
TEST(CartOnPads, StandsUpToTheSumOfItsLimits) {
  const EventRun run = RunByEvents(testing::LoadNamedScene("cart_on_pads"));
  const std::vector<double> slips = run.TimesOf(EventKind::kSlip);
  ASSERT_EQ(slips.size(), 2u);
  for (double t : slips) EXPECT_NEAR(t, 0.5, 1e-8);
  // From there the pull, less friction, tilts it: N₁ − N₂ = 0.75 m v̇, and friction is 10 + 0.225 m
  // v̇.
  EXPECT_NEAR(run.end.v[0], 10 * 0.25 / (2 * 1.225), 1e-7);
}

// Each pad has its part of the force: F μ_i N_i / Σ μ N, 0.75 μ N of F = 1.5 μ N on equal pads.
TEST(CartOnPads, SharesByWhatPadsCanHold) {
  for (double mu : {0.8, 0.2, 0.01}) {
    for (double part : {0.1, 0.5, 0.75, 0.95, 0.999}) {
      const double sum = 10 * (0.8 + mu), F = part * sum;
      const Scene scene =
          testing::LoadNamedScene("cart_on_pads", {{"parameters.mu2", fmt::format("{}", mu)},
                                                   {"parameters.start", fmt::format("{:.17g}", F)},
                                                   {"parameters.growth", "0"}});
      HeldMotion motion(scene.model, true);
      ContactModes modes(scene.settings.formulation, 1e-9, 1e-12);
      motion.SetInputs(scene.initial.inputs, scene.initial.activation);
      std::vector<Hold> holds;
      std::vector<Event> rests;
      ASSERT_TRUE(modes.Decide(0, scene.initial.q, scene.initial.v, &motion, &holds, &rests));
      ASSERT_EQ(holds.size(), 2u);
      for (int k = 0; k < 2; ++k) {
        EXPECT_TRUE(holds[k].sticks());
        EXPECT_NEAR(holds[k].force, 10, 1e-12);
        EXPECT_NEAR(holds[k].friction[0], -F * 10 * (k == 0 ? 0.8 : mu) / sum, 1e-11);
      }
    }
  }
}

// A force that stays below: nothing happens at all.
TEST(CartOnPads, StandsUnderNineTenthsOfThem) {
  const EventRun run = RunByEvents(testing::LoadNamedScene(
      "cart_on_pads",
      {{"parameters.start", "9"}, {"parameters.growth", "0"}, {"simulation.until", "0.2"}}));
  EXPECT_TRUE(run.events.empty());
  EXPECT_NEAR(run.end.v.norm(), 0, 1e-13);
}

// A top hangs in a ball joint and spins about the vertical: N = m g, and the rate falls by
// μ r m g/I_z.
TEST(BallJoint, StopsASpinAtItsTime) {
  const EventRun run = RunByEvents(R"(
bodies: [{name: top, mass: 2, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.05]}]
joints: [{name: socket, type: ball, child: top, friction: {kinetic: 0.4, radius: 0.02}}]
initial: {socket: {angular_velocity: [0, 0, 3]}}
)" + WorkingUntil(2));
  const std::vector<double> stops = run.TimesOf(EventKind::kStick);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_NEAR(stops[0], 0.05 * 3 / (0.4 * 0.02 * 2 * 9.81), 1e-12);
  EXPECT_NEAR(run.end.v.norm(), 0, 1e-15);
}

// At rest it holds up to μ_s r m g about any axis, and begins to turn about that of the torque.
TEST(BallJoint, BeginsToTurnAboutTheTorque) {
  const EventRun run = RunByEvents(R"(
bodies: [{name: ball, mass: 2, inertia: [0.1, 0.1, 0.1]}]
joints: [{name: socket, type: ball, child: ball, friction: {kinetic: 0.5, radius: 0.1}}]
loads: [{body: ball, torque: [1.2 * t, 1.6 * t, 0]}]
)" + WorkingUntil(1));
  const std::vector<double> slips = run.TimesOf(EventKind::kSlip);
  const double start = 0.5 * 0.1 * 2 * 9.81 / 2;
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_NEAR(slips[0], start, 1e-8);
  EXPECT_NEAR(run.end.v.norm(), (1 - start) * (1 - start) / 0.1, 1e-7);
  EXPECT_NEAR(run.end.v[0] / run.end.v[1], 0.75, 1e-7);
}

// The same pendulum with its pin in the tree, and closing a loop beside a free joint.
TEST(LoopJoint, RubsAsOneOfTheTree) {
  const std::string body = R"(
bodies: [{name: bob, mass: 1.5, com: [0, 0, -0.8], inertia: [0.2, 0.25, 0.1]}]
)";
  const std::string pin =
      "{name: pin, type: revolute, axis: [0, 1, 0], child: bob, friction: {kinetic: 0.4, radius: "
      "0.15}";
  const EventRun tree =
      RunByEvents(body + "joints: [" + pin + "}]\ninitial: {pin: 1.2}" + WorkingUntil(5));
  const EventRun loop =
      RunByEvents(body + "joints: [{name: free, type: free, child: bob, tree: tree}, " + pin +
                  ", tree: loop}]\ninitial: {free: {rpy: [0, 1.2, 0]}}" + WorkingUntil(5));
  ASSERT_GE(tree.events.size(), 2u);
  ASSERT_EQ(tree.events.size(), loop.events.size());
  for (size_t k = 0; k < tree.events.size(); ++k) {
    EXPECT_NEAR(tree.events[k].t, loop.events[k].t, 1e-9);
  }
  EXPECT_NEAR(loop.end.v[4], tree.end.v[0], 1e-9);
  EXPECT_LT(loop.end.q.head<3>().norm(), 1e-12);
}

// A puck that is thrown over a plane that holds it from below only: v/(μ g), and then it lies.
TEST(PointInPlane, RubsByItsForce) {
  for (const char* side : {"above", "both"}) {
    const EventRun run = RunByEvents(fmt::format(R"(
bodies: [{{name: puck, mass: 0.5, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: puck}}]
constraints: [{{type: point-in-plane, body: puck, side: {}, friction: {{kinetic: 0.3}}}}]
initial: {{free: {{velocity: [1.2, 1.6, 0]}}}}
)",
                                                 side) +
                                     WorkingUntil(1));
    const std::vector<double> stops = run.TimesOf(EventKind::kStick);
    ASSERT_EQ(stops.size(), 1u) << side;
    EXPECT_NEAR(stops[0], 2 / (0.3 * 9.81), 1e-12);
    EXPECT_NEAR(run.end.q.head<3>().norm(), 4 / (2 * 0.3 * 9.81), 1e-12);
    EXPECT_NEAR(run.end.q[0] / run.end.q[1], 0.75, 1e-12);
  }
}

// Lifted off by a force that grows: friction ends with the force of the plane, and not with the
// step that this happens in.
TEST(PointInPlane, RubsNoMoreOnceItIsLiftedOff) {
  for (const char* step : {"0.07", "0.3", "1"}) {
    const Scene scene = ParseScene(fmt::format(R"(
bodies: [{{name: puck, mass: 0.5, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: puck}}]
constraints: [{{type: point-in-plane, body: puck, side: above, friction: {{kinetic: 0.3}}}}]
initial: {{free: {{velocity: [3, 0, 0]}}}}
loads: [{{body: puck, force: [0, 0, 9.81 * t]}}]
simulation: {{integrator: event-driven, formulation: working, until: 1, step: {}}}
)",
                                               step),
                                   "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    std::vector<Transition> changes;
    const RunSummary summary = voigt::Run(&simulator, nullptr, [&](double) {
      for (const Transition& change : simulator.last_transitions()) changes.push_back(change);
    });
    EXPECT_EQ(summary.events.releases, 1);
    ASSERT_EQ(changes.size(), 2u) << step;
    EXPECT_EQ(changes[1].from, Stiction::kSlip);
    EXPECT_EQ(changes[1].to, Stiction::kOpen);
    EXPECT_NEAR(changes[1].t, 0.5, 1e-10) << step;
    // ∫ μ g (1 − 2 t) dt
    EXPECT_NEAR(simulator.state().v[0], 3 - 0.3 * 9.81 / 4, 1e-10) << step;
  }
}

// N = F arm/length at both points, so that 1 − 2 μ arm/length of the force is left.
TEST(Drawer, OpensOrJamsByTheArmOfThePull) {
  const auto open = [](double part) {
    const EventRun run = RunByEvents(testing::LoadNamedScene(
        "drawer", {{"parameters.arm", fmt::format("{:.17g}", part * 0.8)}}));
    EXPECT_EQ(run.summary.events.events(), 0);
    return run.end.q[0];
  };
  for (double part : {0.1, 0.5, 0.9, 0.999}) {
    EXPECT_NEAR(open(part), 0.5 * 8 * (1 - part) / 2, 1e-12) << part;
  }
  for (double part : {1.001, 3.0}) EXPECT_NEAR(open(part), 0, 1e-13) << part;
}

// A rod slides on its lower end at tan θ = 2, the end ahead. If μ > 4/3, friction turns it into the
// floor faster than any normal force parts it.
Scene MakePainleveRod(double mu, double v) {
  return testing::LoadNamedScene("painleve_rod", {{"parameters.mu", fmt::format("{:.17g}", mu)},
                                                  {"parameters.v", fmt::format("{:.17g}", v)}});
}

// Angular momentum about the end is kept: J ω = −l × v, J = 4/3; the end stops.
TEST(PainleveRod, IsStoppedByAnImpulse) {
  for (double mu : {4.0 / 3, 1.5, 2.0, 5.0}) {
    const Scene scene = MakePainleveRod(mu, 3);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    ASSERT_EQ(simulator.Step(1e-10), StepStatus::kOk) << mu;
    ASSERT_FALSE(simulator.last_events().empty());
    EXPECT_EQ(simulator.last_events()[0].kind, EventKind::kLock);
    EXPECT_EQ(simulator.events().locks, 1);
    const double c = 2 / std::sqrt(5.0);
    const VecX& v = simulator.state().v;
    EXPECT_NEAR(v[2], -3 * c / (4.0 / 3), 1e-7);
    EXPECT_NEAR(v[0], 0.6 * 3, 1e-7);
    EXPECT_NEAR(v[1], 0.3 * 3, 1e-7);
  }
}

// Below that, and in the other direction, it slides with a force of its own.
TEST(PainleveRod, SlidesWhereItCan) {
  for (const auto& [mu, v] : {std::pair(1.0, 3.0), std::pair(2.0, -3.0)}) {
    const Scene scene = MakePainleveRod(mu, v);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    ASSERT_EQ(simulator.Step(1e-6), StepStatus::kOk);
    EXPECT_EQ(simulator.events().events(), 0);
    const double N = 9.81 / (1.6 - (v > 0 ? 1 : -1) * mu * 1.2);
    EXPECT_NEAR((simulator.state().v[1] - 0) / 1e-6, N - 9.81, 1e-3 * N);
  }
}

TEST(ReactionFriction, IsRefusedWhereNobodyKnowsIt) {
  const std::string pin = R"(
bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}]
joints: [{name: pin, type: revolute, child: bob, friction: {kinetic: 0.3, radius: 0.1}}]
)";
  const auto complaint = [&](const char* simulation) -> std::string {
    try {
      const Scene scene = ParseScene(pin + simulation, "text");
      const Simulator simulator(scene.model, scene.settings, scene.initial);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(""), "");
  EXPECT_NE(complaint("simulation: {curvature: printed}").find("knows no curvature = printed"),
            std::string::npos);
  EXPECT_NE(complaint("simulation: {integrator: event-driven}").find("needs the formulation"),
            std::string::npos);
  EXPECT_NE(complaint("simulation: {integrator: rk4}").find("knows no constraints"),
            std::string::npos);
  EXPECT_NE(
      complaint("simulation: {formulation: working}").find("needs 'integrator: event-driven'"),
      std::string::npos);
  EXPECT_EQ(complaint("simulation: {integrator: event-driven, formulation: working}"), "");
}

// A load m on a screw of radius r that rises by p a radian goes down with
// α = m g (p − μ r)/(m p² + I + μ p (I/r − m r)), and stays where p/r ≤ μ.
TEST(Screw, HoldsByFrictionUpToItsLead) {
  const double m = 50, I = 0.1, p = 0.004, r = 0.02, g = 9.81;
  for (const char* tree : {"", ", tree: loop"}) {
    for (double part : {0.5, 0.9, 0.999, 1.001, 2.0}) {
      const double mu = part * p / r;
      const EventRun run = RunByEvents(
          fmt::format(R"(
bodies: [{{name: load, mass: {}, inertia: [1, 1, {}]}}]
joints:
{}
  - {{name: screw, type: screw, pitch: {}, axis: [0, 0, 1], child: load,
     friction: {{kinetic: {:.17g}, radius: {}}}{}}}
)",
                      m, I,
                      *tree == 0 ? "" : "  - {name: free, type: free, child: load, tree: tree}", p,
                      mu, r, tree) +
          WorkingUntil(0.5));
      const double alpha = m * g * (p - mu * r) / (m * p * p + I + mu * p * (I / r - m * r));
      const double expected = part < 1 ? -0.5 * alpha * 0.25 : 0;
      const double angle = *tree == 0 ? run.end.q[0] : run.end.q[2] / p;
      EXPECT_NEAR(angle, expected, 1e-8 * (1 + std::fabs(expected))) << part << tree;
    }
  }
}

// A slider that moves up as it is told pushes a bead along a wire by a link that is inclined by b.
// Along the wire T (cos b − μ sin b) = m g, so that tan b ≥ 1/μ leaves no force at all, and no
// impulse can stop what is prescribed.
std::string MakePushedBead(double tangent, double mu) {
  return fmt::format(R"(
bodies:
  - {{name: slider, mass: 2, inertia: [1, 1, 1]}}
  - {{name: bead, mass: 1, inertia: [1, 1, 1]}}
joints:
  - {{name: push, type: prismatic, axis: [0, 0, 1], child: slider, frame: {{position: [{}, 0, -1]}}}}
  - {{name: free, type: free, child: bead}}
constraints:
  - {{name: wire, type: point-on-line, body: bead, direction: [0, 0, 1], friction: {{kinetic: {}}}}}
  - {{name: link, type: distance, body: bead, on: slider, length: {:.17g}}}
drives: [{{type: prescribed, joint: push, position: 0.5*t}}]
initial: {{push: {{v: 0.5}}, free: {{velocity: [0, 0, 0.5]}}}}
)",
                     -tangent, mu, std::hypot(tangent, 1)) +
         WorkingUntil(0.2);
}

TEST(WorkingStatus, TellsThatFrictionLocks) {
  const double mu = 0.5;
  for (double part : {0.2, 0.9, 1.1, 3.0}) {
    const double tangent = part / mu;
    const Scene scene = ParseScene(MakePushedBead(tangent, mu), "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    const StepStatus status = simulator.Step(0.1);
    if (part < 1) {
      ASSERT_EQ(status, StepStatus::kOk) << part;
      // It carries the slider, the bead and friction.
      const double T = 9.81 / (1 - mu * tangent);
      EXPECT_NEAR(simulator.prescribed_force()[0], 2 * 9.81 + T, 1e-8 * T) << part;
    } else {
      EXPECT_EQ(status, StepStatus::kFrictionLocks) << part;
      EXPECT_EQ(simulator.state().t, 0);
      // It says so, and does not go on.
      EXPECT_EQ(simulator.Step(0.1), StepStatus::kFrictionLocks);
      EXPECT_NE(std::string(Explain(status)).find("jams"), std::string::npos);
      // And where.
      EXPECT_EQ(simulator.trouble(), "constraint 'wire'");
      EXPECT_EQ(Explain(status, simulator.trouble()).find("constraint 'wire': no acc"), 0u);
    }
  }
}

// A bead at the lowest point of a hoop, on a straight wire that is a tangent there: position and
// velocity agree with both, v²/r with one of them.
TEST(WorkingStatus, TellsThatConstraintsContradict) {
  const auto run = [](double v) {
    const Scene scene = ParseScene(fmt::format(R"(
bodies: [{{name: bead, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: bead}}]
constraints:
  - {{type: point-on-circle, body: bead, normal: [0, 1, 0], radius: 1, on_point: [0, 0, 1]}}
  - {{type: point-on-line, body: bead, direction: [1, 0, 0]}}
initial: {{free: {{velocity: [{}, 0, 0]}}}}
)",
                                               v) +
                                       WorkingUntil(1),
                                   "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    const StepStatus status = simulator.Step(0.1);
    EXPECT_EQ(simulator.state().t, status == StepStatus::kOk ? 0.1 : 0);
    return status;
  };
  EXPECT_EQ(run(0), StepStatus::kOk);
  EXPECT_EQ(run(1), StepStatus::kContradiction);
  EXPECT_NE(std::string(Explain(StepStatus::kContradiction)).find("contradict"), std::string::npos);
}

// A racket that moves as it is told meets a ball at rest: the ball leaves with (1 + e) times its
// speed.
TEST(PrescribedMotion, HitsABall) {
  const EventRun run = RunByEvents(R"(
gravity: [0, 0, 0]
materials: {default: {friction: 0, restitution: 0.5}}
bodies:
  - {name: racket, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [0.2, 1, 1]}]}
  - {name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
joints:
  - {name: arm, type: prismatic, axis: [1, 0, 0], child: racket}
  - {name: flight, type: free, child: ball, frame: {position: [1, 0, 0]}}
drives: [{type: prescribed, joint: arm, position: 2 * t}]
)" + WorkingUntil(1));
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].t, 0.4, 1e-12);
  EXPECT_NEAR(run.end.v[1], 3, 1e-12);
  EXPECT_NEAR(run.end.v[0], 2, 1e-10);
}

}  // namespace
}  // namespace voigt
