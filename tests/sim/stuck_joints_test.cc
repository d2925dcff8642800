// Joints that dry friction holds are at rest where steps end.

#include "voigt/sim/stuck_joints.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/sim/run.h"
#include "voigt/sim/step.h"

namespace voigt {
namespace {

// Eight joints of which the third and the last four stick while the others swing.
Scene LoadArm(const char* step) {
  return testing::LoadNamedScene(
      "eight_joint_arm",
      {{"parameters.dry", "0.25"}, {"parameters.viscous", "0.1"}, {"simulation.step", step}});
}

constexpr int kStuck[] = {2, 4, 5, 6, 7};

TEST(StuckJoints, HaveNoRateAndDoNotMove) {
  for (const char* step : {"0.02", "0.002"}) {
    const Scene scene = LoadArm(step);
    Simulator simulator = testing::MakeSimulator(scene);
    double fastest = 0;
    while (simulator.state().t < 1) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      for (int k : kStuck) {
        EXPECT_EQ(simulator.state().v[k], 0) << k;
        EXPECT_EQ(simulator.state().q[k], scene.initial.q[k]) << k;
      }
      fastest = std::max(fastest, std::abs(simulator.state().v[1]));
    }
    EXPECT_GT(fastest, 1);
  }
}

// So are those whose friction comes from the force in their bearing.
TEST(StuckJoints, StickByFrictionFromReactions) {
  for (const char* formulation : {"compliant", "mncp-plm"}) {
    SCOPED_TRACE(formulation);
    const Scene scene =
        testing::LoadNamedScene("pin_friction", {{"simulation.integrator", "semi-implicit-euler"},
                                                 {"simulation.formulation", formulation},
                                                 {"simulation.step", "0.01"}});
    Simulator simulator = testing::MakeSimulator(scene);
    while (simulator.state().t < 22) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const double angle = simulator.state().q[0];
    EXPECT_GT(std::abs(angle), 1e-3);  // off the vertical: friction bears the weight
    while (simulator.state().t < 23) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      EXPECT_EQ(simulator.state().v[0], 0);
      EXPECT_EQ(simulator.state().q[0], angle);
    }
  }
}

// What is carried over makes the next step the one that would have followed without all this: the
// same step from the rates v′ + M⁻¹ c.
TEST(StuckJoints, StepOnAsIfInertiaHadNotBeenStopped) {
  const Scene scene = LoadArm("0.01");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  State stopped = simulator.state();
  ASSERT_GT(stopped.carried.lpNorm<Eigen::Infinity>(), 1e-4);
  State moving = stopped;
  Configuration at(scene.model);
  ASSERT_TRUE(at.Update(scene.model, moving.q));
  VecX scratch;
  AddCarried(scene.model, at, &moving, &scratch);
  moving.carried.setZero();
  EXPECT_GT(std::abs(moving.v[2]), 1e-4);

  StepWorkspace workspace(scene.model);
  ASSERT_EQ(Step(scene.model, 0.01, &stopped, &workspace), StepStatus::kOk);
  ASSERT_EQ(Step(scene.model, 0.01, &moving, &workspace), StepStatus::kOk);
  EXPECT_LE((stopped.q - moving.q).lpNorm<Eigen::Infinity>(), 1e-14);
  EXPECT_LE((stopped.v - moving.v).lpNorm<Eigen::Infinity>(), 1e-12);
}

// A rate within what solvers were asked for is none.
TEST(StuckJoints, AreJudgedByTheAccuracyThatWasAskedFor) {
  const Scene scene = LoadArm("0.01");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  Solution solution = simulator.solution();
  solution.v1[2] = 5e-8 * solution.v1.lpNorm<Eigen::Infinity>();
  StuckJoints stuck(simulator.model());
  const ConstraintSet constraints(simulator.model());
  for (const double tolerance : {1e-8, 1e-12}) {
    solution.tolerance = tolerance;
    stuck.Find(constraints, simulator.problem(), solution);
    VecX v = solution.v1;
    stuck.KeepStill(&v);
    EXPECT_EQ(v[2] == 0, tolerance == 1e-8) << tolerance;
  }
}

// The projection against its definition, by dense algebra: M (v − v′) acts in the joints that stick
// alone, and takes ½ (v − v′)ᵀ M (v − v′).
TEST(StuckJoints, StopWithTheLeastEnergy) {
  const Scene scene = LoadArm("0.01");
  const Model& model = scene.model;
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  Configuration at(model);
  ASSERT_TRUE(at.Update(model, simulator.state().q));
  const MatX M = model.tree().pattern.ToDense(at.M());

  const ConstraintSet constraints(model);
  StuckJoints stuck(model);
  stuck.Find(constraints, simulator.problem(), simulator.solution());
  const VecX v = VecX::LinSpaced(model.nv(), -1, 2);
  VecX stopped = v;
  stuck.Stop(model, at, &stopped);
  const VecX taken = M * (v - stopped);
  int stuck_count = 0;
  for (int k = 0; k < model.nv(); ++k) {
    if (stopped[k] == 0) {
      ++stuck_count;
      continue;
    }
    EXPECT_EQ(stuck.carried()[k], 0) << k;
    EXPECT_NEAR(taken[k], 0, 1e-13) << k;
  }
  for (int k : kStuck) EXPECT_EQ(stopped[k], 0) << k;
  EXPECT_LT(stuck_count, model.nv());
  EXPECT_LE((taken - stuck.carried()).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_NEAR(stuck.energy().sum(), 0.5 * (v - stopped).dot(taken), 1e-13);
}

// Friction at rest does no work, and the books close to rounding: what the integrator seemed to
// make of joints that stuck was a motion across them that nobody could see.
TEST(StuckJoints, LeaveTheBooksClosed) {
  const Scene scene = LoadArm("0.01");
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_LE(summary.balance.unexplained(), 1e-12 * summary.balance.scale);
}

}  // namespace
}  // namespace voigt
