#include "voigt/constraints/contact_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/constraints/contact_bench.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random_model.h"
#include "voigt/math/rotation.h"
#include "voigt/problem/force_law.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

using testing::AddBodyWithShapes;
using testing::Ball;
using testing::Bench;
using testing::MakeGeometry;
using testing::MakeRandomMechanism;
using testing::Random;

Material NamedMaterial(const char* name) {
  Material m;
  m.name = name;
  return m;
}

double GapOf(const std::vector<Contact>& contacts, std::uint64_t id) {
  for (const Contact& contact : contacts) {
    if (contact.id == id) return contact.phi;
  }
  ADD_FAILURE() << "contact lost";
  return kNaN;
}

TEST(ContactRows, NormalRowsAreTheRatesOfTheGaps) {
  Random random(11);
  int count = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Model model = MakeRandomMechanism(&random);
    Bench bench(model, testing::MakeRandomState(model, &random), 1e-3);
    ContactFinder finder(model);
    Kinematics kin(model);
    const VecX v = testing::RandomRates(model, &random);
    const auto gaps_at = [&](double time) {
      VecX q = bench.state.q;
      IntegratePositions(model, v, time, &q);
      UpdatePositions(model, q, &kin);
      UpdateVelocities(model, v, &kin);
      finder.Find(model, kin, 1e-3);
      return finder.contacts();
    };
    const double e = 1e-5;
    const auto before = gaps_at(-e), after = gaps_at(e);
    VecX rates;
    bench.problem.Multiply(v, &rates);
    for (const RowGroup& group : bench.problem.groups) {
      const double slope = (GapOf(after, group.id) - GapOf(before, group.id)) / (2 * e);
      EXPECT_NEAR(rates[group.first_row], slope, 1e-7 * (1 + std::abs(slope)));
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

TEST(ContactRows, TangentRowsAreTheRelativeMotionOfMaterialPoints) {
  Random random(12);
  int count = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Model model = MakeRandomMechanism(&random);
    const Bench bench(model, testing::MakeRandomState(model, &random), 1e-3);
    const VecX v = testing::RandomRates(model, &random);
    VecX rates;
    bench.problem.Multiply(v, &rates);
    // Where the points of both bodies that are now at p will be.
    Kinematics moved(model);
    const auto displacement = [&](const Contact& contact, double time) -> Vec3 {
      VecX q = bench.state.q;
      IntegratePositions(model, v, time, &q);
      UpdatePositions(model, q, &moved);
      const auto carry = [&](int b) {
        return moved.X_WL[b] * (bench.kin.X_WL[b].Inverse() * contact.p_W);
      };
      return carry(contact.body_B) - carry(contact.body_A);
    };
    for (size_t i = 0; i < bench.problem.groups.size(); ++i) {
      const RowGroup& group = bench.problem.groups[i];
      const Contact& contact = bench.finder.contacts()[i];
      ASSERT_EQ(group.law, Law::kContact);
      const Mat3 frame = RotationWithZ(contact.n_W);
      EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), 1e-14);
      const double e = 1e-5;
      const Vec3 slope = (displacement(contact, e) - displacement(contact, -e)) / (2 * e);
      for (int r = 1; r < 3; ++r) {
        EXPECT_NEAR(rates[group.first_row + r], frame.col(r - 1).dot(slope),
                    1e-7 * (1 + slope.norm()));
        ++count;
      }
    }
  }
  EXPECT_GT(count, 100);
}

TEST(ContactRows, RigidContactsStopAtTheSurfaceAndRecoverAtALimitedSpeed) {
  const Ball above({}, 0.02, {0, 0, -1});
  ASSERT_EQ(above.bench.problem.row_count(), 3);
  EXPECT_EQ(above.bench.problem.groups[0].law, Law::kContact);
  EXPECT_EQ(above.bench.problem.groups[0].mu, 0.5);
  EXPECT_EQ(above.bench.problem.groups[0].constraint, kContactGroup);
  EXPECT_NEAR(above.bench.row(0).v_hat, -2, 1e-12);
  EXPECT_EQ(above.bench.row(0).R, 0);
  EXPECT_EQ(above.bench.row(1).R, 0);
  EXPECT_EQ(above.bench.row(1).v_hat, 0);
  EXPECT_NEAR(Ball({}, -0.001, Vec3::Zero()).bench.row(0).v_hat, 0.1, 1e-12);
  EXPECT_EQ(Ball({}, -0.2, Vec3::Zero()).bench.row(0).v_hat, 1);
}

TEST(ContactRows, LinearContactsHaveTheSpringOfThePair) {
  Material m;
  m.law = NormalLaw::kLinear;
  m.stiffness = 2e4;
  m.damping = 20;
  m.friction = 0;
  const Ball ball(m, -0.003, Vec3::Zero());
  ASSERT_EQ(ball.bench.problem.row_count(), 1);
  EXPECT_EQ(ball.bench.problem.groups[0].law, Law::kUnilateral);
  EXPECT_DOUBLE_EQ(ball.bench.row(0).R, 1 / (0.01 * (0.01 * 1e4 + 10)));
  EXPECT_NEAR(ball.bench.row(0).v_hat, 0.003 / (0.01 + 1e-3), 1e-12);
  EXPECT_TRUE(ball.bench.problem.groups[0].force_law.is_linear());
}

TEST(ContactRows, HertzAndHuntCrossleyCarryTheirLaw) {
  Material m;
  m.law = NormalLaw::kHuntCrossley;
  m.youngs_modulus = 1e9;
  m.poisson_ratio = 0;
  m.dissipation = 0.2;
  const Ball ball(m, -0.001, Vec3::Zero());
  const ForceLaw& law = ball.bench.problem.groups[0].force_law;
  EXPECT_EQ(law.kind, ForceLaw::Kind::kHuntCrossley);
  EXPECT_NEAR(law.stiffness, 4.0 / 3.0 * 0.5e9 * std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(law.dissipation, 0.2, 1e-15);
  m.law = NormalLaw::kHertz;
  m.dissipation = 0;
  EXPECT_EQ(Ball(m, 0, Vec3::Zero()).bench.problem.groups[0].force_law.kind,
            ForceLaw::Kind::kHertz);
}

TEST(ContactRows, RestitutionActsInTheStepThatClosesTheGap) {
  Material m;
  m.restitution = 0.8;
  EXPECT_NEAR(Ball(m, 0.005, {0, 0, -1}).bench.row(0).v_hat, 0.8, 1e-15);
  EXPECT_EQ(Ball(m, 0.005, {0, 0, -1}).bench.row(0).v_hat_slope, 0);
  // Not before, not for slow impacts, not for bodies that part.
  EXPECT_NEAR(Ball(m, 0.015, {0, 0, -1}).bench.row(0).v_hat, -1.5, 1e-12);
  EXPECT_NEAR(Ball(m, 0, {0, 0, -0.009}).bench.row(0).v_hat, 0, 1e-12);
  EXPECT_NEAR(Ball(m, 0, {0, 0, 1}).bench.row(0).v_hat, 0, 1e-12);
  // The larger of recovery and bounce.
  EXPECT_NEAR(Ball(m, -0.009, {0, 0, -1}).bench.row(0).v_hat, 0.9, 1e-12);
  EXPECT_NEAR(Ball(m, -0.009, {0, 0, -1}).bench.row(0).v_hat_slope, -100, 1e-10);
}

TEST(ContactRows, TangentialDampersAndSprings) {
  Material m;
  m.tangential_damping = 200;
  EXPECT_DOUBLE_EQ(Ball(m, 0, Vec3::Zero()).bench.row(1).R, 1 / (0.01 * 100));
  m.tangential_stiffness = 2e4;
  Ball ball(m, 0, Vec3::Zero());
  EXPECT_DOUBLE_EQ(ball.bench.row(2).R, 1 / (0.01 * (0.01 * 1e4 + 100)));
  EXPECT_EQ(ball.bench.row(2).v_hat, 0);
  // The deformation of the last step is taken up, its part along the surface.
  ball.bench.state.contacts = {
      {ball.bench.finder.contacts()[0].id, 30, {}, {0.002, -0.001, 7}, {}}};
  ball.bench.Update();
  EXPECT_NEAR(ball.bench.problem.groups[0].lagged_impulse, 0.3, 1e-15);
  EXPECT_NEAR(ball.bench.row(1).phi, 0.002, 1e-15);
  EXPECT_NEAR(ball.bench.row(2).phi, -0.001, 1e-15);
  EXPECT_NEAR(ball.bench.row(1).v_hat, -0.002 / (0.01 + 100 / 1e4), 1e-12);
}

TEST(ContactRows, NewContactsHaveNoMemory) {
  Ball ball({}, 0, Vec3::Zero());
  EXPECT_TRUE(std::isnan(ball.bench.problem.groups[0].lagged_impulse));
  const std::uint64_t id = ball.bench.finder.contacts()[0].id;
  ball.bench.state.contacts = {{id - 1, 3, {}, {}, {}}, {id + 1, 4, {}, {}, {}}};
  ball.bench.Update();
  EXPECT_TRUE(std::isnan(ball.bench.problem.groups[0].lagged_impulse));
}

TEST(ContactMemory, KeepsForcesAndImpendingSlip) {
  Ball ball({}, 0, {1, 0, 0});
  VecX gamma(3);
  gamma << 0.3, -0.03, 0.04;
  UpdateContactMemory(ball.bench.problem, gamma, ball.bench.state.v, ball.bench.finder.contacts(),
                      &ball.bench.state);
  ASSERT_EQ(ball.bench.state.contacts.size(), 1u);
  const ContactMemory& memory = ball.bench.state.contacts[0];
  EXPECT_EQ(memory.id, ball.bench.finder.contacts()[0].id);
  EXPECT_DOUBLE_EQ(memory.normal_force, 30);
  EXPECT_LT((memory.slip_direction - Vec3(0.6, -0.8, 0)).norm(), 1e-15);
  EXPECT_EQ(memory.tangential_deformation, Vec3::Zero());
  // Without friction in the step, the slip itself.
  gamma << 0.3, 0, 0;
  UpdateContactMemory(ball.bench.problem, gamma, ball.bench.state.v, ball.bench.finder.contacts(),
                      &ball.bench.state);
  EXPECT_LT((ball.bench.state.contacts[0].slip_direction - Vec3::UnitX()).norm(), 1e-15);
  // A contact without force is forgotten.
  UpdateContactMemory(ball.bench.problem, VecX::Zero(3), ball.bench.state.v,
                      ball.bench.finder.contacts(), &ball.bench.state);
  EXPECT_TRUE(ball.bench.state.contacts.empty());
}

TEST(ContactMemory, DeformationFollowsTheForceThatFrictionAllows) {
  Material m;
  m.tangential_stiffness = 2e4;
  m.tangential_damping = 200;
  Ball ball(m, 0, {0.7, 0, 0});
  Bench& bench = ball.bench;
  const double h = 0.01, K = 1e4, B = 100;
  const double phi = 0.002;
  bench.state.contacts = {{bench.finder.contacts()[0].id, 30, {}, {phi, 0, 0}, {}}};
  bench.Update();
  // Sticking: u = 0 at some rate, so the deformation grows by h times it.
  const double rate = 0.7;
  VecX gamma = VecX::Zero(3);
  gamma[0] = 10;
  gamma[1] = (bench.row(1).v_hat - rate) / bench.row(1).R;
  State next = bench.state;
  UpdateContactMemory(bench.problem, gamma, bench.state.v, bench.finder.contacts(), &next);
  EXPECT_NEAR(next.contacts[0].tangential_deformation[0], phi + h * rate, 1e-15);
  // Slipping: the spring and damper carry the force that is left, whatever the slip is.
  gamma[1] *= 0.3;
  UpdateContactMemory(bench.problem, gamma, bench.state.v, bench.finder.contacts(), &next);
  const double phi_1 = next.contacts[0].tangential_deformation[0];
  EXPECT_NEAR(-K * phi_1 - B * (phi_1 - phi) / h, gamma[1] / h, 1e-9);
  EXPECT_EQ(next.contacts[0].tangential_deformation[2], 0);
}

TEST(ContactRows, FoundationsHaveOneSpringForEveryElement) {
  ModelSpec spec;
  Material layer_material = NamedMaterial("layer");
  layer_material.law = NormalLaw::kHertz;
  layer_material.youngs_modulus = 1e7;
  layer_material.friction = 0;
  spec.materials = {layer_material};
  spec.world_geometry = {MakeGeometry(HalfSpace{})};
  Foundation layer;
  layer.size = {1, 1};
  layer.nx = layer.ny = 10;
  layer.depth = 1;
  layer.damping = 1;
  AddBodyWithShapes(&spec, "cube",
                    {MakeGeometry(layer, {Mat3::Identity(), {0, 0, -0.5}}, "layer")});
  const Model model = ModelBuilder(spec).Build();
  State state;
  state.q = model.NeutralCoordinates();
  state.q[2] = 0.5;
  state.v = VecX::Zero(6);
  const Bench bench(model, state, 0.01);
  ASSERT_EQ(bench.problem.groups.size(), 1u);
  const RowGroup& group = bench.problem.groups[0];
  EXPECT_EQ(group.law, Law::kUnilateral);
  ASSERT_EQ(group.row_count, 100);
  for (int r = 0; r < 100; ++r) {
    EXPECT_NEAR(bench.row(r).c, 1e-5, 1e-17);  // K = 1e7 · 0.01 m² / 1 m
    EXPECT_NEAR(bench.row(r).tau, 1e-5, 1e-17);
    EXPECT_EQ(bench.row(r).phi, 0);
    EXPECT_EQ(bench.problem.entries(group, r)[2], 1);
  }
  // All of them together push straight up.
  const MatX G = bench.problem.ToDenseG();
  const VecX sum = G.colwise().sum();
  EXPECT_LT((sum - 100 * VecX::Unit(6, 2)).norm(), 1e-12);
}

TEST(ContactRows, NeedNoMemoryOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  Random random(13);
  const Model model = MakeRandomMechanism(&random);
  Bench bench(model, testing::MakeRandomState(model, &random), 1e-3);
  const VecX gamma = VecX::Ones(bench.problem.row_count());
  const auto work = [&] {
    bench.Update();
    UpdateContactMemory(bench.problem, gamma, bench.state.v, bench.finder.contacts(), &bench.state);
  };
  work();
  const long before = testing::CountAllocations();
  for (int i = 0; i < 3; ++i) work();
  EXPECT_EQ(testing::CountAllocations(), before);
  // What is remembered is what the next step finds.
  ASSERT_FALSE(bench.state.contacts.empty());
  for (const RowGroup& group : bench.problem.groups) {
    EXPECT_DOUBLE_EQ(group.lagged_impulse, 1);
  }
  EXPECT_EQ(State::Restore(bench.state.Serialize()), bench.state);
}

}  // namespace
}  // namespace voigt
