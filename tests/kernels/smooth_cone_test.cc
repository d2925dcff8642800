#include "voigt/kernels/smooth_cone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "voigt/kernels/convex_set.h"
#include "voigt/problem/force_law.h"

namespace voigt {
namespace {

constexpr double kStep = 0.01;

// γ = (b − y)/R where positive.
class LinearLaw : public ScalarLaws {
 public:
  Value Calc(int, double y) const override {
    const double gamma = (b - y) / R;
    return gamma > 0 ? Value{gamma, 1 / R, 0.5 * R * gamma * gamma} : Value{};
  }
  double R = 1, b = 0;
};

class CurvedLaw : public ScalarLaws {
 public:
  Value Calc(int, double y) const override {
    const ForceLawValue value = CalcForceLaw(law, y, phi, kStep);
    return {value.gamma, value.slope, value.potential};
  }
  ForceLaw law;
  double phi = 0;
};

struct ConeSample {
  ConvexProgram program;
  ConvexBlock block;
  double y = 0;
  double z[3] = {}, S[3] = {};
};

struct Point {
  SmoothConePoint at;
  double gamma[3] = {}, D[9] = {};
};

ConeSample MakeConeSample(const ScalarLaws& laws, int rows, std::mt19937* random) {
  std::uniform_real_distribution<double> real(-2, 2), positive(0.2, 2);
  ConeSample out;
  out.program.laws = &laws;
  out.block.set = ConvexSet::kCone;
  out.block.smooth = true;
  out.block.row_count = rows;
  out.block.mu = positive(*random);
  out.y = real(*random);
  for (int i = 0; i < rows; ++i) out.z[i] = real(*random);
  std::fill(out.S, out.S + 3, positive(*random));
  return out;
}

CurvedLaw MakeCurvedLaw(int trial, std::mt19937* random) {
  std::uniform_real_distribution<double> phi(-0.01, 0.01), exponent(2, 9);
  CurvedLaw out;
  out.law.kind = trial % 2 == 0 ? ForceLaw::Kind::kHertz : ForceLaw::Kind::kHuntCrossley;
  out.law.stiffness = std::pow(10, exponent(*random));
  out.law.dissipation = 0.2;
  out.phi = phi(*random);
  return out;
}

Point ProjectConeSample(const ConeSample& s) {
  Point out;
  out.at = ProjectSmoothCone(s.program, s.block, s.y, s.z, s.S, out.gamma, out.D);
  return out;
}

// A linear law is a row with R and b: the cone's own projection, in the metric of R and S.
TEST(SmoothCone, OfALinearLawIsTheCone) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> real(-2, 2), positive(0.2, 2);
  for (int trial = 0; trial < 2000; ++trial) {
    LinearLaw law;
    law.R = positive(random);
    law.b = real(random);
    const int n = 2 + trial % 2;
    const ConeSample sample = MakeConeSample(law, n, &random);
    const double z[3] = {(law.b - sample.y) / law.R, sample.z[1], sample.z[2]};
    const double S[3] = {law.R, sample.S[1], sample.S[2]};
    double gamma[3], D[9];
    Project(sample.block, z, S, nullptr, nullptr, gamma, D);
    const Point point = ProjectConeSample(sample);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(point.gamma[i], gamma[i], 1e-14) << trial;
      for (int j = 0; j < n; ++j) {
        EXPECT_NEAR(point.D[i * n + j], D[i * n + j] / (j == 0 ? law.R : 1), 1e-13) << trial;
      }
    }
  }
}

// No other point of the cone has less: the gradient at γ, (y − ρ, S (γ_t − z_t)), points up in
// every direction that stays in the cone, and ρ belongs to γ₀ by the law.
TEST(SmoothCone, IsTheLeastOfItsFunction) {
  std::mt19937 random(2);
  int sliding = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const CurvedLaw law = MakeCurvedLaw(trial, &random);
    const int n = 2 + trial % 2;
    const ConeSample sample = MakeConeSample(law, n, &random);
    const Point point = ProjectConeSample(sample);
    const double* const gamma = point.gamma;
    double norm = 0;
    for (int i = 1; i < n; ++i) norm = std::hypot(norm, gamma[i]);
    EXPECT_LE(norm, sample.block.mu * gamma[0] * (1 + 1e-15));
    sliding += gamma[0] > 0 && norm > 0.999999 * sample.block.mu * gamma[0];
    // As good as the rate can be rounded.
    const ForceLawValue value = CalcForceLaw(law.law, point.at.rate, law.phi, kStep);
    EXPECT_NEAR(gamma[0], value.gamma, 1e-14 * (gamma[0] + 3 * value.slope)) << trial;
    for (int other = 0; other < 20; ++other) {
      std::uniform_real_distribution<double> share(0, 1), angle(0, 7);
      double x[3] = {2 * share(random), 0, 0};
      const double radius = sample.block.mu * x[0] * share(random), turn = angle(random);
      x[1] = n == 2 ? (other % 2 == 0 ? radius : -radius) : radius * std::cos(turn);
      x[2] = n == 2 ? 0 : radius * std::sin(turn);
      double product = (sample.y - point.at.rate) * (x[0] - gamma[0]);
      for (int i = 1; i < n; ++i) {
        product += sample.S[i] * (gamma[i] - sample.z[i]) * (x[i] - gamma[i]);
      }
      EXPECT_GT(product, -1e-13) << trial;
    }
  }
  EXPECT_GT(sliding, 300);
}

TEST(SmoothCone, DerivativesAreThoseOfFiniteDifferences) {
  std::mt19937 random(3);
  const double step = 1e-6;
  int compared = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const CurvedLaw law = MakeCurvedLaw(trial, &random);
    const int n = 2 + trial % 2;
    const ConeSample sample = MakeConeSample(law, n, &random);
    const Point point = ProjectConeSample(sample);
    for (int j = 0; j < n; ++j) {
      ConeSample plus = sample, minus = sample;
      (j == 0 ? plus.y : plus.z[j]) += step;
      (j == 0 ? minus.y : minus.z[j]) -= step;
      const Point a = ProjectConeSample(plus), b = ProjectConeSample(minus);
      for (int i = 0; i < n; ++i) {
        const int at = i * n + j;
        // Not across a kink.
        const double size = 1 + std::abs(point.D[at]);
        if (std::abs(a.D[at] - b.D[at]) > 1e-3 * size) continue;
        const double difference = (a.gamma[i] - b.gamma[i]) / (2 * step);
        EXPECT_NEAR(j == 0 ? -difference : difference, point.D[at], 1e-5 * size) << trial;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 8000);
}

// With R in place of S, P is the derivative −∂γ/∂y of the program's impulses at the same point: it
// is symmetric, and does not depend on S.
TEST(SmoothCone, NewtonsMatrixIsThatOfTheProgram) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const CurvedLaw law = MakeCurvedLaw(trial, &random);
    const int n = 2 + trial % 2;
    ConeSample soft = MakeConeSample(law, n, &random);  // S is R, z = (b − y)/R
    const Point point = ProjectConeSample(soft);
    // The same point as a fixed point of the natural map with another S: z = γ − u/S.
    ConeSample natural = soft;
    double S = 3 * soft.S[1];
    std::fill(natural.S, natural.S + 3, S);
    for (int i = 1; i < n; ++i) {
      natural.z[i] = point.gamma[i] - soft.S[1] * (point.gamma[i] - soft.z[i]) / S;
    }
    const Point fixed = ProjectConeSample(natural);
    double P[9], r[3] = {1, 2, 3};
    CalcNewtonTerms(natural.block, fixed.D, natural.S, soft.S, 1, P, r);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(fixed.gamma[i], point.gamma[i], 1e-13 * (1 + point.gamma[0])) << trial;
      for (int j = 0; j < n; ++j) {
        const double expected = point.D[i * n + j] / (j == 0 ? 1 : soft.S[1]);
        EXPECT_NEAR(P[i * n + j], expected, 1e-9 * (1 + point.D[0])) << trial;
        EXPECT_NEAR(P[i * n + j], P[j * n + i], 1e-12 * (1 + point.D[0])) << trial;
      }
    }
  }
}

// Without friction the law stands alone.
TEST(SmoothCone, WithoutFrictionIsTheLaw) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const CurvedLaw law = MakeCurvedLaw(trial, &random);
    ConeSample sample = MakeConeSample(law, 3, &random);
    sample.block.mu = 0;
    const Point point = ProjectConeSample(sample);
    EXPECT_EQ(point.gamma[0], law.Calc(0, sample.y).gamma);
    EXPECT_EQ(point.gamma[1], 0);
    EXPECT_EQ(point.gamma[2], 0);
  }
}

}  // namespace
}  // namespace voigt
