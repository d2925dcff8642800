#include "voigt/kernels/implicit_ncp.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/kernels/ncp_from_problem.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/data.h"
#include "tests/support/dense_problem.h"
#include "tests/support/random_problem.h"
#include "tests/support/samples.h"
#include "tests/support/siconos_data.h"
#include "voigt/audit/law_residual.h"
#include "voigt/kernels/local_coulomb.h"
#include "voigt/problem/delassus.h"

namespace voigt {
namespace {

using testing::CountAllocations;
using testing::DenseNcp;
using testing::MakeDenseNcp;
using testing::MakeRandomProblem;
using testing::RandomMatrix;
using testing::RandomProblemOptions;
using testing::SampleCount;

std::vector<NcpBlock> AllNcpKinds() {
  NcpBlock free, unilateral, bounded;
  free.count = 2;
  unilateral.kind = NcpKind::kUnilateral;
  unilateral.first = 2;
  bounded.kind = NcpKind::kBounded;
  bounded.first = 3;
  bounded.lower = -0.3;
  bounded.upper = 0.5;
  NcpBlock whole;
  whole.kind = NcpKind::kCone;
  whole.first = 10;
  whole.count = 6;
  whole.discs.Add(2, 0.5);
  whole.discs.Add(1, 0.2);
  whole.discs.Add(2, 0.1);
  return {free,
          unilateral,
          bounded,
          MakeNcpContact(4, 0, 0),
          MakeNcpContact(5, 1, 0.4),
          MakeNcpContact(7, 2, 0.7),
          whole};
}

constexpr int kAllNcpRows = 16;

// The law itself, by its words.
void ExpectNcpLaw(const NcpBlock& block, const double* F, const double* v) {
  const double eps = 1e-15;
  if (block.kind == NcpKind::kFree) {
    for (int i = 0; i < block.count; ++i) EXPECT_EQ(v[i], 0);
    return;
  }
  if (block.kind == NcpKind::kBounded) {
    EXPECT_GE(F[0], block.lower);
    EXPECT_LE(F[0], block.upper);
    EXPECT_TRUE(F[0] == block.lower || v[0] <= eps);
    EXPECT_TRUE(F[0] == block.upper || v[0] >= -eps);
    return;
  }
  EXPECT_GE(F[0], 0);
  EXPECT_GE(v[0], 0);
  EXPECT_EQ(F[0] * v[0], 0);
  for (const Disc& disc : block.discs) {
    const Eigen::Map<const VecX> f(F + disc.first, disc.count), u(v + disc.first, disc.count);
    EXPECT_LE(f.norm(), disc.mu * F[0] + eps);
    EXPECT_NEAR(f.dot(u), -disc.mu * F[0] * u.norm(), 10 * eps);
  }
}

TEST(ImplicitNcpMap, GivesPairsThatObeyTheLawsAndItsDerivativeIsThatOfDifferences) {
  std::mt19937 random(3);
  const auto blocks = AllNcpKinds();
  double worst = 0;
  for (int sample = 0; sample < 500; ++sample) {
    const VecX z = RandomMatrix(kAllNcpRows, 1, &random);
    for (const NcpBlock& block : blocks) {
      double F[6], dF[36], v[6], x[6], above[6], below[6];
      const double* z_block = z.data() + block.first;
      CalcNcpImpulse(block, z_block, F, dF);
      for (int i = 0; i < block.count; ++i) v[i] = F[i] + z_block[i];
      ExpectNcpLaw(block, F, v);
      const double step = 1e-6;
      for (int j = 0; j < block.count; ++j) {
        std::copy_n(z_block, block.count, x);
        x[j] = z_block[j] + step;
        double dF_above[36], dF_below[36];
        CalcNcpImpulse(block, x, above, dF_above);
        x[j] = z_block[j] - step;
        CalcNcpImpulse(block, x, below, dF_below);
        // Away from kinks and from tips of cones, where the second derivative is large.
        double change = 0;
        for (int i = 0; i < block.count * block.count; ++i) {
          change = std::max(change, std::abs(dF_above[i] - dF_below[i]));
        }
        if (change > 1e-4) continue;
        for (int i = 0; i < block.count; ++i) {
          const double difference = (above[i] - below[i]) / (2 * step);
          worst = std::max(worst, std::abs(difference - dF[block.count * i + j]));
        }
      }
    }
  }
  EXPECT_LT(worst, 1e-9);
}

TEST(ImplicitNcpMap, JacobianOfTheEquationsIsThatOfDifferences) {
  std::mt19937 random(4);
  const auto blocks = AllNcpKinds();
  KeptMatrix A;
  KeptVector q;
  A.Resize(kAllNcpRows, kAllNcpRows);
  q.Resize(kAllNcpRows);
  ImplicitNcpSystem system;
  int compared = 0;
  for (int sample = 0; sample < 50; ++sample) {
    A.get() = RandomMatrix(kAllNcpRows, kAllNcpRows, &random);
    q.get() = RandomMatrix(kAllNcpRows, 1, &random);
    system.SetProblem(&A, &q, blocks);
    if (sample % 2 == 1) system.SetProximal(0.3, RandomMatrix(kAllNcpRows, 1, &random));
    VecX z = RandomMatrix(kAllNcpRows, 1, &random), above(kAllNcpRows), below(kAllNcpRows);
    MatX J(kAllNcpRows, kAllNcpRows), J_above = J, J_below = J;
    system.CalcResidual(z, above);
    system.CalcJacobian(z, J);
    for (int j = 0; j < kAllNcpRows; ++j) {
      const double z_j = z[j], step = 1e-6;
      z[j] = z_j + step;
      system.CalcResidual(z, above);
      system.CalcJacobian(z, J_above);
      z[j] = z_j - step;
      system.CalcResidual(z, below);
      system.CalcJacobian(z, J_below);
      z[j] = z_j;
      if ((J_above - J_below).cwiseAbs().maxCoeff() > 1e-4) continue;
      EXPECT_LT(((above - below) / (2 * step) - J.col(j)).cwiseAbs().maxCoeff(), 1e-9);
      ++compared;
    }
  }
  EXPECT_GT(compared, 700);
}

class ImplicitNcpTest : public ::testing::TestWithParam<LevenbergMarquardtVariant> {
 protected:
  ImplicitNcpTest() { settings_.variant = GetParam(); }
  // From rest.
  ImplicitNcpResult Solve(const ImplicitNcpProblem& problem) {
    gamma_.setZero(problem.size());
    return method_.Solve(problem, settings_, gamma_, &stats_);
  }
  int restarts() const {
    return stats_.variant_changes + stats_.sweeps + stats_.proximal_steps + stats_.friction_steps;
  }
  ImplicitNcpSettings settings_;
  ImplicitNcpStats stats_;
  ImplicitNcp method_;
  VecX gamma_;
};

TEST_P(ImplicitNcpTest, SolvesSingleContactsAsTheirClosedSolution) {
  std::mt19937 random(5);
  for (int sample = 0; sample < SampleCount(1000); ++sample) {
    const int rows = 1 + sample % 3;
    const MatX B = RandomMatrix(rows, rows, &random);
    const MatX A = B * B.transpose() + 0.1 * MatX::Identity(rows, rows);
    const VecX q = RandomMatrix(rows, 1, &random);
    const NcpBlock block = MakeNcpContact(0, rows - 1, 0.3);
    const ImplicitNcpResult result = Solve({A, q, {&block, 1}});
    ASSERT_TRUE(result.converged) << sample;
    VecX expected = gamma_;  // of several solutions, the nearest
    ASSERT_TRUE(SolveLocalCoulomb(rows, A.data(), q.data(), 0.3, expected.data()));
    EXPECT_LT((expected - gamma_).norm(), 1e-12 * (1 + gamma_.norm())) << sample;
  }
}

TEST_P(ImplicitNcpTest, MeetsTheLawOnRandomProblemsOrSaysThatItDoesNot) {
  LawResidual law;
  const int count = SampleCount(200);
  int solved = 0;
  for (const bool turning : {false, true}) {
    RandomProblemOptions options;
    options.max_mu = 0.5;
    options.turning_friction = turning;
    for (int seed = 0; seed < count / 2; ++seed) {
      const auto random = MakeRandomProblem(seed, options);
      const DenseNcp dense = MakeDenseNcp(random.problem());
      const ImplicitNcpResult result = Solve(dense.view());
      ASSERT_TRUE(gamma_.allFinite());
      const double audit = law.Calc(random.problem(), gamma_);
      EXPECT_TRUE(!result.converged || audit < 2e-10) << seed;
      // What it tells of itself is what the audit finds, to the digits that rounding leaves both.
      EXPECT_LT(audit, 3 * result.residual / result.scale + 1e-10) << seed;
      solved += result.converged;
    }
  }
  printf(
      "%d of %d, %d iterations, %d attempts, restarts: %d variants %d sweeps %d proximal %d "
      "friction\n",
      solved, count, stats_.lm.iterations, stats_.attempts, stats_.variant_changes, stats_.sweeps,
      stats_.proximal_steps, stats_.friction_steps);
  EXPECT_GE(solved, 97 * count / 100);
}

TEST_P(ImplicitNcpTest, SolvesReferenceProblemsWithinTheAudit) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  LawResidual law;
  for (const auto& data : testing::ReadAllFrictionContact()) {
    if (data.contacts() > 100) continue;
    const MatX W = 0.5 * (data.W + data.W.transpose());
    const OwnedProblem owned = MakeProblemFromDelassus(W, data.q, data.dimension, data.mu, 1e-6);
    const DenseNcp dense = MakeDenseNcp(owned.problem);
    stats_ = {};
    const ImplicitNcpResult result = Solve(dense.view());
    const double audit = law.Calc(owned.problem, gamma_);
    printf("%-32s %3d contacts: residual %.1e, audit %.1e, %d iterations, %d attempts\n",
           data.name.c_str(), data.contacts(), result.residual / result.scale, audit,
           stats_.lm.iterations, stats_.attempts);
    EXPECT_TRUE(result.converged) << data.name;
    EXPECT_LT(audit, 1e-12) << data.name;
  }
}

// Two boxes, one upon the other: four contacts below, four between, two of them twice; 30 rows for
// 12 degrees of freedom. The lower box is pushed and slides, the upper one sticks to it.
TEST_P(ImplicitNcpTest, SharesLoadsOfRedundantContacts) {
  const double m = 2, h = 0.01, g = 9.81, mu = 0.5, half = 0.5;
  MatX G = MatX::Zero(30, 12);
  std::vector<NcpBlock> blocks;
  int row = 0;
  const auto add = [&](int corner, bool between) {
    const Vec3 p(corner % 2 ? half : -half, corner / 2 ? half : -half, -half);
    const Vec3 axes[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (int k = 0; k < 3; ++k) {
      const int upper = between ? 6 : 0;
      G.row(row + k).segment<3>(upper) = axes[k];
      G.row(row + k).segment<3>(upper + 3) = p.cross(axes[k]);
      if (!between) continue;
      G.row(row + k).segment<3>(0) = -axes[k];
      G.row(row + k).segment<3>(3) = -(p + Vec3(0, 0, 2 * half)).cross(axes[k]);
    }
    blocks.push_back(MakeNcpContact(row, 2, mu));
    row += 3;
  };
  for (int corner = 0; corner < 4; ++corner) {
    add(corner, false);
    add(corner, true);
  }
  add(0, false);
  add(0, true);
  VecX M(12);
  M << VecX::Constant(3, m), VecX::Constant(3, m / 6), VecX::Constant(3, m),
      VecX::Constant(3, m / 6);
  VecX v = VecX::Zero(12);
  v[0] = 0.2 * h;
  v[6] = 0.1 * h;
  v[2] = v[8] = -g * h;
  v[0] += 12 * h;  // 24 N against 0.5 · 2 · 2 · 9.81 N below
  const MatX A = G * M.cwiseInverse().asDiagonal() * G.transpose();
  const VecX q = G * v;
  const ImplicitNcpResult result = Solve({A, q, blocks});
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.residual, 1e-14);
  const VecX v1 = v + M.cwiseInverse().asDiagonal() * (G.transpose() * gamma_);
  // Nothing turns; the load is m g h and 2 m g h; the boxes go on together.
  const double speed = (m * (v[0] + v[6]) - mu * 2 * m * g * h) / (2 * m);
  VecX expected = VecX::Zero(12);
  expected[0] = expected[6] = speed;
  EXPECT_LT((v1 - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST_P(ImplicitNcpTest, TellsHowManyIterationsUnitsCost) {
  // A sphere of 1 g on a plane, sliding, then sticking: the impulse is a thousandth of the velocity
  // that it makes.
  const double m = 1e-3;
  const MatX A = Vec3(1 / m, 3.5 / m, 3.5 / m).asDiagonal();
  const NcpBlock block = MakeNcpContact(0, 2, 0.2);
  for (const double slip : {2.0, 0.005}) {
    const VecX q = Vec3(-9.81e-3, slip, 0.3 * slip);
    int iterations[3];
    for (const NcpScaling scaling : {NcpScaling::kRows, NcpScaling::kNorm, NcpScaling::kUnit}) {
      settings_.scaling = scaling;
      stats_ = {};
      EXPECT_TRUE(Solve({A, q, {&block, 1}}).converged);
      iterations[static_cast<int>(scaling)] = stats_.lm.iterations;
    }
    printf("slip %g: %d iterations by rows, %d with ||A||, %d with 1\n", slip, iterations[0],
           iterations[1], iterations[2]);
    EXPECT_EQ(iterations[0], 0);  // A is diagonal: free flight is z already
    EXPECT_LE(iterations[1], 4);
    EXPECT_GE(iterations[2], 2 * iterations[1]);
  }
}

TEST_P(ImplicitNcpTest, AllocatesNothingOnceSizesWereSeen) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  RandomProblemOptions options;
  options.turning_friction = true;
  std::vector<DenseNcp> all;
  for (int seed = 60; seed < 90; ++seed) {
    all.push_back(MakeDenseNcp(MakeRandomProblem(seed, options).problem()));
  }
  std::vector<VecX> gammas;
  for (const DenseNcp& dense : all) {
    Solve(dense.view());
    gammas.push_back(VecX::Zero(dense.q.size()));
  }
  EXPECT_GT(restarts(), 0);
  const long before = CountAllocations();
  for (size_t i = 0; i < all.size(); ++i) {
    method_.Solve(all[i].view(), settings_, gammas[i], &stats_);
  }
  EXPECT_EQ(CountAllocations(), before);
}

TEST_P(ImplicitNcpTest, StartsFromWhatItIsGivenAndKnowsSolutions) {
  const auto random = MakeRandomProblem(11);
  const DenseNcp dense = MakeDenseNcp(random.problem());
  ASSERT_TRUE(Solve(dense.view()).converged);
  VecX again = gamma_;
  stats_ = {};
  EXPECT_TRUE(method_.Solve(dense.view(), settings_, again, &stats_).converged);
  EXPECT_LE(stats_.lm.iterations, 2);
  EXPECT_TRUE(Solve({MatX(0, 0), VecX(0), {}}).converged);
}

INSTANTIATE_TEST_SUITE_P(Variants, ImplicitNcpTest,
                         ::testing::Values(LevenbergMarquardtVariant::kRegular,
                                           LevenbergMarquardtVariant::kProjected),
                         [](const auto& variant) {
                           return variant.param == LevenbergMarquardtVariant::kRegular ? "Rlm"
                                                                                       : "Plm";
                         });

TEST(LongImplicitNcp, SolvesAPileOfCapsules) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data";
  const auto data = testing::ReadFrictionContact(
      testing::ReferenceData("friction_contact/Capsules-i100-889.dat"));
  std::vector<NcpBlock> blocks;
  for (int c = 0; c < data.contacts(); ++c) {
    blocks.push_back(MakeNcpContact(3 * c, 2, data.mu[c]));
  }
  ImplicitNcp method;
  for (const auto variant :
       {LevenbergMarquardtVariant::kRegular, LevenbergMarquardtVariant::kProjected}) {
    ImplicitNcpSettings settings;
    settings.variant = variant;
    ImplicitNcpStats stats;
    VecX gamma = VecX::Zero(data.q.size());
    const auto result = method.Solve({data.W, data.q, blocks}, settings, gamma, &stats);
    printf("residual %.1e, %d iterations, %d attempts\n", result.residual / result.scale,
           stats.lm.iterations, stats.attempts);
    EXPECT_TRUE(result.converged);
  }
}

}  // namespace
}  // namespace voigt
