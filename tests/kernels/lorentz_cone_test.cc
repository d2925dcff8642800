#include "voigt/kernels/lorentz_cone.h"

#include <gtest/gtest.h>

#include <random>

namespace voigt {
namespace {

// A point of the cone; `depth` is x₀ − ‖x₁‥‖.
template <int n>
ConeVec<n> MakePoint(double depth, std::mt19937* random) {
  std::normal_distribution<double> normal;
  ConeVec<n> x;
  for (int i = 0; i < n; ++i) x[i] = normal(*random);
  if constexpr (n == 1) {
    x[0] = depth;
  } else {
    x[0] = x.template tail<n - 1>().norm() + depth;
  }
  return x;
}

template <int n>
void CheckAlgebra() {
  std::mt19937 random(n);
  for (int trial = 0; trial < 200; ++trial) {
    const double depth = trial % 2 == 0 ? 1 : 1e-6;
    const ConeVec<n> z = MakePoint<n>(depth, &random), s = MakePoint<n>(1, &random);
    EXPECT_NEAR((MultiplyInCone<n>(z, DivideInCone<n>(z, s)) - s).norm(), 0,
                1e-9 / depth * 1e-6 + 1e-12);

    // F z = F⁻¹ s, F symmetric, F² z = s.
    const ConeScaling<n> scaling(z, s);
    EXPECT_LT((scaling.F - scaling.F.transpose()).norm(), 1e-13 * scaling.F.norm());
    EXPECT_LT((scaling.F * scaling.F_inverse - ConeMat<n>::Identity()).norm(), 1e-7);
    EXPECT_LT((scaling.F * z - scaling.F_inverse * s).norm(), 1e-7 * (1 + s.norm() / depth));
    EXPECT_LT((scaling.F * (scaling.F * z) - s).norm(), 1e-7 * (1 + s.norm()));
    EXPECT_GE(CalcConeDeterminant<n>(scaling.lambda), 0);
  }
}

TEST(LorentzCone, ScalingMapsBothPointsToOne) {
  CheckAlgebra<1>();
  CheckAlgebra<2>();
  CheckAlgebra<3>();
}

template <int n>
void CheckSteps() {
  std::mt19937 random(10 + n);
  std::normal_distribution<double> normal;
  int shortened = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const ConeVec<n> x = MakePoint<n>(0.3, &random);
    ConeVec<n> d;
    for (int i = 0; i < n; ++i) d[i] = normal(random);
    const double alpha = CalcStepInCone<n>(x, d);
    ASSERT_GT(alpha, 0);
    ASSERT_LE(alpha, 1);
    const auto depth = [&](double step) {
      const ConeVec<n> y = x + step * d;
      if constexpr (n == 1) {
        return y[0];
      } else {
        return y[0] - y.template tail<n - 1>().norm();
      }
    };
    for (double part : {0.1, 0.5, 0.999}) EXPECT_GT(depth(part * alpha), 0);
    if (alpha == 1) continue;
    ++shortened;
    EXPECT_LT(depth(1.001 * alpha), 0);
  }
  EXPECT_GT(shortened, 100);
}

TEST(LorentzCone, StepsEndAtTheBoundary) {
  CheckSteps<1>();
  CheckSteps<2>();
  CheckSteps<3>();
}

}  // namespace
}  // namespace voigt
