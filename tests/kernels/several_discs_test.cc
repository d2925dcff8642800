#include "voigt/kernels/several_discs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/kernels/disc_blocks.h"
#include "voigt/kernels/convex_set.h"
#include "voigt/math/types.h"

namespace voigt {
namespace {

using RowMat = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

RowMat MakeRandomDefinite(int n, std::mt19937* random) {
  std::normal_distribution<double> normal;
  MatX A = MatX::NullaryExpr(n, n, [&] { return normal(*random); });
  // Rows of different units.
  for (int i = 0; i < n; ++i) A.row(i) *= std::pow(10, 0.5 * normal(*random));
  return A * A.transpose() + 1e-3 * A.squaredNorm() * MatX::Identity(n, n);
}

// Blocks of one disc have their own ways in convex_set.h.
TEST(SeveralDiscs, OfOneAreProjectedAsByTheQuickWay) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> real(-2, 2);
  for (int trial = 0; trial < 3000; ++trial) {
    const ConvexSet sets[] = {ConvexSet::kDisc, ConvexSet::kCoulomb, ConvexSet::kCone};
    const int n = 2 + trial % 2;
    ConvexBlock block;
    block.set = sets[trial % 3];
    testing::SetRandomDiscs(n, &random, &block);
    double z[3], S[3], gamma[3], D[9], quick_gamma[3], quick_D[9];
    testing::FillRandomMetric(block, &random, S);
    for (double& x : z) x = real(random);
    Project(block, z, S, nullptr, nullptr, quick_gamma, quick_D);
    if (block.set == ConvexSet::kCone) {
      ProjectConeOfDiscs(block, z, S, gamma, D);
    } else {
      ProjectHalfLineAndDiscs(block, z, gamma, D);
    }
    for (int i = 0; i < n; ++i) EXPECT_NEAR(gamma[i], quick_gamma[i], 2e-15) << trial;
    for (int i = 0; i < n * n; ++i) EXPECT_NEAR(D[i], quick_D[i], 2e-15) << trial;
  }
}

// At the minimum the gradient is zero, or points inwards at the edge.
TEST(SeveralDiscs, MinimumOverADiscMeetsItsConditions) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  int inside = 0, at_edge = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int n = 1 + trial % 2;
    const RowMat A = MakeRandomDefinite(n, &random);
    const VecX c = VecX::NullaryExpr(n, [&] { return normal(random); });
    const double radius = std::pow(10, 3 * normal(random));
    VecX x(n);
    MinimizeOverDisc(n, A.data(), c.data(), radius, x.data());
    const VecX gradient = A * x + c;
    const double small = 1e-12 * c.norm();
    if (x.norm() < radius * (1 - 1e-9)) {
      EXPECT_LT(gradient.norm(), small) << trial;
      ++inside;
    } else {
      EXPECT_LE(x.norm(), radius * (1 + 1e-15)) << trial;
      const double inwards = -gradient.dot(x) / x.squaredNorm();
      EXPECT_GE(inwards * x.norm(), -small) << trial;
      EXPECT_LT((gradient + inwards * x).norm(), small) << trial;
      ++at_edge;
    }
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(at_edge, 500);
}

TEST(SeveralDiscs, MinimumOverADiscOfNothing) {
  const double A[4] = {2, 1, 1, 3}, zero[2] = {}, c[2] = {1, -1};
  double x[2] = {7, 7};
  MinimizeOverDisc(2, A, zero, 1, x);
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 0);
  MinimizeOverDisc(2, A, c, 0, x);
  EXPECT_EQ(std::hypot(x[0], x[1]), 0);
  MinimizeOverDisc(1, A, c, 0, x);
  EXPECT_EQ(x[0], 0);
}

// The law of one block as it is written, each disc measured by its largest diagonal entry.
double CalcLawResidual(const ConvexBlock& block, const RowMat& W, const VecX& q,
                       const VecX& gamma) {
  const VecX u = W * gamma + q;
  double error = std::fabs(std::fmin(W(0, 0) * gamma[0], u[0]));
  double scale = std::fabs(q[0]) + W(0, 0) * gamma[0];
  for (const Disc& disc : block.discs()) {
    const double w = W.diagonal().segment(disc.first, disc.count).maxCoeff();
    const VecX s = w * gamma.segment(disc.first, disc.count);
    VecX x = s - u.segment(disc.first, disc.count);
    const double radius = w * disc.mu * gamma[0];
    if (x.norm() > radius) x *= radius / x.norm();
    error = std::fmax(error, (s - x).norm());
    scale = std::fmax(scale, q.segment(disc.first, disc.count).norm() + s.norm());
  }
  return error / scale;
}

// On all but a few that go in circles.
TEST(SeveralDiscs, SweepsOverOneBlockMeetTheLaw) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int counts[4] = {}, in_circles = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = 4 + trial % 3;
    ConvexBlock block;
    block.set = ConvexSet::kCoulomb;
    testing::SetRandomDiscs(n, &random, &block);
    for (double* mu : {&block.mu, &block.more_mu[0], &block.more_mu[1]}) *mu *= 0.2;
    const RowMat W = MakeRandomDefinite(n, &random);
    const VecX q = VecX::NullaryExpr(n, [&] { return normal(random); });
    VecX gamma = VecX::Zero(n);
    for (int repeat = 0; repeat < 200; ++repeat) {
      SweepLocalDiscs(block, W.data(), q.data(), gamma.data());
    }
    in_circles += !(CalcLawResidual(block, W, q, gamma) < 1e-11);
    int edges = 0;
    for (const Disc& disc : block.discs()) {
      edges += gamma.segment(disc.first, disc.count).norm() > disc.mu * gamma[0] * (1 - 1e-9);
    }
    ++counts[gamma[0] == 0 ? 0 : edges];
  }
  EXPECT_LE(in_circles, 4);
  for (const int count : counts) EXPECT_GT(count, 20);
}

}  // namespace
}  // namespace voigt
