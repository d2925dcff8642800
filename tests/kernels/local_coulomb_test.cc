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

// In mechanisms that move in a plane one tangent moves nothing: the same impulses as of the block
// of two rows, turned.
TEST(LocalCoulomb, KnowsTangentsThatMoveNothing) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int slides = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const MatX A = MatX::NullaryExpr(2, 2, [&] { return normal(random); });
    const MatX plane = A * A.transpose() + 1e-2 * MatX::Identity(2, 2);
    const Vec2 plane_q(normal(random), normal(random));
    const double angle = normal(random), mu = 0.1 * (trial % 20);
    MatX turn = MatX::Zero(2, 3);  // from three rows to two
    turn(0, 0) = 1;
    turn(1, 1) = std::cos(angle);
    turn(1, 2) = std::sin(angle);
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> W = turn.transpose() * plane * turn;
    const Vec3 q = turn.transpose() * plane_q;
    const Eigen::Matrix<double, 2, 2, Eigen::RowMajor> W2 = plane;
    double expected[2] = {}, gamma[3] = {};
    ASSERT_TRUE(SolveLocalCoulomb(2, W2.data(), plane_q.data(), mu, expected)) << trial;
    ASSERT_TRUE(SolveLocalCoulomb(3, W.data(), q.data(), mu, gamma)) << trial;
    const Vec3 wanted = turn.transpose() * Vec2(expected[0], expected[1]);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(gamma[i], wanted[i], 1e-11 * (1 + wanted.norm()));
    slides += gamma[0] > 0 && std::fabs(expected[1]) >= mu * gamma[0] * (1 - 1e-12);
  }
  EXPECT_GT(slides, 100);
}

// From a direction near that of the slip, as a sweep before left it.
TEST(LocalCoulomb, SlidesOnFromWhereItWas) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int slides = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const MatX A = MatX::NullaryExpr(3, 3, [&] { return normal(random); });
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> W =
        A * A.transpose() + 1e-2 * Mat3::Identity();
    const Vec3 q(-std::fabs(normal(random)), normal(random), normal(random));
    const double mu = 0.1 * (1 + trial % 10);
    Vec3 first = Vec3::Zero();
    ASSERT_TRUE(SolveLocalCoulomb(3, W.data(), q.data(), mu, first.data())) << trial;
    if (first.tail<2>().norm() < mu * first[0] * (1 - 1e-9)) continue;
    ++slides;
    Vec3 gamma = first + 1e-2 * first.norm() * Vec3::NullaryExpr([&] { return normal(random); });
    ASSERT_TRUE(SlideLocalCoulomb(W.data(), q.data(), mu, gamma.data())) << trial;
    EXPECT_LT(Residual(W, q, mu, gamma), 1e-12) << trial;
  }
  EXPECT_GT(slides, 1000);
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
