// More friction at rest than in motion, of contacts in time steps.

#include "voigt/sim/contact_stiction.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/dropping_friction.h"
#include "voigt/io/scene.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

// 1 kg that presses on a plane with 10 N, pulled by a spring of 50 N/m whose end moves with 0.1
// m/s; and what else there may be.
Scene DraggedOnPlane(const std::string& formulation, double h, const char* body = "",
                     const char* joint = "", const char* drop = "0") {
  return ParseScene(fmt::format(R"(
gravity: [0, 0, -20]
materials: {{default: {{friction: 0.3, static_friction: 0.5, drop_speed: {}}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies:
  - {{name: carrier, mass: 0.5, inertia: [0.01, 0.01, 0.01]}}
  - {{name: block, mass: 0.5, inertia: [0.01, 0.01, 0.01], geometry: [{{shape: sphere, radius: 0.1}}]}}
{}
joints:
  - {{name: along, type: prismatic, axis: [1, 0, 0], child: carrier, frame: {{position: [0, 0, 0.1]}}}}
  - {{name: up, type: prismatic, axis: [0, 0, 1], parent: carrier, child: block}}
{}
drives: [{{type: servo, joint: along, stiffness: 50, target: 0.1 * t}}]
simulation: {{formulation: {}, step: {:.17g}, until: 4}}
)",
                                drop, body, joint, formulation, h),
                    "text");
}

// A ball of 1 kg over a floor.
Scene ThrownBall(const char* material, const char* position_and_velocity, double until) {
  return ParseScene(fmt::format(R"(
materials: {{default: {{{}}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies: [{{name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{{shape: sphere, radius: 0.1}}]}}]
joints: [{{name: free, type: free, child: ball}}]
initial: {{free: {{position: {}}}}}
simulation: {{step: 0.001, until: {:.17g}}}
)",
                                material, position_and_velocity, until),
                    "text");
}

// It sticks until K V t = μ_s N, then swings about where the spring has μ N, from D = (μ_s − μ) N/K
// behind that: D ω sin θ + V (1 − cos θ) = 0 with θ = ω t where it stops, 2 D + V θ/ω further on.
struct StickSlip {
  double first, stop, second, jump;

  StickSlip() {
    const double K = 50, V = 0.1, N = 10, D = (0.5 - 0.3) * N / K, w = std::sqrt(K);
    const double theta = 2 * (kPi - std::atan(D * w / V));
    first = 0.5 * N / (K * V);
    stop = first + theta / w;
    jump = 2 * D + V * theta / w;
    second = stop + 2 * D / V;
  }
};

struct DraggedRun {
  std::vector<double> starts, stops;  // of sliding
  double x = 0;                       // where it stops first
  std::vector<State> states;
};

DraggedRun RunDragged(const std::string& formulation, double h, const char* drop = "0") {
  const Scene scene = DraggedOnPlane(formulation, h, "", "", drop);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  DraggedRun out;
  bool slid = false;
  while (simulator.state().t < 4 - 0.5 * h) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    const State& state = simulator.state();
    EXPECT_EQ(state.modes.size(), 1u);
    if (state.modes.empty()) return out;
    const bool slides = state.modes[0] == static_cast<int>(Stiction::kSlip);
    if (slides && !slid) out.starts.push_back(state.t - h);
    if (!slides && slid) out.stops.push_back(state.t);
    if (!slides && slid && out.stops.size() == 1) out.x = state.q[0];
    slid = slides;
  }
  EXPECT_EQ(simulator.audit().failed, 0) << formulation;
  EXPECT_EQ(simulator.solver().not_solved, 0) << formulation;
  return out;
}

// Least forces lift what slides (docs/theory/minimum_norm.md).
std::vector<std::string> ListThoseThatHoldBlocks() {
  std::vector<std::string> out;
  for (FormulationKind kind : ListFormulationKinds()) {
    if (kind != FormulationKind::kCompliantQcqp) out.emplace_back(ToString(kind));
  }
  return out;
}

// Levenberg and Marquardt's method takes its time: the last step is for the others.
std::vector<double> ListStepsFor(const std::string& formulation) {
  std::vector<double> out = {4e-3, 1e-3, 2.5e-4};
  if (formulation.ends_with("lm") && formulation != "mncp-rlm") out.pop_back();
  return out;
}

TEST(ContactStiction, BlockOnASpringSticksAndSlipsToFirstOrder) {
  const StickSlip exact;
  ASSERT_NEAR(exact.first, 1, 1e-15);
  for (const std::string& formulation : ListThoseThatHoldBlocks()) {
    SCOPED_TRACE(formulation);
    double last = kInfinity;
    for (const double h : ListStepsFor(formulation)) {
      const DraggedRun run = RunDragged(formulation, h);
      ASSERT_GE(run.starts.size(), 2u);
      ASSERT_GE(run.stops.size(), 1u);
      EXPECT_NEAR(run.starts[0], exact.first, 1.5 * h);
      EXPECT_NEAR(run.stops[0], exact.stop, 3 * h);
      // From where it stands: K (V t − x) = μ_s N. Being off by δ there is being late by δ/V.
      EXPECT_NEAR(run.starts[1], (run.x + 0.1) / 0.1, 1.5 * h);
      EXPECT_NEAR(run.starts[1], exact.second, 10 * h + 1.5 * h);
      const double error = std::fabs(run.x - exact.jump);
      EXPECT_LT(error, 1 * h);
      EXPECT_LT(error, 0.5 * last);
      last = error;
    }
  }
}

// Friction that falls over a speed: that of the slip at the start of a step.
TEST(ContactStiction, DropsOverItsSpeedToFirstOrder) {
  const testing::DragStop exact = testing::SolveDrag(0.05);
  for (const std::string& formulation : ListThoseThatHoldBlocks()) {
    SCOPED_TRACE(formulation);
    double last = kInfinity;
    for (const double h : ListStepsFor(formulation)) {
      const DraggedRun run = RunDragged(formulation, h, "0.05");
      ASSERT_GE(run.starts.size(), 1u);
      ASSERT_GE(run.stops.size(), 1u);
      EXPECT_NEAR(run.starts[0], 1, 1.5 * h);
      EXPECT_NEAR(run.stops[0], exact.t, 3 * h);
      const double error = std::fabs(run.x - exact.x);
      EXPECT_LT(error, h);
      EXPECT_LT(error, 0.5 * last);
      last = error;
    }
  }
  // One that is over at once drops a step later than none at all.
  for (const double h : {1e-3, 2.5e-4}) {
    EXPECT_NEAR(RunDragged("compliant", h, "1e-12").x, RunDragged("compliant", h).x, 0.2 * h);
  }
}

// Changes are told as event-driven runs tell them, from the first step on and at the ends of steps.
TEST(ContactStiction, ListsWhatChanges) {
  const double h = 1e-3;
  const Scene scene = DraggedOnPlane("compliant", h);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  const DraggedRun modes = RunDragged("compliant", h);
  ASSERT_EQ(summary.transitions.size(), 1 + modes.starts.size() + modes.stops.size());
  EXPECT_EQ(summary.transition_count, static_cast<long>(summary.transitions.size()));
  EXPECT_EQ(summary.transitions[0].from, Stiction::kOpen);
  EXPECT_EQ(summary.transitions[0].to, Stiction::kStick);
  EXPECT_EQ(summary.transitions[0].t, h);
  for (size_t k = 1; k < summary.transitions.size(); ++k) {
    const Transition& change = summary.transitions[k];
    const bool begins = k % 2 == 1;
    EXPECT_EQ(change.from, begins ? Stiction::kStick : Stiction::kSlip);
    EXPECT_EQ(change.to, begins ? Stiction::kSlip : Stiction::kStick);
    EXPECT_EQ(change.id, summary.transitions[0].id);
    const double t = begins ? modes.starts[(k - 1) / 2] + h : modes.stops[(k - 2) / 2];
    EXPECT_NEAR(change.t, t, 1e-12) << k;
  }
  // Contacts that have one μ have no memory, and nothing to tell.
  const Scene plain = ThrownBall("friction: 0.3", "[0, 0, 0.1], velocity: [1, 0, 0]", 0.1);
  Simulator quiet(plain.model, plain.settings, plain.initial);
  EXPECT_TRUE(voigt::Run(&quiet, nullptr).transitions.empty());
}

// A ball that bounces is open in between, also to a run that goes on from the middle.
TEST(ContactStiction, ContactThatPartsIsOpen) {
  const Scene scene = ThrownBall("friction: 0.3, static_friction: 0.5, restitution: 0.8",
                                 "[0, 0, 0.3], velocity: [5, 0, 0]", 1);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  std::vector<Transition> changes;
  while (simulator.state().t < 1 - 5e-4) {
    Simulator again(scene.model, scene.settings, State::Restore(simulator.state().Serialize()));
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    ASSERT_EQ(again.Step(), StepStatus::kOk);
    ASSERT_EQ(again.last_transitions().size(), simulator.last_transitions().size());
    for (const Transition& change : simulator.last_transitions()) changes.push_back(change);
  }
  ASSERT_GE(changes.size(), 6u);
  for (size_t k = 0; k < changes.size(); ++k) {
    EXPECT_EQ(changes[k].from, k % 2 == 0 ? Stiction::kOpen : Stiction::kSlip) << k;
    EXPECT_EQ(changes[k].to, k % 2 == 0 ? Stiction::kSlip : Stiction::kOpen) << k;
  }
  EXPECT_NEAR(changes[0].t, std::sqrt(2 * 0.2 / 9.81), 1.1e-3);
  EXPECT_NEAR(changes[1].t - changes[0].t, 1e-3, 1e-12);
}

// What a contact did is part of the state: a run goes on bit for bit from any moment.
TEST(ContactStiction, IsRemembered) {
  const Scene scene = DraggedOnPlane("compliant", 1e-3);
  Simulator whole(scene.model, scene.settings, scene.initial);
  for (const int steps : {500, 520, 150}) {
    for (int k = 0; k < steps; ++k) ASSERT_EQ(whole.Step(), StepStatus::kOk);
    Simulator again(scene.model, scene.settings, State::Restore(whole.state().Serialize()));
    Simulator copy(scene.model, scene.settings, whole.state());
    for (int k = 0; k < 50; ++k) {
      ASSERT_EQ(again.Step(), StepStatus::kOk);
      ASSERT_EQ(copy.Step(), StepStatus::kOk);
    }
    EXPECT_TRUE(again.state() == copy.state());
  }
}

// Beside friction from reactions, whose modes come first: a pendulum in a bearing next to the
// block.
TEST(ContactStiction, StandsBesideFrictionFromReactions) {
  const auto run = [](bool has_friction) {
    const char* const bob = "  - {name: bob, mass: 1, com: [0, 0, -1], inertia: point}";
    const std::string pin = fmt::format(
        "  - {{name: pin, type: revolute, axis: [0, -1, 0], child: bob, "
        "frame: {{position: [5, 0, 5]}}{}}}\ninitial: {{pin: {{q: 1}}}}",
        has_friction ? ", friction: {kinetic: 0.3, static: 0.4, radius: 0.1}" : "");
    const Scene scene = DraggedOnPlane("compliant", 1e-3, bob, pin.c_str());
    Simulator simulator(scene.model, scene.settings, scene.initial);
    while (simulator.state().t < 2 - 5e-4) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_EQ(simulator.state().modes.size(), has_friction ? 2u : 1u);
    return simulator.state();
  };
  const State with = run(true), without = run(false);
  EXPECT_NEAR(with.q[0], without.q[0], 1e-9);
  EXPECT_GT(with.q[0], 0.05);
  EXPECT_GT(std::fabs(with.q[2] - without.q[2]), 0.01);
}

}  // namespace
}  // namespace voigt
