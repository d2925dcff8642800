#include "voigt/math/tree_product.h"

#include <gtest/gtest.h>

#include <random>

#include "voigt/math/sparse_rows.h"

namespace voigt {
namespace {

TEST(TreeProduct, IsThatOfTheDenseMatrix) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  // A free body, a chain of two, a free body, a tree with a branch whose end is a run of six.
  const TreePattern pattern(
      {-1, 0, 1, 2, 3, 4, -1, 6, -1, 8, 9, 10, 11, 12, -1, 14, 14, 16, 17, 18, 19, 20});
  VecX A(pattern.nonzeros()), x(pattern.size()), y;
  for (double& value : A) value = normal(random);
  for (double& value : x) value = normal(random);
  MultiplyPacked(pattern, A, x, &y);
  const VecX expected = pattern.ToDense(A) * x;
  EXPECT_LT((y - expected).norm(), 1e-14 * expected.norm());

  // A part of the trees leaves the rest alone.
  VecX part = VecX::Constant(pattern.size(), -1);
  MultiplyPacked(pattern, A.data(), 6, 8, x.data(), part.data());
  EXPECT_LT((part.segment(6, 8) - expected.segment(6, 8)).norm(), 1e-14 * expected.norm());
  EXPECT_TRUE((part.head(6).array() == -1).all());
  EXPECT_TRUE((part.tail(8).array() == -1).all());
}

TEST(SparseRows, AreRowsOfADenseMatrix) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int n : {1, 5, 6, 7, 12, 13}) {
    for (int rows : {1, 2, 3, 10}) {
      std::vector<double> A(rows * n);
      for (double& value : A) value = normal(random);
      std::vector<int> cols;
      for (int k = 0; k < n; ++k) cols.push_back(2 * k + 1);
      MatX dense = MatX::Zero(rows, 30);
      for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < n; ++k) dense(r, cols[k]) = A[r * n + k];
      }
      VecX v(30), gamma(rows), y(rows);
      for (double& value : v) value = normal(random);
      for (double& value : gamma) value = normal(random);
      MultiplyRows(A.data(), rows, cols.data(), n, v.data(), y.data());
      EXPECT_LT((y - dense * v).norm(), 1e-13);
      EXPECT_NEAR(LargestSum(A.data(), rows, cols.data(), n, v.data()),
                  (dense.cwiseAbs() * v.cwiseAbs()).maxCoeff(), 1e-13);
      VecX x = v;
      AddTransposedRows(A.data(), rows, cols.data(), n, gamma.data(), x.data());
      EXPECT_LT((x - v - dense.transpose() * gamma).norm(), 1e-13);
    }
  }
}

}  // namespace
}  // namespace voigt
