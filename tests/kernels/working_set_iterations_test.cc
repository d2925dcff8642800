// Normal forces that depend on the friction which depends on them: Newton's method with a matrix
// that is kept, and repetition.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

#include "tests/support/dense_problem.h"
#include "tests/support/planar_contact.h"
#include "tests/support/working_problems.h"

namespace voigt {
namespace {

using testing::CalcWorkingError;
using testing::ElementAtRest;
using testing::MakeFromRows;
using testing::RandomMatrix;

constexpr WorkingSettings kRepeat{.iteration = NormalForceIteration::kFixedPoint};

// A bearing of radius R: the reaction has a part along the rod, which motion gives, and one across
// it, which is that of friction itself; |N| = m |l ω² + g cos θ| / √(1 − ε²) with ε = μ R / l.
WorkingProblem MakePin(double epsilon, double along) {
  WorkingProblem pin = MakeFromRows(MatX::Ones(1, 1), VecX::Ones(1), VecX::Constant(1, -4));
  FrictionElement bearing = ElementAtRest(0, 1, epsilon, -1);
  bearing.slides = true;
  bearing.direction = Vec3(1, 0, 0);
  bearing.C = MatX::Zero(2, 1);
  bearing.C(1, 0) = 1;
  bearing.n0 = Vec2(along, 0);
  pin.elements = {bearing};
  return pin;
}

TEST(WorkingSetIterations, PinTurnsAgainstAReactionThatFrictionAddsTo) {
  for (const double epsilon : {0.03, 0.5, 0.9}) {
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(MakePin(epsilon, 7.3), {}, &stats).status, WorkingStatus::kSolved);
    EXPECT_NEAR(set.normal_force()[0], 7.3 / std::sqrt(1 - epsilon * epsilon), 1e-11);
    // Three to five with a matrix each; some more with fewer matrices.
    EXPECT_GE(stats.iterations, 3) << epsilon;
    EXPECT_LE(stats.iterations, 8) << epsilon;
    EXPECT_LE(stats.factorizations, 5) << epsilon;
    EXPECT_EQ(stats.fixed_points, 0);
  }
}

// Repetition takes ε² of the error each time: N ← √(along² + (ε N)²).
TEST(WorkingSetIterations, RepetitionContractsWithTheSquareOfFriction) {
  for (const double epsilon : {0.03, 0.5, 0.9}) {
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(MakePin(epsilon, 7.3), kRepeat, &stats).status, WorkingStatus::kSolved);
    EXPECT_NEAR(set.normal_force()[0], 7.3 / std::sqrt(1 - epsilon * epsilon), 1e-10);
    const double expected = std::log(1e-13) / std::log(epsilon * epsilon);
    EXPECT_NEAR(stats.fixed_points, expected, 1 + 0.1 * expected) << epsilon;
    EXPECT_EQ(stats.iterations + stats.factorizations + stats.takeovers, 0) << epsilon;
  }
}

// Beads on two wires that bear on each other: each rubs by the norm of its reaction, to which the
// friction of the other adds.
WorkingProblem MakeCoupledWires(double mu, double load = 1) {
  WorkingProblem wires = MakeFromRows(MatX::Identity(2, 2), VecX::Ones(2), Vec2(-4, -3));
  for (int k = 0; k < 2; ++k) {
    FrictionElement wire = ElementAtRest(k, 1, mu, -1);
    wire.slides = true;
    wire.direction = Vec3(1, 0, 0);
    wire.C = MatX::Zero(2, 2);
    wire.C(1, 1 - k) = 1;
    wire.n0 = Vec2(5 + k, load);
    wires.elements.push_back(wire);
  }
  return wires;
}

// A matrix serves as long as errors fall fast with it.
TEST(WorkingSetIterations, NewtonsMatrixIsKeptWhileErrorsFall) {
  for (const double mu : {0.1, 0.4, 0.8}) {
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(MakeCoupledWires(mu), {}, &stats).status, WorkingStatus::kSolved);
    // N₁ = ‖(5, 1 − μ N₂)‖ and N₂ = ‖(6, 1 − μ N₁)‖, by repetition.
    double N1 = 0, N2 = 0;
    for (int k = 0; k < 500; ++k) {
      N1 = std::hypot(5, 1 - mu * N2);
      N2 = std::hypot(6, 1 - mu * N1);
    }
    EXPECT_NEAR(set.normal_force()[0], N1, 1e-11);
    EXPECT_NEAR(set.normal_force()[1], N2, 1e-11);
    // Three to five iterations, as the note has it, by fewer matrices.
    EXPECT_GE(stats.iterations, 3) << mu;
    EXPECT_LE(stats.iterations, 5) << mu;
    EXPECT_LT(stats.factorizations, stats.iterations) << mu;
    // From its own solution one iteration confirms it, with the matrix that is there.
    const WorkingStats before = stats;
    ASSERT_EQ(set.Solve(MakeCoupledWires(mu), {}, &stats).status, WorkingStatus::kSolved);
    EXPECT_EQ(stats.iterations - before.iterations, 1) << mu;
    EXPECT_EQ(stats.factorizations - before.factorizations, 0) << mu;
  }
}

// Along a motion the matrix of one moment serves the next ones, until it is too old; what is found
// is what a set without memory finds.
TEST(WorkingSetIterations, NewtonsMatrixIsKeptFromOneProblemToTheNext) {
  WorkingSet set;
  WorkingStats stats;
  constexpr int kMoments = 200;
  for (int k = 0; k < kMoments; ++k) {
    const WorkingProblem wires = MakeCoupledWires(0.6, 1 + 0.005 * k);
    ASSERT_EQ(set.Solve(wires, {}, &stats).status, WorkingStatus::kSolved);
    WorkingSet fresh;
    WorkingStats own;
    ASSERT_EQ(fresh.Solve(wires, {}, &own).status, WorkingStatus::kSolved);
    EXPECT_LT((set.lambda() - fresh.lambda()).norm(), 1e-11) << k;
  }
  EXPECT_LT(stats.factorizations, kMoments / 5);
  EXPECT_GT(stats.factorizations, 2);
  // Nothing of it is left once the set has forgotten.
  const int before = stats.factorizations;
  set.Forget();
  ASSERT_EQ(set.Solve(MakeCoupledWires(0.6, 2), {}, &stats).status, WorkingStatus::kSolved);
  EXPECT_GT(stats.factorizations, before);
}

// A matrix of other states is none of these.
TEST(WorkingSetIterations, MatrixOfOtherStatesIsMadeAnew) {
  WorkingSet set;
  WorkingStats stats;
  WorkingProblem wires = MakeCoupledWires(0.6);
  ASSERT_EQ(set.Solve(wires, {}, &stats).status, WorkingStatus::kSolved);
  const int before = stats.factorizations;
  wires.elements[1].slides = false;
  wires.elements[1].holds = true;
  ASSERT_EQ(set.Solve(wires, {}, &stats).status, WorkingStatus::kSolved);
  EXPECT_EQ(set.states()[1], FrictionState::kSticks);
  EXPECT_GT(stats.factorizations, before);
}

// Both find the same forces, of bodies on contacts in space that slide, stick or begin to slide.
TEST(WorkingSetIterations, BothFindTheSameForces) {
  std::mt19937 random(11);
  int count = 0, creeping = 0, takeovers = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const int contacts = 1 + trial % 3;
    const MatX G = RandomMatrix(3 * contacts, 6, &random);
    const VecX v_dot = RandomMatrix(6, 1, &random);
    WorkingProblem problem = MakeFromRows(G, VecX::Ones(6), v_dot);
    for (int c = 0; c < contacts; ++c) {
      problem.is_one_sided[3 * c] = 1;
      problem.elements.push_back(ElementAtRest(3 * c + 1, 2, 0.1 + 0.1 * (trial % 4), 3 * c));
      problem.elements.back().slides = (trial + c) % 2 == 0;
      problem.elements.back().direction = Vec3(0.6, -0.8, 0);
    }
    WorkingSet by_newton, by_repetition;
    WorkingStats newton, repetition;
    const WorkingStatus status = by_newton.Solve(problem, {}, &newton).status;
    ASSERT_EQ(by_repetition.Solve(problem, kRepeat, &repetition).status, status) << trial;
    EXPECT_EQ(newton.fixed_points, 0);
    takeovers += repetition.takeovers;
    if (status != WorkingStatus::kSolved) continue;
    ++count;
    EXPECT_LT(CalcWorkingError(problem, by_repetition.lambda()), 1e-10) << trial;
    EXPECT_LT((by_newton.lambda() - by_repetition.lambda()).norm(), 1e-9) << trial;
    for (FrictionState state : by_repetition.states()) creeping += state == FrictionState::kCreeps;
  }
  printf("%d problems, %d elements begin to slide, %d times Newton's method took over\n", count,
         creeping, takeovers);
  EXPECT_GT(count, 130);
  EXPECT_GT(creeping, 20);
  EXPECT_LT(takeovers, 50);
}

// Painlevé's rod, where repetition grows: Newton's method takes over, tells the same, and that is
// counted.
TEST(WorkingSetIterations, RepetitionThatGrowsIsLeft) {
  const double angle = std::atan(2.0);
  const testing::PlanarContact end{-Vec2(std::cos(angle), std::sin(angle)), Vec2(0, 1)};
  WorkingProblem rod = MakeFromRows(testing::MakeRows(end), testing::kRod, Vec3(0, -9.81, 0));
  rod.is_one_sided[0] = 1;
  rod.elements = {ElementAtRest(1, 1, 0, 0)};
  rod.elements[0].slides = true;
  rod.elements[0].direction = Vec3(rod.A(0, 1) > 0 ? 1 : -1, 0, 0);
  // N ← (9.81 + μ A₀₁ N)/A₀₀ contracts with 3 μ/4.
  for (const auto& [mu, status, takes_over] : {std::tuple{0.3, WorkingStatus::kSolved, false},
                                               {1.0, WorkingStatus::kSolved, false},
                                               {1.3, WorkingStatus::kSolved, true},
                                               {4.0 / 3, WorkingStatus::kSingular, true},
                                               {1.4, WorkingStatus::kNone, true}}) {
    rod.elements[0].mu = mu;
    WorkingSet set;
    WorkingStats stats;
    EXPECT_EQ(set.Solve(rod, kRepeat, &stats).status, status) << mu;
    EXPECT_EQ(stats.takeovers > 0, takes_over) << mu;
    if (status != WorkingStatus::kSolved) continue;
    const double N = 9.81 / (rod.A(0, 0) - mu * std::fabs(rod.A(0, 1)));
    EXPECT_NEAR(set.lambda()[0], N, 1e-11 * N) << mu;
  }
}

}  // namespace
}  // namespace voigt
