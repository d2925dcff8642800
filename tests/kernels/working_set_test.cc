#include "voigt/kernels/working_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/planar_contact.h"
#include "tests/support/samples.h"
#include "voigt/kernels/lemke.h"

namespace voigt {
namespace {

FrictionElement ElementAtRest(int row, int count, double mu, int normal_row) {
  FrictionElement out;
  out.first_row = row;
  out.row_count = count;
  out.mu = mu;
  out.normal_row = normal_row;
  return out;
}

// N given.
FrictionElement ElementWithForce(int row, int rows, double mu, double N) {
  FrictionElement out = ElementAtRest(row, 1, mu, -1);
  out.C = MatX::Zero(1, rows);
  out.n0 = VecX::Constant(1, N);
  return out;
}

WorkingProblem MakeFromRows(const MatX& G, const VecX& inertia, const VecX& v_dot) {
  WorkingProblem out;
  out.A = G * inertia.cwiseInverse().asDiagonal() * G.transpose();
  out.a0 = G * v_dot;
  out.is_one_sided.assign(G.rows(), 0);
  return out;
}

// How far a solution is from the laws, judged from λ and a alone.
double CalcWorkingError(const WorkingProblem& problem, const VecX& lambda) {
  const VecX a = problem.a0 + problem.A * lambda;
  std::vector<char> is_friction(problem.rows(), 0);
  double error = 0;
  for (const FrictionElement& element : problem.elements) {
    const int first = element.first_row, count = element.row_count;
    std::fill_n(is_friction.begin() + first, count, 1);
    const double N = element.normal_row >= 0 ? lambda[element.normal_row]
                                             : (element.n0 + element.C * lambda).norm();
    const VecX force = lambda.segment(first, count), slip = a.segment(first, count);
    error = std::max(error, force.norm() - element.mu * N);
    if (element.slides) {
      error = std::max(error, (force + element.mu * N * element.direction.head(count)).norm());
    } else if (slip.norm() > 1e-9) {
      error = std::max(error, (force + element.mu * N * slip.normalized()).norm());
    }
  }
  for (int r = 0; r < problem.rows(); ++r) {
    if (is_friction[r]) continue;
    error = std::max(
        error, problem.is_one_sided[r] ? std::fabs(std::fmin(lambda[r], a[r])) : std::fabs(a[r]));
  }
  return error;
}

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

// A bearing of radius R: the reaction has a part along the rod, which motion gives, and one across
// it, which is that of friction itself; |N| = m |l ω² + g cos θ| / √(1 − ε²) with ε = μ R / l.
TEST(WorkingSet, PinTurnsAgainstAReactionThatFrictionAddsTo) {
  for (const double epsilon : {0.03, 0.5, 0.9}) {
    const double l = 1, along = 7.3, R = 0.1;
    WorkingProblem pin = MakeFromRows(MatX::Ones(1, 1), VecX::Ones(1), VecX::Constant(1, -4));
    FrictionElement bearing = ElementAtRest(0, 1, epsilon * l, -1);
    bearing.slides = true;
    bearing.direction = Vec3(1, 0, 0);
    bearing.C = MatX::Zero(2, 1);
    bearing.C(1, 0) = 1 / l;
    bearing.n0 = Vec2(along, 0);
    pin.elements = {bearing};
    WorkingSet set;
    WorkingStats stats;
    ASSERT_EQ(set.Solve(pin, {}, &stats).status, WorkingStatus::kSolved) << R;
    EXPECT_NEAR(set.normal_force()[0], along / std::sqrt(1 - epsilon * epsilon), 1e-11);
    EXPECT_LE(stats.iterations, 8);
  }
}

// Beads on two wires that bear on each other: each rubs by the norm of its reaction, to which the
// friction of the other adds. A matrix serves as long as errors fall fast with it.
WorkingProblem MakeCoupledWires(double mu) {
  WorkingProblem wires = MakeFromRows(MatX::Identity(2, 2), VecX::Ones(2), Vec2(-4, -3));
  for (int k = 0; k < 2; ++k) {
    FrictionElement wire = ElementAtRest(k, 1, mu, -1);
    wire.slides = true;
    wire.direction = Vec3(1, 0, 0);
    wire.C = MatX::Zero(2, 2);
    wire.C(1, 1 - k) = 1;
    wire.n0 = Vec2(5 + k, 1);
    wires.elements.push_back(wire);
  }
  return wires;
}

TEST(WorkingSet, NewtonsMatrixIsKeptWhileErrorsFall) {
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
    // From its own solution one iteration confirms it.
    const WorkingStats before = stats;
    ASSERT_EQ(set.Solve(MakeCoupledWires(mu), {}, &stats).status, WorkingStatus::kSolved);
    EXPECT_EQ(stats.iterations - before.iterations, 1) << mu;
    EXPECT_EQ(stats.factorizations - before.factorizations, 1) << mu;
  }
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

MatX RandomMatrix(int rows, int cols, std::mt19937* random) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, cols, [&] { return normal(*random); });
}

// One-sided rows alone: the accelerations are those of the complementarity problem.
TEST(WorkingSet, AgreesWithLemkeWithoutFriction) {
  std::mt19937 random(3);
  for (int trial = 0; trial < testing::SampleCount(300); ++trial) {
    const int rows = 1 + trial % 9, dofs = 1 + trial / 9 % 7;
    const MatX G = RandomMatrix(rows, dofs, &random);
    WorkingProblem problem = MakeFromRows(G, VecX::Ones(dofs), RandomMatrix(dofs, 1, &random));
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
    const MatX G = RandomMatrix(3 * contacts, 6, &random);
    WorkingProblem problem = MakeFromRows(G, VecX::Ones(6), RandomMatrix(6, 1, &random));
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

// Friction about a point, as in a ball joint: three rows, N given, inertias that differ.
TEST(WorkingSet, FindsTheAxisAboutWhichABallBeginsToTurn) {
  std::mt19937 random(7);
  int creeping = 0;
  for (int trial = 0; trial < 60; ++trial) {
    // One after the other: compilers differ in which argument of a call comes first.
    const MatX G = RandomMatrix(3, 3, &random);
    const VecX v_dot = RandomMatrix(3, 1, &random);
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
      EXPECT_LE(stats.solves, 5);
    }
  }
}

}  // namespace
}  // namespace voigt
