// Solvers that are stopped on the way, by the number of steps or by time: the best point so far is
// taken, the status says so, and the residual is what the audit finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/all_digits.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

struct LimitedRun {
  int solved = 0, stopped = 0, other = 0;
  long iterations = 0;  // Newton steps of all steps
  double worst_law = 0, off_audit = 0;
  double depth = 0;  // largest, m
};

// 100 steps of a house of cards: stacked, leaning, rigid and with friction.
LimitedRun RunHouse(const CompliantSettings& settings, SolveStatus expected) {
  Scene scene = testing::LoadNamedScene("card_house");
  scene.settings.formulation.compliant = settings;
  Simulator simulator = testing::MakeSimulator(scene);
  LimitedRun out;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    const Solution& solution = simulator.solution();
    const bool solved =
        solution.status == SolveStatus::kSolved || solution.status == SolveStatus::kRedundant;
    (solved ? out.solved : solution.status == expected ? out.stopped : out.other) += 1;
    out.iterations += solution.stats.newton_iterations;
    EXPECT_TRUE(solution.gamma.allFinite() && simulator.state().IsFinite());
    const Audit& audit = *simulator.step_audit();
    out.worst_law = std::max(out.worst_law, audit.law);
    out.off_audit =
        std::max(out.off_audit, std::fabs(solution.residual - audit.law) / (audit.law + 1e-12));
    out.depth = std::max(out.depth, audit.penetration);
    EXPECT_LE(audit.momentum, 1e-13);
    EXPECT_LE(audit.normal, 0);
    EXPECT_LE(audit.cone, 1e-15);
  }
  EXPECT_EQ(simulator.solver().not_solved, out.stopped + out.other);
  printf(
      "solved %d, stopped %d, other %d, %ld Newton steps, law %.1e, off audit %.1e, "
      "depth %.1e m\n",
      out.solved, out.stopped, out.other, out.iterations, out.worst_law, out.off_audit, out.depth);
  return out;
}

TEST(SolverLimits, StepsOfNewtonEndWithTheBestPointAndAStatus) {
  CompliantSettings settings = testing::AllDigits<CompliantSettings>();
  const LimitedRun free = RunHouse(settings, SolveStatus::kIterationLimit);
  EXPECT_EQ(free.solved, 100);
  settings.max_iterations = 1;
  const LimitedRun limited = RunHouse(settings, SolveStatus::kIterationLimit);
  EXPECT_GT(limited.stopped, 0);
  EXPECT_EQ(limited.other, 0);
  // Each pass of friction and of refinement takes one step at least: three per step here.
  EXPECT_LT(limited.iterations, free.iterations);
  EXPECT_LT(limited.off_audit, 1e-3);
  EXPECT_LT(limited.worst_law, 1e-6);
}

TEST(SolverLimits, TimeEndsWithTheBestPointAndAStatus) {
  CompliantSettings settings = testing::AllDigits<CompliantSettings>();
  settings.time_limit = 1e-9;
  const LimitedRun limited = RunHouse(settings, SolveStatus::kTimeLimit);
  EXPECT_EQ(limited.stopped, 100);
  // The residual is that of before impulses are put back into their cones, which have moved more
  // where a solve is cut short.
  EXPECT_LT(limited.off_audit, 0.2);
  // What is off by more than a hundredth goes to the convex cones, which have time of their own.
  EXPECT_LT(limited.worst_law, 1e-2);
}

}  // namespace
}  // namespace voigt
