#include "voigt/model/hertz_ellipse.h"

#include <gtest/gtest.h>

#include <cmath>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// What the pressure p₀ √(1 − x²/a² − y²/b²) on an ellipse does to an elastic half-space: its
// surface moves by (L − M x² − N y²)/(π E*), with potential integrals over w = s² from 0 to ∞
// [Johnson 1985, eqs. 3.57 to 3.60]. The trapezoidal rule in ln s is as good as exact for them.
struct PressedEllipse {
  double load, depth, kappa_1, kappa_2;  // for p₀ = E* = 1

  PressedEllipse(double a, double b) {
    double L = 0, M = 0, N = 0;
    constexpr double kStep = 0.02;
    for (int i = -3000; i <= 3000; ++i) {
      const double s = std::sqrt(a * b) * std::exp(kStep * i), w = s * s;
      const double common = 2 * s * kStep / std::sqrt((a * a + w) * (b * b + w));
      L += common;
      M += common / (a * a + w);
      N += common / (b * b + w);
    }
    depth = 0.5 * a * b * L;
    kappa_1 = a * b * M;
    kappa_2 = a * b * N;
    load = 2.0 / 3.0 * kPi * a * b;
  }
};

TEST(HertzEllipse, ForceIsThatOfThePressureOnAnEllipse) {
  for (double b : {1.0, 0.9999, 0.9, 0.5, 0.2, 0.05, 1e-2, 1e-3, 1e-5}) {
    const PressedEllipse ellipse(1, b);
    const double ratio = std::min(1.0, ellipse.kappa_1 / ellipse.kappa_2);
    const double R = 1 / std::sqrt(ellipse.kappa_1 * ellipse.kappa_2);
    const double round = 4.0 / 3.0 * std::sqrt(R) * std::pow(ellipse.depth, 1.5);
    EXPECT_NEAR(CalcHertzFactor(ratio), ellipse.load / round, 1e-11 * ellipse.load / round) << b;
    const double r = CalcRoundRadius(R, ratio);
    EXPECT_NEAR(4.0 / 3.0 * std::sqrt(r) * std::pow(ellipse.depth, 1.5), ellipse.load,
                1e-11 * ellipse.load)
        << b;
  }
}

// F₂ of [Johnson 1985, eq. 4.27] by complete elliptic integrals, f = F₂^{-3/2}.
TEST(HertzEllipse, FactorIsThatOfTheEllipticIntegrals) {
  for (double k : {0.9, 0.5, 0.2, 0.05, 1e-2}) {
    const double e = std::sqrt(1 - k * k), K = std::comp_ellint_1(e), E = std::comp_ellint_2(e);
    const double ratio = (K - E) / (E / (k * k) - K);
    const double F_1 =
        std::cbrt(4 / (kPi * e * e) * std::pow(k, 1.5) * std::sqrt((E / (k * k) - K) * (K - E)));
    const double F_2 = 2 / kPi * std::sqrt(k) / F_1 * K;
    EXPECT_NEAR(CalcHertzFactor(ratio) * std::pow(F_2, 1.5), 1, 1e-12) << k;
  }
}

TEST(HertzEllipse, SpheresAreAsTheyWere) {
  EXPECT_EQ(CalcHertzFactor(1), 1);
  EXPECT_EQ(CalcRoundRadius(0.3, 1), 0.3);
  EXPECT_EQ(CalcRoundRadius(kInfinity, 1), kInfinity);
  // Smoothly so, and from above.
  for (double less : {1e-15, 1e-12, 1e-8, 1e-4}) {
    EXPECT_NEAR(CalcHertzFactor(1 - less), 1, 1e-14 + less * less);
  }
}

TEST(HertzEllipse, GrowsAsTheEllipseGetsLonger) {
  double last = 1;
  for (double ratio = 0.9; ratio > 1e-14; ratio *= 0.7) {
    const double factor = CalcHertzFactor(ratio);
    EXPECT_GT(factor, last);
    last = factor;
  }
  EXPECT_LT(last, 1000);
}

}  // namespace
}  // namespace voigt
