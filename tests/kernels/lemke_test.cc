#include "voigt/kernels/lemke.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocation_counter.h"
#include "tests/support/complementarity_problems.h"
#include "tests/support/data.h"
#include "tests/support/samples.h"
#include "tests/support/siconos_data.h"

namespace voigt {
namespace {

using testing::BoundKind;
using testing::ComplementarityMaker;
using testing::OwnedComplementarity;

const std::vector<BoundKind> kLemkeBounds = {BoundKind::kLower, BoundKind::kUpper, BoundKind::kBox,
                                             BoundKind::kFree};

struct LemkeRun {
  LemkeResult result;
  LemkeStats stats;
  VecX z;
};

// The residual that is reported is the true one.
LemkeRun RunLemke(const ComplementarityProblem& problem, const LemkeSettings& settings = {},
                  Lemke* method = nullptr) {
  Lemke own;
  if (method == nullptr) method = &own;
  LemkeRun run;
  run.z = VecX::Zero(problem.size());
  run.result = method->Solve(problem, settings, run.z, &run.stats);
  VecX w(problem.size());
  EXPECT_EQ(run.result.residual, CalcComplementarityResidual(problem, run.z, w));
  return run;
}

OwnedComplementarity MakeStandard(const MatX& N, const VecX& q) {
  const int size = static_cast<int>(q.size());
  return {N, q, VecX::Zero(size), VecX::Constant(size, kInfinity), {}};
}

TEST(Lemke, SolvesTheReferenceProblems) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  int solved = 0;
  for (const auto& data : testing::ReadAllComplementarity()) {
    const ComplementarityProblem problem{data.N, data.q, data.lower, data.upper};
    const LemkeRun run = RunLemke(problem);
    EXPECT_EQ(run.result.status, ComplementarityStatus::kSolved) << data.name;
    EXPECT_LT(run.result.residual, 1e-13) << data.name;
    ++solved;
  }
  EXPECT_EQ(solved, 11);
}

TEST(Lemke, FindsUniqueSolutionsOfPMatrices) {
  ComplementarityMaker make(1);
  for (int sample = 0; sample < testing::SampleCount(300); ++sample) {
    const int size = 1 + make.Index(40);
    const MatX N = sample % 2 == 0 ? make.PMatrix(size) : make.Semidefinite(size, size, 0.1, 1);
    const OwnedComplementarity problem = make.WithSolution(N, kLemkeBounds, 0);
    const LemkeRun run = RunLemke(problem.view());
    ASSERT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-13);
    EXPECT_LT((run.z - problem.z).lpNorm<Eigen::Infinity>(), 1e-7) << sample;
  }
}

TEST(Lemke, SolvesDegenerateSemidefiniteProblems) {
  ComplementarityMaker make(2);
  for (int sample = 0; sample < testing::SampleCount(300); ++sample) {
    const int size = 2 + make.Index(40), rank = 1 + make.Index(size);
    const MatX N = make.Semidefinite(size, rank, 0, sample % 3 == 0 ? 1 : 0);
    const OwnedComplementarity problem = make.WithSolution(N, kLemkeBounds, 0.7);
    const LemkeRun run = RunLemke(problem.view());
    EXPECT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-11) << sample;
  }
}

TEST(Lemke, SolvesFrictionPyramids) {
  ComplementarityMaker make(3);
  for (int sample = 0; sample < testing::SampleCount(200); ++sample) {
    const OwnedComplementarity problem = make.FrictionPyramid(
        1 + make.Index(6), 1 + make.Index(10), 2 + 2 * make.Index(3), make.Real(0, 1.5));
    const LemkeRun run = RunLemke(problem.view());
    EXPECT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-12) << sample;
  }
}

// Murty's example: 2^size − 1 steps of principal pivoting by least index.
TEST(Lemke, SolvesMurtysExponentialExample) {
  const int size = 30;
  MatX N = MatX::Identity(size, size);
  N.triangularView<Eigen::StrictlyLower>().setConstant(2);
  const OwnedComplementarity problem = MakeStandard(N, VecX::Constant(size, -1));
  const LemkeRun run = RunLemke(problem.view());
  ASSERT_EQ(run.result.status, ComplementarityStatus::kSolved);
  EXPECT_EQ(run.z[0], 1);
  EXPECT_EQ(run.z.tail(size - 1).lpNorm<Eigen::Infinity>(), 0);
}

TEST(Lemke, ProvesInfeasibilityByItsRay) {
  ComplementarityMaker make(4);
  for (int sample = 0; sample < testing::SampleCount(200); ++sample) {
    // w_y = yᵀw = −1 for all z: y ≥ 0 in the null space of N.
    const int size = 2 + make.Index(20), rank = 1 + make.Index(size - 1);
    VecX y = VecX::Zero(size);
    for (double& entry : y) entry = make.Chance(0.5) ? make.Real(0.1, 1) : 0;
    y[make.Index(size)] = 1;
    MatX B = make.Matrix(size, rank);
    B -= y * (y.transpose() * B) / y.squaredNorm();
    MatX N = B * B.transpose();
    if (sample % 2 == 0) {
      MatX S = make.Matrix(size, size);
      S -= y * (y.transpose() * S) / y.squaredNorm();
      S -= (S * y) * y.transpose() / y.squaredNorm();
      N += S - S.transpose();
    }
    VecX q = make.Matrix(size, 1);
    q -= y * ((1 + q.dot(y)) / y.squaredNorm());
    const OwnedComplementarity problem = MakeStandard(N, q);
    Lemke method;
    const LemkeRun run = RunLemke(problem.view(), {}, &method);
    ASSERT_EQ(run.result.status, ComplementarityStatus::kInfeasible) << sample;
    // The proof, once more and by hand.
    const VecX ray = Eigen::Map<const VecX>(method.ray().data(), size).normalized();
    EXPECT_GT(ray.minCoeff(), -1e-10);
    EXPECT_LT((N.transpose() * ray).maxCoeff(), 1e-8);
    EXPECT_LT(q.dot(ray), -1e-6);
    EXPECT_TRUE(run.z.allFinite());
  }
}

// A game of two players [Cottle, Pang & Stone 1992, example 4.4.23]: every covering vector leads to
// a ray, though there is a solution.
TEST(Lemke, ReportsARayThatProvesNothing) {
  MatX N(4, 4);
  N << 0, 0, 10, 30, 0, 0, 20, 15, 10, 30, 0, 0, 20, 15, 0, 0;
  const OwnedComplementarity problem = MakeStandard(N, VecX::Constant(4, -1));
  LemkeSettings settings;
  settings.max_restarts = 0;
  const LemkeRun run = RunLemke(problem.view(), settings);
  EXPECT_EQ(run.result.status, ComplementarityStatus::kRay);
  EXPECT_TRUE(run.z.allFinite());
  EXPECT_GT(run.result.residual, 0.1);
  // Another basis to start from finds it.
  const LemkeRun second = RunLemke(problem.view());
  EXPECT_EQ(second.result.status, ComplementarityStatus::kSolved);
  EXPECT_EQ(second.stats.restarts, 1);
  EXPECT_LT((N * second.z - VecX::Ones(4)).lpNorm<Eigen::Infinity>(), 1e-14);
}

TEST(Lemke, EliminatesFreeVariablesWhoseRowsRepeat) {
  ComplementarityMaker make(5);
  int splits = 0;
  for (int sample = 0; sample < testing::SampleCount(200); ++sample) {
    // Equations repeated: N = T N₀ Tᵀ, where T repeats some of the free variables.
    const int size = 4 + make.Index(20), free = 1 + make.Index(size - 2);
    const int repeated = 1 + make.Index(free);
    MatX T = MatX::Zero(size + repeated, size);
    T.topRows(size).setIdentity();
    for (int i = 0; i < repeated; ++i) T(size + i, make.Index(free)) = make.Real(0.5, 2);
    const MatX N = T * make.Semidefinite(size, size, 0.1, sample % 2) * T.transpose();
    OwnedComplementarity problem = make.WithSolution(N, {BoundKind::kLower}, 0.2);
    VecX w = N * problem.z + problem.q;
    for (int i = 0; i < size + repeated; ++i) {
      if (i >= free && i < size) continue;
      problem.lower[i] = -kInfinity;
      w[i] = 0;
    }
    problem.q = w - N * problem.z;
    LemkeRun run = RunLemke(problem.view());
    ASSERT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-12) << sample;
    EXPECT_EQ(run.stats.split, repeated);
    splits += run.stats.split;
    // Two equations that contradict each other.
    problem.q[size] += 1;
    run = RunLemke(problem.view());
    EXPECT_EQ(run.result.status, ComplementarityStatus::kInfeasible) << sample;
  }
  EXPECT_GT(splits, 10);
}

// min ½|x|² with A x = b and x ≥ 0: the multipliers are free and their own block is zero.
TEST(Lemke, SolvesProblemsWhoseFreeBlockIsZero) {
  ComplementarityMaker make(6);
  for (int sample = 0; sample < testing::SampleCount(100); ++sample) {
    const int count = 5 + make.Index(15), equations = 1 + make.Index(4), size = count + equations;
    const MatX A = make.Matrix(equations, count);
    VecX x = make.Matrix(count, 1).cwiseMax(0);
    OwnedComplementarity problem;
    problem.N = MatX::Zero(size, size);
    problem.N.topLeftCorner(count, count).setIdentity();
    problem.N.topRightCorner(count, equations) = A.transpose();
    // With either sign, of which one makes N semidefinite.
    problem.N.bottomLeftCorner(equations, count) = (sample % 2 == 0 ? 1 : -1) * A;
    problem.q = VecX::Zero(size);
    problem.q.tail(equations) = -problem.N.bottomLeftCorner(equations, count) * x;
    problem.lower = VecX::Zero(size);
    problem.lower.tail(equations).setConstant(-kInfinity);
    problem.upper = VecX::Constant(size, kInfinity);
    const LemkeRun run = RunLemke(problem.view());
    EXPECT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-13) << sample;
    EXPECT_EQ(run.stats.split, equations);
  }
}

TEST(Lemke, DoesNotCycleOnRepeatedRowsAndZeros) {
  ComplementarityMaker make(7);
  int ties = 0;
  for (int sample = 0; sample < testing::SampleCount(100); ++sample) {
    // Each row three times, whole numbers, many zeros in q.
    const int count = 2 + make.Index(8), size = 3 * count;
    MatX B = make.Matrix(count, count), T(size, count);
    B = (3 * B).array().round();
    for (int i = 0; i < 3; ++i) T.middleRows(i * count, count).setIdentity();
    VecX q(count);
    for (double& entry : q) entry = make.Chance(0.5) ? 0 : -1;
    const MatX N = B * B.transpose() + MatX::Identity(count, count);
    const OwnedComplementarity problem = MakeStandard(T * N * T.transpose(), T * q);
    const LemkeRun run = RunLemke(problem.view());
    ASSERT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(run.result.residual, 1e-14);
    // What repeated variables sum up to is unique.
    const OwnedComplementarity once = MakeStandard(N, q);
    EXPECT_LT((T.transpose() * run.z - RunLemke(once.view()).z).lpNorm<Eigen::Infinity>(), 1e-12);
    ties += run.stats.ties;
  }
  EXPECT_GT(ties, 10);
}

TEST(Lemke, NeedsNoPivotsWhereTheGuessIsRight) {
  ComplementarityMaker make(8);
  for (int sample = 0; sample < testing::SampleCount(50); ++sample) {
    const int size = 5 + make.Index(30);
    const MatX N = make.Semidefinite(size, size, 0.1, 1);
    OwnedComplementarity problem = make.WithSolution(N, kLemkeBounds, 0);
    Lemke method;
    LemkeSettings settings;
    settings.use_guess = true;
    LemkeStats stats;
    VecX z = problem.z;
    LemkeResult result = method.Solve(problem.view(), settings, z, &stats);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved);
    EXPECT_TRUE(stats.guess_held);
    EXPECT_EQ(stats.pivots, 0);
    EXPECT_LT(result.residual, 1e-13);
    // Nearly right: a short path.
    problem.q += 0.3 * make.Matrix(size, 1);
    result = method.Solve(problem.view(), settings, z, &stats);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved);
    EXPECT_TRUE(stats.guess_led || stats.guess_held);
    EXPECT_LT((z - RunLemke(problem.view()).z).lpNorm<Eigen::Infinity>(), 1e-8);
    // A bad one does no harm.
    z = 10 * make.Matrix(size, 1);
    result = method.Solve(problem.view(), settings, z, &stats);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved);
  }
}

// Open contacts with friction have variables that are basic and zero, which z does not show.
TEST(Lemke, NeedsNoPivotsWhereTheSetIsRight) {
  ComplementarityMaker make(11);
  for (int sample = 0; sample < testing::SampleCount(100); ++sample) {
    OwnedComplementarity problem;
    if (sample % 2 == 0) {
      problem = make.FrictionPyramid(1 + make.Index(6), 1 + make.Index(10), 4, 0.5);
    } else {
      const int size = 2 + make.Index(30);
      const MatX N = make.Semidefinite(size, 1 + make.Index(size), 0, sample % 4 == 1 ? 1 : 0);
      problem = make.WithSolution(N, kLemkeBounds, 0.5);
    }
    Lemke method;
    LemkeSettings settings;
    LemkeStats stats;
    VecX z = VecX::Zero(problem.size());
    ASSERT_EQ(method.Solve(problem.view(), settings, z, &stats).status,
              ComplementarityStatus::kSolved);
    const std::vector<char> set = method.set();
    settings.set = &set;
    z.setZero();
    EXPECT_EQ(method.Solve(problem.view(), settings, z, &stats).status,
              ComplementarityStatus::kSolved);
    EXPECT_TRUE(stats.guess_held) << sample;
    EXPECT_EQ(method.set(), set);
    // Its own, without a copy; one of another size is left alone.
    settings.set = &method.set();
    method.Solve(problem.view(), settings, z, &stats);
    EXPECT_TRUE(stats.guess_held) << sample;
    const std::vector<char> other(problem.size() + 1, 1);
    settings.set = &other;
    EXPECT_EQ(method.Solve(problem.view(), settings, z, &stats).status,
              ComplementarityStatus::kSolved);
  }
}

// Units of impulses and velocities differ by many powers of ten in small or large mechanisms.
TEST(Lemke, SolvesFrictionPyramidsInAnyUnits) {
  ComplementarityMaker make(12);
  for (int sample = 0; sample < testing::SampleCount(120); ++sample) {
    const int contacts = 1 + make.Index(10), edges = 4;
    OwnedComplementarity problem = make.FrictionPyramid(1 + make.Index(6), contacts, edges, 0.5);
    const double unit = std::exp2(4 * (make.Index(11) - 5)), speed = std::exp2(make.Index(21) - 10);
    const int rows = contacts * (1 + edges);
    problem.N.topLeftCorner(rows, rows) *= unit;
    problem.q *= speed;
    const LemkeRun run = RunLemke(problem.view());
    EXPECT_EQ(run.result.status, ComplementarityStatus::kSolved) << sample << " " << unit;
    EXPECT_LT(run.result.residual, 1e-12) << sample << " " << unit;
    EXPECT_EQ(run.stats.restarts, 0) << sample << " " << unit;
  }
}

TEST(Lemke, StopsAtItsLimitsAndAtBadNumbers) {
  ComplementarityMaker make(9);
  OwnedComplementarity problem =
      make.WithSolution(make.Semidefinite(30, 30, 0.1, 1), {BoundKind::kLower}, 0);
  LemkeSettings settings;
  settings.max_pivots = 3;
  LemkeRun run = RunLemke(problem.view(), settings);
  EXPECT_EQ(run.result.status, ComplementarityStatus::kIterationLimit);
  EXPECT_LE(run.stats.pivots, 3);
  problem.q[3] = kNaN;
  Lemke method;
  run.z.setZero();
  run.result = method.Solve(problem.view(), {}, run.z, &run.stats);
  EXPECT_EQ(run.result.status, ComplementarityStatus::kFailed);
  EXPECT_TRUE(run.z.allFinite());
  const OwnedComplementarity none = MakeStandard(MatX(0, 0), VecX(0));
  EXPECT_EQ(RunLemke(none.view()).result.status, ComplementarityStatus::kSolved);
}

TEST(Lemke, AllocatesNothingOnceItHasSeenTheSizes) {
  ComplementarityMaker make(10);
  std::vector<OwnedComplementarity> problems;
  for (const int size : {60, 20, 40}) {
    const MatX N = make.Semidefinite(size, size, 0.1, 1);
    problems.push_back(make.WithSolution(N, kLemkeBounds, 0.2));
  }
  problems.push_back(make.FrictionPyramid(5, 10, 4, 0.5));
  std::vector<VecX> z;
  for (const auto& problem : problems) z.push_back(VecX::Zero(problem.size()));
  Lemke method;
  LemkeStats stats;
  const auto solve_all = [&] {
    for (size_t i = 0; i < problems.size(); ++i) {
      method.Solve(problems[i].view(), {}, z[i], &stats);
    }
  };
  solve_all();
  const std::vector<VecX> first = z;
  const long before = testing::CountAllocations();
  solve_all();
  EXPECT_EQ(testing::CountAllocations(), before);
  // And the same input gives the same bits.
  for (size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z[i], first[i]);
}

}  // namespace
}  // namespace voigt
