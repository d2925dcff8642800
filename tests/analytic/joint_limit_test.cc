// A pendulum against a stop of 1e12 N m/rad [Drumwright 2019, §6.3]. Reference values are those of
// the scheme itself, computed independently; the exact bounce is elastic.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

using testing::LoadNamedScene;
using testing::MakeSimulator;

double AngleAfterOneSecond(double h, const char* K = "1e12") {
  const Scene scene = LoadNamedScene("joint_limit", {{"parameters.K", K}});
  SimulationSettings settings = scene.settings;
  settings.step = h;
  Simulator simulator(scene.model, settings, scene.initial);
  const long steps = std::lround(1 / h);
  for (long i = 0; i < steps; ++i) simulator.Step();
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  return simulator.state().q[0];
}

TEST(JointLimit, BouncesAsTheImplicitSchemeDoes) {
  EXPECT_NEAR(AngleAfterOneSecond(1e-5), 0.00738743, 1e-8);
}

TEST(LongJointLimit, ConvergesToTheElasticBounceAtFirstOrder) {
  EXPECT_NEAR(AngleAfterOneSecond(1e-6), 0.33932342, 1e-7);
  EXPECT_NEAR(AngleAfterOneSecond(1e-7), 1.18875331, 1e-6);
}

// With 1e6 N m/rad the contact lasts long enough for ordinary steps.
TEST(JointLimit, IsOfFirstOrderWhereTheStepResolvesTheContact) {
  const double exact = 1.39932691220;
  const double coarse = exact - AngleAfterOneSecond(1e-4, "1e6");
  const double fine = exact - AngleAfterOneSecond(1e-5, "1e6");
  EXPECT_NEAR(coarse, 0.213, 5e-4);
  EXPECT_NEAR(fine, 2.33e-2, 5e-5);
}

}  // namespace
}  // namespace voigt
