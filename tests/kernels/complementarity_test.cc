#include "voigt/kernels/complementarity.h"

#include <gtest/gtest.h>

#include "tests/support/complementarity_problems.h"

namespace voigt {
namespace {

using testing::BoundKind;
using testing::ComplementarityMaker;
using testing::OwnedComplementarity;

TEST(Complementarity, ResidualIsZeroAtSolutionsOnly) {
  ComplementarityMaker make(1);
  for (int sample = 0; sample < 100; ++sample) {
    const int size = 1 + make.Index(100);
    const OwnedComplementarity problem = make.WithSolution(
        make.Matrix(size, size),
        {BoundKind::kLower, BoundKind::kUpper, BoundKind::kBox, BoundKind::kFree}, 0.3);
    VecX w(size);
    EXPECT_LT(CalcComplementarityResidual(problem.view(), problem.z, w), 1e-15);
    EXPECT_LT((w - problem.N * problem.z - problem.q).lpNorm<Eigen::Infinity>(), 1e-13);
    // Each entry counts, whatever its bounds.
    VecX z = problem.z;
    const int i = make.Index(size);
    z[i] += 1e-3 * (make.Chance(0.5) ? 1 : -1);
    EXPECT_GT(CalcComplementarityResidual(problem.view(), z, w), 1e-8);
    z[i] = kNaN;
    EXPECT_EQ(CalcComplementarityResidual(problem.view(), z, w), kInfinity);
  }
}

TEST(Complementarity, ResidualHasNoUnits) {
  ComplementarityMaker make(2);
  const OwnedComplementarity problem =
      make.WithSolution(make.Matrix(9, 9), {BoundKind::kLower, BoundKind::kFree}, 0.3);
  const VecX z = problem.z + 0.1 * VecX::Ones(9);
  VecX w(9);
  const double residual = CalcComplementarityResidual(problem.view(), z, w);
  // z in other units, then w.
  OwnedComplementarity other = problem;
  other.N *= 0x1p-10;
  other.lower *= 0x1p10;
  other.upper *= 0x1p10;
  EXPECT_EQ(CalcComplementarityResidual(other.view(), 0x1p10 * z, w), residual);
  other.N *= 0x1p7;
  other.q *= 0x1p7;
  EXPECT_EQ(CalcComplementarityResidual(other.view(), 0x1p10 * z, w), residual);
}

TEST(Complementarity, ViewsPartsOfLargerMatricesWithoutCopy) {
  ComplementarityMaker make(3);
  const MatX N = make.Matrix(10, 10);
  const VecX q = make.Matrix(10, 1), lower = VecX::Zero(10), upper = VecX::Ones(10);
  const ComplementarityProblem part{N.block(2, 3, 4, 4), q.segment(1, 4), lower.head(4),
                                    upper.head(4)};
  EXPECT_EQ(part.N.data(), &N(2, 3));
  EXPECT_EQ(part.q.data(), &q[1]);
}

TEST(Complementarity, ProofsOfInfeasibilityAreChecked) {
  // x ≥ 0 with w₁ = −x₁ − 1 ≥ 0: impossible by y = (1, 0).
  MatX N(2, 2);
  N << -1, 0, 3, 1;
  const VecX q = Vec2(-1, 2), zero = VecX::Zero(2), infinite = VecX::Constant(2, kInfinity);
  const ComplementarityProblem standard{N, q, zero, infinite};
  EXPECT_TRUE(IsInfeasible(standard, Vec2(1, 0)));
  EXPECT_FALSE(IsInfeasible(standard, Vec2(-1, 0)));
  EXPECT_FALSE(IsInfeasible(standard, Vec2(0, 1)));
  EXPECT_FALSE(IsInfeasible(standard, Vec2(1, 1)));
  EXPECT_FALSE(IsInfeasible(standard, zero));
  // With an upper bound on x₁, w₁ may be negative there.
  const VecX bounded = Vec2(1, kInfinity);
  EXPECT_FALSE(IsInfeasible({N, q, zero, bounded}, Vec2(1, 0)));
  // With x₁ ≥ −2, w₁ = 1 is possible; with x₁ ≥ −0.5, w₁ > −0.5 is not.
  const VecX far = Vec2(-2, 0), near = Vec2(-0.5, 0);
  EXPECT_FALSE(IsInfeasible({N, q, far, infinite}, Vec2(1, 0)));
  EXPECT_TRUE(IsInfeasible({N, q, near, infinite}, Vec2(1, 0)));
}

TEST(Complementarity, IllPosedProblemsAreRecognised) {
  const MatX N = MatX::Identity(2, 2);
  const VecX q = VecX::Ones(2), zero = VecX::Zero(2);
  EXPECT_TRUE(IsWellPosed({N, q, zero, zero}));
  EXPECT_FALSE(IsWellPosed({N, q, q, zero}));
  EXPECT_FALSE(IsWellPosed({N, q * kNaN, zero, q}));
  EXPECT_FALSE(IsWellPosed({N * kInfinity, q, zero, q}));
  EXPECT_FALSE(IsWellPosed({N, q, VecX::Constant(2, kInfinity), VecX::Constant(2, kInfinity)}));
  EXPECT_FALSE(IsWellPosed({N, q, VecX::Constant(2, kNaN), q}));
}

}  // namespace
}  // namespace voigt
