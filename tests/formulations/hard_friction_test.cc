// Coulomb friction where it couples into the normal direction: rods on one end, ladders, wedges,
// Painlevé's rod. Planar bodies with rates (vx, vy, ω); rigid contacts that touch.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tests/support/all_digits.h"
#include "tests/support/planar_contact.h"
#include "voigt/audit/law_residual.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt {
namespace {

using testing::MakePlanar;
using testing::MakeRod;
using testing::PlanarContact;

Solution SolveOwned(const OwnedProblem& owned) {
  Compliant compliant(testing::AllDigits<CompliantSettings>());
  Solution out;
  compliant.Solve(owned.problem, VecX(), &out);
  return out;
}

// Impulses that are said to be right must be, and nothing may be undefined.
void ExpectHonest(const OwnedProblem& owned, const Solution& solution) {
  ASSERT_TRUE(solution.gamma.allFinite());
  LawResidual law;
  const double residual = law.Calc(owned.problem, solution.gamma);
  if (solution.status == SolveStatus::kSolved) {
    EXPECT_LT(residual, 1e-10);
  } else {
    EXPECT_GT(residual, 1e-12) << "solved, but called " << ToString(solution.status);
  }
}

void ExpectSolved(const OwnedProblem& owned, const Solution& solution) {
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  ExpectHonest(owned, solution);
}

// All ways in which one planar contact can answer an approach: sticking and sliding either way.
std::vector<Vec2> ListAnswers(const OwnedProblem& owned, double mu) {
  const MatX W = owned.problem.ToDenseW();
  const Vec2 u = owned.problem.ToDenseG() * owned.problem.v_star;
  std::vector<Vec2> out;
  const Vec2 stick = -W.inverse() * u;
  if (std::abs(stick[1]) <= mu * stick[0]) out.push_back(stick);
  for (double side : {1.0, -1.0}) {
    // γ_t = side μ γ_n, against the slip.
    const double gamma_n = -u[0] / (W(0, 0) + side * mu * W(0, 1));
    const Vec2 gamma(gamma_n, side * mu * gamma_n);
    if (gamma_n > 0 && side * (u + W * gamma)[1] < 0) out.push_back(gamma);
  }
  return out;
}

void ExpectOneOfTheAnswers(const OwnedProblem& owned, double mu) {
  const Solution solution = SolveOwned(owned);
  ExpectSolved(owned, solution);
  const std::vector<Vec2> answers = ListAnswers(owned, mu);
  ASSERT_FALSE(answers.empty());
  double nearest = kInfinity;
  for (const Vec2& answer : answers) {
    nearest = std::min(nearest, (answer - solution.gamma).norm() / answer.norm());
  }
  // The law is met to 1e-12 of the velocities; the normal impulse answers u_n, a part of them.
  const Vec2 u = owned.problem.ToDenseG() * owned.problem.v_star;
  EXPECT_LT(nearest, 1e-11 * u.norm() / -u[0]);
}

TEST(HardFriction, RodsThatFallOnOneEndSlideOrStick) {
  for (double degrees : {10.0, 30.0, 45.0, 60.0, 80.0}) {
    for (double vx : {-10.0, -1.0, -0.1, 0.1, 1.0, 10.0}) {
      for (int k = 1; k <= 15; ++k) {
        SCOPED_TRACE(::testing::Message()
                     << degrees << " degrees, vx " << vx << ", mu " << 0.1 * k);
        ExpectOneOfTheAnswers(MakeRod(degrees * kPi / 180, {vx, -1, 0}, 0.1 * k), 0.1 * k);
      }
    }
  }
}

TEST(HardFriction, RodsOfKnownAnswers) {
  // Friction pushes the steep rod's end into the ground, and away from it the flat one's.
  const OwnedProblem steep = MakeRod(kPi / 3, {-1, -1, 0}, 0.5);
  const Solution a = SolveOwned(steep);
  ExpectSolved(steep, a);
  EXPECT_NEAR(a.gamma[0], 0.90869, 5e-6);
  EXPECT_NEAR(a.gamma[1], 0.45435, 5e-6);
  const VecX v_a = steep.problem.ToDenseG() * a.v1;
  EXPECT_NEAR(v_a[0], 0, 1e-11);
  EXPECT_NEAR(v_a[1], -0.704, 5e-4);

  const OwnedProblem flat = MakeRod(kPi / 6, {1, -1, 0}, 0.5);
  const Solution b = SolveOwned(flat);
  ExpectSolved(flat, b);
  EXPECT_NEAR(b.gamma[0], 0.2564, 5e-5);
  EXPECT_NEAR((flat.problem.ToDenseG() * b.v1)[0], 0, 1e-11);
}

// At tan θ = 2 and μ = 4/3 friction lifts no more: sliding leaves the normal direction without an
// answer of its own, and above it a push would pull. In terms of impulses the rod then sticks, at
// any speed and even when nothing but gravity drives it into the ground.
TEST(HardFriction, PainlevesRodSticks) {
  const double theta = std::atan(2.0);
  for (double mu : {4.0 / 3, 4.0 / 3 + 1e-9, 1.34, 1.5, 2.0, 5.0}) {
    for (double vx : {-0.1, -1.0, -10.0, -100.0}) {
      for (double vy : {-1.0, -0.0981, -1e-6}) {
        SCOPED_TRACE(::testing::Message() << "mu " << mu << ", v " << vx << " " << vy);
        const OwnedProblem rod = MakeRod(theta, {vx, vy, 0}, mu);
        const Solution solution = SolveOwned(rod);
        ExpectSolved(rod, solution);
        EXPECT_LT((rod.problem.ToDenseG() * solution.v1).norm(), 1e-9 * -vx);
      }
    }
  }
}

// Just below, the rod slides with impulses that grow without bound.
TEST(HardFriction, PainlevesRodSlidesBelowTheCriticalFriction) {
  const double theta = std::atan(2.0);
  for (double distance : {0.3, 0.1, 1e-2, 1e-3, 1e-4}) {
    for (double vx : {-1.0, -1e3, -1e6}) {
      const double mu = 4.0 / 3 - distance;
      SCOPED_TRACE(::testing::Message() << "mu 4/3 - " << distance << ", vx " << vx);
      ExpectOneOfTheAnswers(MakeRod(theta, {vx, -1, 0}, mu), mu);
    }
  }
}

// Contact that separates needs no impulse, but beyond the critical friction a rod that slides may
// also jam: either is right.
TEST(HardFriction, PainlevesRodThatRisesIsHonest) {
  for (double mu : {1.0, 4.0 / 3, 2.0}) {
    const OwnedProblem rod = MakeRod(std::atan(2.0), {-1, 0.01, 0}, mu);
    ExpectSolved(rod, SolveOwned(rod));
  }
}

// A ladder between floor and wall, both with friction μ, stands if tan θ ≥ (1 − μ²)/(2μ).
TEST(HardFriction, LaddersStandOrSlide) {
  for (double degrees : {20.0, 35.0, 50.0, 65.0, 80.0}) {
    for (int k = 1; k <= 15; ++k) {
      const double angle = degrees * kPi / 180, mu = 0.1 * k;
      SCOPED_TRACE(::testing::Message() << degrees << " degrees, mu " << mu);
      const Vec2 foot(std::cos(angle), -std::sin(angle));
      const OwnedProblem ladder =
          MakePlanar(testing::kRod, {0, -0.0981, 0}, mu, {{foot, Vec2(0, 1)}, {-foot, Vec2(1, 0)}});
      const Solution solution = SolveOwned(ladder);
      ExpectSolved(ladder, solution);
      const bool stands = std::tan(angle) >= (1 - mu * mu) / (2 * mu);
      EXPECT_EQ(solution.v1.norm() < 1e-10, stands) << solution.v1.transpose();
    }
  }
}

// A wedge of half angle α pushed between two planes: beyond μ = tan α it may jam, with any pair of
// opposite impulses on top, and the way there is for the solver to find.
TEST(HardFriction, WedgesBetweenTwoPlanesAreHonest) {
  int unsolved = 0;
  for (double degrees : {2.0, 10.0, 30.0, 45.0}) {
    for (int k = 1; k <= 15; ++k) {
      for (const Vec3& v : {Vec3(0, -1, 0), Vec3(0.3, -1, 0), Vec3(0.3, -1, 2), Vec3(5, -1, 0),
                            Vec3(0, 1, 0), Vec3(2, 0.1, -3)}) {
        const double alpha = degrees * kPi / 180, mu = 0.1 * k;
        SCOPED_TRACE(::testing::Message()
                     << degrees << " degrees, mu " << mu << ", v " << v.transpose());
        const Vec2 left(std::cos(alpha), std::sin(alpha)), right(-left[0], left[1]);
        const OwnedProblem wedge =
            MakePlanar({1, 1, 0.1}, v, mu, {{{-0.2, 0.1}, left}, {{0.2, 0.1}, right}});
        const Solution solution = SolveOwned(wedge);
        ExpectHonest(wedge, solution);
        unsolved += solution.status != SolveStatus::kSolved;
      }
    }
  }
  EXPECT_EQ(unsolved, 0);
}

}  // namespace
}  // namespace voigt
