// Scenes by the integrator event-driven: a closed solution, and runs that are stopped on their way.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

// With every impact the block keeps (1 − (3/2) sin²α)² of its energy, and nothing else takes any
// [Housner 1963]. The error is 1.4e-5 and varies with the step, more than the integrator's
// tolerance: perhaps since rates of contact points are differentiated over a motion of 1e-3, which
// just before the impact goes past it.
TEST(RockingBlock, LosesAtEveryImpactWhatRigidBodiesDo) {
  const Scene scene = testing::LoadNamedScene("rocking_block");
  Simulator simulator = testing::MakeSimulator(scene);
  const double sine = 0.2 / std::hypot(0.2, 0.6), kept = 1 - 1.5 * sine * sine;
  const double at_rest = 10 * 9.81 * 0.3;
  const double start = simulator.CalcEnergy().Total() - at_rest;
  int seen = 0;
  while (simulator.state().t < 1.5) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const long impacts = simulator.events().impacts;
    const double expected = start * std::pow(kept, 2 * static_cast<double>(impacts));
    EXPECT_NEAR(simulator.CalcEnergy().Total() - at_rest, expected, 1e-4 * start) << impacts;
    seen += impacts > 0;
  }
  EXPECT_GT(seen, 30);
  EXPECT_GE(simulator.events().impacts, 5);
}

// A step that is stopped in the middle leaves nothing behind: the run goes on bit by bit as it
// would have.
TEST(EventDriven, StopsWithinAStepAndGoesOn) {
  Scene scene = testing::LoadNamedScene("rocking_block");
  scene.settings.step = 0.5;
  Simulator whole = testing::MakeSimulator(scene), stopped = testing::MakeSimulator(scene);
  ASSERT_EQ(whole.Step(), StepStatus::kOk);
  ASSERT_EQ(stopped.Step(), StepStatus::kOk);
  const State before = stopped.state();
  const long impacts = stopped.events().impacts, steps = stopped.steps();
  const double work = stopped.constraint_work();
  int asked = 0;
  stopped.SetStop([&] { return ++asked > 3; });
  EXPECT_EQ(stopped.Step(), StepStatus::kStopped);
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(stopped.status(), StepStatus::kOk);
  EXPECT_EQ(stopped.state().t, before.t);
  EXPECT_EQ(stopped.state().q, before.q);
  EXPECT_EQ(stopped.events().impacts, impacts);
  EXPECT_EQ(stopped.constraint_work(), work);
  EXPECT_EQ(stopped.steps(), steps);
  stopped.SetStop(nullptr);
  ASSERT_EQ(whole.Step(), StepStatus::kOk);
  ASSERT_EQ(stopped.Step(), StepStatus::kOk);
  EXPECT_EQ(stopped.state().q, whole.state().q);
  EXPECT_EQ(stopped.state().v, whole.state().v);
  EXPECT_EQ(stopped.events().impacts, whole.events().impacts);
  EXPECT_EQ(stopped.audit().steps, whole.audit().steps);
}

// Run ends there, and says so.
TEST(EventDriven, EndsARunWithinAStep) {
  Scene scene = testing::LoadNamedScene("rocking_block");
  scene.settings.step = 3;
  Simulator simulator = testing::MakeSimulator(scene);
  int asked = 0;
  const RunSummary summary = voigt::Run(&simulator, nullptr, nullptr, [&] { return ++asked > 10; });
  EXPECT_TRUE(summary.stopped);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_EQ(summary.steps, 0);
  EXPECT_EQ(simulator.state().t, 0);
}

}  // namespace
}  // namespace voigt
