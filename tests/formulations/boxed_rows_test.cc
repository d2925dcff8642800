// Limits, drives and dry friction that hold the same coordinates: who gives way.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "tests/support/all_digits.h"
#include "tests/support/bounded_problem.h"
#include "tests/support/dense_problem.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::MakeProblem;
using testing::RandomMatrix;

// A coordinate of inertia m that leaves a limit with v*, held back by dry friction of at most F,
// where the limit asks for a hair more than rest, v̂ ≪ v*. Friction that could hold it at rest has
// to give way: γ_f = −F, γ_l = (v̂ − v* + F/m) / (1/m + R), for soft limits v̂/R if that is less than
// what friction has left.
TEST(BoxedRows, FrictionGivesWayToALimit) {
  const double m = 2, F = 0.2;
  for (const double R : {0.0, 1e-12, 1e-9, 1e-6, 1e-3}) {
    for (const double hair : {1e-16, 1e-13, 3e-12, 1e-9, 1e-5}) {
      for (const double v_star : {1e-3, 0.036, 0.09}) {
        SCOPED_TRACE(::testing::Message() << "R " << R << " hair " << hair << " v* " << v_star);
        OwnedProblem owned = MakeProblem(MatX::Constant(1, 1, m), VecX::Constant(1, v_star), 0.01);
        AddGroup(Law::kUnilateral, MatX::Ones(1, 1), &owned);
        AddGroup(Law::kBounded, MatX::Ones(1, 1), &owned);
        VelocityProblem& problem = owned.problem;
        problem.rows[0].R = R;
        problem.rows[0].v_hat = hair;
        problem.rows[1].lower = -F;
        problem.rows[1].upper = F;
        Compliant compliant(testing::AllDigits<CompliantSettings>());
        Solution solution;
        for (const VecX& guess : {VecX(), VecX(Vec2(1.7, F)), VecX(Vec2(0, -F))}) {
          compliant.Solve(problem, guess, &solution);
          ASSERT_EQ(solution.status, SolveStatus::kSolved) << solution.residual;
          const double friction = solution.gamma[1], limit = solution.gamma[0];
          EXPECT_NEAR(m * (solution.v1[0] - v_star), limit + friction, 1e-15);
          const double at_rest = R > 0 ? hair / R : kInfinity;
          const double room = F - m * v_star;
          if (at_rest <= room) {
            EXPECT_NEAR(solution.v1[0], 0, 1e-13);
            EXPECT_NEAR(R * limit, hair, 1e-13);
          } else if (hair > 1e-12) {
            EXPECT_NEAR(friction, -F, 1e-15);
            EXPECT_NEAR(limit, (hair - v_star + F / m) / (1 / m + R), 1e-10);
          }
        }
      }
    }
  }
}

// Random rows of all kinds, some of them the same row twice and a hair apart, against the
// conditions of their minimum, row by row.
TEST(BoxedRows, SolutionsMeetTheConditionsOfTheirProgram) {
  std::mt19937 random(5);
  int hard = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const OwnedProblem owned = testing::MakeBoundedProblem(trial, &random);
    const VelocityProblem& problem = owned.problem;
    const int nc = problem.row_count();
    Compliant compliant(testing::AllDigits<CompliantSettings>());
    Solution solution;
    compliant.Solve(problem, VecX::Constant(nc, 1), &solution);
    hard += solution.stats.solved_by > Attempt::kConvexProgram;
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << trial << " residual " << solution.residual;
    const MatX G = problem.ToDenseG();
    const VecX u = G * solution.v1;
    const double scale =
        problem.v_star.cwiseAbs().maxCoeff() + solution.gamma.cwiseAbs().maxCoeff();
    for (int i = 0; i < nc; ++i) {
      const Row& row = problem.rows[i];
      const bool is_bounded = row.upper > 0;
      const double gamma = solution.gamma[i], slack = u[i] - row.v_hat + row.R * gamma;
      if (problem.groups[i].law == Law::kBilateral) {
        EXPECT_NEAR(slack, 0, 4e-12 * scale);
        continue;
      }
      const double lower = is_bounded ? row.lower : 0, upper = is_bounded ? row.upper : kInfinity;
      EXPECT_GE(gamma, lower) << gamma - lower;
      EXPECT_LE(gamma, upper) << gamma - upper;
      if (slack > 4e-12 * scale) {
        EXPECT_LT(gamma - lower, 4e-12 * scale) << trial << ", row " << i;
      }
      if (slack < -4e-12 * scale) {
        EXPECT_LT(upper - gamma, 4e-12 * scale) << trial << ", row " << i;
      }
    }
    EXPECT_LT((solution.v1 - problem.v_star - G.transpose() * solution.gamma).norm(),
              1e-13 * scale);
  }
  EXPECT_GT(hard, 0);
  RecordProperty("hard", hard);
}

}  // namespace
}  // namespace voigt
