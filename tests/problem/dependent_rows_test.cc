#include "voigt/problem/dependent_rows.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>
#include <random>

#include "tests/support/dense_problem.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::MakeProblem;
using testing::RandomDenseMass;
using testing::RandomMatrix;

std::vector<int> AllGroups(const VelocityProblem& problem) {
  std::vector<int> out(problem.groups.size());
  std::iota(out.begin(), out.end(), 0);
  return out;
}

int Find(const OwnedProblem& owned, DependentRows* dependent) {
  return dependent->Find(owned.problem, AllGroups(owned.problem));
}

// Five degrees of freedom, and rigid rows of which the last `repeated` are sums of the others.
OwnedProblem MakeRepeated(int independent, int repeated, std::mt19937* random) {
  MatX G(independent + repeated, 5);
  G.topRows(independent) = RandomMatrix(independent, 5, random);
  G.bottomRows(repeated) = RandomMatrix(repeated, independent, random) * G.topRows(independent);
  const MatX M = RandomDenseMass(5, random);
  OwnedProblem out = MakeProblem(M, RandomMatrix(5, 1, random), 1e-3);
  AddGroup(Law::kBilateral, G, &out);
  return out;
}

TEST(DependentRows, FindsAsManyDirectionsAsRowsRepeatOthers) {
  std::mt19937 random(1);
  DependentRows dependent;
  for (int independent = 1; independent <= 5; ++independent) {
    for (int repeated = 0; repeated <= 3; ++repeated) {
      const OwnedProblem owned = MakeRepeated(independent, repeated, &random);
      EXPECT_EQ(Find(owned, &dependent), repeated) << independent;
    }
  }
  // More rows than degrees of freedom.
  OwnedProblem owned = MakeProblem(RandomDenseMass(2, &random), VecX::Zero(2), 1e-3);
  AddGroup(Law::kBilateral, RandomMatrix(5, 2, &random), &owned);
  EXPECT_EQ(Find(owned, &dependent), 3);
}

// With W = G M⁻¹ Gᵀ, all of about the same weight: γ = W⁺ r is the part of any solution that has
// nothing along N, and what W cannot give of r is the contradiction.
TEST(DependentRows, PartsAreThoseOfLeastSquaresAndLeastNorm) {
  std::mt19937 random(2);
  DependentRows dependent;
  for (int trial = 0; trial < 20; ++trial) {
    const OwnedProblem owned = MakeRepeated(3, 3, &random);
    ASSERT_EQ(Find(owned, &dependent), 3);
    const MatX W = owned.problem.ToDenseW();
    const MatX W_inverse = W.completeOrthogonalDecomposition().pseudoInverse();
    const VecX any = RandomMatrix(6, 1, &random), r = RandomMatrix(6, 1, &random);

    VecX gamma = any;
    dependent.RemoveFrom(&gamma);
    EXPECT_LT((gamma - W_inverse * W * any).norm(), 1e-11);
    VecX part = VecX::Zero(6);
    dependent.CalcContradiction(r, &part);
    EXPECT_LT((part - (r - W * W_inverse * r)).norm(), 1e-11);
    EXPECT_LT(std::abs(gamma.dot(part)), 1e-12);
  }
}

// Two rows at an angle δ to each other: dependent if the gap is of that size, not without one.
TEST(DependentRows, GapsTellHowNearlyDependentRowsMayBe) {
  DependentRows dependent;
  for (double delta : {1e-9, 1e-7, 1e-5}) {
    OwnedProblem owned = MakeProblem(MatX::Identity(3, 3), VecX::Zero(3), 1e-3);
    MatX G(2, 3);
    G << 1, 0, 0, 1, delta, 0;
    AddGroup(Law::kBilateral, G, &owned);
    EXPECT_EQ(Find(owned, &dependent), 0) << delta;
    owned.problem.rows[0].phi = delta;
    EXPECT_EQ(Find(owned, &dependent), 1) << delta;
    owned.problem.rows[0].phi = 1e-4 * delta;
    EXPECT_EQ(Find(owned, &dependent), 0) << delta;
  }
  // However wide the gap, a row that is 1 % independent is.
  OwnedProblem owned = MakeProblem(MatX::Identity(3, 3), VecX::Zero(3), 1e-3);
  MatX G(2, 3);
  G << 1, 0, 0, 1, 1e-2, 0;
  AddGroup(Law::kBilateral, G, &owned);
  owned.problem.rows[0].phi = 10;
  EXPECT_EQ(Find(owned, &dependent), 0);
}

TEST(DependentRows, OnlyRigidBilateralRowsTakePart) {
  std::mt19937 random(3);
  DependentRows dependent;
  OwnedProblem owned = MakeRepeated(3, 1, &random);
  owned.problem.rows[3].R = 1e-9;
  EXPECT_EQ(Find(owned, &dependent), 0);
  owned = MakeRepeated(3, 1, &random);
  owned.problem.groups[0].law = Law::kUnilateral;
  EXPECT_EQ(Find(owned, &dependent), 0);
  // A row that nothing moves is no repetition of anything.
  owned = MakeProblem(MatX::Identity(2, 2), VecX::Zero(2), 1e-3);
  AddGroup(Law::kBilateral, MatX::Zero(1, 2), &owned);
  EXPECT_EQ(Find(owned, &dependent), 0);
}

// Two mechanisms side by side: gaps of one say nothing about the other, whether they are looked at
// together or not.
TEST(DependentRows, MechanismsAreJudgedOnTheirOwn) {
  OwnedProblem owned;
  owned.pattern = TreePattern({-1, 0, -1, 2});
  owned.M = VecX::Zero(owned.pattern.nonzeros());
  for (int k = 0; k < 4; ++k) owned.M[owned.pattern.row_start(k) + owned.pattern.depth(k)] = 1;
  owned.problem.h = 1e-3;
  owned.problem.v_star = VecX::Zero(4);
  owned.Attach();
  MatX G(2, 2);
  G << 1, 0, 1, 1e-6;
  for (int first : {0, 2}) {
    RowGroup& group = AddGroup(Law::kBilateral, G, &owned);
    for (int k = 0; k < 2; ++k) owned.problem.cols[group.first_col + k] = first + k;
  }
  owned.problem.rows[2].phi = 1e-7;

  DependentRows dependent;
  const std::vector<int> first = {0}, second = {1}, both = {0, 1};
  EXPECT_EQ(dependent.Find(owned.problem, first), 0);
  EXPECT_EQ(dependent.Find(owned.problem, second), 1);
  VecX alone = VecX::Zero(4), together = VecX::Zero(4);
  const VecX u = VecX::LinSpaced(4, 1, 2);
  dependent.CalcContradiction(u, &alone);
  EXPECT_EQ(dependent.Find(owned.problem, both), 1);
  dependent.CalcContradiction(u, &together);
  EXPECT_EQ(alone, together);
  EXPECT_EQ(alone.head(2), VecX::Zero(2));
  EXPECT_GT(alone.tail(2).norm(), 0.1);
}

// A contradiction as large as the rows' velocities is none of drift.
TEST(DependentRows, GapsExplainContradictionsOfTheirSize) {
  OwnedProblem owned = MakeProblem(MatX::Identity(2, 2), VecX::Zero(2), 1e-3);
  MatX G(2, 2);
  G << 1, 0, 1, 0;
  AddGroup(Law::kBilateral, G, &owned);
  owned.problem.rows[0].phi = 1e-9;
  DependentRows dependent;
  ASSERT_EQ(Find(owned, &dependent), 1);
  EXPECT_TRUE(dependent.IsExplained(VecX::Constant(2, 1e-7), 1, 1e-3));
  EXPECT_FALSE(dependent.IsExplained(VecX::Constant(2, 1e-4), 1, 1e-3));
  EXPECT_TRUE(dependent.IsExplained(VecX::Constant(2, 1e-4), 1, 1e-9));
  EXPECT_FALSE(dependent.IsExplained(VecX::Constant(2, kNaN), 1, 1e-3));
}

}  // namespace
}  // namespace voigt
