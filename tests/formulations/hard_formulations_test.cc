// Cases in which friction couples into the normal direction, under every formulation: a solution of
// the law that it claims, or a status that says so; never a number that is none. In the plane a
// polygon has two corners and is the cone itself, so that all claim the same law.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/planar_contact.h"
#include "tests/support/solve_with.h"
#include "voigt/audit/law_residual.h"
#include "voigt/formulations/formulation.h"

namespace voigt {
namespace {

// True if it is solved.
bool IsSolvedHonestly(const OwnedProblem& owned, const Solution& solution) {
  EXPECT_TRUE(solution.gamma.allFinite() && solution.v1.allFinite());
  LawResidual law;
  const double residual = law.Calc(owned.problem, solution.gamma);
  const bool is_solved = solution.status == SolveStatus::kSolved;
  if (is_solved) {
    EXPECT_LT(residual, 1e-9);
  } else {
    EXPECT_GT(residual, 1e-12) << "solved, but called " << ToString(solution.status);
  }
  return is_solved;
}

class HardFormulations : public ::testing::TestWithParam<FormulationKind> {};

TEST_P(HardFormulations, RodsThatFallOnOneEnd) {
  int count = 0, solved = 0;
  for (double degrees : {10.0, 30.0, 45.0, 60.0, 80.0}) {
    for (double vx : {-10.0, -1.0, -0.1, 0.1, 1.0, 10.0}) {
      for (int k = 1; k <= 15; ++k) {
        SCOPED_TRACE(::testing::Message() << degrees << "°, vx " << vx << ", mu " << 0.1 * k);
        const OwnedProblem rod = testing::MakeRod(degrees * kPi / 180, {vx, -1, 0}, 0.1 * k);
        ++count;
        solved += IsSolvedHonestly(rod, testing::SolveWith(GetParam(), rod.problem));
      }
    }
  }
  EXPECT_EQ(solved, count);
}

// tan θ = 2: at μ = 4/3 and beyond, sliding has no answer or several; sticking is one.
TEST_P(HardFormulations, PainlevesRod) {
  int count = 0, solved = 0;
  for (double mu : {4.0 / 3 - 1e-9, 4.0 / 3, 4.0 / 3 + 1e-9, 1.5, 2.0, 5.0}) {
    for (double vx : {-0.1, -1.0, -10.0}) {
      for (double vy : {-1.0, -0.0981, -1e-6}) {
        SCOPED_TRACE(::testing::Message() << "mu " << mu << ", v " << vx << " " << vy);
        const OwnedProblem rod = testing::MakeRod(std::atan(2.0), {vx, vy, 0}, mu);
        ++count;
        solved += IsSolvedHonestly(rod, testing::SolveWith(GetParam(), rod.problem));
      }
    }
  }
  // Levenberg and Marquardt's method may stop at a kink; pivoting does not.
  EXPECT_GE(solved, 9 * count / 10);
}

// A body between two walls that lean towards each other: its friction cones hold it at any load,
// and impulses may cancel at any size.
TEST_P(HardFormulations, WedgeThatJams) {
  for (double lean : {2.0, 5.0, 15.0}) {
    for (double mu : {0.01, 0.1, 0.5, 1.0}) {
      const double a = lean * kPi / 180;
      const OwnedProblem wedge =
          testing::MakePlanar(Vec3(1, 1, 0.1), {0.05, -1, 0.02}, mu,
                              {{Vec2(-0.3, 0), Vec2(std::cos(a), std::sin(a))},
                               {Vec2(0.3, 0), Vec2(-std::cos(a), std::sin(a))}});
      SCOPED_TRACE(::testing::Message() << "lean " << lean << "°, mu " << mu);
      EXPECT_TRUE(IsSolvedHonestly(wedge, testing::SolveWith(GetParam(), wedge.problem)));
    }
  }
}

// Two boxes on top of each other with five points along each face: ten contacts where four would
// do, rigid; A has rank 6 and 20 rows.
TEST_P(HardFormulations, TwoBoxesOnTenContacts) {
  VecX masses(6);
  masses << 1, 1, 0.2, 1, 1, 0.2;
  for (double push : {0.0, 0.3, 2.0}) {
    VecX v_star(6);
    v_star << 0, -0.1, 0, push, -0.1, 0;
    OwnedProblem owned = testing::MakeProblem(MatX(masses.asDiagonal()), v_star, 0.01);
    for (int k = 0; k < 5; ++k) {
      const double x = 0.25 * (k - 2);
      MatX ground = MatX::Zero(2, 6), between = MatX::Zero(2, 6);
      ground << 0, 1, x, 0, 0, 0, 1, 0, 0.5, 0, 0, 0;
      between << 0, -1, -x, 0, 1, x, -1, 0, 0.5, 1, 0, 0.5;
      testing::AddGroup(Law::kContact, ground, &owned).mu = 0.5;
      testing::AddGroup(Law::kContact, between, &owned).mu = 0.5;
    }
    const Solution solution = testing::SolveWith(GetParam(), owned.problem);
    EXPECT_TRUE(IsSolvedHonestly(owned, solution)) << push << " " << solution.residual;
    // Who carries what is open; the sum is not: the upper box's weight, then both.
    double lower = 0, upper = 0;
    for (int k = 0; k < 5; ++k) {
      lower += solution.gamma[4 * k];
      upper += solution.gamma[4 * k + 2];
    }
    EXPECT_NEAR(upper, 0.1, 1e-9);
    EXPECT_NEAR(lower, 0.2, 1e-9);
  }
}

// Maximum dissipation is another law, with tests of its own.
std::vector<FormulationKind> ListCoulombKinds() {
  std::vector<FormulationKind> kinds;
  for (FormulationKind kind : testing::ListKindsWithLaws()) {
    if (kind != FormulationKind::kMaxDissipation) kinds.push_back(kind);
  }
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(All, HardFormulations, ::testing::ValuesIn(ListCoulombKinds()),
                         [](const auto& entry) {
                           std::string name(ToString(entry.param));
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace voigt
