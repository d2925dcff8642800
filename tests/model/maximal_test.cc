#include "voigt/model/maximal.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/support/random_model.h"
#include "voigt/base/errors.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/math/rotation.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::MakeRandomState;
using testing::MakeRandomTree;
using testing::Random;
using testing::RandomVector;
using testing::Uniform;

constexpr int kTrees = 60;

Kinematics KinematicsOf(const Model& model, const State& state) {
  Kinematics kin(model);
  UpdatePositions(model, state.q, &kin);
  UpdateVelocities(model, state.v, &kin);
  return kin;
}

// A random tree in a random state, in both kinds of coordinates.
struct BothKinds {
  explicit BothKinds(int seed)
      : random(seed), model(MakeRandomTree(&random, Options(seed))), maximal(ToMaximal(model)) {
    state = MakeRandomState(model, &random);
    // Some angles have turned many times.
    for (int b = 1; b < model.nb(); ++b) {
      const JointType type = model.tree().type[b];
      if (CoordinateCount(type) != DofCount(type)) continue;
      if (random() % 3 == 0) {
        state.q.segment(model.tree().q_start[b], CoordinateCount(type)).array() += 12 * kPi;
      }
    }
    maximal_state = ToMaximalState(model, state, maximal);
  }

  static testing::RandomTreeOptions Options(int seed) {
    testing::RandomTreeOptions options;
    options.max_dofs = 30;
    options.with_springs = seed % 2 == 0;
    return options;
  }

  Random random;
  Model model, maximal;
  State state, maximal_state;
};

TEST(Maximal, FreesEveryBodyAndMakesEveryJointALoop) {
  for (int seed = 0; seed < 20; ++seed) {
    const BothKinds c(seed);
    ASSERT_EQ(c.maximal.nb(), c.model.nb());
    EXPECT_EQ(c.maximal.nv(), 6 * (c.model.nb() - 1));
    for (int b = 1; b < c.maximal.nb(); ++b) {
      EXPECT_EQ(c.maximal.tree().type[b], JointType::kFree);
      EXPECT_EQ(c.maximal.tree().parent[b], 0);
      EXPECT_EQ(c.maximal.joint(b).name, "free:" + c.maximal.body(b).name);
    }
    const auto& joints = c.model.spec().joints;
    ASSERT_EQ(c.maximal.loops().size(), joints.size());
    for (size_t i = 0; i < joints.size(); ++i) {
      const Joint& loop = c.maximal.loops()[i];
      EXPECT_EQ(loop.name, joints[i].name);
      EXPECT_EQ(loop.type, joints[i].type);
      // Springs, damping and armature stay with their joints.
      const Joint& original = c.model.joint(*c.model.FindJoint(loop.name));
      EXPECT_EQ(loop.stiffness, original.stiffness);
      EXPECT_EQ(loop.damping, original.damping);
      EXPECT_EQ(loop.armature, original.armature);
      EXPECT_EQ(loop.X_PF.R, original.X_PF.R);
    }
    EXPECT_NEAR(c.maximal.TotalMass(), c.model.TotalMass(), 1e-12);
  }
}

TEST(Maximal, FindsNamesThatAreNotTaken) {
  ModelBuilder builder;
  BodySpec body;
  body.name = "a";
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3::Zero(), Mat3(Mat3::Identity())};
  JointSpec joint;
  joint.name = "free:a";
  joint.type = JointType::kRevolute;
  joint.child = "a";
  const Model maximal = ToMaximal(builder.AddBody(body).AddJoint(joint).Build());
  EXPECT_EQ(maximal.joint(1).name, "free:a'");
  EXPECT_EQ(maximal.loops()[0].name, "free:a");
}

TEST(Maximal, CoordinatesAreThePosesOfTheBodies) {
  for (int seed = 0; seed < kTrees; ++seed) {
    const BothKinds c(seed);
    const Kinematics kin = KinematicsOf(c.model, c.state);
    for (int b = 1; b < c.model.nb(); ++b) {
      const Pose X = CalcBodyPose(c.model, kin, b);
      const int q_start = c.maximal.tree().q_start[*c.maximal.FindBody(c.model.body(b).name)];
      const Vec3 p = c.maximal_state.q.segment<3>(q_start);
      const Vec4 quaternion = c.maximal_state.q.segment<4>(q_start + 3);
      EXPECT_LT((p - X.p).norm(), 1e-12 * (1 + X.p.norm())) << "seed " << seed;
      EXPECT_NEAR(quaternion.norm(), 1, 1e-14);
      EXPECT_LT((QuaternionToMatrix(quaternion) - X.R).norm(), 1e-12) << "seed " << seed;
    }
  }
}

TEST(Maximal, BodiesMoveAsInTheTree) {
  for (int seed = 0; seed < kTrees; ++seed) {
    const BothKinds c(seed);
    const Kinematics kin = KinematicsOf(c.model, c.state);
    const Kinematics free = KinematicsOf(c.maximal, c.maximal_state);
    for (int b = 1; b < c.model.nb(); ++b) {
      const int m = *c.maximal.FindBody(c.model.body(b).name);
      const Pose X = CalcBodyPose(c.model, kin, b), Y = CalcBodyPose(c.maximal, free, m);
      EXPECT_LT((X.p - Y.p).norm() + (X.R - Y.R).norm(), 1e-12 * (1 + X.p.norm()));
      const Vec6 V = CalcPointVelocity(kin, b, X.p), W = CalcPointVelocity(free, m, Y.p);
      EXPECT_LT((V - W).norm(), 1e-12 * (1 + V.norm())) << "seed " << seed;
    }
  }
}

TEST(Maximal, AndBackRecoversCoordinatesAndRates) {
  for (int seed = 0; seed < kTrees; ++seed) {
    BothKinds c(seed);
    State hint = c.state;
    for (double& value : hint.q) value += Uniform(&c.random, -0.2, 0.2);
    const MinimalState back = ToMinimalState(c.maximal, c.maximal_state, c.model, hint);
    EXPECT_LT((back.state.q - c.state.q).norm(), 1e-12 * (1 + c.state.q.norm())) << "seed " << seed;
    EXPECT_LT((back.state.v - c.state.v).norm(), 1e-12 * (1 + c.state.v.norm())) << "seed " << seed;
    EXPECT_LT(back.position_error, 1e-12);
    EXPECT_LT(back.rotation_error, 1e-12);
    // Velocities of bodies far out in the chain are large; so is their rounding.
    EXPECT_LT(back.velocity_error, 1e-12 * (1 + c.maximal_state.v.norm()));
  }
}

TEST(Maximal, QuaternionsTakeTheSignOfTheHint) {
  int negative = 0;
  for (int seed = 0; seed < kTrees; ++seed) {
    BothKinds c(seed);
    const Tree& tree = c.model.tree();
    for (int b = 1; b < c.model.nb(); ++b) {
      if (tree.type[b] != JointType::kBall && tree.type[b] != JointType::kFree) continue;
      const int at = tree.q_start[b] + CoordinateCount(tree.type[b]) - 4;
      c.state.q.segment<4>(at) *= -1;
      ++negative;
    }
    const MinimalState back = ToMinimalState(c.maximal, c.maximal_state, c.model, c.state);
    EXPECT_LT((back.state.q - c.state.q).norm(), 1e-12 * (1 + c.state.q.norm())) << "seed " << seed;
  }
  EXPECT_GT(negative, 20);
}

TEST(Maximal, CarriesTheRestOfTheStateAlong) {
  BothKinds c(3);
  c.state.t = 7;
  c.state.modes = {1, 2};
  c.state.activation = VecX::Ones(2);
  const State maximal_state = ToMaximalState(c.model, c.state, c.maximal);
  EXPECT_EQ(maximal_state.t, 7);
  EXPECT_EQ(maximal_state.modes, c.state.modes);
  EXPECT_EQ(maximal_state.activation, c.state.activation);
  const MinimalState back = ToMinimalState(c.maximal, maximal_state, c.model, c.state);
  EXPECT_EQ(back.state.t, 7);
  EXPECT_EQ(back.state.modes, c.state.modes);
}

// One hinge about z of the world with the body's frame at the joint.
Model MakeHinge(JointType type = JointType::kRevolute) {
  BodySpec body;
  body.name = "door";
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3::Zero(), Mat3::Identity()};
  JointSpec joint;
  joint.name = "hinge";
  joint.type = type;
  joint.child = "door";
  ModelBuilder builder;
  builder.AddBody(body).AddJoint(joint);
  return builder.Build();
}

TEST(Maximal, ReportsBodiesMovedOffTheirJoints) {
  const Model model = MakeHinge(), maximal = ToMaximal(model);
  State state;
  state.q = VecX::Constant(1, 0.5);
  state.v = VecX::Constant(1, 2);
  const State placed = ToMaximalState(model, state, maximal);

  // 3-4-5: the distance, not its largest component.
  State moved = placed;
  moved.q.head<3>() += Vec3(3e-3, 0, 4e-3);
  MinimalState back = ToMinimalState(maximal, moved, model, state);
  EXPECT_NEAR(back.position_error, 5e-3, 4e-15);
  EXPECT_LT(back.rotation_error, 1e-14);
  EXPECT_NEAR(back.state.q[0], 0.5, 1e-14);

  // Tilted about x of the door by 0.01 rad.
  State tilted = placed;
  tilted.q.tail<4>() = QuaternionProduct(placed.q.tail<4>(), QuaternionExp({0.01, 0, 0}));
  back = ToMinimalState(maximal, tilted, model, state);
  EXPECT_NEAR(back.rotation_error, 0.01, 1e-14);
  EXPECT_NEAR(back.state.q[0], 0.5, 1e-14);
  EXPECT_LT(back.position_error, 4e-15);

  // Sliding along the hinge and turning across it.
  State sliding = placed;
  sliding.v[2] += 0.25;
  back = ToMinimalState(maximal, sliding, model, state);
  EXPECT_NEAR(back.velocity_error, 0.25, 1e-14);
  EXPECT_NEAR(back.state.v[0], 2, 1e-14);
  State turning = placed;
  turning.v[3] += 0.125;
  back = ToMinimalState(maximal, turning, model, state);
  EXPECT_NEAR(back.velocity_error, 0.125, 1e-14);
  EXPECT_NEAR(back.state.v[0], 2, 1e-14);
}

TEST(Maximal, ReportsTheLargestErrorOfAllJoints) {
  for (int seed = 0; seed < 20; ++seed) {
    BothKinds c(seed);
    // Every body by its own small shift; free joints absorb theirs.
    State shaken = c.maximal_state;
    for (int b = 1; b < c.maximal.nb(); ++b) {
      const int q_start = c.maximal.tree().q_start[b];
      shaken.q.segment<3>(q_start) += RandomVector(&c.random, 1e-3);
    }
    const MinimalState back = ToMinimalState(c.maximal, shaken, c.model, c.state);
    // Turns are as before, so a joint's error is at most the relative shift of its two sides.
    EXPECT_LT(back.rotation_error, 1e-12);
    EXPECT_LE(back.position_error, 2e-3 * std::sqrt(3.0));
    int constrained = 0;
    for (int b = 1; b < c.model.nb(); ++b)
      constrained += c.model.tree().type[b] != JointType::kFree;
    if (constrained == 0) {
      EXPECT_LT(back.position_error, 1e-12);
    } else {
      EXPECT_GT(back.position_error, 1e-7);
    }
  }
}

TEST(Maximal, FittedStateIsAFixedPoint) {
  // Off the joints by a little: what comes back is a state of the tree, so that going there and
  // back again changes nothing.
  for (int seed = 0; seed < 20; ++seed) {
    BothKinds c(seed);
    for (double& value : c.maximal_state.q) value += Uniform(&c.random, -1e-3, 1e-3);
    const MinimalState first = ToMinimalState(c.maximal, c.maximal_state, c.model, c.state);
    const State again = ToMaximalState(c.model, first.state, c.maximal);
    const MinimalState second = ToMinimalState(c.maximal, again, c.model, first.state);
    // Coordinates alone: quaternions were left unnormalised above, the tree's are of unit length.
    EXPECT_LT((second.state.q - first.state.q).norm(), 1e-12 * (1 + first.state.q.norm()));
    EXPECT_LT(second.position_error + second.rotation_error, 1e-12);
  }
}

TEST(Maximal, KeepsLoopsAndLoads) {
  ModelSpec spec;
  for (const char* name : {"a", "b", "c"}) {
    BodySpec body;
    body.name = name;
    body.mass_source = MassSource::kExplicit;
    body.mass = {1, Vec3::Zero(), Mat3::Identity()};
    spec.bodies.push_back(body);
  }
  const auto add = [&](const std::string& name, const std::string& parent, const std::string& child,
                       TreeChoice tree) {
    JointSpec joint;
    joint.name = name;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = child;
    joint.tree = tree;
    spec.joints.push_back(joint);
  };
  add("j1", "world", "a", TreeChoice::kTree);
  add("j2", "a", "b", TreeChoice::kAuto);
  add("j3", "c", "b", TreeChoice::kAuto);
  add("j4", "world", "c", TreeChoice::kLoop);
  spec.joint_loads.push_back({"twist", "j2", {TimeFunction(1)}, {}});
  spec.servos.push_back({"hold", "j1", {1}, {}, {0}, {}, {}});
  const Model model = ModelBuilder(spec).Build();
  ASSERT_EQ(model.loops().size(), 1u);
  const Model maximal = ToMaximal(model);
  ASSERT_EQ(maximal.loops().size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(maximal.loops()[i].name, spec.joints[i].name);
  EXPECT_EQ(maximal.joint_loads().size(), 1u);
  EXPECT_EQ(maximal.servos().size(), 1u);
  EXPECT_EQ(maximal.nv(), 18);

  Random random(1);
  const State state = MakeRandomState(model, &random);
  const MinimalState back =
      ToMinimalState(maximal, ToMaximalState(model, state, maximal), model, state);
  EXPECT_LT((back.state.q - state.q).norm() + (back.state.v - state.v).norm(), 1e-13);
}

TEST(Maximal, ChecksSizesOfStates) {
  const Model model = MakeHinge(), maximal = ToMaximal(model);
  State state;
  state.q = state.v = VecX::Zero(1);
  const State placed = ToMaximalState(model, state, maximal);
  EXPECT_THROW(ToMaximalState(model, State{}, maximal), std::logic_error);
  EXPECT_THROW(ToMinimalState(maximal, placed, model, State{}), std::logic_error);
  EXPECT_THROW(ToMinimalState(maximal, state, model, state), std::logic_error);
}

}  // namespace
}  // namespace voigt
