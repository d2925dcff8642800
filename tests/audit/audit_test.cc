#include "voigt/audit/audit.h"

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

// A point mass on a plane: normal, two tangents.
OwnedProblem MakeContactAt(const Vec3& v_star, double mu) {
  OwnedProblem out = MakePoint(Law::kContact, 3, v_star);
  out.problem.groups[0].mu = mu;
  return out;
}

Audit Judge(const OwnedProblem& owned, const VecX& gamma, const VecX* v0 = nullptr,
            const FrictionRule& rule = {}) {
  VecX v1;
  owned.problem.CalcVelocity(gamma, &v1);
  Auditor auditor;
  Audit out;
  auditor.Calc(owned.problem, gamma, v1, v0, rule, &out);
  return out;
}

void ExpectPasses(const Audit& audit) {
  for (const AuditItem& item : ListItems(audit)) {
    EXPECT_TRUE(item.passes()) << item.name << " " << item.value;
  }
}

TEST(Audit, PassesSlidingAndSticking) {
  ExpectPasses(Judge(MakeContactAt(Vec3(-1, 3, 4), 0.5), kMass * Vec3(1, -0.3, -0.4)));
  ExpectPasses(Judge(MakeContactAt(Vec3(-1, 3, 4), 6), kMass * Vec3(1, -3, -4)));
  ExpectPasses(Judge(MakeContactAt(Vec3(1, 3, 4), 6), Vec3::Zero()));
}

TEST(Audit, FindsEachFaultByItsName) {
  const OwnedProblem contact = MakeContactAt(Vec3(-1, 3, 4), 0.5);
  EXPECT_NEAR(Judge(contact, kMass * Vec3(-1, 0, 0)).normal, kMass, 1e-15);
  // Friction twice as strong as the cone allows, relative to the contact's impulse.
  const Audit strong = Judge(contact, kMass * Vec3(1, -0.6, -0.8));
  EXPECT_NEAR(strong.cone, 0.5 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(strong.exact_cone, 0.5 * kMass, 1e-15);
  // At a right angle to the slip that remains.
  const Audit askew = Judge(contact, kMass * Vec3(1, -0.4, 0.3));
  EXPECT_GT(askew.antiparallel, 0.5);
  EXPECT_GT(askew.max_dissipation, 0.1);
  // Along the slip.
  const Audit pushes = Judge(contact, kMass * Vec3(1, 0.3, 0.4));
  EXPECT_NEAR(pushes.antiparallel, 2, 1e-15);
  EXPECT_GT(pushes.friction_power, 0.1);
  EXPECT_GT(pushes.energy, 0.01);
  // A velocity that does not follow from the impulse.
  Auditor auditor;
  Audit out;
  auditor.Calc(contact.problem, Vec3::Zero(), Vec3(0, 3, 4), nullptr, {}, &out);
  EXPECT_NEAR(out.momentum, 0.25, 1e-15);
}

TEST(Audit, EnergyIsKineticAndElasticLessTheWorkOfForces) {
  // One step of a mass on a spring and damper under a force, from the definitions.
  OwnedProblem owned = MakeContactAt(Vec3(-1, 0, 0), 0);
  owned.problem.groups[0].law = Law::kBilateral;
  owned.problem.groups[0].row_count = 1;
  owned.problem.rows.resize(1);
  Row& row = owned.problem.rows[0];
  row.phi = -0.02;
  const double K = 500, B = 3;
  SetSpring({K, B}, kStep, &row);
  const double X = kStep * (kStep * K + B);
  const double gamma = (-kStep * K * row.phi + X) / (1 + X / kMass);
  const VecX v0 = Vec3(-0.7, 0, 0);
  const double v1 = -1 + gamma / kMass, phi1 = row.phi + kStep * v1;
  const double T0 = 0.5 * kMass * 0.49, T1 = 0.5 * kMass * v1 * v1;
  const double V0 = 0.5 * K * row.phi * row.phi, V1 = 0.5 * K * phi1 * phi1;
  const double input = kMass * (-1 + 0.7) * v1;
  const Audit audit = Judge(owned, VecX::Constant(1, gamma), &v0);
  ExpectPasses(audit);
  EXPECT_LT(audit.energy, 0);
  const double scale = T1 + T0 + 0.5 * kMass + std::fabs(input) + V0 + V1 + std::fabs(gamma * v1);
  EXPECT_NEAR(audit.energy, (T1 + V1 - T0 - V0 - input) / scale, 1e-15);
  EXPECT_EQ(audit.deflection, 0.02);
  EXPECT_EQ(audit.violation, 0);
}

TEST(Audit, CountsTheWorkOfDrivesAndOfRecovery) {
  // A rigid row that drags the mass along at 2 m/s, and one that closes a gap of −0.01 m.
  OwnedProblem owned = MakeContactAt(Vec3(0, 0, 0), 0);
  owned.problem.groups[0].law = Law::kBilateral;
  owned.problem.rows[0].phi_t = -2;
  owned.problem.rows[1].phi = -0.01;
  SetSpring({}, kStep, &owned.problem.rows[1]);
  const Audit audit = Judge(owned, kMass * Vec3(2, 1, 0));
  ExpectPasses(audit);
  EXPECT_NEAR(audit.drive_work, kMass * 2 * 2, 1e-14);
  EXPECT_NEAR(audit.recovery_work, kMass, 1e-14);
}

// A light touch of what slides fast: no velocity tells that friction is off by a part in 1e5.
TEST(Audit, AsksImpulsesForTheDigitsThatVelocitiesTell) {
  for (const double touch : {1e-9, 1e-3}) {
    const OwnedProblem owned = MakeContactAt({-touch, 1, 0}, 0.5);
    const double normal = kMass * touch;
    const Audit audit = Judge(owned, Vec3(normal, -0.5 * normal * (1 - 1e-5), 0));
    EXPECT_EQ(audit.law < 1e-12, touch < 1e-6) << audit.law;
    EXPECT_EQ(audit.max_dissipation < 1e-9, touch < 1e-6) << audit.max_dissipation;
  }
}

// A stiff spring against a rigid stop: their impulses cancel, and what is left of them moves the
// point by less than the law can tell, but with their force.
TEST(Audit, AllowsForEnergyThatResidualsExplain) {
  const auto judge = [](double left) {
    OwnedProblem owned = MakePoint(Law::kBilateral, 2, Vec3(1, 0, 0));
    VelocityProblem& problem = owned.problem;
    const double K = 1e12, phi = -1e-4;
    problem.G = {1, 0, 0, 1, 0, 0};
    problem.rows[0].phi = phi;
    SetSpring({K, 0}, kStep, &problem.rows[0]);
    const double spring = -kStep * K * (phi + kStep * left);
    const Audit audit = Judge(owned, Vec2(spring, kMass * (left - 1) - spring));
    EXPECT_LT(audit.momentum, 1e-13);
    return audit;
  };
  // Towards the spring, V₁ − V₀ = −K φ h |v₁| of V₀ = ½ K φ², with nothing that pays for it.
  const Audit little = judge(-1e-8);
  EXPECT_LT(little.law, 1e-12);
  EXPECT_LT(little.energy, 1e-12);
  const Audit much = judge(-1e-3);
  EXPECT_GT(much.law, 1e-12);
  EXPECT_GT(much.energy, 1e-3);
}

TEST(Audit, ReportsPenetrationAndTheGapThatTheConeOpens) {
  OwnedProblem owned = MakeContactAt(Vec3(-1, 3, 4), 0.5);
  const Audit free = Judge(owned, Vec3::Zero());
  EXPECT_NEAR(free.penetration, kStep, 1e-16);
  EXPECT_EQ(free.separation, 0);
  const double n = kMass * (1 + 0.5 * 5) / 1.25;
  const FrictionRule cone = {FrictionMode::kCone};
  const Audit opened = Judge(owned, Vec3(n, -0.3 * n, -0.4 * n), nullptr, cone);
  EXPECT_NEAR(opened.separation, kStep * 0.5 * (5 - 0.5 * n / kMass), 1e-15);
  ExpectPasses(opened);
}

TEST(Audit, OfImpulsesThatAreNotFinitePassesNowhere) {
  const Audit audit = Judge(MakeContactAt(Vec3(-1, 3, 4), 0.5), Vec3(kNaN, 0, 0));
  EXPECT_EQ(audit.law, kInfinity);
  EXPECT_TRUE(std::isnan(audit.momentum));
  EXPECT_TRUE(std::isnan(audit.energy));
}

TEST(Audit, AllocatesNothingOnceWarm) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const testing::RandomProblem random = testing::MakeRandomProblem(4);
  const VecX gamma = VecX::Ones(random.problem().row_count());
  Auditor auditor;
  Audit out;
  const auto judge = [&] {
    auditor.Calc(random.problem(), gamma, random.v0, &random.v0, {}, &out);
  };
  judge();
  const long before = CountAllocations();
  judge();
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
