// What limits the step where constraints pull: forces act along G of the start of the step, so that
// the turning of their direction is explicit. A body on a rod swings like a double pendulum; the
// step is stable up to hω = 2 for its highest frequency, whatever the stiffness of the rod is.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

using testing::MakeSimulator;

constexpr double kGravity = 9.81, kRod = 1, kArm = 0.5, kGyration = 0.05;

// 1 kg on a rod without mass: angles α of the rod and β of the body,
// T = ½ (L α̇ + r β̇)² + ½ k² β̇², V = ½ g (L α² + r β²).
double HighestFrequency() {
  Eigen::Matrix2d M, K;
  M << kRod * kRod, kRod * kArm, kRod * kArm, kArm * kArm + kGyration * kGyration;
  K << kGravity * kRod, 0, 0, kGravity * kArm;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> solver(K, M);
  return std::sqrt(solver.eigenvalues()[1]);
}

// The largest tilt of the body in 100 steps, by the sine, from a start with 1e-4 rad/s.
double LargestTilt(double h, const std::string& stiffness) {
  const std::string scene_text = R"(
gravity: [0, 0, -9.81]
bodies: [{name: bob, mass: 1, inertia: [0.0025, 0.0025, 0.0025]}]
joints: [{name: fly, type: free, child: bob}]
constraints: [{name: rod, type: distance, body: bob, point: [0, 0, 0.5], on_point: [0, 0, 1.5], length: 1)" +
                                 stiffness + R"(}]
initial: {fly: {angular_velocity: [0, 1e-4, 0]}}
)";
  const Scene scene = ParseScene(scene_text, "scene");
  Simulator simulator = MakeSimulator(scene);
  double largest = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(simulator.Step(h), StepStatus::kOk);
    EXPECT_EQ(simulator.solution().status, SolveStatus::kSolved);
    EXPECT_LE(simulator.audit().worst.energy, 1e-12);
    // The quaternion's vector part.
    largest = std::max(largest, 2 * simulator.state().q.segment<3>(4).norm());
  }
  return largest;
}

TEST(GeometricStiffness, LimitsTheStepByTheFrequencyOfSwingingAlone) {
  const double limit = 2 / HighestFrequency();
  EXPECT_NEAR(limit, 0.03685, 1e-4);
  for (const char* stiffness :
       {"", ", stiffness: 1e9, damping: 1e6", ", stiffness: 1e12", ", stiffness: 1e5"}) {
    EXPECT_LT(LargestTilt(0.5 * limit, stiffness), 1e-5) << stiffness;
    EXPECT_LT(LargestTilt(0.98 * limit, stiffness), 1e-4) << stiffness;
    EXPECT_GT(LargestTilt(1.02 * limit, stiffness), 0.1) << stiffness;
  }
}

}  // namespace
}  // namespace voigt
