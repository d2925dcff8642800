#include "voigt/dynamics/free_body.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/specs.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/momentum_transport.h"
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

// Free bodies with joint frames anywhere. With `markers` each carries a massless one, which makes
// it a tree like any other.
Model MakeBodies(int seed, bool markers) {
  Random random(seed);
  ModelBuilder builder;
  for (int i = 0; i < 3; ++i) {
    BodySpec body = MakeBody("body" + std::to_string(i));
    body.mass = RandomMass(&random);
    JointSpec joint = MakeJoint("free" + std::to_string(i), JointType::kFree, "world", body.name);
    joint.X_PF = RandomPose(&random);
    joint.X_CM = RandomPose(&random);
    builder.AddBody(body).AddJoint(joint);
    if (!markers) continue;
    BodySpec marker = MakeBody("marker" + std::to_string(i), 0);
    marker.mass.inertia.setZero();
    builder.AddBody(marker).AddJoint(
        MakeJoint("weld" + std::to_string(i), JointType::kFixed, body.name, marker.name));
  }
  return builder.Build();
}

// The number of a body in both models.
int Find(const Model& model, int i) { return *model.FindBody("body" + std::to_string(i)); }

TEST(FreeBody, IsOneOnlyWhereNothingHangsOnIt) {
  const Model bare = MakeBodies(1, false), marked = MakeBodies(1, true);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(bare.tree().is_free_body[Find(bare, i)]);
    EXPECT_FALSE(marked.tree().is_free_body[Find(marked, i)]);
  }
}

// What is written in closed form is what the algorithms for trees find.
TEST(FreeBody, AgreesWithTheTreeAlgorithms) {
  for (int seed = 0; seed < 50; ++seed) {
    const Model bare = MakeBodies(seed, false), marked = MakeBodies(seed, true);
    Random random(seed);
    const State state = MakeRandomState(bare, &random);
    ASSERT_EQ(marked.nq(), bare.nq());
    Configuration one(bare), other(marked);
    ASSERT_TRUE(one.Update(bare, state.q) && other.Update(marked, state.q));
    one.SetRates(bare, state.v);
    other.SetRates(marked, state.v);
    EXPECT_LT((bare.tree().pattern.ToDense(one.M()) - marked.tree().pattern.ToDense(other.M()))
                  .lpNorm<Eigen::Infinity>(),
              1e-13);
    for (int i = 0; i < 3; ++i) {
      const int b = Find(bare, i), m = Find(marked, i);
      EXPECT_LT((one.kin().V[b] - other.kin().V[m]).norm(), 1e-14);
      EXPECT_LT((one.kin().c[b] - other.kin().c[m]).norm(), 1e-13);
    }

    // A step of flight; the rates at its end.
    const double h = 0.05;
    VecX q1 = state.q;
    IntegratePositions(bare, state.v, h, &q1);
    Configuration one_end(bare), other_end(marked);
    ASSERT_TRUE(one_end.Update(bare, q1) && other_end.Update(marked, q1));
    MomentumTransport direct(bare), pulled(marked);
    direct.Update(bare, state.v, h, one, &one_end);
    pulled.Update(marked, state.v, h, other, &other_end);
    EXPECT_LT((direct.v() - pulled.v()).norm(), 1e-12 * state.v.norm()) << seed;
  }
}

}  // namespace
}  // namespace voigt
