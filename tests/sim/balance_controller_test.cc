#include "examples/balance_controller.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

using examples::BalanceController;

TEST(BalanceController, StandsUpFromATiltAndAfterAPush) {
  Simulator simulator = testing::MakeSimulator(testing::LoadNamedScene("balancing_robot"));
  BalanceController controller(simulator);
  const int body = *simulator.model().FindBody("body");
  double farthest = 0;
  while (simulator.state().t < 6) {
    const double t = simulator.state().t;
    simulator.inputs().wrenches.clear();
    if (t >= 1 && t < 1.1) {
      simulator.inputs().wrenches.push_back({body, {0, 0, 0.35}, {8, 0, 0}, Vec3::Zero()});
    }
    ASSERT_EQ(controller.Step(&simulator), StepStatus::kOk);
    farthest = std::max(farthest, std::abs(controller.tilt()));
  }
  EXPECT_GT(farthest, 0.04);  // there was something to do
  EXPECT_LT(farthest, 0.5);
  EXPECT_LT(std::abs(controller.tilt()), 0.005);
  EXPECT_LT(std::abs(controller.position()), 0.1);
  EXPECT_LT(simulator.CalcEnergy().kinetic, 1e-3);
  EXPECT_EQ(simulator.audit().failed, 0);
}

TEST(BalanceController, WithoutItTheRobotFalls) {
  Simulator simulator = testing::MakeSimulator(testing::LoadNamedScene("balancing_robot"));
  BalanceController controller(simulator);
  while (simulator.state().t < 1.5) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  controller.Measure(&simulator);
  EXPECT_GT(std::abs(controller.tilt()), 1);
}

TEST(BalanceController, AllocatesNothingOnceItIsWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer counts allocations itself";
  Simulator simulator = testing::MakeSimulator(testing::LoadNamedScene("balancing_robot"));
  BalanceController controller(simulator);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(controller.Step(&simulator), StepStatus::kOk);
  const long before = testing::CountAllocations();
  for (int i = 0; i < 100; ++i) controller.Step(&simulator);
  EXPECT_EQ(testing::CountAllocations(), before);
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
}

}  // namespace
}  // namespace voigt
