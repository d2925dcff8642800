#include "voigt/math/small_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "voigt/math/types.h"

namespace voigt {
namespace {

TEST(SmallElimination, SolvesAsALuFactorDoes) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    double rows[3][5];
    Eigen::Matrix<double, 3, 5> all;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 5; ++j) rows[i][j] = all(i, j) = normal(random);
    }
    if (trial % 2 == 0) rows[0][0] = all(0, 0) = 0;  // needs a pivot
    const Mat3 A = all.leftCols<3>();
    EliminateRows(rows);
    for (int j = 3; j < 5; ++j) {
      const Vec3 x(rows[0][j], rows[1][j], rows[2][j]), b = all.col(j);
      EXPECT_LT((A * x - b).norm(), 1e-14 * (A.norm() * x.norm() + b.norm()));
    }
  }
}

TEST(SmallElimination, TellsSingularMatricesByNumbersThatAreNotFinite) {
  double rows[2][3] = {{1, 2, 3}, {2, 4, 5}};
  EliminateRows(rows);
  EXPECT_FALSE(std::isfinite(rows[0][2]) && std::isfinite(rows[1][2]));
}

}  // namespace
}  // namespace voigt
