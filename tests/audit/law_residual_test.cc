#include "voigt/audit/law_residual.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/audit/point_mass.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random_problem.h"
#include "voigt/problem/row_law.h"

namespace voigt {
namespace {

using testing::CountAllocations;
using testing::kMass;
using testing::kStep;
using testing::MakePoint;

// v* normal and tangential: falls at 1 m/s and slides at (3, 4) m/s.
OwnedProblem MakeContact(double mu) {
  OwnedProblem out = MakePoint(Law::kContact, 3, Vec3(-1, 3, 4));
  out.problem.groups[0].mu = mu;
  return out;
}

TEST(LawResidual, OfABilateralRowIsTheVelocityThatIsLeft) {
  const OwnedProblem point = MakePoint(Law::kBilateral, 1, Vec3(-1, 0, 0));
  LawResidual residual;
  EXPECT_EQ(residual.Calc(point.problem, VecX::Constant(1, kMass)), 0);
  EXPECT_NEAR(residual.Calc(point.problem, VecX::Constant(1, 0.75 * kMass)), 0.25, 1e-15);
  EXPECT_NEAR(residual.rows()[0], 0.25, 1e-15);
  EXPECT_EQ(residual.scale(), 1);
  EXPECT_EQ(residual.worst_row(), 0);
}

TEST(LawResidual, OfASpringVanishesAtItsImplicitForce) {
  OwnedProblem point = MakePoint(Law::kBilateral, 1, Vec3(-1, 0, 0));
  const Compliance compliance = {1e4, 30};
  Row& row = point.problem.rows[0];
  row.phi = -0.02;
  row.phi_t = 0.1;
  SetSpring(compliance, kStep, &row);
  // γ = −h (K φ₁ + B φ̇₁) with φ̇₁ = v* + γ/m + φ_t.
  const double X = kStep * (kStep * compliance.stiffness + compliance.damping);
  const double rate = row.phi_t - 1;
  const double gamma = -(kStep * compliance.stiffness * row.phi + X * rate) / (1 + X / kMass);
  LawResidual residual;
  EXPECT_LT(residual.Calc(point.problem, VecX::Constant(1, gamma)), 1e-15);
  EXPECT_GT(residual.Calc(point.problem, VecX::Constant(1, 1.01 * gamma)), 1e-3);
}

TEST(LawResidual, OfAUnilateralRowCountsPullAndPenetrationAndForceWithoutContact) {
  const OwnedProblem falls = MakePoint(Law::kUnilateral, 1, Vec3(-1, 0, 0));
  const OwnedProblem rises = MakePoint(Law::kUnilateral, 1, Vec3(1, 0, 0));
  LawResidual residual;
  EXPECT_EQ(residual.Calc(falls.problem, VecX::Constant(1, kMass)), 0);
  EXPECT_EQ(residual.Calc(rises.problem, VecX::Zero(1)), 0);
  EXPECT_NEAR(residual.Calc(falls.problem, VecX::Zero(1)), 1, 1e-15);
  EXPECT_NEAR(residual.Calc(rises.problem, VecX::Constant(1, -kMass)), 1, 1e-15);
  EXPECT_NEAR(residual.Calc(rises.problem, VecX::Constant(1, 0.1 * kMass)), 0.1, 1e-15);
}

TEST(LawResidual, OfABoundedRowVanishesInsideAndAtItsEnds) {
  OwnedProblem point = MakePoint(Law::kBounded, 1, Vec3(-1, 0, 0));
  Row& row = point.problem.rows[0];
  LawResidual residual;
  row.lower = -kInfinity, row.upper = kInfinity;
  EXPECT_EQ(residual.Calc(point.problem, VecX::Constant(1, kMass)), 0);
  row.lower = -0.5, row.upper = 0.5;
  EXPECT_EQ(residual.Calc(point.problem, VecX::Constant(1, 0.5)), 0);
  EXPECT_NEAR(residual.Calc(point.problem, VecX::Constant(1, 0.4)), 0.1 / kMass, 1e-15);
  EXPECT_NEAR(residual.Calc(point.problem, VecX::Constant(1, 0.6)), 0.1 / kMass, 1e-15);
  row.v_hat = -1;
  EXPECT_EQ(residual.Calc(point.problem, VecX::Zero(1)), 0);
}

TEST(LawResidual, OfCoulombFrictionVanishesStickingAndSliding) {
  LawResidual residual;
  const OwnedProblem sticks = MakeContact(6);
  EXPECT_EQ(residual.Calc(sticks.problem, kMass * Vec3(1, -3, -4)), 0);
  const OwnedProblem slides = MakeContact(0.5);
  EXPECT_LT(residual.Calc(slides.problem, kMass * Vec3(1, -0.3, -0.4)), 1e-15);
  // Too little, too much, and along the wrong direction.
  EXPECT_NEAR(residual.Calc(slides.problem, kMass * Vec3(1, -0.15, -0.2)) * residual.scale(), 0.25,
              1e-15);
  EXPECT_NEAR(residual.Calc(slides.problem, kMass * Vec3(1, -0.6, -0.8)) * residual.scale(), 0.5,
              1e-15);
  EXPECT_GT(residual.Calc(slides.problem, kMass * Vec3(1, -0.4, -0.3)), 1e-2);
  EXPECT_EQ(residual.worst_row(), 1);
}

TEST(LawResidual, OfLaggedFrictionUsesTheRememberedImpulse) {
  OwnedProblem point = MakeContact(0.5);
  LawResidual residual;
  const VecX gamma = kMass * Vec3(1, -0.6, -0.8);
  FrictionRule rule = {FrictionMode::kLagged};
  point.problem.groups[0].lagged_impulse = 2 * kMass;
  EXPECT_LT(residual.Calc(point.problem, gamma, rule), 1e-15);
  point.problem.groups[0].lagged_impulse = kMass;
  EXPECT_GT(residual.Calc(point.problem, gamma, rule), 1e-2);
  const double bound[] = {2 * kMass};
  rule.normal_bound = bound;
  EXPECT_LT(residual.Calc(point.problem, gamma, rule), 1e-15);

  // Of a new contact only the direction can be judged.
  rule.normal_bound = {};
  point.problem.groups[0].lagged_impulse = kNaN;
  EXPECT_LT(residual.Calc(point.problem, gamma, rule), 1e-15);
  EXPECT_GT(residual.Calc(point.problem, kMass * Vec3(1, -0.8, -0.6), rule), 1e-2);
}

TEST(LawResidual, OfTheConeVanishesWhereItsProgramIsSolved) {
  // min ½ ‖γ‖²/m + v*ᵀγ over the cone: the projection of −m v*, here on its surface.
  const double mu = 0.5;
  const OwnedProblem point = MakeContact(mu);
  const double n = kMass * (1 + mu * 5) / (1 + mu * mu);
  const VecX gamma = Vec3(n, -0.6 * mu * n, -0.8 * mu * n);
  LawResidual residual;
  EXPECT_LT(residual.Calc(point.problem, gamma, {FrictionMode::kCone}), 1e-15);
  EXPECT_NEAR(residual.u()[0], mu * residual.u().tail<2>().norm(), 1e-14);
  EXPECT_GT(residual.Calc(point.problem, gamma), 0.1);  // which is not Coulomb's law
  EXPECT_GT(residual.Calc(point.problem, 1.01 * gamma, {FrictionMode::kCone}), 1e-3);
  // Sticking, both laws are one.
  const OwnedProblem sticks = MakeContact(6);
  EXPECT_LT(residual.Calc(sticks.problem, kMass * Vec3(1, -3, -4), {FrictionMode::kCone}), 1e-15);
}

// A point mass with three coordinates more, which turn: slip (3, 4), spin 2 and rolling (0, −5).
OwnedProblem MakeTurningContact(double mu, double torsion, double rolling) {
  OwnedProblem out;
  out.pattern = TreePattern(std::vector<int>(6, -1));
  out.M = VecX::Constant(6, kMass);
  VelocityProblem& problem = out.problem;
  problem.h = kStep;
  problem.v_star = (VecX(6) << -1, 3, 4, 2, 0, -5).finished();
  problem.cols = {0, 1, 2, 3, 4, 5};
  RowGroup group;
  group.law = Law::kContact;
  group.row_count = group.col_count = 6;
  group.mu = mu;
  group.torsion = torsion;
  group.rolling = rolling;
  for (int i = 0; i < 36; ++i) problem.G.push_back(i % 7 == 0 ? 1 : 0);
  problem.rows.resize(6);
  problem.groups = {group};
  out.Attach();
  return out;
}

TEST(LawResidual, JudgesSpinAndRollingByThemselves) {
  const OwnedProblem point = MakeTurningContact(0.5, 3, 0.1);
  // Slides, does not spin, rolls.
  VecX gamma(6);
  gamma << 1, -0.3, -0.4, -2, 0, 0.1;
  gamma *= kMass;
  LawResidual residual;
  EXPECT_LT(residual.Calc(point.problem, gamma), 1e-15);
  VecX bad = gamma;
  bad[3] *= 0.9;
  EXPECT_NEAR(residual.Calc(point.problem, bad) * residual.scale(), 0.2, 1e-14);
  EXPECT_EQ(residual.worst_row(), 3);
  bad = gamma;
  bad[5] *= -1;
  EXPECT_NEAR(residual.Calc(point.problem, bad) * residual.scale(), 0.2, 1e-14);
  EXPECT_EQ(residual.worst_row(), 4);
  bad = gamma;
  bad[4] = bad[5];
  EXPECT_GT(residual.Calc(point.problem, bad), 1e-3);
}

TEST(LawResidual, OfSeveralConesVanishesWhereTheirProgramIsSolved) {
  // The projection of −m v* onto the cones. Spin sticks: 2 < 3 n.
  const double mu = 0.5, rolling = 0.1;
  const OwnedProblem point = MakeTurningContact(mu, 3, rolling);
  const double n = (1 + mu * 5 + rolling * 5) / (1 + mu * mu + rolling * rolling);
  VecX gamma(6);
  gamma << n, -0.6 * mu * n, -0.8 * mu * n, -2, 0, rolling * n;
  gamma *= kMass;
  LawResidual residual;
  const FrictionRule cone = {FrictionMode::kCone};
  EXPECT_LT(residual.Calc(point.problem, gamma, cone), 1e-15);
  const VecX& u = residual.u();
  EXPECT_NEAR(u[0], mu * u.segment<2>(1).norm() + rolling * u.tail<2>().norm(), 1e-14);
  EXPECT_GT(residual.Calc(point.problem, gamma), 0.1);  // which is not Coulomb's law
  for (int i = 0; i < 6; ++i) {
    VecX bad = gamma;
    bad[i] += 0.01;
    EXPECT_GT(residual.Calc(point.problem, bad, cone), 1e-4) << i;
  }
  // Where all is pulled away there is nothing.
  OwnedProblem rises = MakeTurningContact(mu, 0.1, rolling);
  rises.problem.v_star[0] = 10;
  EXPECT_EQ(residual.Calc(rises.problem, VecX::Zero(6), cone), 0);
  rises.problem.v_star[0] = mu * 5 + 0.1 * 2 + rolling * 5 - 0.01;
  EXPECT_GT(residual.Calc(rises.problem, VecX::Zero(6), cone), 1e-4);
}

TEST(LawResidual, JudgesForceLawsByTheirOwnFormula) {
  for (const double K : {1e3, 1e6, 1e9, 1e12}) {
    OwnedProblem point = MakePoint(Law::kUnilateral, 1, Vec3(-1, 0, 0));
    point.problem.rows[0].phi = 0.001;
    ForceLaw& law = point.problem.groups[0].force_law;
    law.kind = ForceLaw::Kind::kHertz;
    law.stiffness = K;
    // γ = m (φ̇₁ − v*) by bisection on the rate.
    double low = -1, high = 0;
    for (int i = 0; i < 200; ++i) {
      const double rate = 0.5 * (low + high);
      const double d = -0.001 - kStep * rate;
      const double force = d > 0 ? K * std::pow(d, 1.5) : 0;
      (kStep * force > kMass * (rate + 1) ? low : high) = rate;
    }
    LawResidual residual;
    const double gamma = kMass * (low + 1);
    EXPECT_LT(residual.Calc(point.problem, VecX::Constant(1, gamma)), 1e-14) << K;
    // An impulse too large by a little is a velocity too large by as much.
    const double too_fast = 1e-7 * gamma / kMass;
    EXPECT_NEAR(residual.Calc(point.problem, VecX::Constant(1, (1 + 1e-7) * gamma)), too_fast,
                0.02 * too_fast)
        << K;
  }
}

TEST(LawResidual, JudgesForceLawsInTheCone) {
  OwnedProblem point = MakeContact(0.5);
  ForceLaw& law = point.problem.groups[0].force_law;
  law.kind = ForceLaw::Kind::kHertz;
  law.stiffness = 1e5;
  // The program: γ_n = γ(φ̇_n − μ ‖u_t‖), γ_t of length μ γ_n. Bisection on γ_n.
  double low = 0, high = 100;
  const auto law_at = [&](double n) {
    const double slip = 5 - 0.5 * n / kMass;
    return CalcForceLaw(law, -1 + n / kMass - 0.5 * slip, 0, kStep).gamma;
  };
  for (int i = 0; i < 200; ++i) {
    const double n = 0.5 * (low + high);
    (law_at(n) > n ? low : high) = n;
  }
  LawResidual residual;
  const VecX gamma = Vec3(low, -0.3 * low, -0.4 * low);
  EXPECT_LT(residual.Calc(point.problem, gamma, {FrictionMode::kCone}), 1e-14);
  EXPECT_GT(residual.Calc(point.problem, 0.99 * gamma, {FrictionMode::kCone}), 1e-4);
  EXPECT_GT(residual.Calc(point.problem, gamma), 1e-2);
}

TEST(LawResidual, DoesNotDependOnUnitsOfMassOrTime) {
  // The same motion, ten times as fast, with masses a thousand times as large.
  OwnedProblem point = MakeContact(0.5);
  OwnedProblem other = point;
  other.M *= 1000;
  other.problem.v_star *= 10;
  other.problem.h /= 10;
  other.Attach();
  LawResidual residual;
  const VecX gamma = Vec3(1, 0.5, -0.2);
  EXPECT_NEAR(residual.Calc(point.problem, gamma), residual.Calc(other.problem, 1e4 * gamma),
              1e-14);
}

TEST(LawResidual, DoesNotTakeWideGapsForSpeeds) {
  OwnedProblem point = MakePoint(Law::kUnilateral, 1, Vec3(-1, 0, 0));
  point.problem.rows[0].phi = 1000;
  SetUnilateralSpring({}, kStep, 1, &point.problem.rows[0]);
  LawResidual residual;
  EXPECT_EQ(residual.Calc(point.problem, VecX::Zero(1)), 0);
  EXPECT_EQ(residual.scale(), 1);
}

TEST(LawResidual, IsInfiniteWhereImpulsesAreNotFinite) {
  const OwnedProblem point = MakeContact(0.5);
  LawResidual residual;
  EXPECT_EQ(residual.Calc(point.problem, Vec3(kNaN, 0, 0)), kInfinity);
  EXPECT_EQ(residual.Calc(point.problem, Vec3(kInfinity, 0, 0)), kInfinity);
}

TEST(LawResidual, OfNoRowsIsZero) {
  OwnedProblem point = MakeContact(0.5);
  point.problem.ClearRows();
  LawResidual residual;
  EXPECT_EQ(residual.Calc(point.problem, VecX()), 0);
  EXPECT_EQ(residual.worst_row(), -1);
}

TEST(LawResidual, AllocatesNothingOnceWarm) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const testing::RandomProblem random = testing::MakeRandomProblem(3);
  const VecX gamma = VecX::Ones(random.problem().row_count());
  LawResidual residual;
  const FrictionMode modes[] = {FrictionMode::kCoulomb, FrictionMode::kLagged, FrictionMode::kCone};
  for (const FrictionMode mode : modes) residual.Calc(random.problem(), gamma, {mode});
  const long before = CountAllocations();
  for (const FrictionMode mode : modes) residual.Calc(random.problem(), gamma, {mode});
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
