// Joints as scenes describe them: where their axes point, what their coordinates do to the child,
// and every property they may have.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/io/scene_problems.h"
#include "tests/io/scene_values.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::List;

constexpr double kHalfPi = kPi / 2;

// A joint j of the world that holds body b, with these keys.
Scene MakeJointScene(const std::string& keys, const std::string& initial = "{}") {
  return ParseScene(
      "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [{name: j, child: b, " +
          keys +
          "}]\n"
          "initial: {j: " +
          initial + "}\n",
      "s");
}

Joint MakeJoint(const std::string& keys) { return MakeJointScene(keys).model.joint(1); }

// The pose of b with these initial coordinates.
Pose PoseOfBody(const std::string& keys, const std::string& initial) {
  const Scene scene = MakeJointScene(keys, initial);
  Kinematics kin(scene.model);
  UpdatePositions(scene.model, scene.initial.q, &kin);
  return CalcBodyPose(scene.model, kin, 1);
}

void ExpectPose(const Pose& X, const Mat3& R, const Vec3& p) {
  EXPECT_LT((X.R - R).norm(), 1e-14) << X.R;
  EXPECT_LT((X.p - p).norm(), 1e-14) << X.p;
}

Mat3 Rx(double angle) { return RotationAbout(Vec3::UnitX(), angle); }
Mat3 Ry(double angle) { return RotationAbout(Vec3::UnitY(), angle); }
Mat3 Rz(double angle) { return RotationAbout(Vec3::UnitZ(), angle); }

TEST(SceneJoints, HaveTheCoordinatesOfTheirType) {
  const std::vector<std::tuple<std::string, JointType, int, int>> types = {
      {"fixed", JointType::kFixed, 0, 0},
      {"revolute", JointType::kRevolute, 1, 1},
      {"prismatic", JointType::kPrismatic, 1, 1},
      {"screw, pitch: 0.1", JointType::kScrew, 1, 1},
      {"cylindrical", JointType::kCylindrical, 2, 2},
      {"universal", JointType::kUniversal, 2, 2},
      {"planar", JointType::kPlanar, 3, 3},
      {"ball", JointType::kBall, 4, 3},
      {"free", JointType::kFree, 7, 6}};
  EXPECT_EQ(types.size(), static_cast<size_t>(kJointTypeCount));
  for (const auto& [name, type, nq, nv] : types) {
    const Scene scene = ParseScene(
        "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
        "joints: [{name: j, child: b, type: " +
            name + "}]\n",
        "s");
    EXPECT_EQ(scene.model.joint(1).type, type) << name;
    EXPECT_EQ(scene.model.nq(), nq) << name;
    EXPECT_EQ(scene.model.nv(), nv) << name;
  }
}

TEST(SceneJoints, TurnAndSlideAboutZByDefault) {
  const Mat3 I = Mat3::Identity();
  const Vec3 zero = Vec3::Zero();
  ExpectPose(PoseOfBody("type: fixed", "[]"), I, zero);
  ExpectPose(PoseOfBody("type: revolute", "0.5"), Rz(0.5), zero);
  ExpectPose(PoseOfBody("type: prismatic", "0.5"), I, Vec3(0, 0, 0.5));
  ExpectPose(PoseOfBody("type: screw, pitch: 0.1", "2"), Rz(2), Vec3(0, 0, 0.2));
  ExpectPose(PoseOfBody("type: cylindrical", "[0.5, 3]"), Rz(0.5), Vec3(0, 0, 3));
  ExpectPose(PoseOfBody("type: universal", "[0.5, 0.7]"), Rx(0.5) * Ry(0.7), zero);
  ExpectPose(PoseOfBody("type: planar", "[1, 2, 0.5]"), Rz(0.5), Vec3(1, 2, 0));
  ExpectPose(PoseOfBody("type: ball", "[1, 1, 0, 0]"), Rx(kHalfPi), zero);
  ExpectPose(PoseOfBody("type: free", "[1, 2, 3, 1, 0, 0, 1]"), Rz(kHalfPi), Vec3(1, 2, 3));
}

TEST(SceneJoints, FollowTheirAxis) {
  const Mat3 I = Mat3::Identity();
  ExpectPose(PoseOfBody("type: revolute, axis: [0, 2, 0]", "0.5"), Ry(0.5), Vec3::Zero());
  ExpectPose(PoseOfBody("type: revolute, axis: [0, -1, 0]", "0.5"), Ry(-0.5), Vec3::Zero());
  ExpectPose(PoseOfBody("type: prismatic, axis: [3, 4, 0]", "5"), I, Vec3(3, 4, 0));
  ExpectPose(PoseOfBody("type: screw, pitch: -0.1, axis: [1, 0, 0]", "2"), Rx(2), Vec3(-0.2, 0, 0));
  ExpectPose(PoseOfBody("type: cylindrical, axis: [1, 0, 0]", "[0.5, 3]"), Rx(0.5), Vec3(3, 0, 0));
  ExpectPose(PoseOfBody("type: universal, axis: [0, 0, 1], axis2: [1, 0, 0]", "[0.5, 0.7]"),
             Rz(0.5) * Rx(0.7), Vec3::Zero());
}

// The first direction of a planar joint is the coordinate axis farthest from the normal, made
// perpendicular to it; the second completes a right-handed system.
TEST(SceneJoints, PlanarDirectionsFollowTheNormal) {
  ExpectPose(PoseOfBody("type: planar, axis: [0, 1, 0]", "[1, 2, 0.5]"), Ry(0.5), Vec3(1, 0, -2));
  ExpectPose(PoseOfBody("type: planar, axis: [1, 0, 0]", "[1, 2, 0.5]"), Rx(0.5), Vec3(0, 1, 2));
}

TEST(SceneJoints, SitAtTheirFrames) {
  // F stands at x = 1, M at z = 2 of the body: the quarter turn about y carries M's offset to -x.
  ExpectPose(PoseOfBody("type: revolute, axis: [0, 1, 0], frame: {position: [1, 0, 0]}, "
                        "child_frame: {position: [0, 0, 2]}",
                        "90 deg"),
             Ry(kHalfPi), Vec3(-1, 0, 0));
  // A turned frame turns the axis with it: z of F is x of the world.
  ExpectPose(PoseOfBody("type: prismatic, frame: {rpy: [0, 90 deg, 0]}", "2"), Ry(kHalfPi),
             Vec3(2, 0, 0));
}

TEST(SceneJoints, ConnectTheWorldUnlessTheyNameAParent) {
  const Scene scene = ParseScene(
      "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints:\n"
      "  - {name: j, type: revolute, child: a}\n"
      "  - {name: k, type: prismatic, parent: a, child: b, frame: {position: [1, 0, 0]}}\n",
      "s");
  const Model& model = scene.model;
  EXPECT_EQ(model.joint(*model.FindBody("a")).parent, 0);
  EXPECT_EQ(model.joint(*model.FindBody("b")).parent, *model.FindBody("a"));
  EXPECT_EQ(model.joint(*model.FindBody("b")).X_PF.p, Vec3(1, 0, 0));
}

TEST(SceneJoints, LimitsArePairsForAllOrForEach) {
  const Joint one = MakeJoint("type: revolute, limits: [-90 deg, 0.5]");
  EXPECT_DOUBLE_EQ(one.lower[0], -kHalfPi);
  EXPECT_EQ(one.upper[0], 0.5);
  const Joint all = MakeJoint("type: cylindrical, limits: [-1, 2]");
  EXPECT_EQ(all.lower, List({-1, -1}));
  EXPECT_EQ(all.upper, List({2, 2}));
  const Joint each = MakeJoint("type: planar, limits: [[-1, 1], [-inf, 2], [0, inf]]");
  EXPECT_EQ(each.lower, List({-1, -kInfinity, 0}));
  EXPECT_EQ(each.upper, List({1, 2, kInfinity}));
  const Joint none = MakeJoint("type: revolute");
  EXPECT_EQ(none.lower[0], -kInfinity);
  EXPECT_EQ(none.upper[0], kInfinity);
}

TEST(SceneJoints, SpringsRestAtZeroOrWhereTheySay) {
  const Joint plain = MakeJoint("type: revolute, spring: {stiffness: 20}");
  EXPECT_EQ(plain.stiffness, List({20}));
  EXPECT_EQ(plain.rest, List({0}));
  const Joint scalar = MakeJoint("type: revolute, spring: {stiffness: 20, rest: 30 deg}");
  EXPECT_DOUBLE_EQ(scalar.rest[0], kPi / 6);
  const Joint each = MakeJoint("type: cylindrical, spring: {stiffness: [1, 2], rest: [3, 4]}");
  EXPECT_EQ(each.stiffness, List({1, 2}));
  EXPECT_EQ(each.rest, List({3, 4}));
}

TEST(SceneJoints, SpringsOfBallAndFreeJointsRestAtPoses) {
  const double s = std::sqrt(0.5);
  const Joint ball = MakeJoint("type: ball, spring: {stiffness: 5, rest: {rpy: [0, 0, 90 deg]}}");
  EXPECT_EQ(ball.stiffness, List({5, 5, 5}));
  EXPECT_LT((ball.rest - List({s, 0, 0, s})).norm(), 1e-15);
  const Joint free = MakeJoint(
      "type: free, spring: {stiffness: 5, rest: {position: [1, 2, 3], rpy: [90 deg, 0, 0]}}");
  EXPECT_LT((free.rest - List({1, 2, 3, s, s, 0, 0})).norm(), 1e-15);
  const Joint list = MakeJoint("type: ball, spring: {stiffness: 5, rest: [0, 1, 0, 0]}");
  EXPECT_EQ(list.rest, List({0, 1, 0, 0}));
  const Joint plain = MakeJoint("type: free, spring: {stiffness: [1, 2, 3, 4, 5, 6]}");
  EXPECT_EQ(plain.rest, List({0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(plain.stiffness, List({1, 2, 3, 4, 5, 6}));
}

TEST(SceneJoints, HaveDampingArmatureAndFriction) {
  const Joint joint = MakeJoint(
      "type: cylindrical, damping: [1, 2], armature: 0.1, friction: {dry: [3, 4], viscous: 5}");
  EXPECT_EQ(joint.damping, List({1, 2}));
  EXPECT_EQ(joint.armature, List({0.1, 0.1}));
  EXPECT_EQ(joint.dry_friction, List({3, 4}));
  EXPECT_EQ(joint.viscous_friction, List({5, 5}));
  const Joint bare = MakeJoint("type: revolute");
  for (const VecX& list : {bare.damping, bare.armature, bare.dry_friction, bare.viscous_friction}) {
    EXPECT_EQ(list, List({0}));
  }
}

// Two ways around: the first joint in the file goes to the tree unless `tree` says otherwise.
TEST(SceneJoints, ChooseTheTree) {
  const auto loop_of = [](const std::string& j, const std::string& k) {
    const Scene scene = ParseScene(
        "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
        "joints:\n"
        "  - {name: j, type: revolute, child: b" +
            j +
            "}\n"
            "  - {name: k, type: ball, child: b" +
            k + "}\n",
        "s");
    EXPECT_EQ(scene.model.loops().size(), 1u);
    return scene.model.loops()[0].name;
  };
  EXPECT_EQ(loop_of("", ""), "k");
  EXPECT_EQ(loop_of(", tree: auto", ", tree: loop"), "k");
  EXPECT_EQ(loop_of(", tree: loop", ""), "j");
  EXPECT_EQ(loop_of("", ", tree: tree"), "j");
}

TEST(SceneJoints, MayHaveFrictionByTheirReaction) {
  const ReactionFriction friction =
      MakeJoint("type: revolute, friction: {kinetic: 0.2, radius: 0.05, viscous: 3}")
          .reaction_friction;
  EXPECT_EQ(friction.mu_kinetic, 0.2);
  EXPECT_EQ(friction.mu_static, 0.2);
  EXPECT_EQ(friction.radius, 0.05);
  EXPECT_FALSE(MakeJoint("type: revolute, friction: {dry: 1}").reaction_friction.is_present());
}

}  // namespace
}  // namespace voigt
