#include "voigt/math/tree_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace voigt {
namespace {

using Random = std::mt19937_64;

double Uniform(Random* random) { return std::uniform_real_distribution<double>(-1, 1)(*random); }

VecX RandomVectorX(Random* random, int size) {
  VecX out(size);
  for (double& value : out) value = Uniform(random);
  return out;
}

std::vector<int> Chain(int size) {
  std::vector<int> parent;
  for (int k = 0; k < size; ++k) parent.push_back(k - 1);
  return parent;
}

std::vector<int> Star(int size) {
  std::vector<int> parent(size, 0);
  parent[0] = -1;
  return parent;
}

// Depth-first numbering; `climb` is the chance to step up towards the root at each node.
std::vector<int> RandomForest(Random* random, int size, double climb) {
  std::vector<int> parent;
  for (int k = 0; k < size; ++k) {
    int up = k - 1;
    while (up >= 0 && std::abs(Uniform(random)) < climb) up = parent[up];
    parent.push_back(up);
  }
  return parent;
}

// A trunk of the given length, then several branches of the given length on its end.
std::vector<int> Bush(int trunk, int branches, int length) {
  std::vector<int> parent = Chain(trunk);
  for (int b = 0; b < branches; ++b) {
    for (int k = 0; k < length; ++k) {
      parent.push_back(k == 0 ? trunk - 1 : static_cast<int>(parent.size()) - 1);
    }
  }
  return parent;
}

// Every kind of forest that the elimination in blocks treats differently.
std::vector<std::vector<int>> ManyForests() {
  Random random(1);
  std::vector<std::vector<int>> forests;
  for (int size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 61}) forests.push_back(Chain(size));
  for (int size : {2, 5, 30}) forests.push_back(Star(size));
  forests.push_back(std::vector<int>(10, -1));
  for (int trunk : {1, 3, 6}) {
    for (int length = 1; length <= 9; ++length) forests.push_back(Bush(trunk, 3, length));
  }
  for (double climb : {0.05, 0.3, 0.6, 0.9}) {
    for (int i = 0; i < 10; ++i) forests.push_back(RandomForest(&random, 50, climb));
  }
  return forests;
}

// A symmetric positive definite matrix with the pattern: BᵀB for a lower triangular B with it,
// since row k of B couples only pairs on the path of k.
MatX RandomSpd(Random* random, const TreePattern& pattern) {
  MatX B = MatX::Zero(pattern.size(), pattern.size());
  for (int k = 0; k < pattern.size(); ++k) {
    for (int d = 0; d < pattern.depth(k); ++d) {
      B(k, pattern.path(k)[d]) = Uniform(random) / std::sqrt(pattern.depth(k));
    }
    B(k, k) = 1.5 + 0.5 * Uniform(random);
  }
  return B.transpose() * B;
}

VecX Pack(const TreePattern& pattern, const MatX& dense) {
  VecX packed(pattern.nonzeros());
  for (int k = 0; k < pattern.size(); ++k) {
    for (int d = 0; d <= pattern.depth(k); ++d) {
      packed[pattern.row_start(k) + d] = dense(k, pattern.path(k)[d]);
    }
  }
  return packed;
}

// L of the factorisation, unit diagonal included.
MatX DenseL(const TreePattern& pattern, const TreeFactor& factor) {
  MatX L = MatX::Identity(pattern.size(), pattern.size());
  for (int k = 0; k < pattern.size(); ++k) {
    for (int d = 0; d < pattern.depth(k); ++d) {
      L(k, pattern.path(k)[d]) = factor.row(pattern, k)[d];
    }
  }
  return L;
}

TEST(TreeFactor, HasMatricesWithThePatternToWorkOn) {
  Random random(2);
  for (const auto& parent : ManyForests()) {
    const TreePattern pattern(parent);
    const MatX A = RandomSpd(&random, pattern);
    EXPECT_EQ(pattern.ToDense(Pack(pattern, A)), A);
  }
}

TEST(TreeFactor, MultipliesBackToTheMatrix) {
  Random random(3);
  for (const auto& parent : ManyForests()) {
    const TreePattern pattern(parent);
    const MatX A = RandomSpd(&random, pattern);
    TreeFactor factor(pattern);
    ASSERT_EQ(factor.Factor(pattern, Pack(pattern, A)), -1);
    const MatX L = DenseL(pattern, factor);
    const MatX product = L.transpose() * factor.D_inverse().cwiseInverse().asDiagonal() * L;
    EXPECT_LT((product - A).norm(), 1e-14 * A.norm());
    EXPECT_GT(factor.D_inverse().minCoeff(), 0);
  }
}

TEST(TreeFactor, SolvesLikeDenseCholesky) {
  Random random(4);
  for (const auto& parent : ManyForests()) {
    const TreePattern pattern(parent);
    const MatX A = RandomSpd(&random, pattern);
    TreeFactor factor(pattern);
    ASSERT_EQ(factor.Factor(pattern, Pack(pattern, A)), -1);
    const VecX b = RandomVectorX(&random, pattern.size());
    VecX x = b;
    factor.Solve(pattern, x);
    EXPECT_LT((A * x - b).norm(), 1e-14 * (A.norm() * x.norm() + b.norm()));
    const VecX dense = A.llt().solve(b);
    EXPECT_LT((x - dense).norm(), 1e-10 * dense.norm());
  }
}

TEST(TreeFactor, SolvesTriangularSystems) {
  Random random(5);
  for (const auto& parent : ManyForests()) {
    const TreePattern pattern(parent);
    TreeFactor factor(pattern);
    ASSERT_EQ(factor.Factor(pattern, Pack(pattern, RandomSpd(&random, pattern))), -1);
    const MatX L = DenseL(pattern, factor);
    const VecX b = RandomVectorX(&random, pattern.size());
    VecX x = b;
    factor.SolveL(pattern, x.data());
    EXPECT_LT((L * x - b).norm(), 1e-14 * (L.norm() * x.norm()));
    x = b;
    factor.SolveLTransposed(pattern, x.data());
    EXPECT_LT((L.transpose() * x - b).norm(), 1e-14 * (L.norm() * x.norm()));
  }
}

TEST(TreeFactor, ComposesTheSolutionFromItsTriangles) {
  Random random(6);
  for (const auto& parent : ManyForests()) {
    const TreePattern pattern(parent);
    TreeFactor factor(pattern);
    ASSERT_EQ(factor.Factor(pattern, Pack(pattern, RandomSpd(&random, pattern))), -1);
    const VecX b = RandomVectorX(&random, pattern.size());
    VecX whole = b, parts = b;
    factor.Solve(pattern, whole);
    factor.SolveLTransposed(pattern, parts.data());
    parts.array() *= factor.D_inverse().array();
    factor.SolveL(pattern, parts.data());
    EXPECT_LT((whole - parts).norm(), 1e-14 * whole.norm());
  }
}

TEST(TreeFactor, KeepsRootsApart) {
  // A right-hand side on one tree of the forest leaves the other trees at rest, exactly.
  const TreePattern pattern({-1, 0, 0, -1, 3, 4, 4, -1});
  Random random(7);
  TreeFactor factor(pattern);
  ASSERT_EQ(factor.Factor(pattern, Pack(pattern, RandomSpd(&random, pattern))), -1);
  VecX x = VecX::Unit(8, 5);
  factor.Solve(pattern, x);
  for (int k : {0, 1, 2, 7}) EXPECT_EQ(x[k], 0);
  for (int k : {3, 4, 5, 6}) EXPECT_NE(x[k], 0);
}

TEST(TreeFactor, CanBeUsedAgainForAnotherMatrix) {
  Random random(8);
  const TreePattern pattern(Bush(3, 2, 5));
  TreeFactor factor(pattern);
  MatX indefinite = RandomSpd(&random, pattern);
  indefinite(4, 4) = -1;
  EXPECT_NE(factor.Factor(pattern, Pack(pattern, indefinite)), -1);
  for (int i = 0; i < 3; ++i) {
    const MatX A = RandomSpd(&random, pattern);
    ASSERT_EQ(factor.Factor(pattern, Pack(pattern, A)), -1);
    VecX x = VecX::Ones(pattern.size());
    factor.Solve(pattern, x);
    EXPECT_LT((A * x - VecX::Ones(pattern.size())).norm(), 1e-13 * A.norm());
  }
}

TEST(TreeFactor, NamesTheFirstPivotThatIsNotPositive) {
  // Elimination runs from the last row to the first. In A = LᵀDL the pivots are D, so the entry of
  // D that is made negative last in the order is the one to be named.
  Random random(9);
  for (const auto& parent : ManyForests()) {
    const TreePattern pattern(parent);
    for (double bad : {-1.0, 0.0}) {
      for (int k = 0; k < pattern.size(); k += 1 + pattern.size() / 7) {
        // With L = 1 every pivot is a diagonal entry, zero exactly.
        VecX D = VecX::Constant(pattern.size(), 2);
        D[k] = bad;
        TreeFactor factor(pattern);
        EXPECT_EQ(factor.Factor(pattern, Pack(pattern, MatX(D.asDiagonal()))), k);
      }
    }
    for (int k = 0; k < pattern.size(); k += 1 + pattern.size() / 7) {
      MatX L = MatX::Identity(pattern.size(), pattern.size());
      for (int i = 0; i < pattern.size(); ++i) {
        for (int d = 0; d < pattern.depth(i); ++d) L(i, pattern.path(i)[d]) = Uniform(&random) / 8;
      }
      VecX D = VecX::Constant(pattern.size(), 1);
      D[k] = -1;
      D[k / 2] = -1;
      const MatX A = L.transpose() * D.asDiagonal() * L;
      TreeFactor factor(pattern);
      EXPECT_EQ(factor.Factor(pattern, Pack(pattern, A)), k);
    }
  }
}

TEST(TreeFactor, NamesThePivotThatIsNotANumber) {
  Random random(10);
  const TreePattern pattern(Chain(9));
  for (int k = 0; k < 9; ++k) {
    MatX A = RandomSpd(&random, pattern);
    A(k, k) = kNaN;
    TreeFactor factor(pattern);
    EXPECT_EQ(factor.Factor(pattern, Pack(pattern, A)), k);
  }
  // Off the diagonal, the NaN of entry (6, 3) reaches the pivot of 3.
  MatX A = RandomSpd(&random, pattern);
  A(6, 3) = A(3, 6) = kNaN;
  TreeFactor factor(pattern);
  EXPECT_NE(factor.Factor(pattern, Pack(pattern, A)), -1);
  // An infinite entry must not pass for a matrix that can be solved.
  A = RandomSpd(&random, pattern);
  A(6, 3) = A(3, 6) = kInfinity;
  EXPECT_NE(factor.Factor(pattern, Pack(pattern, A)), -1);
}

TEST(TreeFactor, FactorsAnEmptyMatrix) {
  const TreePattern pattern;
  TreeFactor factor(pattern);
  EXPECT_EQ(factor.Factor(pattern, VecX()), -1);
  VecX x;
  factor.Solve(pattern, x);
  EXPECT_EQ(x.size(), 0);
}

}  // namespace
}  // namespace voigt
