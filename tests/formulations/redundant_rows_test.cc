// Rigid rows that repeat each other and ask for different velocities.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "tests/support/all_digits.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/dense_problem.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/problem/row_law.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::CountAllocations;
using testing::MakeProblem;
using testing::RandomDenseMass;
using testing::RandomMatrix;

constexpr double kStep = 1e-3;

Solution SolveRedundant(const OwnedProblem& owned, const VecX& warm = {}) {
  Compliant compliant(testing::AllDigits<CompliantSettings>());
  Solution out;
  compliant.Solve(owned.problem, warm, &out);
  return out;
}

Audit Judge(const OwnedProblem& owned, const VecX& gamma) {
  VecX v1;
  owned.problem.CalcVelocity(gamma, &v1);
  Auditor auditor;
  Audit out;
  auditor.Calc(owned.problem, gamma, v1, nullptr, {}, &out);
  return out;
}

void ExpectPasses(const Audit& audit) {
  for (const AuditItem& item : ListItems(audit)) {
    EXPECT_TRUE(item.passes()) << item.name << " " << item.value;
  }
}

// Five rows of rank 3 on five degrees of freedom: two motions are free.
MatX RandomDependentRows(std::mt19937* random) {
  MatX G(5, 5);
  G.topRows(3) = RandomMatrix(3, 5, random);
  G.bottomRows(2) = RandomMatrix(2, 3, random) * G.topRows(3);
  return G;
}

// The rows of a loop off by δ, and so is their Jacobian: by rank it has none of its freedom left.
// Along the rows that G repeats, gaps are off by the square of that.
struct OffTheManifold {
  OwnedProblem on, off;
};
OffTheManifold MakeLoopOffBy(double delta, std::mt19937* random) {
  const MatX M = RandomDenseMass(5, random), G = RandomDependentRows(random);
  const VecX v_star = RandomMatrix(5, 1, random);
  OffTheManifold out;
  out.on = MakeProblem(M, v_star, kStep);
  out.off = MakeProblem(M, v_star, kStep);
  AddGroup(Law::kBilateral, G, &out.on);
  AddGroup(Law::kBilateral, G + delta * RandomMatrix(5, 5, random), &out.off);
  VecX phi = delta * G * RandomMatrix(5, 1, random);
  phi += delta * delta * RandomMatrix(5, 1, random);
  for (int i = 0; i < 5; ++i) {
    out.off.problem.rows[i].phi = phi[i];
    SetSpring({}, kStep, &out.off.problem.rows[i]);
  }
  return out;
}

// Velocities that nobody could have at once: least squares, γ = W⁺ (b − G v*), and no claim that it
// was solved.
TEST(RedundantRows, ThatAskForDifferentThingsAreMetInTheLeastSquaresSense) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const MatX M = RandomDenseMass(5, &random);
    OwnedProblem owned = MakeProblem(M, RandomMatrix(5, 1, &random), kStep);
    const MatX G = RandomDependentRows(&random);
    AddGroup(Law::kBilateral, G, &owned);
    const VecX b = RandomMatrix(5, 1, &random);
    for (int i = 0; i < 5; ++i) owned.problem.rows[i].v_hat = b[i];
    const Solution solution = SolveRedundant(owned);
    EXPECT_EQ(solution.status, SolveStatus::kInaccurate);
    EXPECT_EQ(solution.stats.dependent_directions, 2);
    EXPECT_EQ(solution.stats.solved_by, Attempt::kNone);
    const MatX W = owned.problem.ToDenseW();
    const VecX gamma =
        W.completeOrthogonalDecomposition().pseudoInverse() * (b - G * owned.problem.v_star);
    EXPECT_LT((solution.gamma - gamma).norm(), 1e-9 * gamma.norm()) << trial;
    EXPECT_GT(solution.residual, 1e-3);
    EXPECT_GT(Judge(owned, solution.gamma).law, 1e-3);
  }
}

TEST(RedundantRows, LetThroughWhatTheyLetThroughOnTheManifold) {
  std::mt19937 random(2);
  for (double delta : {1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 3e-6}) {
    for (int trial = 0; trial < 20; ++trial) {
      const OffTheManifold loop = MakeLoopOffBy(delta, &random);
      const Solution on = SolveRedundant(loop.on), off = SolveRedundant(loop.off);
      ASSERT_EQ(on.status, SolveStatus::kSolved);
      ASSERT_TRUE(off.status == SolveStatus::kSolved || off.status == SolveStatus::kRedundant)
          << delta << " " << trial << " " << ToString(off.status);
      EXPECT_LE(off.stats.solved_by, Attempt::kConvexProgram);
      EXPECT_LT(off.residual, 100 * delta);
      // Gaps δ are closed in a step, with velocities δ/h.
      EXPECT_LT((off.v1 - on.v1).norm(), 100 * delta / kStep) << delta;
      EXPECT_LT((off.gamma - on.gamma).norm(), 1000 * delta / kStep) << delta;
      ExpectPasses(Judge(loop.off, off.gamma));
    }
  }
}

TEST(RedundantRows, AreTheLimitOfStiffOnes) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const OffTheManifold loop = MakeLoopOffBy(1e-8, &random);
    const Solution rigid = SolveRedundant(loop.off);
    // Stiff next to masses, and not next to what 1e-8 leaves of a row: R is 1e-5 kg⁻¹.
    OwnedProblem stiff = loop.off;
    for (Row& row : stiff.problem.rows) SetSpring({1e11, 0}, kStep, &row);
    const Solution soft = SolveRedundant(stiff);
    EXPECT_LT((rigid.v1 - soft.v1).norm(), 1e-3) << trial;
    EXPECT_LT((rigid.gamma - soft.gamma).norm(), 1e-2 * soft.gamma.norm()) << trial;
  }
}

// Without gaps, rows that hardly differ are as independent as any.
TEST(RedundantRows, WithoutGapsHoldAllThatTheyCan) {
  for (double delta : {1e-2, 1e-3, 1e-4}) {
    OwnedProblem owned = MakeProblem(MatX::Identity(3, 3), Vec3(1, 2, 3), kStep);
    MatX G(2, 3);
    G << 1, 0, 0, 1, delta, 0;
    AddGroup(Law::kBilateral, G, &owned);
    const Solution solution = SolveRedundant(owned);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << delta;
    EXPECT_EQ(solution.stats.dependent_directions, 0);
    EXPECT_LT((solution.v1 - Vec3(0, 0, 3)).norm(), 1e-9 / delta) << delta;
  }
}

// A repeated row on a body that slides on the ground.
TEST(RedundantRows, GoTogetherWithContactAndFriction) {
  for (double mu : {0.0, 0.3, 2.0}) {
    OwnedProblem owned =
        MakeProblem(2 * MatX::Identity(4, 4), Eigen::Vector4d(-1, 3, 0.5, 1), kStep);
    MatX G(3, 4);
    G << 0, 0, 1, 1, 0, 1e-7, 1, 1, 0, 0, 1, 1;
    AddGroup(Law::kBilateral, G, &owned);
    for (int i = 0; i < 3; ++i) {
      owned.problem.rows[i].phi = 1e-7 + (i == 2 ? 1e-12 : 0);
      SetSpring({}, kStep, &owned.problem.rows[i]);
    }
    AddGroup(Law::kContact, MatX::Identity(3, 4), &owned).mu = mu;
    const Solution solution = SolveRedundant(owned);
    EXPECT_EQ(solution.status, SolveStatus::kRedundant) << mu;
    EXPECT_EQ(solution.stats.dependent_directions, 2);
    EXPECT_LT(solution.residual, 1e-6) << mu;
    EXPECT_NEAR(solution.v1[0], 0, 1e-12) << mu;
    EXPECT_NEAR(solution.v1[2] + solution.v1[3], -1e-7 / kStep, 1e-6) << mu;
    // The normal impulse takes 1 m/s off the body; friction takes no more than μ times as much.
    EXPECT_LT(solution.v1[1], 3 - 0.9 * mu + 1e-6) << mu;
    EXPECT_GT(solution.v1[1], 3 - mu - 1e-6) << mu;
    ExpectPasses(Judge(owned, solution.gamma));
  }
}

// Between walls that are too close: in the middle, with impulses that do no more than stop it.
TEST(RedundantRows, ThatOnlyPushAgainstEachOtherMeetInTheMiddle) {
  OwnedProblem owned = MakeProblem(MatX::Identity(1, 1), VecX::Constant(1, 0.3), kStep);
  AddGroup(Law::kUnilateral, (MatX(2, 1) << 1, -1).finished(), &owned);
  for (Row& row : owned.problem.rows) row.v_hat = 1;
  const Solution solution = SolveRedundant(owned);
  EXPECT_EQ(solution.status, SolveStatus::kInaccurate);
  EXPECT_NEAR(solution.v1[0], 0, 1e-7);
  EXPECT_LT(solution.gamma.norm(), 1);
  EXPECT_NEAR(solution.residual, 1, 1e-6);
}

TEST(RedundantRows, AreSolvedTheSameFromAnyStart) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const OffTheManifold loop = MakeLoopOffBy(1e-6, &random);
    const Solution cold = SolveRedundant(loop.off);
    const Solution warm = SolveRedundant(loop.off, RandomMatrix(5, 1, &random));
    const Solution again = SolveRedundant(loop.off);
    EXPECT_LT((cold.gamma - warm.gamma).norm(), 1e-8 * cold.gamma.norm()) << trial;
    EXPECT_LT((cold.v1 - warm.v1).norm(), 1e-10) << trial;
    EXPECT_EQ(cold.gamma, again.gamma);
  }
}

TEST(RedundantRows, AreNoExcuseForWrongImpulses) {
  std::mt19937 random(6);
  const OffTheManifold loop = MakeLoopOffBy(1e-6, &random);
  const Solution solution = SolveRedundant(loop.off);
  ASSERT_EQ(solution.status, SolveStatus::kRedundant);
  const Audit right = Judge(loop.off, solution.gamma);
  EXPECT_LE(right.law, 1e-12);
  EXPECT_GT(right.contradiction, 1e-10);
  EXPECT_GT(Judge(loop.off, VecX::Zero(5)).law, 1e-3);
  VecX wrong = solution.gamma;
  wrong[0] += 1e-8;
  EXPECT_GT(Judge(loop.off, wrong).law, 1e-10);
}

TEST(RedundantRows, AllocateNothingOnceWarm) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  std::mt19937 random(7);
  const OffTheManifold loop = MakeLoopOffBy(1e-6, &random);
  Compliant compliant;
  Auditor auditor;
  Solution solution;
  Audit audit;
  const VecX none;
  const auto solve = [&] {
    compliant.Solve(loop.off.problem, none, &solution);
    auditor.Calc(loop.off.problem, solution.gamma, solution.v1, nullptr, {}, &audit);
  };
  for (int i = 0; i < 2; ++i) solve();
  ASSERT_EQ(solution.status, SolveStatus::kRedundant);
  const long before = CountAllocations();
  solve();
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
