#include "voigt/kernels/boxed_pivoting.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"
#include "tests/support/complementarity_problems.h"
#include "tests/support/samples.h"
#include "voigt/kernels/lemke.h"

namespace voigt {
namespace {

using testing::BoundKind;
using testing::ComplementarityMaker;
using testing::OwnedComplementarity;

const std::vector<BoundKind> kPivotingBounds = {BoundKind::kLower, BoundKind::kUpper,
                                                BoundKind::kBox, BoundKind::kFree};

struct PivotingRun {
  BoxedPivotingResult result;
  BoxedPivotingStats stats;
  VecX z;
};

PivotingRun RunPivoting(const ComplementarityProblem& problem, bool is_symmetric) {
  BoxedPivoting method;
  BoxedPivotingSettings settings;
  settings.is_symmetric = is_symmetric;
  PivotingRun run;
  run.z = VecX::Zero(problem.size());
  run.result = method.Solve(problem, settings, run.z, &run.stats);
  VecX w(problem.size());
  EXPECT_EQ(run.result.residual, CalcComplementarityResidual(problem, run.z, w));
  return run;
}

TEST(BoxedPivoting, FindsUniqueSolutionsOfPMatrices) {
  ComplementarityMaker make(1);
  for (int sample = 0; sample < testing::SampleCount(300); ++sample) {
    const int size = 1 + make.Index(50);
    const bool is_symmetric = sample % 3 == 0;
    const MatX N = sample % 3 == 1 ? make.PMatrix(size)
                                   : make.Semidefinite(size, size, 0.1, is_symmetric ? 0 : 1);
    const OwnedComplementarity problem = make.WithSolution(N, kPivotingBounds, 0);
    const PivotingRun run = RunPivoting(problem.view(), is_symmetric);
    ASSERT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-13) << sample;
    EXPECT_LT((run.z - problem.z).lpNorm<Eigen::Infinity>(), 1e-7) << sample;
  }
}

TEST(BoxedPivoting, SolvesSemidefiniteProblemsByProximalSteps) {
  ComplementarityMaker make(2);
  int proximal = 0;
  for (int sample = 0; sample < testing::SampleCount(300); ++sample) {
    const int size = 2 + make.Index(40), rank = 1 + make.Index(size);
    const bool is_symmetric = sample % 2 == 0;
    const MatX N = make.Semidefinite(size, rank, 0, is_symmetric ? 0 : 1);
    const OwnedComplementarity problem =
        make.WithSolution(N, {BoundKind::kLower, BoundKind::kBox}, 0.3);
    const PivotingRun run = RunPivoting(problem.view(), is_symmetric);
    EXPECT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-12) << sample;
    proximal += run.stats.proximal_steps > 0;
    // N z is unique where N is symmetric.
    if (is_symmetric) {
      EXPECT_LT((N * (run.z - problem.z)).lpNorm<Eigen::Infinity>(), 1e-6) << sample;
    }
  }
  EXPECT_GT(proximal, 5);
}

TEST(BoxedPivoting, AgreesWithLemke) {
  ComplementarityMaker make(3);
  for (int sample = 0; sample < testing::SampleCount(20); ++sample) {
    const int size = 20 + make.Index(60);
    const MatX N = make.Semidefinite(size, size, 0.5, 0);
    OwnedComplementarity problem = make.WithSolution(N, kPivotingBounds, 0.2);
    problem.q = 5 * make.Matrix(size, 1);
    const PivotingRun run = RunPivoting(problem.view(), true);
    Lemke lemke;
    LemkeStats stats;
    VecX z = VecX::Zero(size);
    EXPECT_EQ(lemke.Solve(problem.view(), {}, z, &stats).status, ComplementarityStatus::kSolved);
    EXPECT_LT((run.z - z).lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

// Principal pivoting by least index takes 2^size steps where it begins with z = 0.
TEST(BoxedPivoting, SolvesMurtysExponentialExample) {
  const int size = 200;
  MatX N = MatX::Identity(size, size);
  N.triangularView<Eigen::StrictlyLower>().setConstant(2);
  const VecX q = VecX::Constant(size, -1), lower = VecX::Zero(size);
  const VecX upper = VecX::Constant(size, kInfinity);
  const PivotingRun run = RunPivoting({N, q, lower, upper}, false);
  ASSERT_EQ(run.result.status, ComplementarityStatus::kSolved);
  EXPECT_EQ(run.z[0], 1);
  EXPECT_LT(run.stats.factors, size);
}

// Whole exchanges cycle here; single ones do not.
TEST(BoxedPivoting, ExchangesSinglyWhereBlocksCycle) {
  MatX N(3, 3);
  N << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  const VecX q = VecX::Constant(3, -1), lower = VecX::Zero(3);
  const VecX upper = VecX::Constant(3, kInfinity);
  BoxedPivoting method;
  BoxedPivotingStats stats;
  BoxedPivotingSettings settings;
  settings.use_guess = true;
  VecX z = Vec3(1, 0, 0);
  const auto result = method.Solve({N, q, lower, upper}, settings, z, &stats);
  EXPECT_EQ(result.status, ComplementarityStatus::kSolved);
  EXPECT_LT((z - VecX::Constant(3, 1.0 / 3)).lpNorm<Eigen::Infinity>(), 1e-15);
}

TEST(BoxedPivoting, ReportsWhatItCannotSolve) {
  // No solution: w = −1 − z.
  const MatX N = MatX::Zero(1, 1);
  const VecX q = VecX::Constant(1, -1), lower = VecX::Zero(1), upper = VecX::Constant(1, kInfinity);
  const PivotingRun run = RunPivoting({N, q, lower, upper}, true);
  EXPECT_NE(run.result.status, ComplementarityStatus::kSolved);
  EXPECT_TRUE(run.z.allFinite());
}

TEST(BoxedPivoting, NeedsOneFactorWhereTheGuessIsRightAndNoMemory) {
  ComplementarityMaker make(5);
  std::vector<OwnedComplementarity> problems;
  for (const int size : {80, 30, 50}) {
    problems.push_back(
        make.WithSolution(make.Semidefinite(size, size, 0.1, 0), kPivotingBounds, 0));
  }
  BoxedPivoting method;
  BoxedPivotingStats stats;
  BoxedPivotingSettings settings;
  std::vector<VecX> z;
  for (const auto& problem : problems) z.push_back(VecX::Zero(problem.size()));
  for (const bool is_symmetric : {false, true}) {
    settings.is_symmetric = is_symmetric;
    settings.use_guess = false;
    const auto solve_all = [&] {
      for (size_t i = 0; i < problems.size(); ++i) {
        const auto result = method.Solve(problems[i].view(), settings, z[i], &stats);
        EXPECT_EQ(result.status, ComplementarityStatus::kSolved);
      }
    };
    solve_all();
    const long before = testing::CountAllocations();
    solve_all();
    EXPECT_EQ(testing::CountAllocations(), before);
    const std::vector<VecX> first = z;
    settings.use_guess = true;
    solve_all();
    EXPECT_TRUE(stats.guess_held);
    EXPECT_EQ(stats.factors, 1);
    EXPECT_EQ(z, first);
  }
}

}  // namespace
}  // namespace voigt
