#include "voigt/dynamics/free_body.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/specs.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/momentum_transport.h"
#include "voigt/dynamics/spin.h"
#include "voigt/model/model_builder.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;
using testing::MakeRandomState;
using testing::Random;
using testing::RandomMass;
using testing::RandomPose;

MassProperties Add(const MassProperties& a, const MassProperties& b) {
  SpatialInertia sum = SpatialInertia::FromCom(a.mass, a.com, a.inertia);
  sum += SpatialInertia::FromCom(b.mass, b.com, b.inertia);
  return {sum.mass, sum.h / sum.mass, sum.CentralMatrix()};
}

// Free bodies with joint frames anywhere. With `in_parts` each consists of two that are welded
// together, which makes it a tree like any other.
Model MakeBodies(int seed, bool in_parts) {
  Random random(seed);
  ModelBuilder builder;
  for (int i = 0; i < 3; ++i) {
    BodySpec body = MakeBody("body" + std::to_string(i));
    const MassProperties first = RandomMass(&random), second = RandomMass(&random);
    body.mass = in_parts ? first : Add(first, second);
    JointSpec joint = MakeJoint("free" + std::to_string(i), JointType::kFree, "world", body.name);
    joint.X_PF = RandomPose(&random);
    joint.X_CM = RandomPose(&random);
    builder.AddBody(body).AddJoint(joint);
    if (!in_parts) continue;
    BodySpec part = MakeBody("part" + std::to_string(i));
    part.mass = second;
    builder.AddBody(part).AddJoint(
        MakeJoint("weld" + std::to_string(i), JointType::kFixed, body.name, part.name));
  }
  return builder.Build();
}

// The number of a body in both models.
int Find(const Model& model, int i) { return *model.FindBody("body" + std::to_string(i)); }

TEST(FreeBody, IsOneOnlyWhereNothingHangsOnIt) {
  const Model whole = MakeBodies(1, false), welded = MakeBodies(1, true);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(whole.tree().is_free_body[Find(whole, i)]);
    EXPECT_FALSE(welded.tree().is_free_body[Find(welded, i)]);
  }
}

// What is written in closed form is what the algorithms for trees find.
TEST(FreeBody, AgreesWithTheTreeAlgorithms) {
  for (int seed = 0; seed < 50; ++seed) {
    const Model whole = MakeBodies(seed, false), welded = MakeBodies(seed, true);
    Random random(seed);
    const State state = MakeRandomState(whole, &random);
    ASSERT_EQ(welded.nq(), whole.nq());
    Configuration one(whole), other(welded);
    ASSERT_TRUE(one.Update(whole, state.q) && other.Update(welded, state.q));
    one.SetRates(whole, state.v);
    other.SetRates(welded, state.v);
    EXPECT_LT((whole.tree().pattern.ToDense(one.M()) - welded.tree().pattern.ToDense(other.M()))
                  .lpNorm<Eigen::Infinity>(),
              1e-13);
    for (int i = 0; i < 3; ++i) {
      const int b = Find(whole, i), m = Find(welded, i);
      EXPECT_LT((one.kin().V[b] - other.kin().V[m]).norm(), 1e-14);
      EXPECT_LT((one.kin().c[b] - other.kin().c[m]).norm(), 1e-13);
    }
  }
}

// Flight without forces: the centre of mass keeps its velocity, the spin follows Euler's equations.
TEST(FreeBody, FliesAsABodyDoes) {
  for (int seed = 0; seed < 50; ++seed) {
    const Model model = MakeBodies(seed, false);
    Random random(seed);
    const State state = MakeRandomState(model, &random);
    const double h = 0.05;
    Configuration start(model), end(model);
    VecX q1 = state.q;
    IntegratePositions(model, state.v, h, &q1);
    ASSERT_TRUE(start.Update(model, state.q) && end.Update(model, q1));
    start.SetRates(model, state.v);
    MomentumTransport transport(model);
    transport.Update(model, state.v, h, start, &end);
    end.SetRates(model, transport.v());
    for (int b = 1; b <= 3; ++b) {
      const Tree& tree = model.tree();
      const auto v_com = [&](const Configuration& at) {
        const Pose X_WB = CalcBodyPose(model, at.kin(), b);
        return Vec3(CalcPointVelocity(at.kin(), b, X_WB * model.body(b).mass.com).tail<3>());
      };
      const auto spin = [&](const Configuration& at) {
        const Mat3 R_WP = at.kin().X_WL[b].R * tree.R_LP[b];
        return Vec3(R_WP.transpose() * at.kin().V[b].head<3>());
      };
      EXPECT_LT((v_com(end) - v_com(start)).norm(), 1e-14 * state.v.norm());
      bool gave_up = false;
      const Vec3 expected = AdvanceSpin(tree.principal_moments[b], spin(start), h, &gave_up);
      ASSERT_FALSE(gave_up);
      EXPECT_LT((spin(end) - expected).norm(), 1e-14 * state.v.norm());
    }
  }
}

}  // namespace
}  // namespace voigt
