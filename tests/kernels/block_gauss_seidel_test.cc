#include "voigt/kernels/block_gauss_seidel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocation_counter.h"
#include "tests/support/data.h"
#include "tests/support/random_problem.h"
#include "tests/support/siconos_data.h"
#include "voigt/audit/law_residual.h"
#include "voigt/formulations/compliant/problem_as_convex_program.h"
#include "voigt/problem/delassus.h"

namespace voigt {
namespace {

using testing::CountAllocations;
using testing::MakeRandomProblem;
using testing::RandomProblem;
using testing::RandomProblemOptions;

struct Outcome {
  VecX gamma, v;
  bool converged = true;
  double law = kNaN;  // by the audit
  GaussSeidelStats stats;
};

class Runner {
 public:
  Outcome Solve(const VelocityProblem& problem, FrictionMode mode,
                const GaussSeidelSettings& settings) {
    convex_.Update(problem, mode);
    ConvexProgram& program = convex_.program();
    for (size_t g = 0; g < problem.groups.size(); ++g) {
      ConvexBlock& block = program.blocks[g];
      if (block.set != ConvexSet::kDisc) continue;
      block.bound = problem.groups[g].lagged_impulse;
      if (mode == FrictionMode::kCoulomb) block.set = ConvexSet::kCoulomb;
    }
    islands_.Find(program);
    Outcome out;
    out.gamma.setZero(problem.row_count());
    out.v = problem.v_star;
    for (int i = 0; i < islands_.count(); ++i) {
      const GaussSeidelResult result =
          method_.Solve(program, islands_.blocks(i), islands_.ranges(i), settings, &out.v,
                        &out.gamma, &out.stats);
      out.converged = out.converged && result.converged;
    }
    out.law = law_.Calc(problem, out.gamma, {mode});
    return out;
  }

  const ConvexProgram& program() { return convex_.program(); }
  const Islands& islands() const { return islands_; }
  BlockGaussSeidel& method() { return method_; }

 private:
  ProblemAsConvexProgram convex_;
  Islands islands_;
  BlockGaussSeidel method_;
  LawResidual law_;
};

class GaussSeidel : public ::testing::TestWithParam<FrictionMode> {};

// A method of first order: badly conditioned problems remain, and it must say so.
TEST_P(GaussSeidel, MeetsTheLawOnRandomProblemsOrSaysThatItDoesNot) {
  RandomProblemOptions options;
  options.max_mu = 0.5;
  GaussSeidelSettings settings;
  Runner runner;
  const int count = 600;
  int solved = 0;
  for (int seed = 0; seed < count; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const Outcome outcome = runner.Solve(random.problem(), GetParam(), settings);
    ASSERT_TRUE(outcome.gamma.allFinite()) << seed;
    if (outcome.converged) {
      EXPECT_LT(outcome.law, 1e-10) << seed;
    }
    solved += outcome.law < 1e-10;
    // The velocity belongs to the impulses, whatever they are.
    VecX v1;
    random.problem().CalcVelocity(outcome.gamma, &v1);
    EXPECT_LT((v1 - outcome.v).cwiseAbs().maxCoeff(), 1e-12 * v1.cwiseAbs().maxCoeff()) << seed;
  }
  EXPECT_GE(solved, 99 * count / 100);
}

TEST_P(GaussSeidel, FollowsForceLaws) {
  RandomProblemOptions options;
  options.max_mu = 0.5;
  options.max_others = 0;
  options.allow_redundant = false;
  options.force_laws = true;
  Runner runner;
  int solved = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    // Cones with a smooth law are not for this kernel.
    if (GetParam() == FrictionMode::kCone) continue;
    const Outcome outcome = runner.Solve(random.problem(), GetParam(), {});
    if (!outcome.converged) continue;
    EXPECT_LT(outcome.law, 1e-10) << seed;
    ++solved;
  }
  if (GetParam() != FrictionMode::kCone) {
    EXPECT_GE(solved, 190);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, GaussSeidel,
                         ::testing::Values(FrictionMode::kCoulomb, FrictionMode::kLagged,
                                           FrictionMode::kCone),
                         [](const auto& mode) { return std::string(ToString(mode.param)); });

TEST(GaussSeidelOnData, SolvesTheReferenceProblemsInAThousandSweeps) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  Runner runner;
  for (const auto& data : testing::ReadAllFrictionContact()) {
    const MatX W = 0.5 * (data.W + data.W.transpose());
    const OwnedProblem owned = MakeProblemFromDelassus(W, data.q, data.dimension, data.mu, 1e-6);
    GaussSeidelSettings settings;
    settings.scale = data.q.cwiseAbs().maxCoeff();
    const Outcome outcome = runner.Solve(owned.problem, FrictionMode::kCoulomb, settings);
    printf("%-32s %3d contacts, residual %.1e after %d sweeps of its islands\n", data.name.c_str(),
           data.contacts(), outcome.law, outcome.stats.sweeps);
    EXPECT_LT(outcome.law, 1e-10) << data.name;
  }
}

TEST(GaussSeidelAlone, SolvesASingleContactInOneSweep) {
  RandomProblemOptions options;
  options.max_contacts = 1;
  options.max_others = 0;
  options.allow_redundant = false;
  GaussSeidelSettings settings;
  settings.max_sweeps = 1;
  settings.accelerate = false;
  Runner runner;
  for (int seed = 0; seed < 1000; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    EXPECT_LT(runner.Solve(random.problem(), FrictionMode::kCoulomb, settings).law, 1e-11) << seed;
  }
}

TEST(GaussSeidelAlone, AllocatesNothingOnceWarm) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const RandomProblem random = MakeRandomProblem(11);
  Runner runner;
  Outcome outcome = runner.Solve(random.problem(), FrictionMode::kCone, {});
  const auto solve = [&] {
    outcome.gamma.setZero();
    for (int i = 0; i < runner.islands().count(); ++i) {
      runner.method().Solve(runner.program(), runner.islands().blocks(i),
                            runner.islands().ranges(i), {}, &outcome.v, &outcome.gamma,
                            &outcome.stats);
    }
  };
  solve();
  const long before = CountAllocations();
  solve();
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
