// Contact by maximum dissipation: the numbers of the prototype, viscous friction in its cone, and
// what the audit says where it is not met.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tests/formulations/dissipate.h"
#include "tests/support/dense_problem.h"
#include "tests/support/samples.h"
#include "voigt/audit/audit.h"
#include "voigt/formulations/formulation.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::AuditOf;
using testing::Dissipate;
using testing::MakeProblem;
using testing::RandomMatrix;

// A rod of mass 1 and length 2 whose end touches the floor at this angle above it; rates
// (v_x, v_y, ω).
OwnedProblem MakeRod(double angle, double v_x, double v_y, double mu) {
  MatX M = MatX::Identity(3, 3);
  M(2, 2) = 1.0 / 3;
  OwnedProblem out = MakeProblem(M, Vec3(v_x, v_y, 0), 0.01);
  MatX G(2, 3);
  G << 0, 1, -std::cos(angle), 1, 0, std::sin(angle);
  AddGroup(Law::kContact, G, &out).mu = mu;
  return out;
}

constexpr double kDegree = std::numbers::pi / 180;

// What friction would do to the normal is more than the sum allows: there is none.
TEST(MaxDissipation, ForbidsFrictionThatPressesASteepRodDown) {
  const OwnedProblem rod = MakeRod(60 * kDegree, -1, -1, 0.5);
  const Solution solution = Dissipate(rod.problem);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.gamma[0], 1 / 1.75, 1e-12);
  EXPECT_NEAR(solution.gamma[1], 0, 1e-12);
  const Audit audit = AuditOf(rod.problem, solution);
  for (const AuditItem& item : ListItems(audit)) EXPECT_TRUE(item.passes()) << item.name;
  EXPECT_GT(audit.coulomb, 0.1);

  // Complementarity has the other answer.
  const Solution coulomb = Dissipate(rod.problem, {}, FormulationKind::kMlcpLemke);
  EXPECT_NEAR(coulomb.gamma[0], 0.90869, 1e-5);
  EXPECT_NEAR(coulomb.gamma[1], 0.45435, 1e-5);
}

// It parts and pushes all the same.
TEST(MaxDissipation, LiftsAFlatRod) {
  const OwnedProblem rod = MakeRod(30 * kDegree, 1, -1, 0.5);
  const Solution solution = Dissipate(rod.problem);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.gamma[0], 0.3008, 5e-5);
  EXPECT_NEAR((rod.problem.ToDenseG() * solution.v1)[0], 0.173, 5e-4);
  const Audit audit = AuditOf(rod.problem, solution);
  for (const AuditItem& item : ListItems(audit)) EXPECT_TRUE(item.passes()) << item.name;
  EXPECT_GT(audit.coulomb, 0.1);
  const Solution coulomb = Dissipate(rod.problem, {}, FormulationKind::kMlcpLemke);
  EXPECT_NEAR(coulomb.gamma[0], 0.2564, 5e-5);
}

// A box of two contacts in the plane slides down a ramp of 15° for 1 s, from rest.
double CalcDistanceOnRamp(double mu, FormulationKind kind) {
  constexpr double kStep = 0.01, kGravity = 9.8, kTilt = 15 * kDegree;
  MatX M = 2 * MatX::Identity(3, 3);
  M(2, 2) = 2.0 / 12 * (0.2 * 0.2 + 0.1 * 0.1);
  VecX v = VecX::Zero(3);
  double distance = 0;
  for (int step = 0; step < 100; ++step) {
    v += kStep * kGravity * Vec3(std::sin(kTilt), -std::cos(kTilt), 0);
    OwnedProblem problem = MakeProblem(M, v, kStep);
    for (double x : {-0.1, 0.1}) {
      MatX G(2, 3);
      G << 0, 1, x, 1, 0, 0.05;  // at (x, −0.05) from the centre
      AddGroup(Law::kContact, G, &problem).mu = mu;
    }
    const Solution solution = Dissipate(problem.problem, {}, kind);
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    v = solution.v1;
    distance += kStep * v[0];
  }
  return distance;
}

TEST(MaxDissipation, SlidesDownARampAsComplementarityDoes) {
  const double friction[] = {0.1, 0.2, 0.25}, distance[] = {0.802858763, 0.324822071, 0.085803726};
  for (int k = 0; k < 3; ++k) {
    const double ours = CalcDistanceOnRamp(friction[k], FormulationKind::kMaxDissipation);
    EXPECT_NEAR(ours, distance[k], 6e-10);
    EXPECT_NEAR(ours, CalcDistanceOnRamp(friction[k], FormulationKind::kMlcpLemke), 1e-11);
  }
  EXPECT_NEAR(CalcDistanceOnRamp(0.3, FormulationKind::kMaxDissipation), 0, 1e-12);
}

// Cut short, a step is that of phase I: valid but for friction, and it says so.
TEST(MaxDissipation, IsValidWhenPhaseTwoIsCutShort) {
  const OwnedProblem rod = MakeRod(30 * kDegree, 1, -1, 0.5);
  ImpulseSpaceSettings settings;
  settings.max_iterations = 1;
  const Solution solution = Dissipate(rod.problem, settings);
  EXPECT_EQ(solution.status, SolveStatus::kIterationLimit);
  EXPECT_NEAR(solution.gamma[0], 1 / 3.25, 1e-12);
  EXPECT_EQ(solution.gamma[1], 0);
  const Audit audit = AuditOf(rod.problem, solution);
  EXPECT_LE(audit.energy, 0);
  EXPECT_LE(audit.cone, 0);
  EXPECT_LE(audit.normal, 0);
  EXPECT_GT(audit.law, 1e-3);
}

// The audit believes neither impulses nor multipliers nor sums.
TEST(MaxDissipation, IsNotBelievedWhenItClaimsWhatIsNotSo) {
  const OwnedProblem rod = MakeRod(60 * kDegree, -1, -1, 0.5);
  const Solution good = Dissipate(rod.problem);
  ASSERT_LE(AuditOf(rod.problem, good).law, 1e-12);
  const auto law_of = [&](auto change) {
    Solution bad = good;
    change(&bad);
    rod.problem.CalcVelocity(bad.gamma, &bad.v1);
    return AuditOf(rod.problem, bad).law;
  };
  EXPECT_GT(law_of([](Solution* s) { s->gamma[0] *= 1.001; }), 1e-5);
  EXPECT_GT(law_of([](Solution* s) { s->gamma[1] = 0.01; }), 1e-5);
  EXPECT_GT(law_of([](Solution* s) { s->dissipation.multiplier[0] *= 1.01; }), 1e-5);
  EXPECT_GT(law_of([](Solution* s) { s->dissipation.price[0] *= 0.9; }), 1e-5);
  EXPECT_GT(law_of([](Solution* s) { s->dissipation.frictionless[0] *= 1.01; }), 1e-5);
  EXPECT_GT(law_of([](Solution* s) {
              s->gamma << 0.90869, 0.45435;
              s->dissipation.sum[0] = -1;
            }),
            1e-5);
}

// A block of 1 kg that slides at 1 m/s, with viscous friction in its cone: h = 0.01 s, γ_n = 0.098.
OwnedProblem MakeViscousBlock(double mu, double viscous) {
  OwnedProblem out = MakeProblem(MatX::Identity(3, 3), Vec3(-0.098, 0.6, 0.8), 0.01);
  RowGroup& group = AddGroup(Law::kContact, MatX::Identity(3, 3), &out);
  group.mu = mu;
  group.viscous = viscous;
  return out;
}

ImpulseSpaceSettings WithViscous(ViscousFriction viscous) {
  ImpulseSpaceSettings out;
  out.viscous = viscous;
  return out;
}

// [Drumwright & Shell 2010, QP 1 and 2] have the two limits in quadrature; their sum is convex.
TEST(MaxDissipation, ViscousFrictionWidensTheCone) {
  struct Case {
    ViscousFriction viscous;
    double mu, radius;
  };
  const double coulomb = 0.25 * 0.098, rho = 0.01 * 2;
  for (const Case& c :
       {Case{ViscousFriction::kLinear, 0.25, coulomb + rho},
        Case{ViscousFriction::kQuadrature, 0.25, std::hypot(coulomb, rho)},
        Case{ViscousFriction::kLinear, 0, rho}, Case{ViscousFriction::kQuadrature, 0, rho},
        Case{ViscousFriction::kDamper, 0.25, coulomb}}) {
    const OwnedProblem block = MakeViscousBlock(c.mu, 2);
    const Solution solution = Dissipate(block.problem, WithViscous(c.viscous));
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_NEAR(solution.gamma[0], 0.098, 1e-12);
    EXPECT_NEAR(solution.gamma[1], -0.6 * c.radius, 1e-12);
    EXPECT_NEAR(solution.gamma[2], -0.8 * c.radius, 1e-12);
    const Audit audit = AuditOf(block.problem, solution);
    for (const AuditItem& item : ListItems(audit)) EXPECT_TRUE(item.passes()) << item.name;
    // Slips that are not those of the free motion are noticed.
    if (c.viscous == ViscousFriction::kDamper) continue;
    Solution wrong = solution;
    wrong.dissipation.slip[0] *= 2;
    EXPECT_GT(AuditOf(block.problem, wrong).law, 1e-3);
  }
}

// It stops what it can stop, and no more: viscous friction does not turn the slip round.
TEST(MaxDissipation, ViscousFrictionStopsAtMost) {
  for (ViscousFriction viscous : {ViscousFriction::kLinear, ViscousFriction::kQuadrature}) {
    const OwnedProblem block = MakeViscousBlock(0.25, 1e4);
    const Solution solution = Dissipate(block.problem, WithViscous(viscous));
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_LE(solution.v1.tail(2).norm(), 1e-12);
  }
}

// Where contacts are coupled the cones in quadrature are followed until they stay.
TEST(MaxDissipation, ViscousFrictionInQuadratureSettles) {
  std::mt19937 random(11);
  for (int sample = 0; sample < testing::SampleCount(40); ++sample) {
    OwnedProblem owned =
        MakeProblem(testing::RandomDenseMass(6, &random), RandomMatrix(6, 1, &random), 0.01);
    for (int k = 0; k < 3; ++k) {
      RowGroup& group = AddGroup(Law::kContact, RandomMatrix(3, 6, &random), &owned);
      group.mu = 0.4;
      group.viscous = 5 * (k + 1);
    }
    const Solution solution = Dissipate(owned.problem, WithViscous(ViscousFriction::kQuadrature));
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << sample << ' ' << solution.residual;
    const Audit audit = AuditOf(owned.problem, solution);
    for (const AuditItem& item : ListItems(audit)) EXPECT_TRUE(item.passes()) << item.name;
  }
}

}  // namespace
}  // namespace voigt
