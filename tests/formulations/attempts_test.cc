// Each attempt of the plans alone, on random problems, beside the whole plan.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/bounded_problem.h"
#include "tests/support/random_problem.h"
#include "tests/support/solve_with.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt {
namespace {

using testing::SolveFrom;

// What is left of a plan.
struct Part {
  Attempt attempt;
  FrictionMode friction;
  bool has_contacts;   // besides rows that are held, push or have bounds
  double least_share;  // of problems that it solves, of those that the whole plan does
};

OwnedProblem MakeProblemFor(const Part& part, int seed) {
  if (part.has_contacts) return testing::MakeRandomProblem(seed).owned;
  std::mt19937 random(seed);
  return testing::MakeBoundedProblem(seed, &random);
}

// From the impulses of a step before, which had other velocities.
class Attempts : public ::testing::TestWithParam<Part> {};

TEST_P(Attempts, AloneSolveWhatTheySayTheyDo) {
  constexpr int kProblems = 300;
  const Part& part = GetParam();
  CompliantSettings whole;
  whole.friction = part.friction;
  CompliantSettings alone = whole;
  alone.attempts = AttemptSet::Only(part.attempt);
  int solvable = 0, solved = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    OwnedProblem owned = MakeProblemFor(part, seed);
    const VecX v_star = owned.problem.v_star;
    owned.problem.v_star = 1.01 * v_star;
    const VecX start = SolveFrom({}, owned.problem, whole).gamma;
    owned.problem.v_star = v_star;
    const Solution by_all = SolveFrom(start, owned.problem, whole);
    const bool is_nothing = by_all.stats.solved_by == Attempt::kNothing;
    if (by_all.status != SolveStatus::kSolved || is_nothing) continue;
    ++solvable;
    const Solution by_one = SolveFrom(start, owned.problem, alone);
    EXPECT_TRUE(by_one.v1.allFinite()) << seed;
    if (by_one.status != SolveStatus::kSolved) {
      EXPECT_EQ(by_one.stats.solved_by, Attempt::kNone) << seed;
      continue;
    }
    // Impulses of the step before that are right as they are need no attempt.
    const bool needs_none = by_one.stats.solved_by == Attempt::kNothing;
    EXPECT_TRUE(needs_none || by_one.stats.solved_by == part.attempt) << seed;
    ++solved;
    EXPECT_LE(testing::JudgeSolution(owned.problem, by_one).law, 1e-8) << seed;
  }
  EXPECT_GE(solvable, kProblems / 2);
  EXPECT_GE(solved, part.least_share * solvable) << solved << " of " << solvable;
}

std::string NameOf(const ::testing::TestParamInfo<Part>& info) {
  std::string out =
      std::string(ToString(info.param.attempt)) + '_' +
      (info.param.has_contacts ? std::string(ToString(info.param.friction)) : "bounds");
  for (char& c : out) c = c == '-' ? '_' : c;
  return out;
}

constexpr FrictionMode kCoulomb = FrictionMode::kCoulomb, kCone = FrictionMode::kCone;

INSTANTIATE_TEST_SUITE_P(Of, Attempts,
                         ::testing::Values(Part{Attempt::kLastImpulses, kCoulomb, true, 0.9},
                                           Part{Attempt::kLocalSweeps, kCoulomb, true, 0.85},
                                           Part{Attempt::kConvexProgram, kCoulomb, true, 0.75},
                                           Part{Attempt::kInteriorPoint, kCoulomb, true, 0.2},
                                           Part{Attempt::kImplicit, kCoulomb, true, 0.8},
                                           Part{Attempt::kProximalSteps, kCoulomb, true, 0.85},
                                           Part{Attempt::kConvexProgram, kCone, true, 0.97},
                                           Part{Attempt::kProximalSteps, kCone, true, 0.96},
                                           Part{Attempt::kCones, kCone, true, 0.94},
                                           Part{Attempt::kConvexProgram, kCoulomb, false, 1},
                                           Part{Attempt::kCarefulSteps, kCoulomb, false, 1},
                                           Part{Attempt::kPivots, kCoulomb, false, 1},
                                           Part{Attempt::kProximalSteps, kCoulomb, false, 1}),
                         NameOf);

TEST(AttemptNames, AreReadAsTheyAreWritten) {
  for (int i = 0; i < kAttemptCount; ++i) {
    const Attempt attempt = static_cast<Attempt>(i);
    EXPECT_EQ(AttemptFromString(ToString(attempt)), attempt);
  }
  EXPECT_EQ(AttemptFromString("magic"), std::nullopt);
}

// With nothing to try nothing is solved, and that is told.
TEST(NoAttempts, SolveNothing) {
  CompliantSettings settings;
  settings.attempts = AttemptSet();
  for (int seed = 0; seed < 20; ++seed) {
    const testing::RandomProblem random = testing::MakeRandomProblem(seed);
    const Solution whole = SolveFrom({}, random.problem());
    if (whole.gamma.norm() == 0) continue;
    const Solution out = SolveFrom({}, random.problem(), settings);
    EXPECT_EQ(out.stats.solved_by, Attempt::kNone) << seed;
    EXPECT_FALSE(IsSolved(out.status)) << seed;
    EXPECT_TRUE(out.v1.allFinite()) << seed;
  }
}

}  // namespace
}  // namespace voigt
