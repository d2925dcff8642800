// Where contacts let go: of the floor where their force ends, and along it where static friction
// does.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/events/state_run.h"

namespace voigt {
namespace {

using testing::ExpectChange;
using testing::RunStates;
using testing::StateRun;
using testing::StateSettings;

// Hertz without gravity: depth and duration of an impact in closed form, nothing lost.
TEST(StictionStates, BallTouchesAndLeavesAsHertzHasIt) {
  constexpr double kK = 1e6, kV = 1, kMass = 1;
  const StateRun run = RunStates(fmt::format(R"(
gravity: [0, 0, 0]
materials: {{ball: {{hertz_stiffness: {}, friction: 0}}, floor: {{friction: 0}}}}
bodies: [{{name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{{shape: sphere, radius: 0.1, material: ball}}]}}]
world: {{geometry: [{{shape: half-space, material: floor}}]}}
joints: [{{name: up, type: prismatic, axis: [0, 0, 1], child: ball, frame: {{position: [0, 0, 0.2]}}}}]
initial: {{up: {{v: {}}}}}
)",
                                             kK, -kV) +
                                 StateSettings(0.2, 0.01));
  // d_max^{5/2} = (5/4) m v²/K; the duration is 2 d_max/v ∫₀¹ dx/√(1 − x^{5/2}).
  const double depth = std::pow(1.25 * kMass * kV * kV / kK, 0.4);
  const double integral = std::sqrt(kPi) * std::tgamma(0.4) / (2.5 * std::tgamma(0.9));
  const auto touch = run.run.TimesOf(EventKind::kTouch);
  const auto release = run.run.TimesOf(EventKind::kRelease);
  ASSERT_EQ(touch.size(), 1u);
  ASSERT_EQ(release.size(), 1u);
  EXPECT_NEAR(touch[0], 0.1, 1e-14);
  EXPECT_NEAR(release[0] - touch[0], 2 * depth / kV * integral, 1e-9);
  // Where d^{3/2} begins, methods of high order are of low order: no more than this is left.
  EXPECT_NEAR(run.run.end.v[0], kV, 1e-8);
}

// A damped floor pulls nothing: it lets go where its force is zero, still dented.
TEST(StictionStates, DampedFloorLetsGoWhereItsForceEnds) {
  constexpr double kK = 1e4, kB = 40, kV = 1;  // m = 1: ω = 100, ζ = 0.2
  const StateRun run = RunStates(fmt::format(R"(
gravity: [0, 0, 0]
materials: {{ball: {{stiffness: {}, damping: {}, friction: 0}}, floor: {{friction: 0}}}}
bodies: [{{name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{{shape: sphere, radius: 0.1, material: ball}}]}}]
world: {{geometry: [{{shape: half-space, material: floor}}]}}
joints: [{{name: up, type: prismatic, axis: [0, 0, 1], child: ball, frame: {{position: [0, 0, 0.2]}}}}]
initial: {{up: {{v: {}}}}}
)",
                                             kK, kB, -kV) +
                                 StateSettings(0.2, 0.01));
  // d = (v/ω_d) e^{−ζωt} sin ω_d t; K d + B d' = 0 first where tan ω_d t = −ω_d B/(K − ζ ω B).
  const double w = 100, zeta = 0.2, wd = w * std::sqrt(1 - zeta * zeta);
  const double end = (kPi - std::atan(wd * kB / (kK - zeta * w * kB))) / wd;
  const double rate =
      kV * std::exp(-zeta * w * end) * (std::cos(wd * end) - zeta * w / wd * std::sin(wd * end));
  const auto release = run.run.TimesOf(EventKind::kRelease);
  ASSERT_EQ(release.size(), 1u);
  EXPECT_NEAR(release[0], 0.1 + end, 1e-11);
  EXPECT_NEAR(run.run.end.v[0], -rate, 1e-10);
  EXPECT_NEAR(run.run.summary.Drift(), 0, 1e-12);
}

// A box that is free in all six ways, pulled at its middle, tips forward a little: corners carry
// different loads, share, and break away together. Static friction holds up to μ_s m g in all.
TEST(StictionStates, FreeBoxHoldsUpToStaticFriction) {
  const auto box = [](double force) {
    return fmt::format(R"(
gravity: [0, 0, -10]
materials:
  block: {{friction: 0.3, static_friction: 0.5}}
  floor: {{friction: 0.3, static_friction: 0.5, stiffness: 25000, damping: 500}}
bodies:
  - {{name: block, mass: 1, inertia: [0.01, 0.01, 0.01], geometry: [{{shape: box, size: [0.3, 0.2, 0.1], material: block}}]}}
world: {{geometry: [{{shape: half-space, material: floor}}]}}
joints: [{{name: free, type: free, child: block, frame: {{position: [0, 0, 0.0499]}}}}]
loads: [{{body: block, force: ['{} * min(t, 1)', 0, 0]}}]
)",
                       force) +
           StateSettings(1.5, 0.02);
  };
  const StateRun below = RunStates(box(4.99)), above = RunStates(box(5.01));
  for (const Transition& change : below.changes) EXPECT_NE(change.to, Stiction::kSlip);
  EXPECT_LT(below.run.end.v.norm(), 1e-6);
  // From then on (5.01 − 3)/1 m/s² but for what creep took.
  const auto slips = above.run.TimesOf(EventKind::kSlip);
  ASSERT_GE(slips.size(), 4u);
  EXPECT_NEAR(above.run.end.v.head<3>().maxCoeff(), 2.01 * (1.5 - slips.back()), 2e-3);
  EXPECT_NEAR(below.run.summary.Drift(), 0, 1e-9);
  EXPECT_NEAR(above.run.summary.Drift(), 0, 1e-9);
}

// Static friction of rigid contacts: no creep, at once what sliding has.
TEST(StictionStates, RigidContactHasStaticFriction) {
  const StateRun run = RunStates(R"(
gravity: [0, 0, -10]
materials: {default: {friction: 0.3, static_friction: 0.5}}
bodies:
  - {name: carriage, mass: 0.5, inertia: [1, 1, 1]}
  - {name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
world: {geometry: [{shape: half-space}]}
joints:
  - {name: along, type: prismatic, axis: [1, 0, 0], child: carriage}
  - {name: up, type: prismatic, axis: [0, 0, 1], parent: carriage, child: ball, frame: {position: [0, 0, 0.1]}}
loads: [{body: ball, force: [5 * t, 0, 0]}]
)" + StateSettings(1.5));
  ASSERT_EQ(run.changes.size(), 2u);
  ExpectChange(run.changes[1], Stiction::kStick, Stiction::kSlip, 1, 1e-8);
  // m v̇ = 5 t − 3 from 1 s on.
  EXPECT_NEAR(run.run.end.v[0], (2.5 * (1.5 * 1.5 - 1) - 1.5) / 1.5, 1e-8);
}

// The same on the four corners of a box that may tip.
TEST(StictionStates, RigidBoxBreaksAwayOnAllCorners) {
  const StateRun run = RunStates(R"(
gravity: [0, 0, -10]
materials: {default: {friction: 0.3, static_friction: 0.5}}
bodies: [{name: block, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [0.3, 0.2, 0.2]}]}]
world: {geometry: [{shape: half-space}]}
joints: [{name: flat, type: planar, child: block, frame: {position: [0, 0, 0.1], rpy: [90 deg, 0, 0]}}]
loads: [{body: block, force: [5 * t, 0, 0], point: [0, 0, -0.1]}]
)" + StateSettings(1.5));
  const auto corners = run.ByElement();
  ASSERT_EQ(corners.size(), 4u);
  for (const auto& [id, changes] : corners) {
    ASSERT_EQ(changes.size(), 2u);
    ExpectChange(changes[1], Stiction::kStick, Stiction::kSlip, 1, 1e-8);
  }
  EXPECT_NEAR(std::fabs(run.run.end.v[0]), 2.5 * (1.5 * 1.5 - 1) - 1.5, 1e-8);
}

}  // namespace
}  // namespace voigt
