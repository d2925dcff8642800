#include "voigt/math/packed_six.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "voigt/math/tree_factor.h"
#include "voigt/math/tree_product.h"

namespace voigt {
namespace {

VecX MakeDiagonal() {
  VecX packed = VecX::Zero(21);
  for (int k = 0; k < 6; ++k) packed[k * (k + 3) / 2] = 2 + k;
  return packed;
}

TEST(PackedSix, SeesEveryEntryBesideTheDiagonal) {
  VecX packed = MakeDiagonal();
  packed[7] = -0.0;
  EXPECT_TRUE(IsDiagonalOfSix(packed.data()));
  int beside = 0;
  for (int row = 0; row < 6; ++row) {
    for (int col = 0; col < row; ++col, ++beside) {
      packed = MakeDiagonal();
      packed[row * (row + 1) / 2 + col] = beside % 2 == 0 ? 1e-300 : -1e-300;
      EXPECT_FALSE(IsDiagonalOfSix(packed.data())) << row << " " << col;
    }
  }
  EXPECT_EQ(beside, 15);
}

// Matrices that are diagonal, or all but one entry.
TEST(PackedSix, ProductsAndFactorsAreThoseOfDenseMatrices) {
  const TreePattern pattern({-1, 0, 1, 2, 3, 4});
  ASSERT_TRUE(pattern.is_chain_of_six(0));
  const VecX x = VecX::LinSpaced(6, -1, 2);
  for (int entry = 0; entry < 21; ++entry) {
    VecX packed = MakeDiagonal();
    packed[entry] += 0.5;
    const MatX dense = pattern.ToDense(packed);
    VecX y;
    MultiplyPacked(pattern, packed, x, &y);
    EXPECT_LT((y - dense * x).norm(), 1e-14) << entry;
    TreeFactor factor(pattern);
    ASSERT_EQ(factor.Factor(pattern, packed), -1);
    VecX solved = x;
    factor.Solve(pattern, solved);
    EXPECT_LT((solved - dense.llt().solve(x)).norm(), 1e-14) << entry;
  }
}

}  // namespace
}  // namespace voigt
