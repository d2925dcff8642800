#include "voigt/math/panel_product.h"

#include <gtest/gtest.h>

#include <random>

#include "voigt/math/types.h"

namespace voigt::internal {
namespace {

MatX RandomMatrix(int rows, int cols, std::mt19937* random) {
  std::uniform_real_distribution<double> real(-1, 1);
  return MatX::NullaryExpr(rows, cols, [&]() { return real(*random); });
}

// Of all sizes, with numbers around the product that have to stay.
TEST(PanelProduct, IsTheProductWithTheSameBitsOnAllMachines) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> tall(0, 70), wide(0, 20), deep(0, 80);
  for (int trial = 0; trial < 300; ++trial) {
    const int m = tall(random), n = wide(random), k = deep(random);
    const MatX A = RandomMatrix(m + 3, k, &random), B = RandomMatrix(n + 2, k, &random);
    const MatX C = RandomMatrix(m + 5, n + 1, &random);
    MatX exact = C;
    exact.block(2, 0, m, n) -= A.middleRows(1, m) * B.middleRows(1, n).transpose();
    MatX first;
    for (PanelProduct subtract : PanelProducts()) {
      MatX out = C;
      subtract(m, n, k, A.data() + 1, m + 3, B.data() + 1, n + 2, out.data() + 2, m + 5);
      if (first.size() == 0) first = out;
      EXPECT_EQ(out, first) << m << " " << n << " " << k;
    }
    EXPECT_LT((first - exact).lpNorm<Eigen::Infinity>(), 1e-14 * (k + 1));
    first.block(2, 0, m, n) = C.block(2, 0, m, n);
    EXPECT_EQ(first, C);
  }
}

TEST(PanelProduct, VectorsAreThoseOfEigen) {
  std::mt19937 random(2);
  for (int m : {0, 1, 2, 5, 6, 18, 67}) {
    for (int n : {1, 2, 3, 6, 11}) {
      const MatX A = RandomMatrix(m + 1, n, &random);
      const VecX x = RandomMatrix(n, 1, &random), z = RandomMatrix(m, 1, &random);
      VecX y = VecX::Ones(m), w = VecX::Ones(n);
      SubtractPanelVector(m, n, A.data() + 1, m + 1, x.data(), y.data());
      SubtractTransposedPanelVector(m, n, A.data() + 1, m + 1, z.data(), w.data());
      EXPECT_LT((y - (VecX::Ones(m) - A.bottomRows(m) * x)).norm(), 1e-14 * (n + 1));
      EXPECT_LT((w - (VecX::Ones(n) - A.bottomRows(m).transpose() * z)).norm(), 1e-14 * (m + 1));
    }
  }
}

}  // namespace
}  // namespace voigt::internal
