#include "voigt/kernels/fischer_burmeister.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "tests/support/allocation_counter.h"
#include "tests/support/data.h"
#include "tests/support/dense_problem.h"
#include "tests/support/samples.h"
#include "tests/support/siconos_data.h"

namespace voigt {
namespace {

using testing::CountAllocations;
using testing::RandomMatrix;
using testing::SampleCount;

struct BoxedLcp {
  MatX N;
  VecX q, lower, upper;
  int size() const { return static_cast<int>(q.size()); }
  ComplementarityProblem view() const { return {N, q, lower, upper}; }
};

// Rows of all kinds in turn: free, lower, upper, box, fixed.
void SetRandomBoxes(int kinds, std::mt19937* random, BoxedLcp* out) {
  const int size = out->size();
  out->lower = VecX::Constant(size, -kInfinity);
  out->upper = VecX::Constant(size, kInfinity);
  for (int i = 0; i < size; ++i) {
    const int kind = static_cast<int>((*random)()) % kinds;
    if (kind == 1 || kind == -1 || kind == 3) out->lower[i] = -0.2;
    if (kind == 2 || kind == -2 || kind == 3) out->upper[i] = 0.3;
    if (kind == 4) out->lower[i] = out->upper[i] = 0.1;
  }
}

BoxedLcp MakeRandomBoxedLcp(int size, int rank, std::mt19937* random) {
  BoxedLcp out;
  const MatX B = RandomMatrix(size, rank, random), C = RandomMatrix(size, size, random);
  // A symmetric part that is definite if rank = size: then the solution is unique.
  out.N = B * B.transpose();
  if (rank == size) out.N += 0.1 * MatX::Identity(size, size) + 0.5 * (C - C.transpose());
  out.q.resize(size);
  SetRandomBoxes(5, random, &out);
  // q for which a solution exists, some of it degenerate.
  VecX z = RandomMatrix(size, 1, random), w = RandomMatrix(size, 1, random).cwiseAbs();
  for (int i = 0; i < size; ++i) {
    z[i] = std::clamp(z[i], out.lower[i], out.upper[i]);
    if (z[i] == out.upper[i]) w[i] = -w[i];
    if ((z[i] > out.lower[i] && z[i] < out.upper[i]) || (*random)() % 4 == 0) w[i] = 0;
  }
  out.q = w - out.N * z;
  return out;
}

// Tries every way in which variables can be at a bound or inside.
VecX SolveByEnumeration(const BoxedLcp& lcp) {
  const int size = lcp.size();
  int ways = 1;
  for (int i = 0; i < size; ++i) ways *= 3;
  VecX best;
  double least = kInfinity;
  for (int way = 0; way < ways; ++way) {
    MatX K = lcp.N;
    VecX right = -lcp.q;
    bool possible = true;
    for (int i = 0, rest = way; i < size; ++i, rest /= 3) {
      if (rest % 3 == 0) continue;
      K.row(i).setZero();
      K(i, i) = 1;
      right[i] = rest % 3 == 1 ? lcp.lower[i] : lcp.upper[i];
      possible = possible && std::isfinite(right[i]);
    }
    if (!possible) continue;
    const VecX z = K.partialPivLu().solve(right);
    VecX w(size);
    const double residual = CalcComplementarityResidual(lcp.view(), z, w);
    if (residual < least) {
      least = residual;
      best = z;
    }
  }
  EXPECT_LT(least, 1e-12);
  return best;
}

// Contacts between bodies with 6 rates, the cone replaced by four directions; for more than two
// contacts rows repeat each other.
BoxedLcp MakePolyhedralFriction(int contacts, std::mt19937* random) {
  const int rows = 5 * contacts;
  const MatX G = RandomMatrix(3 * contacts, 6, random);
  MatX H = MatX::Zero(3 * contacts, rows);
  BoxedLcp out;
  out.N = MatX::Zero(rows + contacts, rows + contacts);
  for (int c = 0; c < contacts; ++c) {
    H(3 * c, c) = 1;
    out.N(rows + c, c) = 0.5;
    for (int k = 0; k < 4; ++k) {
      const int beta = contacts + 4 * c + k;
      H(3 * c + 1 + k % 2, beta) = k < 2 ? 1 : -1;
      out.N(rows + c, beta) = -1;
      out.N(beta, rows + c) = 1;
    }
  }
  out.N.topLeftCorner(rows, rows) = H.transpose() * G * G.transpose() * H;
  out.q = VecX::Zero(rows + contacts);
  out.q.head(rows) = H.transpose() * (G * RandomMatrix(6, 1, random));
  out.lower = VecX::Zero(out.size());
  out.upper = VecX::Constant(out.size(), kInfinity);
  return out;
}

TEST(FischerBurmeisterFunction, IsZeroExactlyAtComplementaryPairs) {
  EXPECT_EQ(CalcFischerBurmeister(0, 3), 0);
  EXPECT_EQ(CalcFischerBurmeister(2, 0), 0);
  EXPECT_EQ(CalcFischerBurmeister(0, 0), 0);
  EXPECT_DOUBLE_EQ(CalcFischerBurmeister(3, 4), -2);
  EXPECT_DOUBLE_EQ(CalcFischerBurmeister(-3, 4), 4);
  EXPECT_DOUBLE_EQ(CalcFischerBurmeister(-3, -4), 12);
  // Nothing is lost where one is small: −ab/(a + …) → −b.
  EXPECT_DOUBLE_EQ(CalcFischerBurmeister(1, 1e-20), -1e-20);
}

class FischerEquations {
 public:
  explicit FischerEquations(const BoxedLcp& lcp) {
    N_.Resize(lcp.size(), lcp.size());
    N_.get() = lcp.N;
    for (auto [kept, x] : {std::pair{&q_, &lcp.q}, {&lower_, &lcp.lower}, {&upper_, &lcp.upper}}) {
      kept->Resize(lcp.size());
      kept->get() = *x;
    }
    system.SetProblem(&N_, &q_, &lower_, &upper_);
  }
  MatX Jacobian(const VecX& z) {
    MatX J(z.size(), z.size());
    Residual(z);
    system.CalcJacobian(z, J);
    return J;
  }
  VecX Residual(const VecX& z) {
    VecX phi(z.size());
    system.CalcResidual(z, phi);
    return phi;
  }
  FischerBurmeisterSystem system;

 private:
  KeptMatrix N_;
  KeptVector q_, lower_, upper_;
};

TEST(FischerBurmeisterEquations, HaveTheJacobianOfDifferences) {
  std::mt19937 random(1);
  double worst = 0;
  for (int sample = 0; sample < 100; ++sample) {
    const int size = 8;
    BoxedLcp lcp = MakeRandomBoxedLcp(size, size, &random);
    FischerEquations equations(lcp);
    VecX z = RandomMatrix(size, 1, &random);
    if (sample % 2 == 1) equations.system.SetProximal(0.4, RandomMatrix(size, 1, &random));
    const MatX J = equations.Jacobian(z);
    for (int j = 0; j < size; ++j) {
      const double z_j = z[j], step = 1e-6;
      z[j] = z_j + step;
      const MatX J_above = equations.Jacobian(z);
      const VecX above = equations.Residual(z);
      z[j] = z_j - step;
      const MatX J_below = equations.Jacobian(z);
      const VecX below = equations.Residual(z);
      z[j] = z_j;
      if ((J_above - J_below).cwiseAbs().maxCoeff() > 1e-4) continue;
      worst = std::max(worst, ((above - below) / (2 * step) - J.col(j)).cwiseAbs().maxCoeff());
    }
  }
  EXPECT_LT(worst, 1e-8);
}

TEST(FischerBurmeisterEquations, TakeTheLimitOfJacobiansAtDegeneratePoints) {
  std::mt19937 random(2);
  for (int sample = 0; sample < 50; ++sample) {
    const int size = 6;
    BoxedLcp lcp = MakeRandomBoxedLcp(size, size, &random);
    lcp.lower.head(4) << 0, -kInfinity, 0, -1;
    lcp.upper.head(4) << kInfinity, 0, 2, 0;
    lcp.lower.tail(2).setConstant(0);
    lcp.upper.tail(2).setConstant(kInfinity);
    // Rows 0 … 3 have z at a bound and w = 0; the last two do not.
    VecX z = VecX::Zero(size), d = VecX::Zero(size);
    z.tail(2) << 0.5, 0.3;
    lcp.N.topRightCorner(4, 2).setZero();  // so that w = 0 to the last bit
    lcp.q.head(4).setZero();
    lcp.q.tail(2) << 0.7, -1;
    d.head(4).setOnes();
    FischerEquations equations(lcp);
    const MatX J = equations.Jacobian(z);
    const MatX limit = equations.Jacobian(z + 1e-9 * d);
    EXPECT_LT((J - limit).cwiseAbs().maxCoeff(), 1e-7) << sample;
    // The row for a lower bound, as a formula.
    const double rate = lcp.N.row(0).dot(d), length = std::hypot(1, rate);
    VecX row = (rate / length - 1) * lcp.N.row(0).transpose();
    row[0] += 1 / length - 1;
    EXPECT_LT((J.row(0).transpose() - row).cwiseAbs().maxCoeff(), 1e-14);
  }
}

class FischerBurmeisterTest : public ::testing::TestWithParam<LevenbergMarquardtVariant> {
 protected:
  FischerBurmeisterTest() { settings_.variant = GetParam(); }
  FischerBurmeisterResult Solve(const BoxedLcp& lcp) {
    z_.setZero(lcp.size());
    const FischerBurmeisterResult result = method_.Solve(lcp.view(), settings_, z_, &stats_);
    // What it says of itself is true.
    VecX w(lcp.size());
    EXPECT_EQ(result.residual, CalcComplementarityResidual(lcp.view(), z_, w));
    EXPECT_TRUE((z_.array() >= lcp.lower.array() && z_.array() <= lcp.upper.array()).all());
    return result;
  }
  void Print(const char* what, int count) const {
    printf(
        "%s: %d solved by %d iterations, %d attempts, %d factors (%d orthogonal), refined %d, "
        "restarts: %d variants %d proximal %d sweeps\n",
        what, count, stats_.lm.iterations, stats_.attempts, stats_.lm.factors,
        stats_.lm.orthogonal_factors, stats_.refinements, stats_.variant_changes,
        stats_.proximal_steps, stats_.sweeps);
  }
  FischerBurmeisterSettings settings_;
  FischerBurmeisterStats stats_;
  FischerBurmeister method_;
  VecX z_;
};

TEST_P(FischerBurmeisterTest, FindsTheSolutionThatEnumerationFinds) {
  std::mt19937 random(3);
  for (int sample = 0; sample < SampleCount(100); ++sample) {
    const int size = 1 + sample % 6;
    const BoxedLcp lcp = MakeRandomBoxedLcp(size, size, &random);
    const FischerBurmeisterResult result = Solve(lcp);
    ASSERT_EQ(result.status, ComplementarityStatus::kSolved) << sample;
    EXPECT_LT(result.residual, 1e-13);
    EXPECT_LT((z_ - SolveByEnumeration(lcp)).cwiseAbs().maxCoeff(), 1e-11) << sample;
  }
  Print("unique", SampleCount(100));
}

TEST_P(FischerBurmeisterTest, SolvesProblemsWithoutFullRank) {
  std::mt19937 random(4);
  for (int sample = 0; sample < SampleCount(200); ++sample) {
    const int size = 2 + sample % 30;
    const BoxedLcp lcp = MakeRandomBoxedLcp(size, size / 2, &random);
    const FischerBurmeisterResult result = Solve(lcp);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved) << sample << " " << result.residual;
    EXPECT_LE(result.residual, result.residual_unrefined);
  }
  Print("half rank", SampleCount(200));
  // Beginning with the proximal term leads to the same w, which is unique for semidefinite N.
  for (int sample = 0; sample < 20; ++sample) {
    const BoxedLcp lcp = MakeRandomBoxedLcp(10, 5, &random);
    settings_.proximal = 0;
    ASSERT_EQ(Solve(lcp).status, ComplementarityStatus::kSolved);
    const VecX w = lcp.N * z_;
    settings_.proximal = 0.1;
    ASSERT_EQ(Solve(lcp).status, ComplementarityStatus::kSolved);
    EXPECT_LT((lcp.N * z_ - w).cwiseAbs().maxCoeff(), 1e-8) << sample;
  }
}

TEST_P(FischerBurmeisterTest, SolvesPolyhedralFrictionWithRedundantContacts) {
  std::mt19937 random(5);
  for (int sample = 0; sample < SampleCount(100); ++sample) {
    const BoxedLcp lcp = MakePolyhedralFriction(1 + sample % 8, &random);
    const FischerBurmeisterResult result = Solve(lcp);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved) << sample << " " << result.residual;
  }
  Print("friction", SampleCount(100));
}

TEST_P(FischerBurmeisterTest, DoesNotMindUnits) {
  std::mt19937 random(6);
  for (int sample = 0; sample < SampleCount(50); ++sample) {
    BoxedLcp lcp = MakePolyhedralFriction(2, &random);
    const int rows = 10;
    // Impulses in units of 1e-5: as with bodies of 100 t.
    lcp.N.topLeftCorner(rows, rows) *= 1e-5;
    const FischerBurmeisterResult result = Solve(lcp);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved) << sample << " " << result.residual;
  }
}

TEST_P(FischerBurmeisterTest, SolvesReferenceProblems) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  int count = 0;
  for (const testing::ComplementarityData& data : testing::ReadAllComplementarity()) {
    stats_ = {};
    const FischerBurmeisterResult result = Solve({data.N, data.q, data.lower, data.upper});
    printf("%-24s %.1e, unrefined %.1e, %d iterations\n", data.name.c_str(), result.residual,
           result.residual_unrefined, stats_.lm.iterations);
    EXPECT_EQ(result.status, ComplementarityStatus::kSolved) << data.name;
    EXPECT_LT(result.residual, 1e-13) << data.name;
    EXPECT_EQ(stats_.attempts, 1) << data.name;
    ++count;
  }
  EXPECT_EQ(count, 11);
}

TEST_P(FischerBurmeisterTest, SaysWhereThereIsNoSolution) {
  // 0 ≤ z ⟂ −z − 1 ≥ 0 has none.
  BoxedLcp lcp{MatX::Constant(1, 1, -1), VecX::Constant(1, -1), VecX::Zero(1),
               VecX::Constant(1, kInfinity)};
  EXPECT_EQ(Solve(lcp).status, ComplementarityStatus::kInaccurate);
  EXPECT_GT(stats_.variant_changes, 0);
  lcp.q[0] = kNaN;
  VecX z = VecX::Zero(1);
  EXPECT_EQ(method_.Solve(lcp.view(), settings_, z, &stats_).status,
            ComplementarityStatus::kFailed);
}

TEST_P(FischerBurmeisterTest, AllocatesNothingOnceSizesWereSeen) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  std::mt19937 random(7);
  std::vector<BoxedLcp> all;
  for (int contacts = 1; contacts <= 8; ++contacts) {
    all.push_back(MakePolyhedralFriction(contacts, &random));
  }
  std::vector<VecX> starts;
  for (const BoxedLcp& lcp : all) {
    Solve(lcp);
    starts.push_back(VecX::Zero(lcp.size()));
  }
  const long before = CountAllocations();
  for (size_t i = 0; i < all.size(); ++i) {
    method_.Solve(all[i].view(), settings_, starts[i], &stats_);
  }
  EXPECT_EQ(CountAllocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Variants, FischerBurmeisterTest,
                         ::testing::Values(LevenbergMarquardtVariant::kRegular,
                                           LevenbergMarquardtVariant::kProjected),
                         [](const auto& variant) {
                           return variant.param == LevenbergMarquardtVariant::kRegular ? "Rlm"
                                                                                       : "Plm";
                         });

}  // namespace
}  // namespace voigt
