#include <gtest/gtest.h>

#include "tests/support/complementarity_problems.h"
#include "voigt/kernels/basis_factor.h"
#include "voigt/kernels/dense_cholesky.h"
#include "voigt/kernels/dense_lu.h"

namespace voigt {
namespace {

using testing::ComplementarityMaker;

TEST(DenseFactors, SolveMatricesOfAllSizes) {
  ComplementarityMaker make(1);
  for (const int size : {0, 1, 2, 5, 31, 32, 33, 64, 100, 300}) {
    // Inside of a larger array.
    const int stride = size + 3;
    const VecX b = make.Matrix(size, 1);
    MatX room = make.Matrix(stride, size);
    const MatX A = room.topRows(size);
    std::vector<int> swaps(size);
    DenseBlock block(room.data(), size, size, Eigen::OuterStride<>(stride));
    const VecX below = room.bottomRows(3).reshaped();
    EXPECT_GT(FactorLu(block, swaps.data()), 0);
    VecX x = b;
    SolveLu(block, swaps.data(), x.data());
    EXPECT_LT((A * x - b).norm(), 1e-13 * (1 + A.norm() * x.norm()));
    EXPECT_EQ(room.bottomRows(3).reshaped(), below);

    MatX S = A * A.transpose() + MatX::Identity(size, size);
    const MatX lower = S.triangularView<Eigen::Lower>();
    room.topRows(size) = lower;
    EXPECT_TRUE(FactorCholesky(block, 1e-12));
    x = b;
    SolveCholesky(block, x.data());
    EXPECT_LT((S * x - b).norm(), 1e-13 * (1 + S.norm() * x.norm()));
  }
}

TEST(DenseFactors, RecogniseSingularMatrices) {
  ComplementarityMaker make(2);
  for (const int size : {2, 10, 50, 90}) {
    MatX A = make.Matrix(size, size);
    A.col(size - 1) = A.col(0);
    const MatX S = A * A.transpose();
    std::vector<int> swaps(size);
    EXPECT_LT(FactorLu(DenseBlock(A.data(), size, size, Eigen::OuterStride<>(size)), swaps.data()),
              1e-13);
    MatX copy = S;
    EXPECT_FALSE(
        FactorCholesky(DenseBlock(copy.data(), size, size, Eigen::OuterStride<>(size)), 1e-11));
    MatX zero = MatX::Zero(size, size);
    const DenseBlock block(zero.data(), size, size, Eigen::OuterStride<>(size));
    EXPECT_EQ(FactorLu(block, swaps.data()), 0);
    EXPECT_FALSE(FactorCholesky(block, 0));
  }
}

TEST(BasisFactor, FollowsExchangesOfColumns) {
  ComplementarityMaker make(3);
  const int size = 40;
  MatX B = MatX::Identity(size, size);
  const std::vector<int> positions = {3, 7, 8, 20, 39};
  BasisFactor factor;
  factor.Begin(size, positions);
  for (int k = 0; k < 5; ++k) {
    B.col(positions[k]) = make.Matrix(size, 1);
    factor.SetColumn(k, B.col(positions[k]).data());
  }
  ASSERT_GT(factor.Factor(), 1e-6);
  for (int exchange = 0; exchange < 30; ++exchange) {
    const VecX b = make.Matrix(size, 1);
    VecX x = b;
    factor.Solve(x.data());
    EXPECT_LT((B * x - b).norm(), 1e-10) << exchange;
    // A column whose pivot is not small.
    const VecX a = make.Matrix(size, 1);
    VecX alpha = a;
    factor.Solve(alpha.data());
    int position = 0;
    alpha.cwiseAbs().maxCoeff(&position);
    factor.Exchange(position, alpha.data());
    B.col(position) = a;
  }
}

}  // namespace
}  // namespace voigt
