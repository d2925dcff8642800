#include "voigt/problem/delassus.h"

#include <gtest/gtest.h>

#include <random>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

MatX RandomMatrix(std::mt19937* random, int rows, int cols) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, cols, [&] { return normal(*random); });
}

TEST(Delassus, GivesBackItsMatrixAtAnyRank) {
  std::mt19937 random(1);
  for (const int dimension : {1, 2, 3}) {
    for (int rank = 0; rank <= 4 * dimension; ++rank) {
      const int contacts = 4, size = dimension * contacts;
      const MatX A = RandomMatrix(&random, size, rank);
      const MatX W = A * A.transpose();
      const VecX q = RandomMatrix(&random, size, 1);
      const VecX mu = VecX::LinSpaced(contacts, 0, 0.9);
      const OwnedProblem owned = MakeProblemFromDelassus(W, q, dimension, mu);
      const VelocityProblem& problem = owned.problem;
      EXPECT_EQ(problem.nv(), rank);
      ASSERT_EQ(problem.row_count(), size);
      ASSERT_EQ(problem.groups.size(), static_cast<size_t>(contacts));
      EXPECT_EQ(problem.groups[3].mu, 0.9);
      EXPECT_EQ(problem.groups[3].row_count, dimension);
      EXPECT_EQ(problem.h, 1);
      const VecX gamma = RandomMatrix(&random, size, 1);
      VecX v1, u;
      problem.CalcVelocity(gamma, &v1);
      problem.Multiply(v1, &u);
      for (int i = 0; i < size; ++i) u[i] += problem.rows[i].phi_t;
      EXPECT_LT((u - (W * gamma + q)).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

TEST(Delassus, KeepsColumnsThatAContactDoesNotTouchOut) {
  MatX W = MatX::Zero(6, 6);
  W.topLeftCorner(3, 3) = 2 * Mat3::Identity();
  W.bottomRightCorner(3, 3) = 3 * Mat3::Identity();
  const OwnedProblem owned = MakeProblemFromDelassus(W, VecX::Zero(6), 3, VecX::Constant(2, 0.5));
  EXPECT_EQ(owned.problem.groups[0].col_count, 3);
  EXPECT_EQ(owned.problem.groups[1].col_count, 3);
}

TEST(Delassus, RefusesWhatCannotBeOne) {
  const MatX I = MatX::Identity(6, 6);
  const VecX q = VecX::Zero(6), mu = VecX::Constant(2, 0.5);
  MatX skew = I, indefinite = I, broken = I;
  skew(0, 1) = 1e-3;
  indefinite(5, 5) = -0.1;
  broken(2, 2) = kNaN;
  MatX saddle = MatX::Zero(6, 6);
  saddle(0, 1) = saddle(1, 0) = 1;
  EXPECT_NO_THROW(MakeProblemFromDelassus(I, q, 3, mu));
  EXPECT_THROW(MakeProblemFromDelassus(skew, q, 3, mu), InputError);
  EXPECT_NO_THROW(MakeProblemFromDelassus(skew, q, 3, mu, 1e-2));
  EXPECT_THROW(MakeProblemFromDelassus(indefinite, q, 3, mu), InputError);
  EXPECT_THROW(MakeProblemFromDelassus(saddle, q, 3, mu), InputError);
  EXPECT_THROW(MakeProblemFromDelassus(broken, q, 3, mu), InputError);
  EXPECT_THROW(MakeProblemFromDelassus(I, q, 2, mu), InputError);
  EXPECT_THROW(MakeProblemFromDelassus(I, VecX::Zero(5), 3, mu), InputError);
  EXPECT_THROW(MakeProblemFromDelassus(I, q, 3, -mu), InputError);
  EXPECT_THROW(MakeProblemFromDelassus(I.topRows(3), q, 3, mu), InputError);
}

}  // namespace
}  // namespace voigt
