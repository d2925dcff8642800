#include "voigt/kernels/local_coulomb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// The natural residual of the law with unit steps, relative to q.
double Residual(const MatX& W, const VecX& q, double mu, const VecX& gamma) {
  const VecX u = W * gamma + q;
  const double w = W.diagonal().maxCoeff();
  const int n = static_cast<int>(q.size());
  double out = std::fabs(std::fmin(w * gamma[0], u[0]));
  if (n > 1) {
    VecX x = w * gamma.tail(n - 1) - u.tail(n - 1);
    const double radius = w * mu * gamma[0];
    if (x.norm() > radius) x *= radius / x.norm();
    out = std::fmax(out, (w * gamma.tail(n - 1) - x).norm());
  }
  return out / (q.norm() + w * gamma.norm());
}

TEST(LocalCoulomb, MeetsTheLawOnRandomBlocks) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  int counts[3] = {};
  for (int trial = 0; trial < 20000; ++trial) {
    const int n = 1 + trial % 3;
    // From round to needles, and strongly coupled.
    MatX A = MatX::NullaryExpr(n, n, [&] { return normal(random); });
    A.row(0) *= std::pow(10, 0.5 * normal(random));
    const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> W =
        A * A.transpose() + 1e-3 * MatX::Identity(n, n);
    const VecX q = VecX::NullaryExpr(n, [&] { return normal(random); });
    const double mu = 0.1 * (trial % 20);
    VecX gamma = VecX::Zero(n);
    ASSERT_TRUE(SolveLocalCoulomb(n, W.data(), q.data(), mu, gamma.data())) << trial;
    EXPECT_LT(Residual(W, q, mu, gamma), 1e-12) << trial;
    const double t = gamma.tail(n - 1).norm();
    ++counts[gamma[0] == 0 ? 0 : t < (1 - 1e-9) * mu * gamma[0] ? 1 : 2];
  }
  // All cases occur.
  for (const int count : counts) EXPECT_GT(count, 1000);
}

TEST(LocalCoulomb, StaysWithTheDirectionThatItHad) {
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 4};
  const double q[3] = {-1, 3, 4};
  double gamma[3] = {};
  ASSERT_TRUE(SolveLocalCoulomb(3, W, q, 0.5, gamma));
  double again[3] = {gamma[0], gamma[1], gamma[2]};
  ASSERT_TRUE(SolveLocalCoulomb(3, W, q, 0.5, again));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(again[i], gamma[i], 1e-15);
  EXPECT_NEAR(gamma[0], 1, 1e-15);
  EXPECT_NEAR(std::hypot(gamma[1], gamma[2]), 0.5, 1e-15);
}

TEST(LocalCoulomb, SaysWhereNoCaseFits) {
  // A push only drives the contact deeper.
  const double W[4] = {1, 3, 3, 1};
  const double q[2] = {-1, 1};
  double gamma[2] = {0.5, 0.25};
  EXPECT_FALSE(SolveLocalCoulomb(2, W, q, 1, gamma));
  EXPECT_EQ(gamma[0], 0.5);
  EXPECT_EQ(gamma[1], 0.25);
}

}  // namespace
}  // namespace voigt
