#include "voigt/problem/row_inertia.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "tests/support/allocation_counter.h"

namespace voigt {
namespace {

using testing::CountAllocations;

// A random forest with a random positive definite matrix of its pattern, and random groups of rows
// on random columns.
OwnedProblem MakeRandom(int seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const int nv = 1 + seed % 40;
  std::vector<int> parent(nv, -1);
  std::vector<int> chain;  // the path to the last index: parents must keep subtrees contiguous
  for (int k = 0; k < nv; ++k) {
    const int keep = std::uniform_int_distribution<int>(0, static_cast<int>(chain.size()))(random);
    chain.resize(seed % 3 == 0 ? chain.size() : keep);
    parent[k] = chain.empty() ? -1 : chain.back();
    chain.push_back(k);
  }
  OwnedProblem out;
  out.pattern = TreePattern(parent);
  out.M.resize(out.pattern.nonzeros());
  for (int k = 0; k < nv; ++k) {
    for (int d = 0; d <= out.pattern.depth(k); ++d) {
      out.M[out.pattern.row_start(k) + d] = d == out.pattern.depth(k) ? 3 * nv : normal(random);
    }
  }
  VelocityProblem& problem = out.problem;
  for (int g = 0; g < 6; ++g) {
    RowGroup group;
    group.first_row = problem.row_count();
    group.row_count = 1 + g % 3;
    group.first_col = static_cast<int>(problem.cols.size());
    group.first_entry = static_cast<int>(problem.G.size());
    for (int k = 0; k < nv; ++k) {
      if (random() % 4 == 0) problem.cols.push_back(k);
    }
    std::shuffle(problem.cols.begin() + group.first_col, problem.cols.end(), random);
    group.col_count = static_cast<int>(problem.cols.size()) - group.first_col;
    for (int i = 0; i < group.row_count * group.col_count; ++i) {
      problem.G.push_back(normal(random));
    }
    problem.rows.resize(problem.rows.size() + group.row_count);
    problem.groups.push_back(group);
  }
  problem.v_star = VecX::Zero(nv);
  out.Attach();
  return out;
}

TEST(RowInertia, IsTheDiagonalOfTheDenseMatrix) {
  RowInertiaScratch scratch;
  VecX w;
  for (int seed = 0; seed < 300; ++seed) {
    const OwnedProblem owned = MakeRandom(seed);
    CalcRowInertia(owned.problem, &scratch, &w);
    const VecX expected = owned.problem.ToDenseW().diagonal();
    ASSERT_EQ(w.size(), expected.size());
    const MatX M = owned.pattern.ToDense(owned.M);
    const MatX G = owned.problem.ToDenseG();
    const VecX independent = (G * M.llt().solve(G.transpose())).diagonal();
    for (int i = 0; i < w.size(); ++i) {
      EXPECT_NEAR(w[i], expected[i], 1e-14 * expected[i]) << seed;
      EXPECT_NEAR(w[i], independent[i], 1e-13 * independent[i]) << seed;
    }
  }
}

TEST(RowInertia, AddsUpColumnsThatOccurTwice) {
  OwnedProblem owned;
  owned.pattern = TreePattern({-1, 0});
  owned.M.resize(3);
  owned.M << 2, 0.5, 3;
  owned.problem.cols = {1, 1};
  owned.problem.G = {1, 2};
  owned.problem.rows.resize(1);
  RowGroup group;
  group.row_count = 1;
  group.col_count = 2;
  owned.problem.groups = {group};
  owned.Attach();
  VecX w;
  CalcRowInertia(owned.problem, &w);
  EXPECT_NEAR(w[0], 9 * 2 / (6 - 0.25), 1e-15);
}

// Two free bodies with a chain between them: columns that hold all that their rows reach.
TEST(RowInertia, OfRowsOnWholePaths) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  OwnedProblem owned;
  owned.pattern = TreePattern({-1, 0, 1, 2, 3, 4, -1, 6, -1, 8, 9, 10, 11, 12});
  owned.M.resize(owned.pattern.nonzeros());
  for (int k = 0; k < owned.pattern.size(); ++k) {
    for (int d = 0; d <= owned.pattern.depth(k); ++d) {
      owned.M[owned.pattern.row_start(k) + d] = d == owned.pattern.depth(k) ? 9 : normal(random);
    }
  }
  VelocityProblem& problem = owned.problem;
  for (const int rows : {1, 3, 7}) {
    RowGroup group;
    group.first_row = problem.row_count();
    group.row_count = rows;
    group.first_col = static_cast<int>(problem.cols.size());
    group.first_entry = static_cast<int>(problem.G.size());
    for (int k = rows == 3 ? 0 : 6; k < 14; ++k) problem.cols.push_back(k);
    group.col_count = static_cast<int>(problem.cols.size()) - group.first_col;
    for (int i = 0; i < rows * group.col_count; ++i) problem.G.push_back(normal(random));
    problem.rows.resize(problem.rows.size() + rows);
    problem.groups.push_back(group);
  }
  problem.v_star = VecX::Zero(owned.pattern.size());
  owned.Attach();
  VecX w;
  CalcRowInertia(problem, &w);
  const MatX G = problem.ToDenseG();
  const VecX expected = (G * owned.pattern.ToDense(owned.M).llt().solve(G.transpose())).diagonal();
  for (int i = 0; i < w.size(); ++i) EXPECT_NEAR(w[i], expected[i], 1e-14 * expected[i]);
}

// Spheres and the like: nothing beside the diagonal of the mass matrix, or of one body's part of
// it.
TEST(RowInertia, OfBodiesWithDiagonalMass) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  OwnedProblem owned;
  owned.pattern = TreePattern({-1, 0, 1, 2, 3, 4, -1, 6, 7, 8, 9, 10});
  owned.M.setZero(owned.pattern.nonzeros());
  for (int k = 0; k < 12; ++k) {
    owned.M[owned.pattern.row_start(k) + owned.pattern.depth(k)] = 2 + k;
  }
  owned.M[owned.pattern.row_start(9) + 1] = 0.5;
  VelocityProblem& problem = owned.problem;
  RowGroup group;
  group.row_count = 5;
  group.col_count = 12;
  for (int k = 0; k < 12; ++k) problem.cols.push_back(k);
  for (int i = 0; i < 60; ++i) problem.G.push_back(normal(random));
  problem.rows.resize(5);
  problem.groups = {group};
  problem.v_star = VecX::Zero(12);
  owned.Attach();
  VecX w;
  CalcRowInertia(problem, &w);
  const VecX expected = problem.ToDenseW().diagonal();
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(w[i], expected[i], 1e-14 * expected[i]);
}

TEST(RowInertia, IsKeptInTheProblemUntilItsRowsGo) {
  OwnedProblem owned = MakeRandom(35);
  RowInertiaScratch scratch;
  VecX w, kept;
  CalcRowInertia(owned.problem, &scratch, &w);
  SetRowInertia(&scratch, &owned.problem);
  ASSERT_EQ(static_cast<int>(owned.problem.w.size()), owned.problem.row_count());
  for (int i = 0; i < w.size(); ++i) EXPECT_EQ(owned.problem.w[i], w[i]);
  owned.problem.w[0] = 7;
  CalcRowInertia(owned.problem, &scratch, &kept);
  EXPECT_EQ(kept[0], 7);
  owned.problem.ClearRows();
  EXPECT_TRUE(owned.problem.w.empty());
}

TEST(RowInertia, AllocatesNothingOnceWarm) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const OwnedProblem owned = MakeRandom(35);
  RowInertiaScratch scratch;
  VecX w;
  CalcRowInertia(owned.problem, &scratch, &w);
  const auto before = CountAllocations();
  CalcRowInertia(owned.problem, &scratch, &w);
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
