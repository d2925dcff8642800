#include <gtest/gtest.h>

#include "tests/support/all_digits.h"
#include "voigt/formulations/formulation.h"
#include "voigt/problem/problem_file.h"

namespace voigt {
namespace {

// A step of the twelve-link pendulum: two links next to each other lie on the floor, the hinge
// between them bent by a hair, and their balls all but repeat each other; one link touches the next
// but one. Nothing moves across the plane of the chain. The best impulses of convex passes lead the
// complementarity problem nowhere; from none it is a matter of a few steps.
TEST(WhippedChain, IsSolvedByCompliantAsByOthers) {
  const OwnedProblem owned = LoadProblem(VOIGT_SOURCE_DIR "/tests/support/whipped_chain.problem");
  const VelocityProblem& problem = owned.problem;
  VecX guess(problem.row_count());
  for (int r = 0; r < problem.row_count(); ++r) guess[r] = problem.rows[r].guess;
  const auto solve = [&](FormulationKind kind, const VecX& start) {
    FormulationSettings settings;
    settings.kind = kind;
    testing::AskForAllDigits(&settings);
    Solution solution;
    MakeFormulation(settings)->Solve(problem, start, &solution);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << ToString(kind) << ' ' << solution.residual;
    return solution;
  };
  const Solution other = solve(FormulationKind::kMlcpLemke, guess);
  for (const VecX& start : {VecX(), guess}) {
    const Solution own = solve(FormulationKind::kCompliant, start);
    EXPECT_LT((own.gamma - other.gamma).norm(), 1e-9 * other.gamma.norm());
    EXPECT_LT((own.v1 - other.v1).norm(), 1e-12 * other.v1.norm());
    EXPECT_LT(own.stats.newton_iterations, 200);
  }
}

}  // namespace
}  // namespace voigt
