#include "voigt/math/block_conjugate_gradients.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/allocation_counter.h"
#include "tests/support/block_example.h"

namespace voigt {
namespace {

using testing::BlockExample;
using testing::Fill;
using testing::MakeBlockExample;

TEST(BlockConjugateGradients, AgreeWithADenseFactor) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const BlockExample example = MakeBlockExample(2 + seed, 3 * seed, seed % 2 == 0 ? 6 : 0, seed);
    BlockConjugateGradients gradients;
    gradients.Analyze(example.sizes, example.edges);
    ASSERT_EQ(gradients.size(), example.A.rows());
    Fill(example, seed % 3 == 0, &gradients);
    ASSERT_TRUE(gradients.Factor());
    const VecX rhs = VecX::LinSpaced(gradients.size(), -1, 2);
    const VecX expected = example.A.llt().solve(rhs);
    VecX x = rhs;
    const auto result = gradients.Solve(1e-13, 1000, x.data());
    EXPECT_TRUE(result.converged) << seed;
    EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm()) << seed;
    // A looser tolerance is met with fewer iterations, and bounds the error in the norm of A.
    x = rhs;
    const auto rough = gradients.Solve(1e-3, 1000, x.data());
    EXPECT_TRUE(rough.converged);
    EXPECT_LE(rough.iterations, result.iterations);
    const VecX error = x - expected;
    EXPECT_LT(std::sqrt(error.dot(example.A * error)),
              0.1 * std::sqrt(expected.dot(example.A * expected)));
  }
}

// The textbook's method with the preconditioner as a dense matrix; the number of its iterations.
int CountIterations(const MatX& A, const MatX& preconditioner, const VecX& rhs, double tolerance) {
  const Eigen::LLT<MatX> inverse(preconditioner);
  VecX r = rhs, z = inverse.solve(r), p = z;
  double rz = r.dot(z);
  const double enough = tolerance * tolerance * rz;
  int iterations = 0;
  for (; rz > enough && iterations < 1000; ++iterations) {
    const VecX Ap = A * p;
    r -= rz / p.dot(Ap) * Ap;
    z = inverse.solve(r);
    const double rz_next = r.dot(z);
    p = z + rz_next / rz * p;
    rz = rz_next;
  }
  return iterations;
}

TEST(BlockConjugateGradients, ArePreconditionedBySymmetricGaussSeidel) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const BlockExample example = MakeBlockExample(60, 180, 6, seed);
    BlockConjugateGradients gradients;
    gradients.Analyze(example.sizes, example.edges);
    Fill(example, false, &gradients);
    ASSERT_TRUE(gradients.Factor());
    const VecX rhs = VecX::LinSpaced(gradients.size(), -1, 2);
    VecX x = rhs;
    const auto result = gradients.Solve(1e-8, 1000, x.data());

    // (D + L) D⁻¹ (D + L)ᵀ.
    MatX D = MatX::Zero(gradients.size(), gradients.size()), lower = example.A;
    for (int start : example.starts) {
      D.block(start, start, 6, 6) = example.A.block(start, start, 6, 6);
      lower.block(start, start + 6, 6, lower.cols() - start - 6).setZero();
    }
    const MatX sweep = lower * D.llt().solve(lower.transpose());
    EXPECT_NEAR(result.iterations, CountIterations(example.A, sweep, rhs, 1e-8), 1);
    EXPECT_LT(result.iterations, 0.8 * CountIterations(example.A, D, rhs, 1e-8));
  }
}

TEST(BlockConjugateGradients, StopAtTheirLimitAndAtZero) {
  const BlockExample example = MakeBlockExample(30, 90, 6, 2);
  BlockConjugateGradients gradients;
  gradients.Analyze(example.sizes, example.edges);
  Fill(example, false, &gradients);
  ASSERT_TRUE(gradients.Factor());
  VecX x = VecX::Ones(gradients.size());
  const auto result = gradients.Solve(1e-13, 3, x.data());
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_TRUE(x.allFinite());
  x.setZero();
  const auto nothing = gradients.Solve(1e-13, 3, x.data());
  EXPECT_TRUE(nothing.converged);
  EXPECT_EQ(nothing.iterations, 0);
  EXPECT_EQ(x, VecX::Zero(gradients.size()));
}

TEST(BlockConjugateGradients, NoticeMatricesThatAreNotPositiveDefinite) {
  BlockExample example = MakeBlockExample(10, 30, 6, 3);
  BlockConjugateGradients gradients;
  gradients.Analyze(example.sizes, example.edges);
  // A block of the diagonal.
  example.A(7, 7) = -1;
  Fill(example, false, &gradients);
  EXPECT_FALSE(gradients.Factor());
  example.A(7, 7) = kNaN;
  Fill(example, false, &gradients);
  EXPECT_FALSE(gradients.Factor());
  // The whole: blocks beside the diagonal that are too large.
  example.A = MatX::Identity(60, 60);
  for (const auto& [i, j] : example.edges) example.A.block(6 * i, 6 * j, 6, 6).setConstant(2);
  Fill(example, false, &gradients);
  ASSERT_TRUE(gradients.Factor());
  VecX x = VecX::LinSpaced(60, -1, 2);
  EXPECT_FALSE(gradients.Solve(1e-13, 1000, x.data()).converged);
  EXPECT_TRUE(x.allFinite());
}

TEST(BlockConjugateGradients, RepeatThemselvesAndAllocateNothing) {
  const BlockExample example = MakeBlockExample(30, 90, 6, 4);
  BlockConjugateGradients gradients;
  gradients.Analyze(example.sizes, example.edges);
  const VecX rhs = VecX::LinSpaced(gradients.size(), -1, 2);
  VecX first = rhs, second = rhs;
  Fill(example, false, &gradients);
  gradients.Factor();
  const auto result = gradients.Solve(1e-8, 1000, first.data());
  const long before = testing::CountAllocations();
  Fill(example, false, &gradients);
  gradients.Factor();
  const auto again = gradients.Solve(1e-8, 1000, second.data());
  EXPECT_EQ(testing::CountAllocations(), before);
  EXPECT_EQ(first, second);
  EXPECT_EQ(result.iterations, again.iterations);
}

}  // namespace
}  // namespace voigt
