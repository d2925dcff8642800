#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"
#include "tests/support/complementarity_problems.h"
#include "tests/support/samples.h"
#include "voigt/kernels/accelerated_projected_gradient.h"
#include "voigt/kernels/boxed_pivoting.h"
#include "voigt/kernels/projected_gauss_seidel.h"

namespace voigt {
namespace {

using testing::BoundKind;
using testing::ComplementarityMaker;
using testing::OwnedComplementarity;

const std::vector<BoundKind> kProjectedBounds = {BoundKind::kLower, BoundKind::kUpper,
                                                 BoundKind::kBox, BoundKind::kFree};

BoxQuadraticProgram MakeProgram(const OwnedComplementarity& problem, const VecX* diagonal) {
  return {[&problem](const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> Nx) {
            Nx.noalias() = problem.N * x;
          },
          diagonal, problem.q, problem.lower, problem.upper};
}

TEST(ProjectedGaussSeidel, FindsUniqueSolutions) {
  ComplementarityMaker make(1);
  for (int sample = 0; sample < testing::SampleCount(50); ++sample) {
    const int size = 1 + make.Index(40);
    const MatX N = make.Semidefinite(size, size, 1, 0);
    const OwnedComplementarity problem = make.WithSolution(N, kProjectedBounds, 0.2);
    ProjectedGaussSeidel method;
    ProjectedGaussSeidelSettings settings;
    settings.relaxation = 1 + 0.5 * (sample % 2);
    settings.tolerance = 1e-13;
    ProjectedGaussSeidelStats stats;
    VecX z = make.Matrix(size, 1);
    const auto result = method.Solve(problem.view(), settings, z, &stats);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT((z - problem.z).lpNorm<Eigen::Infinity>(), 1e-10) << sample;
    VecX w(size);
    EXPECT_EQ(result.residual, CalcComplementarityResidual(problem.view(), z, w));
  }
}

TEST(ProjectedGaussSeidel, TakesRowsWithoutDiagonalToTheirBounds) {
  MatX N = MatX::Zero(2, 2);
  N(0, 0) = 1;
  const VecX q = Vec2(-1, -1), lower = Vec2(0, -3), upper = Vec2(5, 4);
  ProjectedGaussSeidel method;
  ProjectedGaussSeidelStats stats;
  VecX z = VecX::Zero(2);
  EXPECT_EQ(method.Solve({N, q, lower, upper}, {}, z, &stats).status,
            ComplementarityStatus::kSolved);
  EXPECT_EQ(z, VecX(Vec2(1, 4)));
}

TEST(AcceleratedProjectedGradient, AgreesWithPivoting) {
  ComplementarityMaker make(2);
  for (int sample = 0; sample < testing::SampleCount(30); ++sample) {
    // Rows of very different sizes, which the metric evens out; some problems are not definite.
    const int size = 5 + make.Index(80), rank = sample % 3 == 0 ? size / 2 : size;
    MatX N = make.Semidefinite(size, rank, sample % 3 == 0 ? 0 : 0.5, 0);
    for (int i = 0; i < size; ++i) {
      const double scale = std::exp2(make.Index(10) - 5);
      N.row(i) *= scale;
      N.col(i) *= scale;
    }
    const OwnedComplementarity problem =
        make.WithSolution(N, {BoundKind::kLower, BoundKind::kBox}, 0.1);
    const VecX diagonal = N.diagonal();
    AcceleratedProjectedGradient method;
    ProjectedGradientSettings settings;
    settings.max_iterations = 20000;
    settings.tolerance = 1e-11;
    ProjectedGradientStats stats;
    VecX z = VecX::Zero(size);
    const auto result = method.Solve(MakeProgram(problem, &diagonal), settings, z, &stats);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved) << sample;
    VecX w(size);
    EXPECT_LT(CalcComplementarityResidual(problem.view(), z, w), 1e-9) << sample;

    BoxedPivoting pivoting;
    BoxedPivotingSettings pivoting_settings;
    pivoting_settings.is_symmetric = true;
    BoxedPivotingStats pivoting_stats;
    VecX exact = VecX::Zero(size);
    pivoting.Solve(problem.view(), pivoting_settings, exact, &pivoting_stats);
    EXPECT_LT((N * (z - exact)).lpNorm<Eigen::Infinity>(), 1e-6 * N.cwiseAbs().maxCoeff());
  }
}

TEST(AcceleratedProjectedGradient, IsFasterThanGaussSeidelWhereConditioningIsPoor) {
  // A chain of unit masses, each pressed onto the next: condition number ~ size².
  const int size = 200;
  OwnedComplementarity problem;
  problem.N = 2 * MatX::Identity(size, size);
  problem.N.diagonal(1).setConstant(-1);
  problem.N.diagonal(-1).setConstant(-1);
  problem.q = VecX::Constant(size, -1e-3);
  problem.lower = VecX::Zero(size);
  problem.upper = VecX::Constant(size, 4);
  AcceleratedProjectedGradient gradient;
  ProjectedGradientSettings settings;
  settings.max_iterations = 20000;
  ProjectedGradientStats stats;
  VecX z = VecX::Zero(size);
  EXPECT_EQ(gradient.Solve(MakeProgram(problem, nullptr), settings, z, &stats).status,
            ComplementarityStatus::kSolved);
  EXPECT_EQ(z.maxCoeff(), 4);
  ProjectedGaussSeidel sweeps;
  ProjectedGaussSeidelSettings sweep_settings;
  sweep_settings.max_sweeps = stats.iterations;
  ProjectedGaussSeidelStats sweep_stats;
  VecX slow = VecX::Zero(size);
  EXPECT_EQ(sweeps.Solve(problem.view(), sweep_settings, slow, &sweep_stats).status,
            ComplementarityStatus::kIterationLimit);
}

TEST(ProjectedMethods, AllocateNothingAndReportBadNumbers) {
  ComplementarityMaker make(3);
  OwnedComplementarity problem =
      make.WithSolution(make.Semidefinite(50, 50, 1, 0), kProjectedBounds, 0);
  ProjectedGaussSeidel sweeps;
  ProjectedGaussSeidelStats sweep_stats;
  AcceleratedProjectedGradient gradient;
  ProjectedGradientStats stats;
  const BoxQuadraticProgram program = MakeProgram(problem, nullptr);
  VecX z = VecX::Zero(50), w(50);
  const auto solve = [&] {
    z.setZero();
    sweeps.Solve(problem.view(), {}, z, &sweep_stats);
    w.setZero();
    gradient.Solve(program, {}, w, &stats);
  };
  solve();
  const long before = testing::CountAllocations();
  solve();
  EXPECT_EQ(testing::CountAllocations(), before);

  problem.q[0] = kNaN;
  EXPECT_EQ(sweeps.Solve(problem.view(), {}, z, &sweep_stats).status,
            ComplementarityStatus::kFailed);
  EXPECT_EQ(gradient.Solve(program, {}, w, &stats).status, ComplementarityStatus::kFailed);
  EXPECT_TRUE(z.allFinite() && w.allFinite());
}

}  // namespace
}  // namespace voigt
