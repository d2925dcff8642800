// Friction cones that are pointed, and configurations in which they are not.

#include "voigt/formulations/impulse_space/pointed_cone.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

// A ball in a groove whose sides make the angle α with the plane between them: their normals make
// it with the line from one contact to the other. It jams where that line is within both friction
// cones, μ ≥ tan α.
Scene MakeGroove(double alpha, double mu) {
  constexpr double kDepth = 1e-6;
  const double tilt = 0.5 * std::numbers::pi - alpha;
  const double x = (0.5 - kDepth) * std::cos(alpha), z = -(0.5 - kDepth) * std::sin(alpha);
  return ParseScene(fmt::format(R"(
materials: {{default: {{friction: {}}}}}
world:
  geometry:
    - {{shape: half-space, position: [{}, 0, {}], rpy: [0, {}, 0]}}
    - {{shape: half-space, position: [{}, 0, {}], rpy: [0, {}, 0]}}
bodies: [{{name: ball, geometry: [{{shape: sphere, radius: 0.5, density: 1000}}]}}]
joints: [{{name: free, type: free, child: ball}}]
simulation: {{step: 1e-3, formulation: mncp-plm, check_pointed: true}}
)",
                                mu, -x, z, tilt, x, z, -tilt),
                    "groove");
}

PointedCone::Result CheckFirstStep(const Scene& scene, ConeTotals* totals = nullptr) {
  Simulator simulator = testing::MakeSimulator(scene);
  EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  if (totals != nullptr) *totals = simulator.cones();
  const PointedCone::Result result =
      PointedCone().Calc(simulator.problem(), simulator.solution().gamma);
  EXPECT_TRUE(result.is_certain);
  EXPECT_EQ(result.margin, simulator.cones().least_margin);
  return result;
}

TEST(PointedCone, OfAGrooveIsPointedUntilItJams) {
  for (double alpha : {0.2, 0.5, 1.0}) {
    for (double part : {0.0, 0.5, 0.99, 0.9999}) {
      const auto result = CheckFirstStep(MakeGroove(alpha, part * std::tan(alpha)));
      EXPECT_TRUE(result.is_pointed()) << alpha << ", " << part << ": " << result.margin;
    }
    for (double part : {1.0001, 1.01, 2.0}) {
      const auto result = CheckFirstStep(MakeGroove(alpha, part * std::tan(alpha)));
      EXPECT_FALSE(result.is_pointed()) << alpha << ", " << part << ": " << result.margin;
    }
  }
}

// Without friction, two normals of one kilogram at the angle π − 2α: the least sum is half of
// |n₁ + n₂| = 2 sin α.
TEST(PointedCone, MarginIsTheLeastSumOfImpulses) {
  for (double alpha : {0.2, 0.5, 1.0}) {
    EXPECT_NEAR(CheckFirstStep(MakeGroove(alpha, 0)).margin, std::sin(alpha), 1e-6);
  }
}

TEST(PointedCone, RunsCountWhereItIsNot) {
  ConeTotals totals;
  CheckFirstStep(MakeGroove(0.5, 1), &totals);
  EXPECT_EQ(totals.not_pointed, 1);
  EXPECT_EQ(totals.first, 0);
  CheckFirstStep(MakeGroove(0.5, 0.1), &totals);
  EXPECT_EQ(totals.not_pointed, 0);
}

// A box clamped between two walls: opposite normals cancel without any friction. Alone on the
// floor its cone is pointed.
TEST(PointedCone, OfAClampedBoxIsNotPointed) {
  const auto make = [](const char* second) {
    return ParseScene(fmt::format(R"(
materials: {{default: {{friction: 0}}}}
world:
  geometry:
    - {{shape: half-space}}
    {}
bodies: [{{name: box, geometry: [{{shape: box, size: [1, 1, 1], density: 1000}}]}}]
joints: [{{name: free, type: free, child: box}}]
initial: {{free: {{position: [0, 0, 0.499999]}}}}
simulation: {{step: 1e-3, formulation: stabilized-lcp, check_pointed: true}}
)",
                                  second),
                      "clamp");
  };
  EXPECT_TRUE(CheckFirstStep(make("")).is_pointed());
  EXPECT_FALSE(
      CheckFirstStep(make("- {shape: half-space, position: [0, 0, 0.999998], rpy: [pi, 0, 0]}"))
          .is_pointed());
}

TEST(PointedCone, IsInfinitelyPointedWithoutContacts) {
  Scene scene = MakeGroove(0.5, 1);
  scene.initial.q[2] += 1;
  const auto result = CheckFirstStep(scene);
  EXPECT_TRUE(std::isinf(result.margin));
  EXPECT_TRUE(result.is_pointed());
}

}  // namespace
}  // namespace voigt
