#include "voigt/constraints/joint_limit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/constraints/row_checks.h"
#include "voigt/constraints/cone_limit.h"
#include "voigt/math/rotation.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::ConstraintList;
using testing::MakeRandomState;
using testing::MakeRows;
using testing::Random;
using testing::Rows;
using testing::Uniform;

// Random trees in which every joint has all the limits it can have.
Model MakeLimitedTree(Random* random) {
  return testing::AddToRandomTree(random, [&](ModelSpec* spec) {
    for (JointSpec& joint : spec->joints) {
      if (joint.type == JointType::kBall) joint.cone_limit = Uniform(random, 0.2, 3);
      if (HasQuaternion(joint.type) || DofCount(joint.type) == 0) continue;
      joint.lower = {Uniform(random, -1, 0)};
      joint.upper = {Uniform(random, 0, 1)};
    }
  });
}

TEST(JointLimit, HasRowsThatAreExactDerivatives) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Model tree = MakeLimitedTree(&random);
    const ConstraintList on_tree = ConstraintSet(tree).list();
    const State state = MakeRandomState(tree, &random);
    EXPECT_LT(testing::CalcDerivativeError(tree, on_tree, state, &random), 1e-8) << seed;

    // The same as loops of free bodies, on the joint and off it.
    const Model free = ToMaximal(tree);
    const ConstraintList on_loops = testing::Select(
        free, [](const Constraint& c) { return c.name().find("limit") != std::string::npos; });
    EXPECT_EQ(on_loops.size(), on_tree.size());
    State start = state;
    for (double& q : start.q) q = 0.6 * q;
    NormalizePositions(tree, &start.q);
    State near = ToMaximalState(tree, start, free);
    EXPECT_LT(testing::CalcDerivativeError(free, on_loops, near, &random), 1e-8) << seed;
    IntegratePositions(free, testing::RandomRates(free, &random, 0.1), 1, &near.q);
    EXPECT_LT(testing::CalcDerivativeError(free, on_loops, near, &random), 1e-8) << seed;
  }
}

TEST(JointLimit, IsTheSameOnLoopJoints) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Model tree = MakeLimitedTree(&random), free = ToMaximal(tree);
    State state = MakeRandomState(tree, &random);
    const Rows on_tree = MakeRows(tree, state);
    const Rows on_loops = MakeRows(
        free,
        testing::Select(
            free, [](const Constraint& c) { return c.name().find("limit") != std::string::npos; }),
        ToMaximalState(tree, state, free));
    // Loops are in the order of the joints, tree joints in that of the tree: compare sums.
    ASSERT_EQ(on_loops.size(), on_tree.size());
    EXPECT_NEAR(on_loops.Phi().sum(), on_tree.Phi().sum(), 1e-11) << "seed " << seed;
  }
}

// A body on one joint, with its limits.
Model MakeOneJoint(JointSpec joint, bool is_loop = false) {
  ModelBuilder builder;
  BodySpec body;
  body.name = "b";
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3::Zero(), Mat3::Identity()};
  joint.name = "j";
  joint.child = "b";
  const Model model = builder.AddBody(body).AddJoint(joint).Build();
  return is_loop ? ToMaximal(model) : model;
}

State StateOfOne(const Model& model, double q, double v = 0) {
  State state;
  state.q = model.NeutralCoordinates();
  state.q[0] = q;
  state.v = VecX::Zero(model.nv());
  state.v[0] = v;
  return state;
}

TEST(JointLimit, HasAGapOnEachSide) {
  JointSpec slider;
  slider.type = JointType::kPrismatic;
  slider.lower = {-0.5};
  slider.upper = {2};
  const Model model = MakeOneJoint(slider);
  const Rows rows = MakeRows(model, StateOfOne(model, 0.3));
  ASSERT_EQ(rows.size(), 2);
  ASSERT_EQ(rows.problem.groups.size(), 2u);
  EXPECT_EQ(rows.problem.groups[1].law, Law::kUnilateral);
  EXPECT_DOUBLE_EQ(rows[0].phi, 0.8);
  EXPECT_DOUBLE_EQ(rows[1].phi, 1.7);
  EXPECT_EQ(rows.problem.G[0], 1);
  EXPECT_EQ(rows.problem.G[1], -1);
  EXPECT_FALSE(rows[0].angular);
  EXPECT_DOUBLE_EQ(rows[0].v_hat, -80);  // rigid: may close the gap in the step
  EXPECT_EQ(rows[0].R, 0);
  EXPECT_NE(rows.problem.groups[0].id, rows.problem.groups[1].id);

  slider.lower = {-kInfinity};
  const Model one = MakeOneJoint(slider);
  EXPECT_EQ(MakeRows(one, StateOfOne(one, 0)).size(), 1);
}

TEST(JointLimit, LetsOutSlowlyWhatStartsOutside) {
  JointSpec hinge;
  hinge.type = JointType::kRevolute;
  hinge.lower = {0};
  const Model model = MakeOneJoint(hinge);
  const Rows rows = MakeRows(model, StateOfOne(model, -0.5));
  EXPECT_DOUBLE_EQ(rows[0].phi, -0.5);
  EXPECT_DOUBLE_EQ(rows[0].v_hat, 1);  // recovery_speed, not 0.5/0.01
  EXPECT_TRUE(rows[0].angular);
}

TEST(JointLimit, MayBeSoft) {
  JointSpec hinge;
  hinge.type = JointType::kRevolute;
  hinge.lower = {0};
  hinge.limit_stiffness = 500;
  hinge.limit_damping = 5;
  const Model model = MakeOneJoint(hinge);
  const Rows rows = MakeRows(model, StateOfOne(model, -0.5));
  EXPECT_DOUBLE_EQ(rows[0].R, 1 / (0.01 * (0.01 * 500 + 5)));
  EXPECT_DOUBLE_EQ(rows[0].v_hat, 0.5 / (0.01 + 0.01));
}

TEST(JointLimit, OfLoopsCountsAnglesFromTheMiddle) {
  JointSpec hinge;
  hinge.type = JointType::kRevolute;
  hinge.lower = {0.1};
  hinge.upper = {6};
  const Model tree = MakeOneJoint(hinge), free = ToMaximal(tree);
  const ConstraintList list = {MakeJointLimit(free, JointRows::OfLoop(free, 0))};
  for (double q : {0.2, 2.0, 4.0, 5.9, 6.1}) {
    const Rows rows = MakeRows(free, list, ToMaximalState(tree, StateOfOne(tree, q), free));
    EXPECT_NEAR(rows[0].phi, q - 0.1, 1e-14);
    EXPECT_NEAR(rows[1].phi, 6 - q, 1e-14);
  }
}

TEST(ConeLimit, MeasuresTheSwingNotTheTwist) {
  JointSpec ball;
  ball.type = JointType::kBall;
  ball.cone_limit = 0.5;
  for (bool is_loop : {false, true}) {
    const Model model = MakeOneJoint(ball, is_loop);
    const ConstraintList list = {
        MakeConeLimit(model, is_loop ? JointRows::OfLoop(model, 0) : JointRows::OfTree(model, 1))};
    State state;
    state.v = VecX::Zero(model.nv());
    const auto phi = [&](const Vec4& quaternion) {
      state.q = model.NeutralCoordinates();
      state.q.tail<4>() = quaternion;
      return MakeRows(model, list, state)[0].phi;
    };
    const Vec4 swing = QuaternionExp({0.3, 0, 0}), twist = QuaternionExp({0, 0, 2});
    EXPECT_NEAR(phi(QuaternionIdentity()), 0.5, 1e-15);
    EXPECT_NEAR(phi(swing), 0.2, 1e-15);
    EXPECT_NEAR(phi(QuaternionProduct(swing, twist)), 0.2, 1e-15);
    EXPECT_NEAR(phi(QuaternionExp({0, 1.5, 0})), -1, 1e-15);
    EXPECT_NEAR(phi(QuaternionExp({0, kPi, 0})), 0.5 - kPi, 1e-15);
    const Rows rows = MakeRows(model, list, state);
    EXPECT_TRUE(rows.problem.ToDenseG().allFinite());
    EXPECT_EQ(rows.problem.groups[0].law, Law::kUnilateral);
  }
}

}  // namespace
}  // namespace voigt
