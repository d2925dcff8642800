// Contacts that yield: the states Slip, Stick and Creep of their friction [Sherman], against
// solutions of their own.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/events/state_run.h"
#include "tests/support/scenes.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

using testing::ExpectChange;
using testing::RunStates;
using testing::StateRun;
using testing::StateSettings;

// A block of 1 kg that moves along x and up, on a floor of 4 × 25 kN/m, in equilibrium with
// gravity 10 m/s².
std::string BlockOnFloor(double mu_k, double mu_s, const char* floor = "damping: 100") {
  return fmt::format(R"(
gravity: [0, 0, -10]
materials:
  block: {{friction: {0}, static_friction: {1}}}
  floor: {{friction: {0}, static_friction: {1}, stiffness: 25000, {2}}}
contact: {{creep_speed: 1e-3}}
bodies:
  - {{name: carriage, mass: 0.5, inertia: [1, 1, 1]}}
  - {{name: block, mass: 1, inertia: [1, 1, 1], geometry: [{{shape: box, size: [0.3, 0.2, 0.2], material: block}}]}}
world: {{geometry: [{{shape: half-space, material: floor}}]}}
joints:
  - {{name: along, type: prismatic, axis: [1, 0, 0], child: carriage}}
  - {{name: up, type: prismatic, axis: [0, 0, 1], parent: carriage, child: block, frame: {{position: [0, 0, 0.1]}}}}
)",
                     mu_k, mu_s, floor);
}
constexpr double kBlockMass = 1.5, kBlockNormal = 10, kRestDepth = 1e-4;

std::string InitialBlock(double v) {
  return fmt::format("initial: {{along: {{v: {:.17g}}}, up: {{q: {:.17g}}}}}\n", v, -kRestDepth);
}

// The block of scenes/creeping_block.yaml by fixed steps of its own: times of breakaway, slip and
// lockup of each cycle.
std::vector<double> SolveDraggedBlock(int cycles) {
  constexpr double kMuS = 0.5, kMuK = 0.3, kSpring = 50, kDrive = 0.1, kN = 10, kMass = 1.1,
                   kTol = 1e-3;
  const auto pull = [&](double t, double x, double v) {
    const double z = std::min(std::max(v / kTol, 0.0), 1.0);
    const double mu = kMuS + (kMuK - kMuS) * z * z * z * (10 - 15 * z + 6 * z * z);
    return (kSpring * (kDrive * t - x) - mu * kN) / kMass;
  };
  // Up to where v − kTol changes its sign, by ever shorter steps in the end.
  const auto run_to_speed = [&](double h, bool rises, double* t, double* x, double* v) {
    while (h > 1e-15) {
      const double a1 = pull(*t, *x, *v);
      const double v2 = *v + h / 2 * a1, a2 = pull(*t + h / 2, *x + h / 2 * *v, v2);
      const double v3 = *v + h / 2 * a2, a3 = pull(*t + h / 2, *x + h / 2 * v2, v3);
      const double v4 = *v + h * a3, a4 = pull(*t + h, *x + h * v3, v4);
      const double next = *v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      if (rises ? next >= kTol : next <= kTol) {
        h /= 2;
        continue;
      }
      *x += h / 6 * (*v + 2 * v2 + 2 * v3 + v4);
      *v = next;
      *t += h;
    }
  };
  std::vector<double> times;
  double x = 0;
  for (int k = 0; k < cycles; ++k) {
    double t = (kMuS * kN / kSpring + x) / kDrive, v = 0;
    times.push_back(t);
    run_to_speed(2e-6, true, &t, &x, &v);
    times.push_back(t);
    v = kTol * (1 + 1e-12);
    run_to_speed(2e-5, false, &t, &x, &v);
    times.push_back(t);
  }
  return times;
}

TEST(StictionStates, DraggedBlockSticksCreepsSlipsAndSticksWhereItsSolutionDoes) {
  const StateRun run = RunStates(testing::LoadNamedScene("creeping_block"));
  const std::vector<double> times = SolveDraggedBlock(4);
  const auto corners = run.ByElement();
  ASSERT_EQ(corners.size(), 4u);
  constexpr Stiction kCycle[] = {Stiction::kStick, Stiction::kCreep, Stiction::kSlip};
  for (const auto& [id, changes] : corners) {
    ASSERT_EQ(changes.size(), 13u);
    ExpectChange(changes[0], Stiction::kOpen, Stiction::kStick, 0, 0);
    for (size_t k = 0; k < 12; ++k) {
      ExpectChange(changes[k + 1], kCycle[k % 3], kCycle[(k + 1) % 3], times[k], 1e-8);
    }
  }
  EXPECT_EQ(run.run.summary.events.breakaways, 16);
  EXPECT_EQ(run.run.summary.events.slips, 16);
  EXPECT_EQ(run.run.summary.events.sticks, 16);
  EXPECT_EQ(run.run.summary.transition_count, 52);
  // Energy goes where friction and the impulses of lockup take it.
  EXPECT_NEAR(run.run.summary.Drift(), 0, 1e-11);
}

// Rounding, and a floor on which the block bounces, shift nothing: 20 s at 90 % of the limit.
TEST(StictionStates, DriftNeverLetsGo) {
  const StateRun run = RunStates(
      BlockOnFloor(0.3, 0.5) +
      "initial: {up: {q: -1.05e-4}}\n"
      "loads: [{body: block, force: [4 * sin(7 * t), 0, 0]}, {body: block, force: [0.4, 0, 0]}]\n" +
      StateSettings(20, 0.1));
  ASSERT_EQ(run.changes.size(), 4u);  // they begin by sticking
  for (const Transition& change : run.changes) EXPECT_EQ(change.to, Stiction::kStick);
  EXPECT_EQ(run.run.summary.events.events(), 0);
  EXPECT_NEAR(run.run.end.q[0], 0, 1e-13);
  EXPECT_NEAR(run.run.end.v[0], 0, 1e-15);
}

// A pull that is for a while a little more than friction: the block creeps, never as fast as the
// creep speed, and is stopped as soon as it can be held.
TEST(StictionStates, CreepEndsWhereFrictionCanHold) {
  constexpr double kMu = 0.4, kLimit = kMu * kBlockNormal;
  const StateRun run = RunStates(
      BlockOnFloor(kMu, kMu) + InitialBlock(0) +
      fmt::format("loads: [{{body: block, force: [{} + 0.005 * sin(10 * t - 1), 0, 0]}}]\n",
                  kLimit) +
      StateSettings(0.6));
  for (const auto& [id, changes] : run.ByElement()) {
    ASSERT_EQ(changes.size(), 3u);
    ExpectChange(changes[1], Stiction::kStick, Stiction::kCreep, 0.1, 1e-6);
    ExpectChange(changes[2], Stiction::kCreep, Stiction::kStick, (1 + kPi) / 10, 1e-6);
  }
  // ∫∫ 0.005 sin(10 t)/m over half a period; the speed at its end is what the impulse takes.
  const double way = 0.005 / kBlockMass * kPi / 100;
  EXPECT_NEAR(run.run.end.q[0], way, 1e-9);
  EXPECT_NEAR(run.run.end.v[0], 0, 1e-15);
  EXPECT_NEAR(run.run.summary.Drift(), 0, 1e-13);
}

// Up a slope that is too steep to rest on: slowdown finds nothing that could hold the block, it
// creeps, turns, and slips down.
TEST(StictionStates, SlowdownOnASteepSlopeCreepsAndTurns) {
  constexpr double kMu = 0.3, kSide = 5, kStart = 1, kTol = 1e-3;
  const StateRun run = RunStates(
      BlockOnFloor(kMu, kMu) + InitialBlock(kStart) +
      fmt::format("loads: [{{body: block, force: [{}, 0, 0]}}]\n", -kSide) + StateSettings(0.5));
  const double up = (kSide + kMu * kBlockNormal) / kBlockMass;
  const double down = (kSide - kMu * kBlockNormal) / kBlockMass;
  for (const auto& [id, changes] : run.ByElement()) {
    ASSERT_EQ(changes.size(), 3u);
    EXPECT_EQ(changes[0].to, Stiction::kSlip);
    ExpectChange(changes[1], Stiction::kSlip, Stiction::kCreep, (kStart - kTol) / up, 1e-11);
    ExpectChange(changes[2], Stiction::kCreep, Stiction::kSlip, kStart / up + kTol / down, 1e-9);
  }
  const std::vector<double> turns = run.run.TimesOf(EventKind::kTurn);
  ASSERT_EQ(turns.size(), 4u);
  EXPECT_NEAR(turns[0], kStart / up, 1e-9);
  EXPECT_EQ(run.run.summary.events.slowdowns, 4);
  const double left = 0.5 - kStart / up;
  EXPECT_NEAR(run.run.end.q[0], kStart * kStart / (2 * up) - down * left * left / 2, 1e-8);
}

// Two bodies that nothing holds: the impulse of lockup keeps their momentum.
TEST(StictionStates, LockupKeepsMomentum) {
  const StateRun run = RunStates(R"(
gravity: [0, 0, -10]
materials:
  block: {friction: 0.2}
  cart: {friction: 0.2, stiffness: 25000, damping: 100}
contact: {creep_speed: 0.05}
bodies:
  - {name: cart, mass: 3, inertia: [1, 1, 1], geometry: [{shape: box, size: [4, 1, 0.2], material: cart}]}
  - {name: carriage, mass: 0.5, inertia: [1, 1, 1]}
  - {name: block, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [0.3, 0.2, 0.2], material: block}]}
joints:
  - {name: rails, type: prismatic, axis: [1, 0, 0], child: cart}
  - {name: along, type: prismatic, axis: [1, 0, 0], child: carriage}
  - {name: up, type: prismatic, axis: [0, 0, 1], parent: carriage, child: block, frame: {position: [0, 0, 0.2]}}
initial: {along: {v: 1}, up: {q: -1e-4}}
)" + StateSettings(1));
  const double common = 1.5 / (1.5 + 3);
  EXPECT_NEAR(run.run.end.v[0], common, 1e-12);
  EXPECT_NEAR(run.run.end.v[1], common, 1e-12);
  // Friction of 2 N slows the block and pushes the cart until 0.05 m/s are left between them.
  const double a = 2 / 1.5 + 2.0 / 3;
  for (const auto& [id, changes] : run.ByElement()) {
    ASSERT_EQ(changes.size(), 2u);
    ExpectChange(changes[1], Stiction::kSlip, Stiction::kStick, 0.95 / a, 1e-9);
  }
  EXPECT_NEAR(run.run.summary.Drift(), 0, 1e-12);
}

// What is prescribed cannot be stopped: the contact creeps through its turning points, and the
// force that moves it has friction in it.
TEST(StictionStates, PrescribedMotionCreepsThroughItsTurns) {
  const std::string text =
      BlockOnFloor(0.3, 0.5) + "initial: {along: {v: 0.2}, up: {q: -1e-4}}\n" +
      "drives: [{type: prescribed, joint: along, position: 0.1 * sin(2 * t)}]\n";
  const StateRun run = RunStates(text + StateSettings(1));
  const double turn = kPi / 4;  // v = 0.2 cos 2t
  const double slow = (kPi / 2 - std::asin(1e-3 / 0.2)) / 2;
  for (const auto& [id, changes] : run.ByElement()) {
    ASSERT_EQ(changes.size(), 3u);
    EXPECT_EQ(changes[0].to, Stiction::kSlip);
    ExpectChange(changes[1], Stiction::kSlip, Stiction::kCreep, slow, 1e-6);
    ExpectChange(changes[2], Stiction::kCreep, Stiction::kSlip, 2 * turn - slow, 1e-6);
  }
  const Scene scene = ParseScene(text + StateSettings(1), "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  ASSERT_EQ(simulator.Step(0.3), StepStatus::kOk);
  const double inertial = -kBlockMass * 0.4 * std::sin(0.6);
  EXPECT_NEAR(simulator.prescribed_force()[0], inertial + 0.3 * kBlockNormal, 1e-6);
}

// A state that is saved in creep goes on bit for bit, and tells no change twice.
TEST(StictionStates, SavedStateGoesOn) {
  Scene scene = testing::LoadNamedScene("creeping_block");
  Simulator whole(scene.model, scene.settings, scene.initial);
  Simulator first(scene.model, scene.settings, scene.initial);
  for (double h : {1.004, 0.3}) ASSERT_EQ(whole.Step(h), StepStatus::kOk);
  ASSERT_EQ(first.Step(1.004), StepStatus::kOk);
  ASSERT_EQ(first.state().modes, std::vector<int>(4, static_cast<int>(Stiction::kCreep)));
  Simulator second(scene.model, scene.settings, State::Restore(first.state().Serialize()));
  ASSERT_EQ(second.Step(0.3), StepStatus::kOk);
  EXPECT_EQ(second.state(), whole.state());
  ASSERT_EQ(second.last_transitions().size(), 4u);
  for (const Transition& change : second.last_transitions()) {
    EXPECT_EQ(change.from, Stiction::kCreep);
    EXPECT_EQ(change.to, Stiction::kSlip);
  }
}

std::string ExplainRefusal(const std::string& text) {
  try {
    const Scene scene = ParseScene(text, "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(StictionStates, RefusesWhatHasNoMeaning) {
  const std::string block = BlockOnFloor(0.3, 0.5);
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(ExplainRefusal(block), "");  // in time steps
  EXPECT_TRUE(contains(ExplainRefusal(block + "simulation: {integrator: event-driven}\n"),
                       "material 'floor': static_friction above friction needs the formulation "
                       "'working'"));
  EXPECT_TRUE(contains(ExplainRefusal(block + "simulation: {integrator: event-driven}\n"),
                       "material 'floor': soft contact needs the formulation 'working'"));
  EXPECT_TRUE(
      contains(ExplainRefusal(BlockOnFloor(0.5, 0.3) + StateSettings(1)),
               "static_friction = 0.3, expected at least the friction of what slides, 0.5"));
  EXPECT_TRUE(
      contains(ExplainRefusal(BlockOnFloor(0.3, 0.3, "tangential_damping: 10") + StateSettings(1)),
               "knows no springs and dampers along the surface"));
  EXPECT_TRUE(contains(ExplainRefusal("contact: {creep_speed: 0}\n"), "creep_speed = 0, expected"));
}

}  // namespace
}  // namespace voigt
