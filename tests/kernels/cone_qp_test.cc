// Quadratic programs with second-order cones: against pivoting where all cones are half-lines,
// against optimal points that are known, against other feasible points, and by their certificate.

#include "voigt/kernels/cone_qp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/dense_problem.h"
#include "tests/support/samples.h"
#include "voigt/kernels/boxed_pivoting.h"

namespace voigt {
namespace {

using testing::RandomMatrix;

struct OwnedConeProgram {
  MatX H, C, E;
  VecX g, d, e;
  std::vector<int> cones;

  ConeQuadraticProgram view() const { return {H, g, C, d, cones, E, e}; }
  double CalcValue(const VecX& x) const { return 0.5 * x.dot(H * x) + g.dot(x); }
};

VecX RandomConeVector(int size, std::mt19937* random) { return RandomMatrix(size, 1, random); }

// A point of the product of cones: at the edge, the corner or inside, and one of the dual cone that
// is perpendicular to it.
void MakeConePair(std::span<const int> cones, std::mt19937* random, VecX* s, VecX* z) {
  std::uniform_int_distribution<int> place(0, 2);
  int row = 0;
  for (int size : cones) {
    VecX a = RandomConeVector(size, random), b = VecX::Zero(size);
    const double length = size > 1 ? a.tail(size - 1).norm() : 0;
    const int where = place(*random);
    if (where == 0 || (size == 1 && where == 2)) {
      a[0] = length + 0.1;
    } else if (where == 1) {
      b = a;
      b[0] = length + 0.1;
      a.setZero();
    } else {
      a[0] = length;
      b = -0.7 * a;
      b[0] = 0.7 * length;
    }
    s->segment(row, size) = a;
    z->segment(row, size) = b;
    row += size;
  }
}

// A program whose solution is x, by choice of d, e and g; H has the rank given.
OwnedConeProgram MakeSolvedConeProgram(int n, int rank, int equations, std::span<const int> cones,
                                       const VecX& x, std::mt19937* random) {
  OwnedConeProgram out;
  const MatX J = RandomMatrix(n, rank, random);
  out.H = J * J.transpose();
  out.cones.assign(cones.begin(), cones.end());
  int rows = 0;
  for (int size : cones) rows += size;
  out.C = RandomMatrix(rows, n, random);
  out.E = RandomMatrix(equations, n, random);
  VecX s(rows), z(rows);
  MakeConePair(cones, random, &s, &z);
  const VecX y = RandomConeVector(equations, random);
  out.d = s - out.C * x;
  out.e = -out.E * x;
  out.g = -out.H * x + out.C.transpose() * z + out.E.transpose() * y;
  return out;
}

TEST(ConeQp, FindsKnownSolutions) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> any_size(1, 3);
  ConeQp kernel;
  for (int trial = 0; trial < testing::SampleCount(400); ++trial) {
    const int n = 3 + trial % 12, equations = trial % 3;
    std::vector<int> cones(trial % 7);
    for (int& size : cones) size = any_size(random);
    const VecX x = RandomConeVector(n, &random);
    const OwnedConeProgram program = MakeSolvedConeProgram(n, n + 1, equations, cones, x, &random);
    ConeQpPoint point;
    ConeQpStats stats;
    const ConeQpResult result = kernel.Solve(program.view(), {}, &point, &stats);
    EXPECT_TRUE(result.converged) << trial << ' ' << result.residual;
    EXPECT_NEAR((point.x - x).norm(), 0, 1e-8) << trial;
    EXPECT_EQ(result.residual, CalcConeQpResidual(program.view(), point));
  }
}

// H and E need not have full rank: the value is the same, and the certificate holds.
TEST(ConeQp, CopesWithMissingRank) {
  std::mt19937 random(4);
  const std::vector<int> cones = {1, 3, 2, 3, 1};
  ConeQp kernel;
  for (int trial = 0; trial < testing::SampleCount(200); ++trial) {
    const int n = 12;
    const VecX x = RandomConeVector(n, &random);
    OwnedConeProgram program = MakeSolvedConeProgram(n, 4, 2, cones, x, &random);
    // Equations and half-lines twice.
    program.E.conservativeResize(4, n);
    program.e.conservativeResize(4);
    program.E.bottomRows(2) = program.E.topRows(2);
    program.e.tail(2) = program.e.head(2);
    const int rows = static_cast<int>(program.d.size());
    program.C.conservativeResize(rows + 1, n);
    program.d.conservativeResize(rows + 1);
    program.C.row(rows) = program.C.row(0);
    program.d[rows] = program.d[0];
    program.cones.push_back(1);
    ConeQpPoint point;
    ConeQpStats stats;
    const ConeQpResult result = kernel.Solve(program.view(), {}, &point, &stats);
    EXPECT_LE(result.residual, 1e-10) << trial;
    EXPECT_NEAR(program.CalcValue(point.x), program.CalcValue(x), 1e-8) << trial;
  }
}

TEST(ConeQp, AgreesWithPivotingOnHalfLines) {
  std::mt19937 random(5);
  ConeQp kernel;
  BoxedPivoting pivoting;
  for (int trial = 0; trial < testing::SampleCount(300); ++trial) {
    const int n = 1 + trial % 15;
    OwnedConeProgram program;
    const MatX J = RandomMatrix(n, n, &random);
    program.H = J * J.transpose() + 0.1 * MatX::Identity(n, n);
    program.g = RandomConeVector(n, &random);
    const VecX lower = VecX::Constant(n, -0.2), upper = VecX::Constant(n, 0.3);
    program.C.resize(2 * n, n);
    program.C << MatX::Identity(n, n), -MatX::Identity(n, n);
    program.d.resize(2 * n);
    program.d << -lower, upper;
    program.cones.assign(2 * n, 1);
    program.E.resize(0, n);
    ConeQpPoint point;
    ConeQpStats stats;
    EXPECT_TRUE(kernel.Solve(program.view(), {}, &point, &stats).converged);
    VecX z = VecX::Zero(n);
    BoxedPivotingStats pivoting_stats;
    pivoting.Solve({program.H, program.g, lower, upper}, {}, z, &pivoting_stats);
    EXPECT_NEAR((point.x - z).norm(), 0, 1e-10) << trial;
  }
}

// The value is no larger than at points of the set near the solution and far from it.
TEST(ConeQp, NoFeasiblePointIsBetter) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(0, 1);
  ConeQp kernel;
  for (int trial = 0; trial < 60; ++trial) {
    // Variables (n, t₁, t₂) of two contacts with ‖t‖ ≤ 0.6 n, Σ n ≤ 1.
    OwnedConeProgram program;
    const MatX J = RandomMatrix(6, 5, &random);
    program.H = J * J.transpose();
    program.g = 2 * RandomConeVector(6, &random);
    program.C.setZero(7, 6);
    program.d.setZero(7);
    program.cones = {1, 3, 3};
    program.C(0, 0) = program.C(0, 3) = -1;
    program.d[0] = 1;
    for (int c = 0; c < 2; ++c) {
      program.C(1 + 3 * c, 3 * c) = 0.6;
      program.C(2 + 3 * c, 3 * c + 1) = program.C(3 + 3 * c, 3 * c + 2) = 1;
    }
    program.E.resize(0, 6);
    ConeQpPoint point;
    ConeQpStats stats;
    EXPECT_TRUE(kernel.Solve(program.view(), {}, &point, &stats).converged) << trial;
    const double value = program.CalcValue(point.x);
    for (int sample = 0; sample < 300; ++sample) {
      VecX x(6);
      const double sum = uniform(random), share = uniform(random);
      for (int c = 0; c < 2; ++c) {
        const double normal = sum * (c == 0 ? share : 1 - share);
        const double angle = 7 * uniform(random), t = 0.6 * normal * std::sqrt(uniform(random));
        x.segment<3>(3 * c) << normal, t * std::cos(angle), t * std::sin(angle);
      }
      const double part = sample % 2 == 0 ? 1 : 1e-3;
      EXPECT_GE(program.CalcValue(point.x + part * (x - point.x)), value - 1e-12) << trial;
    }
  }
}

TEST(ConeQp, StartsFromASolutionInOneStep) {
  std::mt19937 random(7);
  const std::vector<int> cones = {1, 3, 2, 1};
  const OwnedConeProgram program =
      MakeSolvedConeProgram(8, 9, 1, cones, RandomConeVector(8, &random), &random);
  ConeQp kernel;
  ConeQpPoint point;
  ConeQpStats stats;
  ASSERT_TRUE(kernel.Solve(program.view(), {}, &point, &stats).converged);
  ASSERT_GT(stats.iterations, 0);
  ConeQpSettings settings;
  settings.use_start = true;
  point.x.array() += 1e-6;
  EXPECT_TRUE(kernel.Solve(program.view(), settings, &point, &stats).converged);
  EXPECT_EQ(stats.iterations, 0);
  EXPECT_LE(stats.newton_steps, 3);
}

TEST(ConeQp, TellsWhenItIsCutShortOrHasNoSolution) {
  std::mt19937 random(8);
  const std::vector<int> cones = {3, 3, 1};
  OwnedConeProgram program =
      MakeSolvedConeProgram(8, 9, 0, cones, RandomConeVector(8, &random), &random);
  ConeQp kernel;
  ConeQpPoint point;
  ConeQpStats stats;
  ConeQpSettings settings;
  settings.max_iterations = 1;
  settings.max_newton_steps = 0;
  ConeQpResult result = kernel.Solve(program.view(), settings, &point, &stats);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.residual, settings.tolerance);
  EXPECT_TRUE(point.x.allFinite());
  // x₀ ≥ 1 and −x₀ ≥ 1.
  program = {};
  program.H.setIdentity(1, 1);
  program.g.setZero(1);
  program.C.resize(2, 1);
  program.C << 1, -1;
  program.d = VecX::Constant(2, -1);
  program.cones = {1, 1};
  program.E.resize(0, 1);
  result = kernel.Solve(program.view(), {}, &point, &stats);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.residual, 0.1);
  EXPECT_TRUE(point.x.allFinite());
}

}  // namespace
}  // namespace voigt
