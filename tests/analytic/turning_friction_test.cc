// Balls that spin and roll: closed solutions of torsional, rolling and viscous friction. A constant
// deceleration is met exactly, step by step, because the step takes the friction of its end.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

constexpr double kDownward = 9.8, kBallRadius = 0.05;
constexpr int kHop = 10;  // steps

// Rates of a free joint.
Vec3 Speed(const Simulator& simulator) { return simulator.state().v.head<3>(); }
Vec3 Spin(const Simulator& simulator) { return simulator.state().v.tail<3>(); }

Simulator MakeScene(const std::string& name, const std::vector<Override>& overrides) {
  return testing::MakeSimulator(testing::LoadNamedScene(name, overrides));
}

void Step(Simulator* simulator) {
  ASSERT_EQ(simulator->Step(), StepStatus::kOk);
  ASSERT_EQ(simulator->solver().not_solved, 0);
  ASSERT_EQ(simulator->audit().failed, 0);
}

class TurningFriction : public ::testing::TestWithParam<const char*> {
 protected:
  Override Mode() const { return {"simulation.friction", GetParam()}; }
};

TEST_P(TurningFriction, StopsASpinningBallInTime) {
  Simulator simulator = MakeScene("spinning_ball", {Mode()});
  const double h = simulator.settings().step;
  const double alpha = 2.5 * kDownward * 2e-3 / (kBallRadius * kBallRadius);
  const bool is_cone = std::string(GetParam()) == "cone";
  // The cone lifts the ball by h l ω. What the ground gives for that, m l times the change of ω in
  // a step, goes into friction: little, once the ball has come down from the hop of the first step.
  const double lifted = is_cone ? 2.5 * std::pow(2e-3 / kBallRadius, 2) * h * alpha : 0;
  for (int k = 1; k <= 150; ++k) {
    Step(&simulator);
    const double expected = std::max(0.0, 20 - k * h * alpha);
    if (!is_cone || k > kHop) {
      EXPECT_NEAR(Spin(simulator).z(), expected, 1e-11 + 2 * lifted) << k;
    }
    EXPECT_LT(Spin(simulator).head<2>().norm(), 1e-13) << k;
    EXPECT_LT(Speed(simulator).head<2>().norm(), 1e-13) << k;
  }
  EXPECT_LT(std::abs(Spin(simulator).z()), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Modes, TurningFriction, ::testing::Values("coulomb", "lagged", "cone"),
                         [](const auto& mode) { return std::string(mode.param); });

// Not of the cone, whose gap is in the way of rolling: slopes show what remains of it.
TEST(TurningFrictionOnTheFlat, StopsARollingBallInTime) {
  for (const char* mode : {"coulomb", "lagged"}) {
    Simulator simulator = MakeScene("rolling_ball", {{"simulation.friction", mode}});
    const double h = simulator.settings().step, a = 5.0 / 7.0 * kDownward * 7e-3 / kBallRadius;
    for (int k = 1; k <= 150; ++k) {
      Step(&simulator);
      EXPECT_NEAR(Speed(simulator).x(), std::max(0.0, 1 - k * h * a), 1e-11) << k;
      EXPECT_NEAR(Spin(simulator).y() * kBallRadius, Speed(simulator).x(), 1e-12) << k;
    }
    EXPECT_LT(Speed(simulator).norm(), 1e-13);
    // Σ h v, the last step being shorter than a whole one.
    const int whole = static_cast<int>(1 / (h * a));
    EXPECT_NEAR(simulator.state().q[0], h * (whole - h * a * whole * (whole + 1) / 2), 1e-11);
  }
}

// After a second, from rest.
Vec2 SpeedAndSpinDownASlope(double tangent, const char* rolling, const char* mode = "coulomb",
                            int steps = 100) {
  Simulator simulator =
      MakeScene("rolling_ball", {{"parameters.v", "0"},
                                 {"parameters.l", rolling},
                                 {"parameters.tilt", fmt::format("atan({})", tangent)},
                                 {"simulation.friction", mode},
                                 {"simulation.step", fmt::format("1 / {}", steps)}});
  for (int k = 0; k < steps; ++k) Step(&simulator);
  return {Speed(simulator).x(), Spin(simulator).y()};
}

double SpeedDownASlope(double tangent, const char* rolling) {
  const Vec2 found = SpeedAndSpinDownASlope(tangent, rolling);
  EXPECT_NEAR(found[1] * kBallRadius, found[0], 1e-12);
  return found[0];
}

TEST(TurningFrictionOnSlopes, HoldsABallBelowItsLengthOverTheRadius) {
  const double limit = 7e-3 / kBallRadius;
  EXPECT_LT(std::abs(SpeedDownASlope(0.999 * limit, "7e-3")), 1e-12);
  for (const double tangent : {1.001 * limit, 2 * limit}) {
    const double angle = std::atan(tangent);
    const double a = 5.0 / 7.0 * kDownward * (std::sin(angle) - limit * std::cos(angle));
    EXPECT_NEAR(SpeedDownASlope(tangent, "7e-3"), a, 1e-11) << tangent;
  }
}

// The cone keeps a gap of h l ω, in which the ball rolls a little wider than it is.
TEST(TurningFrictionOnSlopes, TendsToTheSameInTheConeAsStepsGetShorter) {
  const double limit = 7e-3 / kBallRadius, angle = std::atan(2 * limit);
  const double a = 5.0 / 7.0 * kDownward * (std::sin(angle) - limit * std::cos(angle));
  const double coarse = SpeedAndSpinDownASlope(2 * limit, "7e-3", "cone", 100)[1] * kBallRadius - a;
  const double fine = SpeedAndSpinDownASlope(2 * limit, "7e-3", "cone", 400)[1] * kBallRadius - a;
  EXPECT_LT(std::abs(coarse), 0.05 * a);
  EXPECT_GT(std::abs(coarse), 1e-6 * a);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

TEST(TurningFrictionOnSlopes, WithoutItABallRollsDownAtFiveSevenths) {
  const double angle = std::atan(0.3);
  EXPECT_NEAR(SpeedDownASlope(0.3, "0"), 5.0 / 7.0 * kDownward * std::sin(angle), 1e-11);
}

// Rolling friction alone, without any along the surface: the ball goes on and stops turning.
TEST(TurningFrictionAlone, StopsTheSpinOfABallThatSlides) {
  Simulator simulator = MakeScene("rolling_ball", {{"parameters.mu", "0"}});
  const double h = simulator.settings().step;
  const double alpha = 2.5 * kDownward * 7e-3 / (kBallRadius * kBallRadius);
  for (int k = 1; k <= 40; ++k) {
    Step(&simulator);
    EXPECT_NEAR(Spin(simulator).y(), std::max(0.0, 20 - k * h * alpha), 1e-11) << k;
    EXPECT_NEAR(Speed(simulator).x(), 1, 1e-12) << k;
  }
}

// A ball of 1 kg that a cart of 1 kg keeps from turning: 2 v' = −6 v − μ 10 while it touches, in SI
// units, and nothing while it flies.
Simulator MakeSlider(const char* mu, double up) {
  const std::string text = fmt::format(
      "gravity: [0, 0, -10]\n"
      "materials: {{default: {{friction: {}, viscous_friction: 6}}}}\n"
      "world: {{geometry: [{{shape: half-space}}]}}\n"
      "bodies:\n"
      "  - {{name: cart, mass: 1, inertia: [1, 1, 1]}}\n"
      "  - {{name: ball, mass: 1, geometry: [{{shape: sphere, radius: 0.1}}]}}\n"
      "joints:\n"
      "  - {{name: x, type: prismatic, axis: [1, 0, 0], child: cart, frame: {{position: [0, 0, "
      "0.1]}}}}\n"
      "  - {{name: z, type: prismatic, axis: [0, 0, 1], parent: cart, child: ball}}\n"
      "initial: {{x: {{v: 3}}, z: {{v: {}}}}}\n"
      "simulation: {{step: 0.01, until: 1}}\n",
      mu, up);
  return testing::MakeSimulator(ParseScene(text, "slider"));
}

TEST(ViscousFriction, SlowsABallDownInGeometricSteps) {
  Simulator simulator = MakeSlider("0", 0);
  for (int k = 1; k <= 100; ++k) {
    Step(&simulator);
    EXPECT_NEAR(simulator.state().v[0], 3 * std::pow(1 + 0.01 * 6 / 2, -k), 1e-12) << k;
  }
}

TEST(ViscousFriction, ActsBesideCoulombs) {
  Simulator simulator = MakeSlider("0.2", 0);
  double v = 3;
  for (int k = 1; k <= 150; ++k) {
    Step(&simulator);
    v = std::max(0.0, (v - 0.01 * 0.2 * 10 / 2) / (1 + 0.01 * 6 / 2));
    EXPECT_NEAR(simulator.state().v[0], v, 1e-12) << k;
  }
  EXPECT_EQ(v, 0);
}

TEST(ViscousFriction, ActsOnlyWhileTheContactIsClosed) {
  Simulator simulator = MakeSlider("0", 1);
  // The first step begins at the ground, the others fly for 0.2 s.
  for (int k = 1; k <= 19; ++k) {
    Step(&simulator);
    EXPECT_NEAR(simulator.state().v[0], 3 / 1.03, 1e-13) << k;
  }
  for (int k = 0; k < 10; ++k) Step(&simulator);
  EXPECT_LT(simulator.state().v[0], 3 / 1.03 / 1.03);
}

}  // namespace
}  // namespace voigt
