// Robots as their users have them: feet with friction against spin and rolling, dry friction in
// every joint, limits and position servos. They stand in their keyframes, and are pushed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/data.h"
#include "tests/support/scenes.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

class StandingRobots : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!testing::HasReferenceData()) GTEST_SKIP() << "needs the reference data";
  }
};

// Steps are hardly ever unsolved, one in 500 on any machine, and cost a few steps of Newton's
// method, where they took 40 to 80.
TEST_P(StandingRobots, TakeFewStepsOfNewtonsMethod) {
  const std::string file =
      testing::ReferenceData(fmt::format("models/menagerie/unitree_{}/scene.xml", GetParam()));
  const Scene scene = ParseScene(
      fmt::format("include: [{{file: {}, keyframe: home}}]\nsimulation: {{step: 0.002}}\n", file),
      GetParam());
  Simulator simulator = testing::MakeSimulator(scene);
  const auto run_until = [&](double t) {
    while (simulator.state().t < t) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  };
  run_until(1);
  State pushed = simulator.state();
  pushed.v[4] += 0.5;
  simulator.SetState(pushed);
  run_until(2);
  const SolverTotals& solver = simulator.solver();
  EXPECT_LE(500 * solver.not_solved, simulator.steps());
  EXPECT_LT(solver.newton_iterations, 12 * simulator.steps());
  EXPECT_LT(simulator.audit().worst.momentum, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Unitree, StandingRobots, ::testing::Values("go1", "go2", "h1"),
                         [](const auto& entry) { return std::string(entry.param); });

}  // namespace
}  // namespace voigt
