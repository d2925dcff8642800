#include "voigt/steppers/adaptive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/sim/energy.h"

namespace voigt {
namespace {

TEST(AdaptiveIntegrator, ConservesEnergyToRounding) {
  for (const char* name : {"pendulum", "double_pendulum", "arm", "tumbling_box", "spinning_top"}) {
    const Scene scene = testing::LoadNamedScene(name);
    AdaptiveIntegrator integrator(scene.model);
    State state = scene.initial;
    Kinematics kin(scene.model);
    const double start = CalcEnergy(scene.model, state, &kin).Total();
    ASSERT_TRUE(integrator.AdvanceTo(1.0, &state));
    EXPECT_EQ(state.t, 1.0);
    const Energy end = CalcEnergy(scene.model, state, &kin);
    EXPECT_NEAR(end.Total(), start, 1e-10 * (std::abs(start) + end.kinetic)) << name;
  }
}

TEST(AdaptiveIntegrator, AccountsForTheWorkOfLoadsDampersAndServos) {
  for (const char* name : {"joint_zoo", "humanoid"}) {
    const Scene scene = testing::LoadNamedScene(name);
    AdaptiveIntegrator integrator(scene.model);
    State state = scene.initial;
    Kinematics kin(scene.model);
    const double start = CalcEnergy(scene.model, state, &kin).Total();
    ASSERT_TRUE(integrator.AdvanceTo(0.5, &state));
    const double end = CalcEnergy(scene.model, state, &kin).Total();
    EXPECT_GT(std::abs(integrator.work()), 1e-3);
    EXPECT_NEAR(end - start, integrator.work(), 1e-9 * (1 + std::abs(start))) << name;
  }
}

TEST(AdaptiveIntegrator, DoesNotDependOnTheIntervalsAsked) {
  const Scene scene = testing::LoadNamedScene("double_pendulum");
  AdaptiveIntegrator once(scene.model), often(scene.model);
  State a = scene.initial, b = scene.initial;
  ASSERT_TRUE(once.AdvanceTo(1.0, &a));
  for (int i = 1; i <= 100; ++i) ASSERT_TRUE(often.AdvanceTo(0.01 * i, &b));
  EXPECT_LT((a.q - b.q).norm() + (a.v - b.v).norm(), 1e-9);
}

TEST(AdaptiveIntegrator, StopsWithTheLastGoodStateAtASingularity) {
  const Scene scene = ParseScene(R"(
bodies: [{name: cart, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, child: cart, axis: [1, 0, 0]}]
loads: [{joint: rail, force: sqrt(0.5 - t)}]
)",
                                 "scene");
  AdaptiveIntegrator integrator(scene.model);
  State state = scene.initial;
  EXPECT_FALSE(integrator.AdvanceTo(1.0, &state));
  EXPECT_TRUE(state.IsFinite());
  EXPECT_NEAR(state.t, 0.5, 1e-3);
}

}  // namespace
}  // namespace voigt
