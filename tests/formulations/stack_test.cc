// Stacks of spheres: chains of contacts, which have a factor of their own.

#include <gtest/gtest.h>

#include <random>

#include "voigt/formulations/compliant/compliant.h"
#include "voigt/io/scene.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

// A stack that is pushed and spun in all directions, so that contacts stick, slide and part.
Simulator MakeDisturbedStack(std::mt19937* random) {
  const Scene scene = LoadScene(std::string(VOIGT_SOURCE_DIR) + "/scenes/sphere_stack.yaml",
                                {{"parameters.n", "8"},
                                 {"parameters.gap", "0.001"},
                                 {"parameters.K", "1e8"},
                                 {"simulation.step", "0.002"}});
  State initial = scene.initial;
  std::normal_distribution<double> normal;
  for (double& rate : initial.v) rate = 0.3 * normal(*random);
  return Simulator(scene.model, scene.settings, initial);
}

TEST(Stack, IsSolvedAndHeldAsByADenseFactor) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Simulator simulator = MakeDisturbedStack(&random);
  CompliantSettings dense_settings;
  dense_settings.inner = InnerSolver::kDense;
  Compliant chain, dense(dense_settings);
  int sliding = 0;
  for (int step = 0; step < 60; ++step) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const VelocityProblem& problem = simulator.problem();
    Solution by_chain, by_dense;
    chain.Solve(problem, {}, &by_chain);
    dense.Solve(problem, {}, &by_dense);
    ASSERT_EQ(by_chain.status, SolveStatus::kSolved) << step;
    ASSERT_EQ(by_dense.status, SolveStatus::kSolved) << step;
    const double fastest = by_dense.v1.lpNorm<Eigen::Infinity>();
    EXPECT_LT((by_chain.v1 - by_dense.v1).lpNorm<Eigen::Infinity>(), 1e-10 * fastest) << step;
    for (const RowGroup& group : problem.groups) {
      const double normal_impulse = by_dense.gamma[group.first_row];
      const double friction = by_dense.gamma.segment<2>(group.first_row + 1).norm();
      sliding += normal_impulse > 0 && friction > 0.999 * group.mu * normal_impulse;
    }

    VecX x(problem.nv());
    for (double& value : x) value = normal(random);
    VecX y = x, gamma_chain, gamma_dense;
    chain.SolveHeld(problem, &x, &gamma_chain);
    dense.SolveHeld(problem, &y, &gamma_dense);
    EXPECT_LT((x - y).norm(), 1e-6 * y.norm()) << step;
    EXPECT_LT((gamma_chain - gamma_dense).norm(), 1e-6 * gamma_dense.norm()) << step;
  }
  EXPECT_GT(sliding, 0);
}

}  // namespace
}  // namespace voigt
