// The cone with normal laws that are not linear.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "tests/support/random_problem.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt {
namespace {

using testing::MakeRandomProblem;
using testing::RandomProblem;
using testing::RandomProblemOptions;

constexpr int kProblems = 600;

Solution Solve(const VelocityProblem& problem, const VecX& start = VecX()) {
  CompliantSettings settings;
  settings.friction = FrictionMode::kCone;
  settings.tolerance = 1e-13;
  Compliant compliant(settings);
  Solution out;
  compliant.Solve(problem, start, &out);
  return out;
}

RandomProblem MakeProblem(int seed, bool allow_redundant = true) {
  RandomProblemOptions options;
  options.force_laws = true;
  options.allow_redundant = allow_redundant;
  return MakeRandomProblem(seed, options);
}

// Of velocities, or of `least`.
double Difference(const Solution& a, const Solution& b, double least = 0) {
  const double scale = std::max(a.v1.cwiseAbs().maxCoeff(), least);
  return (a.v1 - b.v1).cwiseAbs().maxCoeff() / scale;
}

// What says that it is solved is; hardly any is not.
TEST(ConeForceLaws, AreSolvedToTheTolerance) {
  LawResidual law;
  int pushing = 0, unsolved = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    const RandomProblem random = MakeProblem(seed);
    const VelocityProblem& problem = random.problem();
    const Solution solution = Solve(problem);
    EXPECT_TRUE(solution.gamma.allFinite() && solution.v1.allFinite()) << seed;
    if (solution.status != SolveStatus::kSolved) {
      ++unsolved;
      continue;
    }
    EXPECT_LE(law.Calc(problem, solution.gamma, {FrictionMode::kCone}), 1e-12) << seed;
    for (const RowGroup& group : problem.groups) {
      pushing +=
          !group.force_law.is_linear() && group.mu > 0 && solution.gamma[group.first_row] > 0;
    }
  }
  EXPECT_GT(pushing, kProblems / 4);
  EXPECT_LE(unsolved, kProblems / 200);
}

// The rate that belongs to an impulse, by bisection.
double FindRate(const ForceLaw& law, double gamma, double phi, double h) {
  double low = -1e6, high = 1e6;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (CalcForceLaw(law, middle, phi, h).gamma > gamma ? low : high) = middle;
  }
  return low;
}

// A spring and damper that has the law's impulse and slope at the solution has the same solution.
TEST(ConeForceLaws, AreTheirTangentsAtTheSolution) {
  LawResidual law;
  int replaced = 0, unsolved = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    const RandomProblem random = MakeProblem(seed, /*allow_redundant=*/false);
    const Solution solution = Solve(random.problem());
    VelocityProblem linear = random.problem();
    for (RowGroup& group : linear.groups) {
      Row& row = linear.rows[group.first_row];
      const double gamma = solution.gamma[group.first_row];
      if (group.force_law.is_linear() || !(gamma > 0)) continue;
      const double rate = FindRate(group.force_law, gamma, row.phi, linear.h);
      const ForceLawTangent tangent = CalcForceLawTangent(group.force_law, rate, row.phi, linear.h);
      if (!std::isfinite(tangent.R)) continue;
      row.R = tangent.R;
      row.v_hat = tangent.b;
      group.force_law = {};
      ++replaced;
    }
    const Solution other = Solve(linear);
    if (solution.status != SolveStatus::kSolved || other.status != SolveStatus::kSolved) {
      ++unsolved;
      continue;
    }
    // Impulses may make velocities that are thousands of times as large and take them back, which
    // leaves their rounding.
    law.Calc(random.problem(), solution.gamma, {FrictionMode::kCone});
    EXPECT_LT(Difference(solution, other, 1e-3 * law.scale()), 1e-9) << seed;
  }
  EXPECT_GT(replaced, kProblems / 4);
  EXPECT_LE(unsolved, kProblems / 200);
}

TEST(ConeForceLaws, DoNotDependOnTheStart) {
  std::mt19937 random_start(1);
  std::normal_distribution<double> normal;
  for (int seed = 0; seed < kProblems; ++seed) {
    const RandomProblem random = MakeProblem(seed, /*allow_redundant=*/false);
    const VecX start =
        VecX::NullaryExpr(random.problem().row_count(), [&] { return normal(random_start); });
    const Solution a = Solve(random.problem()), b = Solve(random.problem(), start);
    EXPECT_EQ(b.status, SolveStatus::kSolved) << seed;
    EXPECT_LT(Difference(a, b), 1e-9) << seed;
  }
}

// A user's law that is Hertz's.
class OwnHertz : public UserForceLaw {
 public:
  explicit OwnHertz(double stiffness) : stiffness_(stiffness) {}
  ForceLawValue Calc(double phi_dot, double phi, double h) const override {
    const double d = -phi - h * phi_dot;
    if (!(d > 0)) return {};
    return {h * stiffness_ * std::pow(d, 1.5), 1.5 * h * h * stiffness_ * std::sqrt(d),
            0.4 * stiffness_ * std::pow(d, 2.5)};
  }

 private:
  double stiffness_;
};

TEST(ConeForceLaws, MayBeTheUsers) {
  int replaced = 0;
  for (int seed = 0; seed < 100; ++seed) {
    const RandomProblem random = MakeProblem(seed, /*allow_redundant=*/false);
    VelocityProblem own = random.problem();
    for (RowGroup& group : own.groups) {
      if (group.force_law.kind != ForceLaw::Kind::kHertz) continue;
      const double stiffness = group.force_law.stiffness;
      group.force_law = {};
      group.force_law.kind = ForceLaw::Kind::kUser;
      group.force_law.user = std::make_shared<OwnHertz>(stiffness);
      ++replaced;
    }
    const Solution a = Solve(random.problem()), b = Solve(own);
    EXPECT_EQ(b.status, SolveStatus::kSolved) << seed;
    EXPECT_LT(Difference(a, b), 1e-9) << seed;
  }
  EXPECT_GT(replaced, 20);
}

}  // namespace
}  // namespace voigt
