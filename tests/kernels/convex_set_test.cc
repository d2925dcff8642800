#include "voigt/kernels/convex_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/kernels/disc_blocks.h"

namespace voigt {
namespace {

struct Sample {
  ConvexBlock block;
  std::vector<double> z, S, lower, upper;
};

Sample MakeSample(ConvexSet set, int rows, std::mt19937* random) {
  std::uniform_real_distribution<double> real(-2, 2), positive(0.2, 2);
  Sample out;
  out.block.set = set;
  testing::SetRandomDiscs(rows, random, &out.block);
  out.S.resize(rows);
  testing::FillRandomMetric(out.block, random, out.S.data());
  for (int i = 0; i < rows; ++i) {
    out.z.push_back(real(*random));
    out.lower.push_back(-positive(*random));
    out.upper.push_back(positive(*random));
  }
  return out;
}

std::vector<double> ProjectSample(const Sample& s, std::vector<double>* D = nullptr) {
  std::vector<double> gamma(s.z.size()), scratch(36);
  Project(s.block, s.z.data(), s.S.data(), s.lower.data(), s.upper.data(), gamma.data(),
          scratch.data());
  if (D != nullptr) *D = scratch;
  return gamma;
}

bool Contains(const Sample& s, const std::vector<double>& gamma, double slack) {
  const auto fits = [&](double bound) {
    for (const Disc& disc : s.block.discs()) {
      double norm = 0;
      for (int i = 0; i < disc.count; ++i) norm = std::hypot(norm, gamma[disc.first + i]);
      if (norm > disc.mu * bound + slack) return false;
    }
    return gamma[0] >= 0;
  };
  switch (s.block.set) {
    case ConvexSet::kAll:
      return true;
    case ConvexSet::kHalfLines:
      return *std::min_element(gamma.begin(), gamma.end()) >= 0;
    case ConvexSet::kIntervals:
      for (size_t i = 0; i < gamma.size(); ++i) {
        if (gamma[i] < s.lower[i] || gamma[i] > s.upper[i]) return false;
      }
      return true;
    case ConvexSet::kDisc:
      return fits(s.block.bound);
    case ConvexSet::kCone:
    case ConvexSet::kCoulomb:
      return fits(gamma[0]);
  }
  return false;
}

const ConvexSet kConvexSets[] = {ConvexSet::kAll, ConvexSet::kHalfLines, ConvexSet::kIntervals,
                                 ConvexSet::kDisc, ConvexSet::kCone};

// No other point of the set is closer: (z − γ)ᵀ S (x − γ) ≤ 0 for all x in C.
TEST(ConvexSet, ProjectionsAreTheClosestPoints) {
  std::mt19937 random(1);
  for (ConvexSet set : kConvexSets) {
    for (int trial = 0; trial < 300; ++trial) {
      const int rows = (IsCoupled(set) ? 2 : 1) + trial % 5;
      Sample sample = MakeSample(set, rows, &random);
      const std::vector<double> gamma = ProjectSample(sample);
      EXPECT_TRUE(Contains(sample, gamma, 1e-14));
      for (int other = 0; other < 20; ++other) {
        Sample x = sample;
        x.z = MakeSample(set, rows, &random).z;
        const std::vector<double> inside = ProjectSample(x);
        double product = 0;
        for (int i = 0; i < rows; ++i) {
          product += (sample.z[i] - gamma[i]) * sample.S[i] * (inside[i] - gamma[i]);
        }
        EXPECT_LT(product, 1e-12) << static_cast<int>(set);
      }
    }
  }
}

TEST(ConvexSet, DerivativesAreThoseOfFiniteDifferences) {
  std::mt19937 random(2);
  std::vector<ConvexSet> sets(std::begin(kConvexSets), std::end(kConvexSets));
  sets.push_back(ConvexSet::kCoulomb);
  const double step = 1e-6;
  int compared = 0;
  for (ConvexSet set : sets) {
    for (int trial = 0; trial < 300; ++trial) {
      const int rows = (IsCoupled(set) ? 2 : 1) + trial % 5;
      Sample sample = MakeSample(set, rows, &random);
      std::vector<double> D, D_plus, D_minus;
      ProjectSample(sample, &D);
      for (int j = 0; j < rows; ++j) {
        Sample plus = sample, minus = sample;
        plus.z[j] += step;
        minus.z[j] -= step;
        const std::vector<double> a = ProjectSample(plus, &D_plus);
        const std::vector<double> b = ProjectSample(minus, &D_minus);
        for (int i = 0; i < rows; ++i) {
          const auto entry = [&](const std::vector<double>& d) {
            return IsCoupled(set) ? d[i * rows + j] : i == j ? d[i] : 0;
          };
          // Not across a kink.
          if (std::abs(entry(D_plus) - entry(D_minus)) > 1e-3) continue;
          EXPECT_NEAR((a[i] - b[i]) / (2 * step), entry(D), 1e-5) << static_cast<int>(set);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 15000);
}

// P and r̂ solve the linear system that defines them.
TEST(ConvexSet, NewtonTermsSolveTheirSystem) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 2 + trial % 5;
    Sample sample = MakeSample(trial % 3 == 0 ? ConvexSet::kCoulomb : ConvexSet::kCone, n, &random);
    std::vector<double> D, R(n), P(n * n), r(n), r_start(n);
    ProjectSample(sample, &D);
    for (int i = 0; i < n; ++i) {
      R[i] = 0.1 * sample.S[i];
      r[i] = r_start[i] = 1.0 + i;
    }
    CalcNewtonTerms(sample.block, D.data(), sample.S.data(), R.data(), 0, P.data(), r.data());
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < n; ++k) {
        const double A = (i == k ? 1 : 0) - D[i * n + k] + D[i * n + k] * R[k] / sample.S[k];
        sum += A * r[k];
      }
      EXPECT_NEAR(sum, r_start[i], 1e-12);
      for (int j = 0; j < n; ++j) {
        double product = 0;
        for (int k = 0; k < n; ++k) {
          const double A = (i == k ? 1 : 0) - D[i * n + k] + D[i * n + k] * R[k] / sample.S[k];
          product += A * P[k * n + j];
        }
        EXPECT_NEAR(product, D[i * n + j] / sample.S[j], 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace voigt
