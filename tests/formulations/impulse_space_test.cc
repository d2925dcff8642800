// The formulations in the space of impulses: their matrix, their reduction to complementarity
// problems, and what they make of random problems, against each other and against `compliant`.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/support/random_problem.h"
#include "tests/support/samples.h"
#include "tests/support/solve_with.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/formulation.h"
#include "voigt/formulations/impulse_space/contact_as_lcp.h"
#include "voigt/formulations/impulse_space/impulse_island.h"

namespace voigt {
namespace {

using testing::MakeRandomProblem;
using testing::RandomProblem;
using testing::RandomProblemOptions;
using testing::SolveWith;

constexpr int kImpulseProblems = 300;

bool IsDone(const Solution& solution) { return solution.status == SolveStatus::kSolved; }

double DifferenceOf(const Solution& a, const Solution& b) {
  return (a.v1 - b.v1).cwiseAbs().maxCoeff() / (1e-9 + b.v1.cwiseAbs().maxCoeff());
}

TEST(ImpulseSpace, IslandsHoldTheMatrixOfTheirRows) {
  ImpulseSpace space;
  ImpulseIsland island;
  for (int seed = 0; seed < 60; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed);
    const VelocityProblem& problem = random.problem();
    const MatX W = problem.ToDenseW();
    const VecX G_v = problem.ToDenseG() * problem.v_star;
    space.Update(problem);
    int rows = 0;
    for (int k = 0; k < space.count(); ++k) {
      space.Assemble(k, &island);
      rows += island.row_count();
      for (int i = 0; i < island.row_count(); ++i) {
        const Row& row = problem.rows[island.rows[i]];
        EXPECT_NEAR(island.q[i], G_v[island.rows[i]] + row.phi_t - row.v_hat,
                    1e-12 * (1 + std::fabs(row.v_hat)));
        for (int j = 0; j < island.row_count(); ++j) {
          const double expected = W(island.rows[i], island.rows[j]) + (i == j ? row.R : 0);
          EXPECT_NEAR(island.A(i, j), expected, 1e-12 * (1 + W.diagonal().maxCoeff() + row.R));
        }
      }
    }
    int moving = 0;
    for (const RowGroup& group : problem.groups)
      moving += group.col_count > 0 ? group.row_count : 0;
    EXPECT_EQ(rows, moving);
  }
}

TEST(PolyhedralCone, ProjectsOntoTheNearestPoint) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-2, 2);
  for (int trial = 0; trial < 400; ++trial) {
    const PolyhedralCone cone{4 + 2 * (trial % 5), any(random)};
    const double r = std::fabs(any(random)), x = any(random), y = any(random);
    double px = x, py = y;
    cone.Project(r, &px, &py);
    const double distance = std::hypot(x - px, y - py);
    // No point of the polygon is nearer: not those between any two corners, nor those inside.
    double nearest = 1e9, largest_p = -1e9;
    for (int k = 0; k < cone.directions; ++k) {
      const double a = cone.angle + 2 * std::numbers::pi * k / cone.directions;
      const double b = a + 2 * std::numbers::pi / cone.directions;
      for (double t = 0; t <= 1; t += 1e-3) {
        const double qx = r * ((1 - t) * std::cos(a) + t * std::cos(b));
        const double qy = r * ((1 - t) * std::sin(a) + t * std::sin(b));
        nearest = std::min(nearest, std::hypot(x - qx, y - qy));
      }
      const double middle = 0.5 * (a + b);
      largest_p = std::max(largest_p, px * std::cos(middle) + py * std::sin(middle));
    }
    EXPECT_LE(distance, nearest + 1e-12);
    // It lies in the polygon: behind every side.
    EXPECT_LE(largest_p, r * std::cos(std::numbers::pi / cone.directions) + 1e-12);
  }
}

// Without friction the laws are those of a convex program: one motion, whoever finds it.
TEST(Formulations, AgreeWithoutFriction) {
  RandomProblemOptions options;
  options.max_mu = 0;
  options.max_stiffness = 1e9;
  const int count = testing::SampleCount(kImpulseProblems);
  for (FormulationKind kind : testing::ListKindsWithLaws()) {
    int unsolved = 0, different = 0;
    for (int seed = 0; seed < count; ++seed) {
      const RandomProblem random = MakeRandomProblem(seed, options);
      const Solution exact = SolveWith(FormulationKind::kCompliant, random.problem());
      const Solution ours = SolveWith(kind, random.problem());
      // Where rows are nearly dependent, the last digits may be missing; no more than that.
      unsolved += !IsDone(ours);
      EXPECT_LT(ours.residual, 1e-10) << ToString(kind) << " " << seed;
      different += DifferenceOf(ours, exact) > 1e-7;
    }
    EXPECT_LE(unsolved, count / 100) << ToString(kind);
    EXPECT_EQ(different, 0) << ToString(kind);
  }
}

// Coulomb's law may have several solutions or be hard to solve; each must then say so.
TEST(Formulations, WithTheExactConeAgreeWithCompliant) {
  const int count = testing::SampleCount(kImpulseProblems);
  RandomProblemOptions options;
  options.max_stiffness = 1e9;
  options.max_mu = 0.5;
  for (FormulationKind kind : {FormulationKind::kMncpRlm, FormulationKind::kMncpPlm}) {
    int unsolved = 0, different = 0;
    for (int seed = 0; seed < count; ++seed) {
      const RandomProblem random = MakeRandomProblem(seed, options);
      const Solution exact = SolveWith(FormulationKind::kCompliant, random.problem());
      const Solution ours = SolveWith(kind, random.problem());
      EXPECT_TRUE(ours.v1.allFinite()) << seed;
      unsolved += !IsDone(ours);
      if (IsDone(ours) && IsDone(exact)) different += DifferenceOf(ours, exact) > 1e-6;
    }
    EXPECT_LE(unsolved, count / 50) << ToString(kind);
    EXPECT_LE(different, count / 50) << ToString(kind);
  }
}

// The same linear complementarity problem by three methods, and the law of its polygons.
TEST(Formulations, WithPolyhedralConesAgreeWithEachOther) {
  const int count = testing::SampleCount(kImpulseProblems);
  RandomProblemOptions options;
  options.max_stiffness = 1e9;
  options.max_mu = 0.5;
  options.turning_friction = true;
  int compared = 0, different = 0;
  for (FormulationKind kind : {FormulationKind::kMlcpFbRlm, FormulationKind::kMlcpFbPlm}) {
    int unsolved = 0;
    for (int seed = 0; seed < count; ++seed) {
      const RandomProblem random = MakeRandomProblem(seed, options);
      const Solution lemke = SolveWith(FormulationKind::kMlcpLemke, random.problem());
      const Solution ours = SolveWith(kind, random.problem());
      EXPECT_EQ(ours.cone_angle, lemke.cone_angle);
      unsolved += !IsDone(ours) || !IsDone(lemke);
      if (!IsDone(ours) || !IsDone(lemke)) continue;
      ++compared;
      different += DifferenceOf(ours, lemke) > 1e-6;
    }
    EXPECT_LE(unsolved, count / 50) << ToString(kind);
  }
  EXPECT_LE(different, compared / 50);
}

// A polygon of n corners takes at most 1 − cos(π/n) from friction: with 64 of them, a thousandth,
// and 63 times less than with 8. Directions are as near as half the angle between two corners.
TEST(Formulations, ManyDirectionsComeNearTheExactCone) {
  RandomProblemOptions options;
  options.max_stiffness = 1e6;
  options.max_mu = 0.5;
  options.max_contacts = 2;
  options.max_others = 0;
  ImpulseSpaceSettings many;
  many.directions = 64;
  double worst_few = 0, worst_many = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const Solution exact = SolveWith(FormulationKind::kMncpPlm, random.problem());
    const Solution few = SolveWith(FormulationKind::kStabilizedLcp, random.problem());
    const Solution near = SolveWith(FormulationKind::kStabilizedLcp, random.problem(), many);
    ASSERT_TRUE(IsDone(exact) && IsDone(few) && IsDone(near)) << seed;
    worst_few = std::max(worst_few, DifferenceOf(few, exact));
    worst_many = std::max(worst_many, DifferenceOf(near, exact));
  }
  EXPECT_LT(worst_many, 0.125 * worst_few);
  EXPECT_GT(worst_few, 1e-2);
}

// Tangents of Hertz' and Hunt and Crossley's laws end at the laws themselves.
TEST(Formulations, FollowForceLaws) {
  RandomProblemOptions options;
  options.force_laws = true;
  options.max_stiffness = 1e9;
  options.max_mu = 0.5;
  const int count = testing::SampleCount(kImpulseProblems / 3);
  // Least forces are larger than the laws that they follow, and a sixth of these is not solved.
  for (FormulationKind kind : testing::ListKindsWithLaws()) {
    int unsolved = 0;
    for (int seed = 0; seed < count; ++seed) {
      unsolved += !IsDone(SolveWith(kind, MakeRandomProblem(seed, options).problem()));
    }
    EXPECT_LE(unsolved, (count + 24) / 25) << ToString(kind);
  }
}

// H⁻¹ b with the rows held that push: M v = b + Gᵀ p, G v + R p = 0 for those, as one dense system.
TEST(Formulations, HoldWhatConstraintsHold) {
  RandomProblemOptions options;
  options.max_mu = 0;
  options.allow_redundant = false;
  for (int seed = 0; seed < 40; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const VelocityProblem& problem = random.problem();
    FormulationSettings settings;
    settings.kind = FormulationKind::kMlcpLemke;
    const auto formulation = MakeFormulation(settings);
    Solution solution;
    formulation->Solve(problem, VecX(), &solution);
    ASSERT_TRUE(IsDone(solution)) << seed;

    const int nv = problem.nv(), rows = problem.row_count();
    const MatX G = problem.ToDenseG();
    VecX b = VecX::LinSpaced(nv, -1, 2);
    MatX system = MatX::Identity(nv + rows, nv + rows);
    for (int k = 0; k < nv; ++k) {
      VecX column = VecX::Unit(nv, k);
      problem.factor->Solve(*problem.pattern, column);
      system.topLeftCorner(nv, nv).col(k) = column;
    }
    system.topLeftCorner(nv, nv) = system.topLeftCorner(nv, nv).inverse().eval();
    for (const RowGroup& group : problem.groups) {
      for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
        const Row& row = problem.rows[i];
        const double impulse = solution.gamma[i];
        const bool is_normal = group.law == Law::kUnilateral || i == group.first_row;
        const bool is_held = group.law == Law::kBilateral ||
                             (group.law == Law::kBounded ? std::fabs(impulse - row.lower) > 1e-9 &&
                                                               std::fabs(impulse - row.upper) > 1e-9
                                                         : is_normal && impulse > 0);
        if (!is_held) continue;
        system.block(0, nv + i, nv, 1) = -G.row(i).transpose();
        system.block(nv + i, 0, 1, nv) = G.row(i);
        system(nv + i, nv + i) = row.R;
      }
    }
    VecX right = VecX::Zero(nv + rows);
    right.head(nv) = b;
    const VecX expected = system.fullPivLu().solve(right).head(nv);
    const VecX before = b;
    VecX gamma;
    formulation->SolveHeld(problem, &b, &gamma);
    EXPECT_LT((b - expected).cwiseAbs().maxCoeff(), 1e-5 * (1e-3 + expected.cwiseAbs().maxCoeff()))
        << seed;
    const MatX M = system.topLeftCorner(nv, nv);
    EXPECT_LT((M * b - before - G.transpose() * gamma).norm(), 1e-9 * before.norm()) << seed;
  }
}

}  // namespace
}  // namespace voigt
