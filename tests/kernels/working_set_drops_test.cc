// Friction that holds more at rest than it has once it slides.

#include <gtest/gtest.h>

#include <random>

#include "tests/support/dense_problem.h"
#include "tests/support/working_problems.h"
#include "voigt/kernels/working_set.h"

namespace voigt {
namespace {

using testing::CalcWorkingError;
using testing::ElementAtRest;
using testing::ElementWithForce;
using testing::MakeFromRows;
using testing::NormalMatrix;

// One block on another, both on a slope: rows of friction below the lower one and between them.
WorkingProblem MakeTwoBlocks(double m_below, double m_above, double pull_below, double pull_above,
                             double mu_static, double drop) {
  MatX G(2, 2);
  G << 1, 0, -1, 1;
  WorkingProblem out =
      MakeFromRows(G, Vec2(m_below, m_above), Vec2(pull_below / m_below, pull_above / m_above));
  constexpr double kGravity = 10;
  out.elements.push_back(ElementWithForce(0, 2, mu_static, (m_below + m_above) * kGravity));
  out.elements.push_back(ElementWithForce(1, 2, mu_static, m_above * kGravity));
  for (FrictionElement& element : out.elements) element.drop = drop;
  return out;
}

// Down a slope of 0.47 with 0.42 at rest and 0.2 in motion: friction is the same everywhere, the
// upper block needs 0.2 to go along and is not left behind, though at rest it could not be held.
TEST(WorkingSetDrops, WhatGoesAlongIsHeld) {
  for (const double m_above : {0.1, 1.0, 30.0}) {
    const WorkingProblem problem =
        MakeTwoBlocks(2, m_above, 0.47 * 20, 0.47 * 10 * m_above, 0.42, 0.2 / 0.42);
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(problem, {}, &stats).status, WorkingStatus::kSolved);
    EXPECT_EQ(set.states()[0], FrictionState::kCreeps);
    EXPECT_EQ(set.states()[1], FrictionState::kSticks);
    EXPECT_NEAR(set.acceleration()[0], 2.7, 1e-12);
    EXPECT_NEAR(set.lambda()[1], -0.2 * 10 * m_above, 1e-11 * m_above);
  }
}

// The lower block begins to slide and has 0.2 from then on: what the upper one is dragged along by
// is more than with the friction of rest, and beyond what that holds.
TEST(WorkingSetDrops, OthersBearWhatSlidingLeaves) {
  // Pulled below by 0.42 of all weight and a little: a = (P − 0.1·30)/3 if both go together.
  const double P = 0.42 * 30 * 1.001, together = (P - 0.1 * 30) / 3;
  ASSERT_LT(together, 0.42 * 10);
  WorkingSet set;
  WorkingStats stats;
  ASSERT_EQ(set.Solve(MakeTwoBlocks(2, 1, P, 0, 0.42, 0.1 / 0.42), {}, &stats).status,
            WorkingStatus::kSolved);
  EXPECT_EQ(set.states()[1], FrictionState::kSticks);
  EXPECT_NEAR(set.acceleration()[0], together, 1e-12);
  // Harder, until it is left behind with 0.1 of its weight.
  const double Q = 20, apart = (Q - 0.1 * 30 - 0.1 * 10) / 2;
  ASSERT_GT((Q - 0.1 * 30) / 3, 0.42 * 10);
  ASSERT_EQ(set.Solve(MakeTwoBlocks(2, 1, Q, 0, 0.42, 0.1 / 0.42), {}, &stats).status,
            WorkingStatus::kSolved);
  EXPECT_EQ(set.states()[1], FrictionState::kCreeps);
  EXPECT_NEAR(set.acceleration()[0], apart, 1e-12);
  EXPECT_NEAR(set.lambda()[1], 0.1 * 10, 1e-12);
}

// What slid before is at rest where friction of rest holds it, and comes back to that.
TEST(WorkingSetDrops, RestsWhereItCanWhateverItDidBefore) {
  WorkingSet set;
  WorkingStats stats;
  for (const double pull : {13.0, 12.0, 13.0, 4.0}) {
    ASSERT_EQ(set.Solve(MakeTwoBlocks(2, 1, pull, 0, 0.42, 0.25), {}, &stats).status,
              WorkingStatus::kSolved);
    const bool slides = pull > 0.42 * 30;
    EXPECT_EQ(set.states()[0], slides ? FrictionState::kCreeps : FrictionState::kSticks) << pull;
  }
}

// Contacts with rows drawn at random.
TEST(WorkingSetDrops, KeepsItsLawsInRandomContacts) {
  for (const int contacts : {1, 2, 3}) {
    for (const int rows : {1, 2}) {
      for (const double mu : {0.3, 0.9}) {
        std::mt19937 random(100 * contacts + 10 * rows);
        for (int i = 0; i < 100; ++i) {
          const int k = 1 + rows;
          const MatX G = NormalMatrix(k * contacts, 6, &random);
          WorkingProblem problem = MakeFromRows(G, VecX::Ones(6), NormalMatrix(6, 1, &random));
          for (int c = 0; c < contacts; ++c) {
            problem.is_one_sided[k * c] = 1;
            problem.elements.push_back(ElementAtRest(k * c + 1, rows, mu, k * c));
            problem.elements.back().drop = 0.5;
          }
          WorkingSet set;
          WorkingStats stats;
          ASSERT_EQ(set.Solve(problem, {}, &stats).status, WorkingStatus::kSolved) << i;
          EXPECT_LT(CalcWorkingError(problem, set.lambda()),
                    1e-9 * std::max(1.0, set.lambda().lpNorm<Eigen::Infinity>()))
              << contacts << ' ' << rows << ' ' << mu << ' ' << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace voigt
