#include "voigt/kernels/working_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/dense_problem.h"
#include "tests/support/planar_contact.h"
#include "tests/support/samples.h"
#include "tests/support/working_problems.h"
#include "voigt/kernels/lemke.h"

namespace voigt {
namespace {

using testing::CalcWorkingError;
using testing::ElementAtRest;
using testing::ElementWithForce;
using testing::MakeFromRows;
using testing::NormalMatrix;

// A cart of 1 kg on two pads that stick with forces up to 1 and 3 N.
TEST(WorkingSet, PadsShareByWhatTheyCanHold) {
  for (const Vec2& limit : {Vec2(1, 1), Vec2(1, 3), Vec2(0.01, 5)}) {
    for (int i = 1; i <= 30; ++i) {
      const double sum = limit.sum(), F = 0.05 * i * sum;
      WorkingProblem cart = MakeFromRows(MatX::Ones(2, 1), VecX::Ones(1), VecX::Constant(1, F));
      cart.elements = {ElementWithForce(0, 2, 0.5, 2 * limit[0]),
                       ElementWithForce(1, 2, 0.5, 2 * limit[1])};
      WorkingSet set;
      WorkingStats stats;
      ASSERT_EQ(set.Solve(cart, {}, &stats).status, WorkingStatus::kSolved);
      SCOPED_TRACE(::testing::Message() << limit.transpose() << ", F " << F);
      const double held = std::min(F, sum);
      for (int k = 0; k < 2; ++k) EXPECT_NEAR(set.lambda()[k], -held * limit[k] / sum, 1e-12 * sum);
      EXPECT_NEAR(set.acceleration()[0], F - held, 1e-12 * sum);
      const auto state = F > 1.001 * sum ? FrictionState::kCreeps : FrictionState::kSticks;
      if (std::fabs(F - sum) > 1e-9) {
        EXPECT_EQ(set.states()[0], state);
      }
    }
  }
}

// Rows that repeat each other share by the squares of their units: Σ (λ/unit)² is least. What they
// hold together is the same.
TEST(WorkingSet, RowsShareByTheirUnits) {
  for (const Vec3& unit : {Vec3(1, 1, 1), Vec3(1, 0.02, 0.02), Vec3(3, 1, 1e-3)}) {
    const Vec3 lever(1.6, 1, 1);  // of a force, and of two moments
    WorkingProblem hinges = MakeFromRows(lever, VecX::Ones(1), VecX::Constant(1, 7));
    hinges.unit = unit;
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(hinges, {}, &stats).status, WorkingStatus::kSolved);
    const Vec3 weights = unit.cwiseProduct(unit).cwiseProduct(lever);
    const Vec3 share = -7 * weights / weights.dot(lever);
    EXPECT_LT((set.lambda() - share).norm(), 1e-12) << unit.transpose();
    EXPECT_NEAR(lever.dot(set.lambda()), -7, 1e-12);
  }
}

// 30° downhill, μ = 0.2, 3 N to the side; along the wire, and two rows that hold the bead on it.
WorkingProblem MakeBeadOnWire(double direction) {
  const double g = 9.81, angle = kPi / 6;
  WorkingProblem bead = MakeFromRows(MatX::Identity(3, 3), VecX::Ones(3),
                                     Vec3(g * std::sin(angle), -g * std::cos(angle), 3));
  FrictionElement wire = ElementAtRest(0, 1, 0.2, -1);
  wire.slides = true;
  wire.direction = Vec3(direction, 0, 0);
  wire.C = MatX::Zero(2, 3);
  wire.C(0, 1) = wire.C(1, 2) = 1;
  wire.n0 = Vec2::Zero();
  bead.elements = {wire};
  return bead;
}

TEST(WorkingSet, BeadOnWireRubsByItsWholeReaction) {
  WorkingSet set;
  WorkingStats stats;
  ASSERT_EQ(set.Solve(MakeBeadOnWire(1), {}, &stats).status, WorkingStatus::kSolved);
  EXPECT_NEAR(set.normal_force()[0], 9.009832129402, 1e-11);
  EXPECT_NEAR(set.acceleration()[0], 3.103033574120, 1e-11);
  ASSERT_EQ(set.Solve(MakeBeadOnWire(-1), {}, &stats).status, WorkingStatus::kSolved);
  EXPECT_NEAR(set.acceleration()[0], 6.706966425880, 1e-11);
}

WorkingProblem MakeSlidingRod(double mu, double direction) {
  const double angle = std::atan(2.0);
  const testing::PlanarContact end{-Vec2(std::cos(angle), std::sin(angle)), Vec2(0, 1)};
  WorkingProblem rod = MakeFromRows(testing::MakeRows(end), testing::kRod, Vec3(0, -9.81, 0));
  rod.is_one_sided[0] = 1;
  rod.elements = {ElementAtRest(1, 1, mu, 0)};
  rod.elements[0].slides = true;
  rod.elements[0].direction = Vec3(direction, 0, 0);
  return rod;
}

// The rod that rests on its end and slides so that friction presses it down: beyond μ = 4/3 no
// finite force carries it.
TEST(WorkingSet, PainlevesRodHasNoSolutionBeyondItsLimit) {
  const WorkingProblem probe = MakeSlidingRod(1, 1);
  const double against = probe.A(0, 1) > 0 ? 1 : -1;
  EXPECT_NEAR(probe.A(0, 0) / std::fabs(probe.A(0, 1)), 4.0 / 3, 1e-14);
  WorkingStats stats;
  for (const double mu : {0.3, 1.0, 1.3}) {
    WorkingSet set;
    const WorkingProblem rod = MakeSlidingRod(mu, against);
    ASSERT_EQ(set.Solve(rod, {}, &stats).status, WorkingStatus::kSolved) << mu;
    EXPECT_LT(CalcWorkingError(rod, set.lambda()), 1e-9);
    const double N = 9.81 / (rod.A(0, 0) - mu * std::fabs(rod.A(0, 1)));
    EXPECT_NEAR(set.lambda()[0], N, 1e-11 * N);
  }
  WorkingSet set;
  EXPECT_EQ(set.Solve(MakeSlidingRod(4.0 / 3, against), {}, &stats).status,
            WorkingStatus::kSingular);
  for (const double mu : {1.4, 2.0, 5.0}) {
    WorkingSet beyond;
    const WorkingResult result = beyond.Solve(MakeSlidingRod(mu, against), {}, &stats);
    EXPECT_EQ(result.status, WorkingStatus::kNone) << mu;
    EXPECT_TRUE(result.is_proof);
    // To the other side friction lifts it, and there is one.
    WorkingSet other;
    EXPECT_EQ(other.Solve(MakeSlidingRod(mu, -against), {}, &stats).status, WorkingStatus::kSolved);
  }
}

// A bar on feet at 0, 1 and 2 m with its weight above the first, which carries it alone: all three
// by least squares would pull on the last. Beside it a body on two feet that repeat each other. One
// of these was open, and the bar's others were; now they are just met, and carry what they can.
TEST(WorkingSet, RowsThatAreJustMetShareWhereTheyCan) {
  MatX G = MatX::Zero(5, 3);
  for (int foot = 0; foot < 3; ++foot) G.row(foot) << 1, foot, 0;
  G(3, 2) = G(4, 2) = 1;
  WorkingProblem feet = MakeFromRows(G, Vec3(1, 1, 1), Vec3(-10, 0, -10));
  feet.is_one_sided.assign(5, 1);
  const VecX at_rest = feet.a0;
  for (int r : {1, 2, 4}) feet.a0[r] += 20;
  WorkingSet set;
  WorkingStats stats;
  ASSERT_EQ(set.Solve(feet, {}, &stats).status, WorkingStatus::kSolved);
  EXPECT_EQ(set.touches(), (std::vector<char>{1, 0, 0, 1, 0}));
  feet.a0 = at_rest;
  ASSERT_EQ(set.Solve(feet, {}, &stats).status, WorkingStatus::kSolved);
  const VecX expected = (VecX(5) << 10, 0, 0, 5, 5).finished();
  EXPECT_LT((set.lambda() - expected).norm(), 1e-12);
}

// A block on a slope: normal, and two tangents turned by some angle.
TEST(WorkingSet, BlockOnASlopeStaysOrGoesDownhill) {
  const double g = 9.81, mu = 0.4;
  for (const double slope : {0.1, 0.3, 0.37, 0.39, 0.6, 1.2}) {
    for (const double turn : {0.0, 0.7, 2.5}) {
      const Vec2 downhill(std::cos(turn), std::sin(turn));
      Vec3 v_dot(-g * std::cos(slope), 0, 0);
      v_dot.tail<2>() = g * std::sin(slope) * downhill;
      WorkingProblem block = MakeFromRows(MatX::Identity(3, 3), VecX::Ones(3), v_dot);
      block.is_one_sided[0] = 1;
      block.elements = {ElementAtRest(1, 2, mu, 0)};
      WorkingSet set;
      WorkingStats stats;
      ASSERT_EQ(set.Solve(block, {}, &stats).status, WorkingStatus::kSolved);
      const double a = std::max(0.0, g * (std::sin(slope) - mu * std::cos(slope)));
      EXPECT_LT((set.acceleration().tail<2>() - a * downhill).norm(), 1e-11);
    }
  }
}

TEST(WorkingSet, NamesRowsThatContradictEachOther) {
  WorkingProblem problem = MakeFromRows(MatX::Ones(2, 1), VecX::Ones(1), VecX::Zero(1));
  problem.a0 = Vec2(1, 2);
  WorkingSet set;
  WorkingStats stats;
  const WorkingResult result = set.Solve(problem, {}, &stats);
  EXPECT_EQ(result.status, WorkingStatus::kInconsistent);
  EXPECT_GE(result.row, 0);
  EXPECT_NEAR(result.contradiction, 0.5, 1e-12);
}

// One-sided rows alone: the accelerations are those of the complementarity problem.
TEST(WorkingSet, AgreesWithLemkeWithoutFriction) {
  std::mt19937 random(3);
  for (int trial = 0; trial < testing::SampleCount(300); ++trial) {
    const int rows = 1 + trial % 9, dofs = 1 + trial / 9 % 7;
    const MatX G = NormalMatrix(rows, dofs, &random);
    WorkingProblem problem = MakeFromRows(G, VecX::Ones(dofs), NormalMatrix(dofs, 1, &random));
    problem.is_one_sided.assign(rows, 1);
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(problem, {}, &stats).status, WorkingStatus::kSolved) << trial;
    EXPECT_LT(CalcWorkingError(problem, set.lambda()), 1e-10) << trial;
    const VecX zero = VecX::Zero(rows), none = VecX::Constant(rows, kInfinity);
    VecX z = zero;
    LemkeStats lemke_stats;
    ASSERT_EQ(Lemke().Solve({problem.A, problem.a0, zero, none}, {}, z, &lemke_stats).status,
              ComplementarityStatus::kSolved);
    EXPECT_LT((problem.A * z + problem.a0 - set.acceleration()).norm(), 1e-9) << trial;
  }
}

// Bodies at rest on contacts in space, with friction of every size.
TEST(WorkingSet, FindsConsistentStatesOfRandomContacts) {
  std::mt19937 random(4);
  int solved = 0, count = 0, sticking = 0, creeping = 0, parted = 0;
  for (int trial = 0; trial < testing::SampleCount(150); ++trial) {
    const int contacts = 1 + trial % 3;
    const MatX G = NormalMatrix(3 * contacts, 6, &random);
    WorkingProblem problem = MakeFromRows(G, VecX::Ones(6), NormalMatrix(6, 1, &random));
    for (int c = 0; c < contacts; ++c) {
      problem.is_one_sided[3 * c] = 1;
      problem.elements.push_back(ElementAtRest(3 * c + 1, 2, 0.3 + 0.3 * (trial % 4), 3 * c));
    }
    WorkingSet set;
    WorkingStats stats;
    ++count;
    const WorkingResult result = set.Solve(problem, {}, &stats);
    EXPECT_NE(result.status, WorkingStatus::kInconsistent) << trial;
    if (result.status != WorkingStatus::kSolved) continue;
    ++solved;
    EXPECT_LT(CalcWorkingError(problem, set.lambda()), 1e-9) << trial;
    for (FrictionState state : set.states()) {
      sticking += state == FrictionState::kSticks;
      creeping += state == FrictionState::kCreeps;
      parted += state == FrictionState::kParts;
    }
  }
  printf("%d of %d solved: %d stick, %d creep, %d part\n", solved, count, sticking, creeping,
         parted);
  EXPECT_GE(solved, 0.98 * count);
  EXPECT_GT(std::min({sticking, creeping, parted}), count / 10);
}

// With friction this large single swaps go in circles for one problem in six: a choice that comes
// again ends that search, and others find the states.
TEST(WorkingSet, NoticesThatItGoesInCircles) {
  std::mt19937 random(7);
  WorkingStats stats;
  int circles = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const MatX G = NormalMatrix(4, 6, &random);
    const VecX v_dot = NormalMatrix(6, 1, &random);
    WorkingProblem problem = MakeFromRows(G, VecX::Ones(6), v_dot);
    for (int c = 0; c < 2; ++c) {
      problem.is_one_sided[2 * c] = 1;
      problem.elements.push_back(ElementAtRest(2 * c + 1, 1, 4, 2 * c));
    }
    WorkingSet set;
    const int before = stats.cycles;
    ASSERT_EQ(set.Solve(problem, {}, &stats).status, WorkingStatus::kSolved) << trial;
    EXPECT_LT(CalcWorkingError(problem, set.lambda()), 1e-9) << trial;
    circles += stats.cycles > before;
  }
  EXPECT_GT(circles, 20);
}

// Friction about a point, as in a ball joint: three rows, N given, inertias that differ.
TEST(WorkingSet, FindsTheAxisAboutWhichABallBeginsToTurn) {
  std::mt19937 random(7);
  int creeping = 0;
  for (int trial = 0; trial < 60; ++trial) {
    // One after the other: compilers differ in which argument of a call comes first.
    const MatX G = NormalMatrix(3, 3, &random);
    const VecX v_dot = NormalMatrix(3, 1, &random);
    WorkingProblem ball = MakeFromRows(G, Vec3(1, 2, 0.3 + 0.1 * (trial % 7)), v_dot);
    FrictionElement socket = ElementWithForce(0, 3, 0.5, 0.2 + 3 * (trial % 4));
    socket.row_count = 3;
    ball.elements = {socket};
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(ball, {}, &stats).status, WorkingStatus::kSolved) << trial;
    EXPECT_LT(CalcWorkingError(ball, set.lambda()), 1e-9) << trial;
    creeping += set.states()[0] == FrictionState::kCreeps;
  }
  EXPECT_GT(creeping, 10);
  EXPECT_LT(creeping, 60);
}

// What holds by order of the caller holds with more than friction has.
TEST(WorkingSet, HoldsWhateverForceThatTakes) {
  WorkingProblem block = MakeFromRows(MatX::Ones(1, 1), VecX::Ones(1), VecX::Constant(1, 3));
  block.elements = {ElementWithForce(0, 1, 0.5, 2)};
  block.elements[0].holds = true;
  WorkingSet set;
  WorkingStats stats;
  ASSERT_EQ(set.Solve(block, {}, &stats).status, WorkingStatus::kSolved);
  EXPECT_NEAR(set.lambda()[0], -3, 1e-14);
  EXPECT_EQ(set.states()[0], FrictionState::kSticks);
}

// What begins to slide by order of the caller: along its acceleration, which is not that of the
// force where inertia differs; the same as where that is decided. It also does where it could
// stick.
TEST(WorkingSet, BeginsAlongItsAcceleration) {
  const Vec2 inertia(4.5, 1.5);
  for (const double pull : {4.0, 5.0 * (1 + 1e-9), 5.1, 7.0}) {
    const Vec2 force = pull * Vec2(0.8, 0.6);
    WorkingProblem block =
        MakeFromRows(MatX::Identity(2, 2), inertia, force.cwiseQuotient(inertia));
    block.elements = {ElementWithForce(0, 2, 0.5, 10)};
    block.elements[0].row_count = 2;
    WorkingSet decided, begun;
    WorkingStats stats;
    ASSERT_EQ(decided.Solve(block, {}, &stats).status, WorkingStatus::kSolved);
    block.elements[0].begins = true;
    block.elements[0].direction = {std::cos(0.3), std::sin(0.3), 0};
    ASSERT_EQ(begun.Solve(block, {}, &stats).status, WorkingStatus::kSolved);
    EXPECT_EQ(begun.states()[0], FrictionState::kCreeps);
    const Vec2 lambda = begun.lambda(), d = begun.direction()[0].head<2>();
    EXPECT_NEAR((lambda + 5 * d).norm(), 0, 1e-12);
    const Vec2 a = (force + lambda).cwiseQuotient(inertia);
    EXPECT_NEAR(a[0] * d[1] - a[1] * d[0], 0, 1e-11);
    EXPECT_EQ(a.dot(d) > 0, pull > 5);
    if (pull > 5) {
      EXPECT_NEAR((begun.lambda() - decided.lambda()).norm(), 0, 1e-10) << pull;
    }
  }
}

// A box on many feet that is pulled: they reach their limits together, however many there are.
TEST(WorkingSet, FeetOfOneBodyBeginToSlipTogether) {
  for (const double pull : {4.9, 5 * (1 - 0.5e-9), 5.01, 8.0}) {
    for (int feet : {1, 2, 4, 8}) {
      // Dofs along x and z; rows of a foot: normal, along x, along y, where nothing moves.
      MatX G = MatX::Zero(3 * feet, 2);
      for (int k = 0; k < feet; ++k) G(3 * k, 1) = G(3 * k + 1, 0) = 1;
      WorkingProblem problem = MakeFromRows(G, Vec2(1.1, 1), Vec2(pull / 1.1, -10));
      for (int k = 0; k < feet; ++k) {
        problem.is_one_sided[3 * k] = 1;
        problem.elements.push_back(ElementAtRest(3 * k + 1, 2, 0.5 * (1 - 1e-9), 3 * k));
      }
      WorkingSet set;
      WorkingStats stats;
      ASSERT_EQ(set.Solve(problem, {}, &stats).status, WorkingStatus::kSolved) << feet;
      EXPECT_LT(CalcWorkingError(problem, set.lambda()), 1e-9);
      EXPECT_NEAR(set.acceleration()[1], std::max(0.0, pull - 5) / 1.1, 1e-8) << feet;
      // They are equals, and share as such.
      for (int k = 0; k < feet; ++k) {
        EXPECT_NEAR(set.lambda()[3 * k], 10.0 / feet, 1e-11) << feet << ' ' << k;
        EXPECT_NEAR(set.lambda()[3 * k + 1], -std::min(pull, 5 * (1 - 1e-9)) / feet, 1e-11)
            << feet << ' ' << k;
      }
      EXPECT_LE(stats.solves, feet + 1);
    }
  }
}

}  // namespace
}  // namespace voigt
