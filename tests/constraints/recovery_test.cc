// How fast shapes that overlap are pushed apart.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

// v̂ of the first contact after a step of a sphere of 2 kg that overlaps the ground by 0.1 m, on a
// joint to the world.
Row FindNormalRow(const std::string& joint) {
  const Scene scene = ParseScene(
      "world: {geometry: [{shape: half-space}]}\n"
      "bodies: [{name: ball, mass: 2, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: "
      "0.5}]}]\n"
      "joints: [" +
          joint + "]\ngravity: [0, 0, 0]\nsimulation: {step: 0.01}\n",
      "recovery");
  Simulator simulator = testing::MakeSimulator(scene);
  EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_EQ(simulator.problem().groups.size(), 1u);
  return simulator.problem().rows[0];
}

TEST(Recovery, FreeBodiesArePushedAtTheGivenSpeed) {
  const Row row =
      FindNormalRow("{name: j, type: free, child: ball, frame: {position: [0, 0, 0.4]}}");
  EXPECT_EQ(row.v_hat, 1);
  EXPECT_NEAR(row.tau, 0.1 - 0.01, 1e-15);
}

// A hinge along x at a distance y beside the ball: a push of the ball upwards turns 1 + 2 y² kg m²
// with the arm y, w = y²/(1 + 2 y²), against 1/2 of the free ball.
TEST(Recovery, BodiesThatJointsHoldArePushedWithNoMoreEnergy) {
  for (double y : {0.01, 0.1, 1.0}) {
    const Row row = FindNormalRow(
        "{name: j, type: revolute, axis: [1, 0, 0], child: ball, frame: "
        "{position: [0, " +
        std::to_string(y) + ", 0.4]}, child_frame: {position: [0, " + std::to_string(y) + ", 0]}}");
    const double w = y * y / (1 + 2 * y * y);
    EXPECT_NEAR(row.v_hat, std::sqrt(2 * w), 1e-12) << y;
    EXPECT_NEAR(row.v_hat * (0.01 + row.tau), 0.1, 1e-12);
  }
}

}  // namespace
}  // namespace voigt
