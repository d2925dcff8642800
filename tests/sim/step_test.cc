#include "voigt/sim/step.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_model.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/sim/energy.h"
#include "voigt/sim/run.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

// (v₁ − v₀)/h tends to the acceleration with first order, for every joint and force.
TEST(Step, TendsToTheEquationsOfMotion) {
  for (const char* name : {"joint_zoo", "humanoid", "arm", "tumbling_coin", "spinning_top"}) {
    const Scene scene = testing::WithoutConstraints(testing::LoadNamedScene(name));
    const Model& model = scene.model;
    testing::Random random(3);
    State state = testing::MakeRandomState(model, &random);
    state.t = 0.7;
    EquationsOfMotion equations(model);
    VecX v_dot(model.nv());
    equations.CalcAcceleration(state.t, state.q, state.v, &v_dot);
    StepWorkspace workspace(model);
    const auto error = [&](double h) {
      State next = state;
      EXPECT_EQ(Step(model, h, &next, &workspace), StepStatus::kOk);
      return ((next.v - state.v) / h - v_dot).norm() / v_dot.norm();
    };
    EXPECT_NEAR(error(1e-5) / error(1e-6), 10, 1) << name;
    EXPECT_LT(error(1e-6), 1e-2) << name;
  }
}

TEST(Step, DoesNotDependOnWhatTheWorkspaceDidBefore) {
  const Scene scene = testing::LoadNamedScene("humanoid");
  StepWorkspace used(scene.model);
  State other = scene.initial;
  other.q[8] += 0.3;
  for (int i = 0; i < 5; ++i) Step(scene.model, 1e-3, &other, &used);
  State a = scene.initial, b = scene.initial;
  for (int i = 0; i < 5; ++i) {
    StepWorkspace fresh(scene.model);
    ASSERT_EQ(Step(scene.model, 1e-3, &a, &used), StepStatus::kOk);
    ASSERT_EQ(Step(scene.model, 1e-3, &b, &fresh), StepStatus::kOk);
  }
  EXPECT_EQ(a, b);
}

// The largest energy that no load explains in a long run, relative to the largest kinetic energy.
double LargestGainOf(const char* name, const char* step, const char* until) {
  const Scene scene = testing::LoadNamedScene(name, {{"simulation.step", step},
                                                     {"simulation.until", until},
                                                     {"simulation.record_interval", "0.1"}});
  Simulator simulator = testing::MakeSimulator(scene);
  Recorder recorder(scene.settings.record_interval);
  const RunSummary summary = Run(&simulator, &recorder);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  double gain = 0;
  for (const Sample& sample : recorder.samples()) {
    gain = std::max(gain, sample.energy.Total() - summary.start.Total() - sample.work);
  }
  return gain / summary.peak_kinetic;
}

// What a run that nothing drives ends with, of its largest kinetic energy.
double DriftOf(const char* name, const char* step, const char* until) {
  const Scene scene =
      testing::LoadNamedScene(name, {{"simulation.step", step}, {"simulation.until", until}});
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  return summary.Drift() / summary.peak_kinetic;
}

// Inertia that lost O(h³) in a step had 0.6, 5 and 2 % of it.
TEST(Step, MechanismsKeepTheirEnergyWhereStepsAreShort) {
  EXPECT_LT(std::abs(DriftOf("double_pendulum", "1e-3", "100")), 1e-3);
  EXPECT_LT(std::abs(DriftOf("arm", "1e-3", "10")), 3e-3);
  EXPECT_LT(std::abs(DriftOf("spinning_top", "1e-3", "100")), 1e-3);
}

TEST(Step, LongRunsUnderGravityDoNotGainEnergy) {
  EXPECT_LT(LargestGainOf("double_pendulum", "1e-3", "200"), 0.01);
  EXPECT_LT(LargestGainOf("double_pendulum", "5e-3", "200"), 0.05);
  EXPECT_LT(LargestGainOf("chain", "1e-3", "60"), 0.01);
  EXPECT_LT(LargestGainOf("chain", "5e-3", "300"), 0.01);
  EXPECT_LT(LargestGainOf("arm", "5e-3", "60"), 0.05);
}

// Mechanisms without forces: whatever the step, the energy never grows.
TEST(Step, NeverAddsEnergyToMechanismsWithoutForces) {
  for (const char* name : {"double_pendulum", "chain", "arm", "humanoid", "spinning_top"}) {
    for (const char* step : {"0.001", "0.01", "0.05", "0.2"}) {
      Scene scene = testing::WithoutConstraints(
          testing::LoadNamedScene(name, {{"gravity", "[0, 0, 0]"}, {"simulation.step", step}}));
      testing::Random random(5);
      scene.initial.v = testing::RandomRates(scene.model, &random, 20);
      Simulator simulator = testing::MakeSimulator(scene);
      double last = simulator.CalcEnergy().Total();
      for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(simulator.Step(), StepStatus::kOk) << name << " step " << step;
        const double energy = simulator.CalcEnergy().Total();
        ASSERT_LE(energy, last + 1e-12 * std::abs(last)) << name << " step " << step << " at " << i;
        last = energy;
      }
    }
  }
}

}  // namespace
}  // namespace voigt
