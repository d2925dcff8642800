#include "voigt/kernels/linear_fixed_point.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "tests/support/dense_problem.h"

namespace voigt {
namespace {

using testing::NormalMatrix;
using testing::RandomMatrix;

// Eigenvalues of B: half are zero, the others come as close to one as 1e-4, between them an
// unsymmetric basis.
MatX MakeB(int n, std::mt19937* random) {
  const MatX basis = MatX::Identity(n, n) + 0.1 * NormalMatrix(n, n, random);
  VecX values = VecX::Zero(n);
  for (int i = 0; i < n / 2; ++i) values[i] = 1 - std::pow(10, -4.0 * i / (n / 2 - 1));
  return basis * values.asDiagonal() * basis.inverse();
}

int Solve(const MatX& B, const VecX& c, double tolerance, LinearFixedPoint* solver, VecX* x) {
  solver->Start(c, static_cast<int>(c.size()));
  while (solver->NeedsProduct(tolerance)) solver->Add(B * solver->direction());
  solver->Finish(x);
  return solver->count();
}

TEST(LinearFixedPoint, FindsTheSolutionInAsManyProductsAsThereAreEigenvalues) {
  std::mt19937 random(1);
  LinearFixedPoint solver;
  for (int n : {4, 12, 8}) {
    const MatX B = MakeB(n, &random);
    const VecX c = RandomMatrix(n, 1, &random);
    const VecX expected = (MatX::Identity(n, n) - B).partialPivLu().solve(c);
    VecX x;
    EXPECT_LE(Solve(B, c, 1e-13, &solver, &x), n / 2 + 1);
    EXPECT_LT((x - expected).norm(), 1e-8 * expected.norm());  // condition 1e4 and some
    EXPECT_LT((c + B * x - x).norm(), 1e-13 * x.norm());
  }
}

// Which B repeated would not: it gains 1e-4 at a time.
TEST(LinearFixedPoint, StopsAtTheToleranceOrAfterTheProductsThatItHas) {
  std::mt19937 random(2);
  const MatX B = MakeB(40, &random);
  const VecX c = RandomMatrix(40, 1, &random);
  LinearFixedPoint solver;
  VecX x;
  const int products = Solve(B, c, 1e-3, &solver, &x);
  EXPECT_LT((c + B * x - x).norm(), 1.001e-3 * c.norm());
  EXPECT_LE(products, 22);  // there are 21 eigenvalues

  double last = c.norm();
  for (int most = 1; most < products; ++most) {
    solver.Start(c, most);
    while (solver.NeedsProduct(1e-3)) solver.Add(B * solver.direction());
    EXPECT_EQ(solver.count(), most);
    solver.Finish(&x);
    const double left = (c + B * x - x).norm();
    EXPECT_GT(left, 0.999e-3 * c.norm());
    EXPECT_LE(left, last * (1 + 1e-9));
    last = left;
  }
}

TEST(LinearFixedPoint, KnowsWhenNothingIsLeft) {
  LinearFixedPoint solver;
  VecX x = VecX::Ones(3);
  solver.Start(VecX::Zero(3), 5);
  EXPECT_FALSE(solver.NeedsProduct(1e-3));
  solver.Finish(&x);
  EXPECT_EQ(x, VecX(VecX::Zero(3)));

  // B = 0: the first product says so.
  const VecX c = VecX::LinSpaced(3, 1, 2);
  solver.Start(c, 5);
  ASSERT_TRUE(solver.NeedsProduct(1e-3));
  solver.Add(VecX::Zero(3));
  EXPECT_FALSE(solver.NeedsProduct(1e-3));
  solver.Finish(&x);
  EXPECT_LT((x - c).norm(), 1e-15);
}

}  // namespace
}  // namespace voigt
