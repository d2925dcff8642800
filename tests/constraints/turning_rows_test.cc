// Rows of contacts beside normal and tangents: against spin and rolling, and viscous friction.

#include <gtest/gtest.h>

#include "tests/constraints/contact_bench.h"
#include "voigt/math/rotation.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

using testing::Ball;
using testing::Bench;
using testing::MakeRandomMechanism;
using testing::Random;

Material Turning(double torsional, double rolling) {
  Material m;
  m.torsional_friction = torsional;
  m.rolling_friction = rolling;
  return m;
}

TEST(ContactRows, HaveRowsForTheFrictionThatTheyHave) {
  const auto group = [](double torsional, double rolling, double mu) {
    Material m = Turning(torsional, rolling);
    m.friction = mu;
    return Ball(m, 0, Vec3::Zero()).bench.problem.groups[0];
  };
  EXPECT_EQ(group(0, 0, 0.5).row_count, 3);
  EXPECT_EQ(group(1e-3, 0, 0.5).row_count, 4);
  EXPECT_EQ(group(0, 2e-3, 0.5).row_count, 5);
  EXPECT_EQ(group(1e-3, 2e-3, 0.5).row_count, 6);
  EXPECT_EQ(group(1e-3, 2e-3, 0.5).torsion, 1e-3);
  EXPECT_EQ(group(1e-3, 2e-3, 0.5).rolling, 2e-3);
  // Turning may be resisted where slip is not.
  EXPECT_EQ(group(1e-3, 0, 0).row_count, 4);
  EXPECT_EQ(group(1e-3, 0, 0).mu, 0);
  EXPECT_EQ(group(0, 0, 0).law, Law::kUnilateral);
}

// The relative angular velocity, from how both bodies turn in a short time.
TEST(ContactRows, TurningRowsAreTheRelativeSpin) {
  Random random(14);
  int count = 0;
  for (int trial = 0; trial < 10; ++trial) {
    ModelSpec spec = MakeRandomMechanism(&random).spec();
    spec.materials = {Turning(1e-3, 1e-3)};
    spec.materials[0].name = kDefaultMaterial;
    const Model model = ModelBuilder(spec).Build();
    const Bench bench(model, testing::MakeRandomState(model, &random), 1e-3);
    const VecX v = testing::RandomRates(model, &random);
    VecX rates;
    bench.problem.Multiply(v, &rates);
    Kinematics moved(model);
    const auto rotations_at = [&](double time) {
      VecX q = bench.state.q;
      IntegratePositions(model, v, time, &q);
      UpdatePositions(model, q, &moved);
      std::vector<Mat3> out;
      for (const Pose& X : moved.X_WL) out.push_back(X.R);
      return out;
    };
    const double e = 1e-5;
    const auto before = rotations_at(-e), after = rotations_at(e);
    const auto spin = [&](int b) -> Vec3 {
      const Mat3 turn = (after[b] * before[b].transpose() - Mat3::Identity()) / (2 * e);
      return 0.5 * Vec3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
    };
    for (size_t i = 0; i < bench.problem.groups.size(); ++i) {
      const RowGroup& group = bench.problem.groups[i];
      const Contact& contact = bench.finder.contacts()[i];
      ASSERT_EQ(group.row_count, 6);
      const Vec3 relative = spin(contact.body_B) - spin(contact.body_A);
      const Mat3 frame = RotationWithZ(contact.n_W);
      const double tolerance = 1e-7 * (1 + relative.norm());
      EXPECT_NEAR(rates[group.first_row + 3], contact.n_W.dot(relative), tolerance);
      EXPECT_NEAR(rates[group.first_row + 4], frame.col(0).dot(relative), tolerance);
      EXPECT_NEAR(rates[group.first_row + 5], frame.col(1).dot(relative), tolerance);
      for (int r = 3; r < 6; ++r) EXPECT_TRUE(bench.row(group.first_row + r).angular);
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

TEST(ContactRows, ViscousFrictionIsADamperBesideAClosedContact) {
  Material m;
  m.viscous_friction = 5;
  Ball open(m, 1e-3, {1, -2, 0});
  EXPECT_EQ(open.bench.problem.groups.size(), 1u);
  for (const double phi : {0.0, -1e-3}) {
    const Ball closed(m, phi, {1, -2, 0});
    const VelocityProblem& problem = closed.bench.problem;
    ASSERT_EQ(problem.groups.size(), 2u);
    EXPECT_EQ(problem.groups[0].constraint, kContactGroup);
    EXPECT_EQ(problem.groups[1].constraint, kViscousGroup);
    EXPECT_EQ(problem.groups[1].law, Law::kBilateral);
    const MatX G = problem.ToDenseG();
    EXPECT_EQ(G.row(3), G.row(1));
    EXPECT_EQ(G.row(4), G.row(2));
    EXPECT_DOUBLE_EQ(closed.bench.row(3).R, 1 / (0.01 * 5));
    EXPECT_EQ(closed.bench.row(3).v_hat, 0);
    // Starts from the force at the rates of the start.
    EXPECT_LT((Vec2(closed.bench.row(3).guess, closed.bench.row(4).guess) -
               -0.05 * (G * closed.bench.state.v).segment<2>(3))
                  .norm(),
              1e-15);
  }
  // One that carried load in the last step is closed, whatever its gap.
  open.bench.state.contacts = {{open.bench.finder.contacts()[0].id, 30, {}, {}, {}}};
  open.bench.Update();
  EXPECT_EQ(open.bench.problem.groups.size(), 2u);
  // It is not the contact's own, and leaves its memory alone.
  VecX gamma(5);
  gamma << 0.3, 0, 0, 7, 7;
  UpdateContactMemory(open.bench.problem, gamma, open.bench.state.v, open.bench.finder.contacts(),
                      &open.bench.state);
  ASSERT_EQ(open.bench.state.contacts.size(), 1u);
  EXPECT_EQ(open.bench.state.contacts[0].friction_force, Vec3::Zero());
  // Without Coulomb's friction, too.
  m.friction = 0;
  const Ball smooth(m, 0, Vec3::Zero());
  ASSERT_EQ(smooth.bench.problem.groups.size(), 2u);
  EXPECT_EQ(smooth.bench.problem.groups[0].law, Law::kUnilateral);
}

TEST(ContactMemory, KeepsTorquesForTheNextStep) {
  for (const bool has_torsion : {false, true}) {
    Ball ball(Turning(has_torsion ? 1e-3 : 0, 1e-3), 0, {1, 0, 0});
    Bench& bench = ball.bench;
    const int rows = has_torsion ? 6 : 5;
    ASSERT_EQ(bench.problem.row_count(), rows);
    const VecX gamma = VecX::LinSpaced(rows, 0.1, 0.1 * rows);
    UpdateContactMemory(bench.problem, gamma, bench.state.v, bench.finder.contacts(), &bench.state);
    ASSERT_EQ(bench.state.contacts.size(), 1u);
    bench.Update();
    for (int r = 0; r < rows; ++r) EXPECT_NEAR(bench.row(r).guess, gamma[r], 1e-15) << r;
    // World axes: about the vertical, and about the tangents.
    const Vec3 torque = bench.state.contacts[0].friction_torque;
    EXPECT_NEAR(torque.z(), has_torsion ? 40 : 0, 1e-12);
    EXPECT_NEAR(torque.head<2>().norm(), 100 * gamma.tail<2>().norm(), 1e-12);
  }
}

}  // namespace
}  // namespace voigt
