// Compliant contact as it was printed, the program of minimum norm: the counterexamples to it in
// numbers, the conditions of its optimality over random problems, and what it reports.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/support/dense_problem.h"
#include "tests/support/random_problem.h"
#include "tests/support/samples.h"
#include "tests/support/solve_with.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/formulation.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::JudgeSolution;
using testing::MakeProblem;
using testing::RandomMatrix;

Solution SolvePrinted(const VelocityProblem& problem, const ImpulseSpaceSettings& settings = {}) {
  return testing::SolveWith(FormulationKind::kCompliantQcqp, problem, settings);
}

Solution SolveLaw(const VelocityProblem& problem) {
  return testing::SolveWith(FormulationKind::kCompliant, problem);
}

ImpulseSpaceSettings Weights(double zeta, double damping) {
  ImpulseSpaceSettings out;
  out.zeta = zeta;
  out.tangential_damping = damping;
  return out;
}

double CalcKinetic(const VecX& v) { return 0.5 * v.squaredNorm(); }

// (I + XW) λ ≥ c with I + XW = [11, 9; 9, 11], c = (10, 9.5): the second row pushes although its
// law says less.
TEST(CompliantQcqp, SharesCoupledSpringsOtherwiseThanTheirLaw) {
  OwnedProblem owned = MakeProblem(MatX::Identity(2, 2), VecX::Zero(2), 1);
  MatX G(2, 2);
  G << 1, 0, 0.9, std::sqrt(0.19);
  AddGroup(Law::kUnilateral, G, &owned);
  const double c[] = {10, 9.5};
  for (int i = 0; i < 2; ++i) {
    owned.problem.rows[i].R = 0.1;  // X = 10
    owned.problem.rows[i].v_hat = c[i] / 10;
  }
  const Solution printed = SolvePrinted(owned.problem), law = SolveLaw(owned.problem);
  EXPECT_EQ(printed.status, SolveStatus::kSolved);
  EXPECT_NEAR(printed.gamma[0], 110.0 / 202, 1e-12);
  EXPECT_NEAR(printed.gamma[1], 90.0 / 202, 1e-12);
  EXPECT_EQ(printed.stats.inflated, 1);
  EXPECT_NEAR(law.gamma[0], 0.6125, 1e-12);
  EXPECT_NEAR(law.gamma[1], 0.3625, 1e-12);
}

// A unit mass between two dampers of any strength: it leaves faster than it came.
TEST(CompliantQcqp, CreatesEnergyBetweenTwoDampers) {
  OwnedProblem owned = MakeProblem(MatX::Identity(2, 2), Vec2(-1, 2), 0.01);
  MatX G(2, 2);
  G << 1, 0, 0.6, 0.8;
  AddGroup(Law::kUnilateral, G, &owned);
  const Solution printed = SolvePrinted(owned.problem), law = SolveLaw(owned.problem);
  EXPECT_EQ(printed.status, SolveStatus::kSolved);
  EXPECT_NEAR(printed.gamma[0], 1 / 1.36, 1e-12);
  EXPECT_NEAR(printed.gamma[1], 0.6 / 1.36, 1e-12);
  EXPECT_NEAR(printed.v1[1], 2.3529411764706, 1e-12);
  EXPECT_NEAR(CalcKinetic(printed.v1), 2.768, 5e-4);
  EXPECT_EQ(printed.stats.inflated, 1);
  // It is what was asked for, and the energy shows.
  const Audit audit = JudgeSolution(owned.problem, printed);
  EXPECT_LE(audit.law, 1e-12);
  EXPECT_GT(audit.energy, 0.01);
  EXPECT_NEAR(law.gamma[0], 1, 1e-12);
  EXPECT_NEAR(CalcKinetic(law.v1), 2, 1e-12);
}

// The least element of the feasible set is the law where I + XW is a Z-matrix: a pile of masses.
TEST(CompliantQcqp, IsTheLawInAPile) {
  constexpr int kCount = 12;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int sample = 0; sample < 20; ++sample) {
    MatX M = MatX::Identity(kCount, kCount);
    VecX v(kCount);
    for (int k = 0; k < kCount; ++k) {
      M(k, k) = 0.5 + uniform(random);
      v[k] = -uniform(random);
    }
    OwnedProblem owned = MakeProblem(M, v, 0.01);
    MatX G = MatX::Identity(kCount, kCount);
    for (int k = 1; k < kCount; ++k) G(k, k - 1) = -1;
    AddGroup(Law::kUnilateral, G, &owned);
    for (Row& row : owned.problem.rows) row.R = uniform(random) < 0.5 ? 0 : uniform(random);
    const Solution printed = SolvePrinted(owned.problem), law = SolveLaw(owned.problem);
    EXPECT_EQ(printed.status, SolveStatus::kSolved);
    EXPECT_LE((printed.gamma - law.gamma).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_EQ(printed.stats.inflated, 0);
  }
}

// A block that slides: m = 1 kg, μ = 0.25, h = 0.01 s, g = 9.8 m/s².
OwnedProblem MakeBlock(double speed) {
  OwnedProblem out = MakeProblem(MatX::Identity(2, 2), Vec2(speed, -0.098), 0.01);
  MatX G(2, 2);
  G << 0, 1, 1, 0;
  AddGroup(Law::kContact, G, &out).mu = 0.25;
  return out;
}

// With ζ = 1/h and B_r = 10⁶/h the normal force is 400 N and not 9.8 N, and the block stops at
// once.
TEST(CompliantQcqp, InflatesNormalForcesWithThePrintedWeights) {
  const OwnedProblem block = MakeBlock(1);
  const Solution printed = SolvePrinted(block.problem);
  EXPECT_EQ(printed.status, SolveStatus::kSolved);
  EXPECT_NEAR(printed.gamma[0] / 0.01, 400.0, 0.01);
  EXPECT_NEAR(printed.v1[0], 0, 1e-5);
  EXPECT_EQ(printed.stats.inflated, 1);
  EXPECT_NEAR(SolveLaw(block.problem).gamma[0] / 0.01, 9.8, 1e-9);
}

// It needs ζ > μ (1 + h B_r w) |β|/λ_n, where β is nearly B_r times the slip that is left.
TEST(CompliantQcqp, IsTheLawFromALargeWeightOn) {
  const double slip = 1 - 0.25 * 0.098, least = 0.25 * 1e6 * 1e8 * slip / 9.8;
  const OwnedProblem block = MakeBlock(1);
  const Solution below = SolvePrinted(block.problem, Weights(0.98 * least, 1e8));
  EXPECT_EQ(below.stats.inflated, 1);
  EXPECT_GT(below.gamma[0], 0.098 * 1.01);
  const Solution above = SolvePrinted(block.problem, Weights(1.02 * least, 1e8));
  EXPECT_EQ(above.status, SolveStatus::kSolved);
  EXPECT_EQ(above.stats.inflated, 0);
  EXPECT_NEAR(above.gamma[0], 0.098, 1e-12);
  EXPECT_NEAR(above.gamma[1], -0.25 * 0.098, 1e-12);

  // So it slides as far as the implicit scheme has it.
  double v = 1, distance = 0;
  for (int step = 0; step < 60; ++step) {
    v = SolvePrinted(MakeBlock(v).problem, Weights(1e14, 1e8)).v1[0];
    distance += 0.01 * v;
  }
  EXPECT_NEAR(distance, 0.1991, 5e-5);
}

// Friction is against W_t u_t and not against u_t: with W_t = diag(1, 4) it is 31° off.
TEST(CompliantQcqp, PullsAsideWhereInertiaDiffers) {
  MatX M = MatX::Identity(3, 3);
  M(2, 2) = 0.25;
  OwnedProblem owned = MakeProblem(M, Vec3(-1, 1, 1), 0.01);
  AddGroup(Law::kContact, MatX::Identity(3, 3), &owned).mu = 0.01;
  const Solution printed = SolvePrinted(owned.problem, Weights(1e16, 1e8));
  EXPECT_EQ(printed.status, SolveStatus::kSolved);
  EXPECT_EQ(printed.stats.inflated, 0);
  const Vec2 friction(printed.gamma[1], printed.gamma[2]), slip(printed.v1[1], printed.v1[2]);
  EXPECT_NEAR(friction.norm(), 0.01, 1e-12);
  const double angle = std::acos(-friction.dot(slip) / (friction.norm() * slip.norm()));
  EXPECT_NEAR(angle * 180 / std::numbers::pi, 31.5, 1);
  const Vec2 expected = -Vec2(slip[0], 4 * slip[1]);
  EXPECT_NEAR(friction.dot(expected) / (friction.norm() * expected.norm()), 1, 1e-9);
}

// The term ½ λ_r² takes 1/(1 + (1 + h B_r w)²) of what holds a block still.
TEST(CompliantQcqp, HoldsLessThanTheDamper) {
  for (double hB : {1.0, 10.0, 1e3}) {
    OwnedProblem owned = MakeProblem(MatX::Identity(2, 2), Vec2(0.01, -1), 0.01);
    MatX G(2, 2);
    G << 0, 1, 1, 0;
    AddGroup(Law::kContact, G, &owned).mu = 0.5;
    const Solution printed = SolvePrinted(owned.problem, Weights(100, hB / 0.01));
    EXPECT_EQ(printed.status, SolveStatus::kSolved);
    const double a = 1 + hB, full = -hB * 0.01 / a;
    EXPECT_NEAR(printed.gamma[1] / full, 1 - 1 / (1 + a * a), 1e-9) << hB;
    if (hB == 1) {
      EXPECT_NEAR(printed.gamma[1] / full, 0.8, 1e-9);
    }
  }
}

// Bilateral springs within the program are what they are without rows: M + Gᵀ R⁻¹ G in place of M
// [Drumwright 2019, eqs. 185–192, corrected].
TEST(CompliantQcqp, BilateralRowsChangeTheMassMatrix) {
  std::mt19937 random(5);
  for (int sample = 0; sample < testing::SampleCount(20); ++sample) {
    constexpr int kSize = 5;
    const MatX M = testing::RandomDenseMass(kSize, &random), B = RandomMatrix(2, kSize, &random);
    const MatX G = RandomMatrix(6, kSize, &random);
    const VecX v = RandomMatrix(kSize, 1, &random), v_hat = RandomMatrix(2, 1, &random);
    const double R = 0.3;
    OwnedProblem with_rows = MakeProblem(M, v, 0.01);
    AddGroup(Law::kBilateral, B, &with_rows);
    for (int i = 0; i < 2; ++i) {
      with_rows.problem.rows[i].R = R;
      with_rows.problem.rows[i].v_hat = v_hat[i];
    }
    const MatX changed = M + B.transpose() * B / R;
    const VecX momentum = M * v + B.transpose() * v_hat / R;
    OwnedProblem without = MakeProblem(changed, changed.lu().solve(momentum), 0.01);
    for (OwnedProblem* owned : {&with_rows, &without}) {
      AddGroup(Law::kContact, G.topRows(3), owned).mu = 0.4;
      AddGroup(Law::kUnilateral, G.bottomRows(3), owned);
    }
    const ImpulseSpaceSettings weights = Weights(50, 1e4);
    const Solution a = SolvePrinted(with_rows.problem, weights);
    const Solution b = SolvePrinted(without.problem, weights);
    EXPECT_EQ(a.status, SolveStatus::kSolved);
    EXPECT_EQ(b.status, SolveStatus::kSolved);
    EXPECT_LE((a.v1 - b.v1).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LE((a.gamma.tail(6) - b.gamma).cwiseAbs().maxCoeff(),
              1e-7 * (1 + b.gamma.cwiseAbs().maxCoeff()));
  }
}

// The printed objective from dense matrices, eqs. 181–198, for rows without springs in friction.
double CalcObjective(const VelocityProblem& problem, const VecX& gamma, double zeta, double hB) {
  VecX v, rates;
  problem.CalcVelocity(gamma, &v);
  rates = problem.ToDenseG() * v;
  double sum = 0;
  for (const RowGroup& group : problem.groups) {
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      const bool is_friction = group.law == Law::kContact && i > group.first_row;
      sum += 0.5 * (is_friction ? 1 : zeta) * gamma[i] * gamma[i];
      const double beta = gamma[i] + hB * rates[i];
      if (is_friction) sum += 0.5 * beta * beta;
    }
  }
  return sum;
}

// No impulses that keep the conditions have less: many near the solution are tried.
TEST(CompliantQcqp, MinimizesWhatIsPrinted) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int tried = 0;
  for (int sample = 0; sample < testing::SampleCount(30); ++sample) {
    OwnedProblem owned =
        MakeProblem(testing::RandomDenseMass(6, &random), RandomMatrix(6, 1, &random), 0.01);
    for (int k = 0; k < 2; ++k) {
      AddGroup(Law::kContact, RandomMatrix(3, 6, &random), &owned).mu = 0.5;
    }
    AddGroup(Law::kUnilateral, RandomMatrix(1, 6, &random), &owned);
    const VelocityProblem& problem = owned.problem;
    const double zeta = 20, damping = 1e3;
    const Solution printed = SolvePrinted(problem, Weights(zeta, damping));
    ASSERT_EQ(printed.status, SolveStatus::kSolved);
    const double least = CalcObjective(problem, printed.gamma, zeta, 0.01 * damping);
    const MatX G = problem.ToDenseG(), W = problem.ToDenseW();
    for (int k = 0; k < 2000; ++k) {
      const double size = std::pow(10, 2 * uniform(random) - 3);
      VecX gamma = printed.gamma;
      for (double& x : gamma) x += size * uniform(random);
      for (const RowGroup& group : problem.groups) {
        gamma[group.first_row] = std::fmax(0, gamma[group.first_row]);
        if (group.law != Law::kContact) continue;
        auto tangent = gamma.segment(group.first_row + 1, 2);
        const double radius = 0.5 * gamma[group.first_row];
        if (tangent.norm() > radius) tangent *= radius / tangent.norm();
      }
      const VecX u = W * gamma + G * problem.v_star;
      if (u[0] < 0 || u[3] < 0 || u[6] < 0) continue;
      ++tried;
      EXPECT_GE(CalcObjective(problem, gamma, zeta, 0.01 * damping), least * (1 - 1e-9));
    }
  }
  EXPECT_GT(tried, 1000);
}

// The audit takes nobody's word: other impulses than the least ones, or other multipliers, show.
TEST(CompliantQcqp, IsJudgedByItsOwnConditions) {
  const OwnedProblem block = MakeBlock(1);
  const Solution printed = SolvePrinted(block.problem);
  EXPECT_LE(JudgeSolution(block.problem, printed).law, 1e-12);
  for (int row = 0; row < 2; ++row) {
    Solution wrong = printed;
    wrong.gamma[row] *= 0.99;
    block.problem.CalcVelocity(wrong.gamma, &wrong.v1);
    EXPECT_GT(JudgeSolution(block.problem, wrong).law, 1e-4) << row;
    wrong = printed;
    wrong.minimum_norm.multiplier[row] += 1e6;
    EXPECT_GT(JudgeSolution(block.problem, wrong).law, 1e-9) << row;
  }
}

// All kinds of rows: solved as claimed, or said not to be; momentum, signs and cones hold anyway.
TEST(CompliantQcqp, MeetsItsOwnConditions) {
  const int count = testing::SampleCount(200);
  int unsolved = 0;
  for (int seed = 0; seed < count; ++seed) {
    testing::RandomProblemOptions options;
    options.max_stiffness = 1e8;
    const testing::RandomProblem random = testing::MakeRandomProblem(seed, options);
    const VelocityProblem& problem = random.owned.problem;
    if (problem.row_count() == 0) continue;
    const Solution printed = SolvePrinted(problem);
    unsolved += printed.status != SolveStatus::kSolved && printed.status != SolveStatus::kRedundant;
    const Audit audit = JudgeSolution(problem, printed);
    EXPECT_LE(audit.momentum, 1e-13) << seed;
    EXPECT_LE(audit.normal, 0) << seed;
    EXPECT_LE(audit.cone, 1e-12) << seed;
  }
  // Contacts softer by 10⁶ than bodies beside rigid friction cost digits.
  EXPECT_LE(unsolved, count / 20);
}

}  // namespace
}  // namespace voigt
