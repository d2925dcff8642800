#include "voigt/kernels/smooth_cone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/kernels/disc_blocks.h"
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
  double z[6] = {}, S[6] = {};
};

struct Point {
  SmoothConePoint at;
  double gamma[6] = {}, D[36] = {};
};

ConeSample MakeConeSample(const ScalarLaws& laws, int rows, std::mt19937* random) {
  std::uniform_real_distribution<double> real(-2, 2);
  ConeSample out;
  out.program.laws = &laws;
  out.block.set = ConvexSet::kCone;
  out.block.smooth = true;
  testing::SetRandomDiscs(rows, random, &out.block);
  out.y = real(*random);
  for (int i = 0; i < rows; ++i) out.z[i] = real(*random);
  testing::FillRandomMetric(out.block, random, out.S);
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
    const int n = 2 + trial % 5;
    const ConeSample sample = MakeConeSample(law, n, &random);
    ConeSample linear = sample;
    linear.z[0] = (law.b - sample.y) / law.R;
    linear.S[0] = law.R;
    double gamma[6], D[36];
    Project(linear.block, linear.z, linear.S, nullptr, nullptr, gamma, D);
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
    const int n = 2 + trial % 5;
    const ConeSample sample = MakeConeSample(law, n, &random);
    const Point point = ProjectConeSample(sample);
    const double* const gamma = point.gamma;
    for (const Disc& disc : sample.block.discs()) {
      double norm = 0;
      for (int i = 0; i < disc.count; ++i) norm = std::hypot(norm, gamma[disc.first + i]);
      EXPECT_LE(norm, disc.mu * gamma[0] * (1 + 1e-15));
      sliding += gamma[0] > 0 && norm > 0.999999 * disc.mu * gamma[0];
    }
    // As good as the rate can be rounded.
    const ForceLawValue value = CalcForceLaw(law.law, point.at.rate, law.phi, kStep);
    EXPECT_NEAR(gamma[0], value.gamma, 1e-14 * (gamma[0] + 3 * value.slope)) << trial;
    for (int other = 0; other < 20; ++other) {
      std::uniform_real_distribution<double> share(0, 1), angle(0, 7);
      double x[6] = {2 * share(random)};
      for (const Disc& disc : sample.block.discs()) {
        const double radius = disc.mu * x[0] * share(random), turn = angle(random);
        x[disc.first] = radius * std::cos(turn);
        if (disc.count == 2) x[disc.first + 1] = radius * std::sin(turn);
      }
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
    const int n = 2 + trial % 5;
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
    const int n = 2 + trial % 5;
    ConeSample soft = MakeConeSample(law, n, &random);  // S is R, z = (b − y)/R
    const Point point = ProjectConeSample(soft);
    // The same point as a fixed point of the natural map with another S: z = γ − u/S.
    ConeSample natural = soft;
    for (double& S : natural.S) S *= 3;
    for (int i = 1; i < n; ++i) {
      natural.z[i] = point.gamma[i] - (point.gamma[i] - soft.z[i]) / 3;
    }
    const Point fixed = ProjectConeSample(natural);
    double P[36], r[6] = {1, 2, 3, 4, 5, 6};
    CalcNewtonTerms(natural.block, fixed.D, natural.S, soft.S, 1, P, r);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(fixed.gamma[i], point.gamma[i], 1e-13 * (1 + point.gamma[0])) << trial;
      for (int j = 0; j < n; ++j) {
        const double expected = point.D[i * n + j] / (j == 0 ? 1 : soft.S[j]);
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
