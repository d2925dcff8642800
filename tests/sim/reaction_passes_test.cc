// Friction from reactions in steps, against closed solutions and the formulation `working`, whose
// runs are exact to 1e-9 and more. The step is of first order: errors go down with h.

#include "voigt/sim/reaction_passes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/allocation_counter.h"
#include "tests/support/scenes.h"
#include "voigt/io/scene.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

// A scene that was written for events, in steps.
Scene MakeStepped(Scene scene, double h, FormulationKind kind = FormulationKind::kCompliant) {
  scene.settings.integrator = Integrator::kSemiImplicitEuler;
  scene.settings.formulation = {};
  scene.settings.formulation.kind = kind;
  scene.settings.step = h;
  return scene;
}

State RunStepped(const Scene& scene, double until) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const long count = std::lround(until / scene.settings.step);
  for (long k = 0; k < count; ++k) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
  return simulator.state();
}

State RunStepped(const std::string& text, double h, double until) {
  return RunStepped(MakeStepped(ParseScene(text, "text"), h), until);
}

State RunByWorking(const std::string& text, double until) {
  const Scene scene =
      ParseScene(text + "\nsimulation: {integrator: event-driven, formulation: working}\n", "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  EXPECT_EQ(simulator.Step(until), StepStatus::kOk);
  return simulator.state();
}

// |run(h) − reference| goes down with h: its quotients by h at three steps agree within a quarter.
template <typename Run>
void ExpectFirstOrder(double h, double largest, Run calc_error) {
  const double e1 = std::fabs(calc_error(h)), e2 = std::fabs(calc_error(h / 2));
  const double e3 = std::fabs(calc_error(h / 4));
  EXPECT_LT(e1, largest);
  EXPECT_NEAR(e1 / e2, 2, 0.5) << e1 << ' ' << e2;
  EXPECT_NEAR(e2 / e3, 2, 0.3) << e2 << ' ' << e3;
}

struct Swings {
  std::vector<double> turns;
  double end = 0, stop = 0;  // where it sticks, and when
};

Swings RunPin(double h, FormulationKind kind) {
  const Scene scene = MakeStepped(testing::LoadNamedScene("pin_friction"), h, kind);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  Swings out;
  double rate = 0;  // the last one that was not zero, until it turned
  while (simulator.state().t < 20 - 0.5 * h) {
    const double angle = simulator.state().q[0];
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    // At rest what is left is rounding.
    const double next = std::fabs(simulator.state().v[0]) < 1e-12 ? 0 : simulator.state().v[0];
    if (next != 0) out.stop = simulator.state().t;
    if (rate != 0 && next * rate <= 0) {
      out.turns.push_back(angle);
      rate = 0;
    }
    if (next != 0) rate = next;
  }
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
  out.end = simulator.state().q[0];
  return out;
}

// The bearing of scenes/pin_friction.yaml: angles and times of its closed solution
// (docs/theory/working.md).
TEST(ReactionPasses, PinPendulumTurnsAndSticksToFirstOrder) {
  const std::vector<double> exact = {-1.405626429213, 1.264144343361, -1.139883418559};
  for (double h : {1e-2, 4e-3, 2e-3, 1e-3}) {
    const Swings run = RunPin(h, FormulationKind::kCompliant);
    ASSERT_EQ(run.turns.size(), 18u) << h;
    for (size_t k = 0; k < exact.size(); ++k) {
      EXPECT_NEAR(run.turns[k], exact[k], 0.02 * h) << k;
    }
    EXPECT_NEAR(run.end, 0.010617004315, 0.02 * h);
    EXPECT_NEAR(run.stop, 18.792295, h);
  }
}

// Between turns, where errors do not cancel as they do at them.
TEST(ReactionPasses, PinPendulumSwingsToFirstOrder) {
  const Scene scene = testing::LoadNamedScene("pin_friction");
  ExpectFirstOrder(4e-3, 1e-2, [&](double h) {
    return RunStepped(MakeStepped(scene, h), 1).q[0] + 1.276510168457;
  });
}

// All that solve bounded rows have it.
TEST(ReactionPasses, EveryFormulationHasTheSamePendulum) {
  const Swings compliant = RunPin(0.01, FormulationKind::kCompliant);
  for (FormulationKind kind : ListFormulationKinds()) {
    SCOPED_TRACE(std::string(ToString(kind)));
    const Swings run = RunPin(0.01, kind);
    // Least forces leave friction a little soft, and say so.
    const double tolerance = kind == FormulationKind::kCompliantQcqp ? 1e-4 : 1e-8;
    ASSERT_GE(run.turns.size(), 3u);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(run.turns[k], compliant.turns[k], tolerance);
  }
}

// Two links: friction of the first pin comes from the inertia of both.
constexpr const char* kDoublePendulum = R"(
bodies:
  - {name: upper, mass: 1, com: [0.5, 0, 0], inertia: [0.02, 0.1, 0.1]}
  - {name: lower, mass: 0.7, com: [0.4, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  - {name: first, type: revolute, axis: [0, 1, 0], child: upper, friction: {kinetic: 0.5, radius: 0.15}}
  - {name: second, type: revolute, axis: [0, 1, 0], parent: upper, child: lower,
     frame: {position: [1, 0, 0]}, friction: {kinetic: 0.4, radius: 0.1}}
initial: {first: {q: 0.1}, second: {q: 0.5}}
)";

TEST(ReactionPasses, DoublePendulumTendsToThatOfWorking) {
  const State exact = RunByWorking(kDoublePendulum, 0.8);
  for (int k = 0; k < 2; ++k) {
    ExpectFirstOrder(4e-3, 0.05, [&](double h) {
      return RunStepped(kDoublePendulum, h, 0.8).q[k] - exact.q[k];
    });
  }
}

// The same with the first pin closing a loop beside a free joint: N are multipliers, not inertia.
TEST(ReactionPasses, LoopJointsRubAsThoseOfTheTree) {
  const std::string body =
      "bodies: [{name: bob, mass: 1.5, com: [0, 0, -0.8], inertia: [0.2, 0.25, 0.1]}]\n";
  const std::string pin =
      "{name: pin, type: revolute, axis: [0, 1, 0], child: bob, friction: {kinetic: 0.4, radius: "
      "0.15}";
  const std::string tree = body + "joints: [" + pin + "}]\ninitial: {pin: 1.2}\n";
  const std::string loop = body + "joints: [{name: free, type: free, child: bob, tree: tree}, " +
                           pin + ", tree: loop}]\ninitial: {free: {rpy: [0, 1.2, 0]}}\n";
  const State exact = RunByWorking(tree, 2);
  ExpectFirstOrder(2e-3, 0.05, [&](double h) { return RunStepped(tree, h, 2).q[0] - exact.q[0]; });
  ExpectFirstOrder(2e-3, 0.05, [&](double h) {
    const VecX q = RunStepped(loop, h, 2).q;
    return 2 * std::atan2(q[5], q[3]) - exact.q[0];
  });
}

// 30° downhill along x, 3 N across: N = 9.0098 N, up with −6.7070 m/s², and down with 3.1030 m/s².
TEST(ReactionPasses, BeadOnAWireRubsByItsWholeReaction) {
  const std::string wire = fmt::format(R"(
bodies: [{{name: bead, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: bead}}]
constraints:
  - {{type: point-on-line, body: bead, direction: [{0:.17g}, 0, -0.5], friction: {{kinetic: 0.2}}}}
loads: [{{body: bead, force: [0, 3, 0]}}]
initial: {{free: {{velocity: [{1:.17g}, 0, 1]}}}}
)",
                                       std::sqrt(0.75), -2 * std::sqrt(0.75));
  // Where in a step it turns is a matter of chance.
  for (double h : {1e-2, 1e-3, 1e-4}) {
    const State end = RunStepped(wire, h, 1);
    EXPECT_NEAR(Vec3(-std::sqrt(0.75), 0, 0.5).dot(end.q.head<3>()), -0.465966313281, 2.5 * h) << h;
  }
}

// r(1) of the closed solution; the torque of the drive is 18.1466 N m.
TEST(ReactionPasses, BeadOnARodThatIsTurned) {
  const char* const text = R"(
gravity: [0, 0, 0]
bodies:
  - {name: rod, mass: 1, inertia: [1, 1, 1]}
  - {name: bead, mass: 1, inertia: [1e-9, 1e-9, 1e-9]}
joints:
  - {name: turn, type: revolute, axis: [0, 0, 1], child: rod}
  - {name: slide, type: prismatic, axis: [1, 0, 0], parent: rod, child: bead, friction: {kinetic: 0.2}}
drives: [{type: prescribed, joint: turn, position: 2*t}]
initial: {turn: {v: 2}, slide: {q: 0.5, v: 0.1}}
)";
  ExpectFirstOrder(1e-2, 0.1,
                   [&](double h) { return RunStepped(text, h, 1).q[1] - 1.682653954251; });
  ExpectFirstOrder(1e-2, 1, [&](double h) {
    Scene scene = MakeStepped(ParseScene(text, "text"), h);
    scene.settings.until = 1;
    Simulator simulator(scene.model, scene.settings, scene.initial);
    const RunSummary summary = voigt::Run(&simulator, nullptr);
    EXPECT_EQ(summary.prescribed_force[1], 0);
    return summary.prescribed_force[0] - 18.146610010;
  });
}

// A puck is thrown obliquely over a plane: v/(μ g), 4/(2 μ g) away, on a straight line.
TEST(ReactionPasses, PuckStopsOnAStraightLine) {
  for (const char* side : {"above", "both"}) {
    const std::string text = fmt::format(R"(
bodies: [{{name: puck, mass: 0.5, inertia: [1, 1, 1]}}]
joints: [{{name: free, type: free, child: puck}}]
constraints: [{{type: point-in-plane, body: puck, side: {}, friction: {{kinetic: 0.3}}}}]
initial: {{free: {{velocity: [1.2, 1.6, 0]}}}}
)",
                                         side);
    const State end = RunStepped(text, 1e-3, 1);
    // Semi-implicit Euler: short by ½ h v₀.
    EXPECT_NEAR(end.q.head<3>().norm(), 4 / (2 * 0.3 * 9.81), 0.6 * 1e-3 * 2);
    EXPECT_NEAR(end.q[0] / end.q[1], 0.75, 1e-12);
    EXPECT_NEAR(end.v.norm(), 0, 1e-13);
  }
}

// At rest a ball joint holds up to μ r m g about any axis, though its rows are bounded one by one,
// and begins to turn about that of the torque.
TEST(ReactionPasses, BallJointHoldsAlikeAboutAllAxes) {
  const std::string text = R"(
bodies: [{name: ball, mass: 2, inertia: [0.1, 0.1, 0.1]}]
joints: [{name: socket, type: ball, child: ball, friction: {kinetic: 0.5, radius: 0.1}}]
loads: [{body: ball, torque: [1.2 * t, 1.6 * t, 0]}]
)";
  const double start = 0.5 * 0.1 * 2 * 9.81 / 2;
  const double h = 1e-3;
  EXPECT_NEAR(RunStepped(text, h, std::floor(start / h) * h).v.norm(), 0, 1e-14);
  const State end = RunStepped(text, h, 1);
  // Loads are those of the starts of steps.
  EXPECT_NEAR(end.v.norm(), (1 - start) * (1 - start - h) / 0.1, 0.01 * h);
  EXPECT_NEAR(end.v[0] / end.v[1], 0.75, 1e-9);
}

// μ_s > μ_k: the times at which it slips and sticks are those of its oscillator.
TEST(ReactionPasses, DraggedBlockSticksAndSlips) {
  const double K = 50, v = 0.1, weight = 10, mu_s = 0.5, mu_k = 0.3;
  const double w = std::sqrt(K), y = (mu_s - mu_k) * weight / K;
  const double slide = 2 * (kPi - std::atan(y * w / v)) / w, stick = 2 * y / v;
  for (double h : {2e-3, 5e-4}) {
    const Scene scene = MakeStepped(testing::LoadNamedScene("dragged_block"), h);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    std::vector<double> times;
    int mode = static_cast<int>(Stiction::kStick);
    while (simulator.state().t < 6) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      ASSERT_EQ(simulator.state().modes.size(), 1u);
      if (simulator.state().modes[0] != mode) times.push_back(simulator.state().t);
      mode = simulator.state().modes[0];
    }
    double t = mu_s * weight / (K * v);
    ASSERT_GE(times.size(), 4u);
    for (size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(times[k], t, (5 + 3 * static_cast<double>(k)) * h) << h << ' ' << k;
      t += k % 2 == 0 ? slide : stick;
    }
  }
}

// N = F arm/length at both points: 1 − 2 μ arm/length of the force is left, if that is positive.
// Passes converge slowly near the end, and are accelerated.
TEST(ReactionPasses, DrawerOpensOrJams) {
  const auto open = [](double part) {
    const Scene scene =
        testing::LoadNamedScene("drawer", {{"parameters.arm", fmt::format("{:.17g}", part * 0.8)}});
    return RunStepped(MakeStepped(scene, 1e-2), 1).v[0];
  };
  for (double part : {0.1, 0.5, 0.9, 0.99}) {
    EXPECT_NEAR(open(part), 8 * (1 - part) / 2, 1e-7) << part;
  }
  for (double part : {1.01, 3.0}) EXPECT_NEAR(open(part), 0, 1e-9) << part;
}

// tan(lead) = p/r = 0.2: as docs/theory/working.md has it.
TEST(ReactionPasses, ScrewHoldsByFrictionUpToItsLead) {
  const double m = 50, I = 0.1, p = 0.004, r = 0.02, g = 9.81, h = 1e-3, t = 0.5;
  for (double part : {0.5, 0.9, 0.999, 1.001, 2.0}) {
    const double mu = part * p / r;
    const Scene scene =
        testing::LoadNamedScene("screw_jack", {{"parameters.mu", fmt::format("{:.17g}", mu)}});
    const double alpha = m * g * (p - mu * r) / (m * p * p + I + mu * p * (I / r - m * r));
    const double expected = part < 1 ? -alpha * t : 0;
    EXPECT_NEAR(RunStepped(MakeStepped(scene, h), t).v[0], expected, 1e-8) << part;
  }
}

// Half a run, written down, and the rest: the same bits.
TEST(ReactionPasses, StatesGoOnAsTheyWould) {
  const Scene scene = MakeStepped(testing::LoadNamedScene("dragged_block"), 1e-2);
  Simulator whole(scene.model, scene.settings, scene.initial);
  Simulator second(scene.model, scene.settings, scene.initial);
  for (int k = 0; k < 200; ++k) whole.Step();
  second.SetState(State::Restore(whole.state().Serialize()));
  for (int k = 0; k < 200; ++k) {
    whole.Step();
    second.Step();
  }
  EXPECT_TRUE(whole.state() == second.state());
}

TEST(ReactionPasses, NoStepAllocatesOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  for (const char* text : {kDoublePendulum}) {
    const Scene scene = MakeStepped(ParseScene(text, "text"), 1e-3);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    for (int k = 0; k < 300; ++k) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const long before = testing::CountAllocations();
    for (int k = 0; k < 100; ++k) simulator.Step();
    EXPECT_EQ(testing::CountAllocations(), before);
  }
}

// What joints transmit, with friction of guided points in it: the bead's own reaction is in the
// multipliers, and the tree above it feels both.
TEST(ReactionPasses, ReactionsOfTheTreeHaveFriction) {
  const Scene scene = MakeStepped(ParseScene(R"(
bodies:
  - {name: wall, mass: 3, inertia: [1, 1, 1]}
  - {name: bead, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: weld, type: fixed, child: wall}
  - {name: free, type: free, child: bead}
constraints:
  - {type: point-on-line, on: wall, body: bead, direction: [1, 0, 0], friction: {kinetic: 0.2}}
initial: {free: {velocity: [5, 0, 0]}}
)",
                                             "text"),
                                  1e-3);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int k = 0; k < 10; ++k) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  Reactions reactions;
  simulator.CalcReactions(&reactions);
  const int weld = *scene.model.FindBody("wall");
  const Vec3 force = reactions.joints[weld].tail<3>();
  EXPECT_NEAR(force[2], 4 * 9.81, 1e-9);
  EXPECT_NEAR(force[0], -0.2 * 9.81, 1e-9);
}

}  // namespace
}  // namespace voigt
