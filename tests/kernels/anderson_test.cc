#include "voigt/kernels/anderson.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <random>

#include "tests/support/dense_problem.h"

namespace voigt {
namespace {

// x ← x + f, f = b − A x: a linear iteration that does not converge on its own.
struct LinearSteps {
  explicit LinearSteps(int size, unsigned seed) {
    std::mt19937 random(seed);
    A = testing::RandomMatrix(size, size, &random) + 3 * MatX::Identity(size, size);
    b = testing::RandomMatrix(size, 1, &random);
    weight = testing::RandomMatrix(size, 1, &random).cwiseAbs();
  }

  double CalcError(const VecX& x) const { return (A.lu().solve(b) - x).norm() / x.norm(); }

  void Advance(Anderson* anderson, VecX* x) const {
    const VecX f = b - A * *x;
    anderson->Advance(f, weight, x);
  }

  MatX A;
  VecX b, weight;
};

// As GMRES: after as many differences as there are unknowns nothing is left.
TEST(Anderson, EndsOnLinearProblemsAfterAsManyStepsAsUnknowns) {
  for (int size = 1; size <= 4; ++size) {
    const LinearSteps steps(size, size);
    Anderson anderson;
    anderson.Reset(size);
    VecX x = VecX::Zero(size);
    for (int k = 0; k < size; ++k) {
      steps.Advance(&anderson, &x);
      EXPECT_GT(steps.CalcError(x), 1e-3) << size;
    }
    steps.Advance(&anderson, &x);
    EXPECT_LT(steps.CalcError(x), 1e-9) << size;
  }
}

// More unknowns than are remembered, and few of them slow: columns are used again and again.
TEST(Anderson, RemovesWhatIsSlow) {
  const int size = 20;
  LinearSteps steps(size, 7);
  const MatX turn = steps.A.householderQr().householderQ();
  VecX rates = VecX::Constant(size, 0.9);
  rates.head<3>() << 0.01, 0.02, 0.05;
  steps.A = turn * rates.asDiagonal() * turn.transpose();
  Anderson anderson;
  anderson.Reset(size);
  VecX x = VecX::Zero(size), plain = x;
  for (int k = 0; k < 20; ++k) {
    steps.Advance(&anderson, &x);
    plain += steps.b - steps.A * plain;
  }
  EXPECT_LT(steps.CalcError(x), 1e-9);
  EXPECT_GT(steps.CalcError(plain), 0.1);
}

// Whatever it was used for before, in the middle of its columns, too.
TEST(Anderson, ForgetsWhatItHasSeen) {
  const int size = 4;
  const LinearSteps first(size, 1), second(size, 2);
  for (int before = 0; before < 9; ++before) {
    Anderson used, fresh;
    used.Reset(size);
    fresh.Reset(size);
    VecX x = VecX::Zero(size);
    for (int k = 0; k < before; ++k) first.Advance(&used, &x);
    used.Forget();
    VecX y = VecX::Zero(size);
    x.setZero();
    for (int k = 0; k < 3; ++k) {
      second.Advance(&used, &x);
      second.Advance(&fresh, &y);
      EXPECT_EQ(x, y) << before;
    }
  }
}

}  // namespace
}  // namespace voigt
