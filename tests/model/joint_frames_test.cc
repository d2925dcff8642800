// Where the builder puts the frames of joints, and how their axes turn.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>
#include <utility>

#include "tests/support/pose_error.h"
#include "tests/support/random_model.h"
#include "tests/support/specs.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/joint_motion.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;
using testing::MakeRandomTree;
using testing::PoseError;
using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

Kinematics KinematicsAt(const Model& model, const VecX& q) {
  Kinematics kin(model);
  UpdatePositions(model, q, &kin);
  return kin;
}

Pose BodyPose(const Model& model, const Kinematics& kin, const std::string& name) {
  return CalcBodyPose(model, kin, *model.FindBody(name));
}

// One body on one joint with random frames, forwards or backwards.
struct OneJoint {
  OneJoint(Random* random, JointSpec spec, bool reversed) : joint(std::move(spec)) {
    joint.name = "joint";
    joint.parent = reversed ? "body" : "world";
    joint.child = reversed ? "world" : "body";
    joint.X_PF = RandomPose(random);
    joint.X_CM = RandomPose(random);
  }

  Model Build() const {
    ModelBuilder builder;
    builder.AddBody(MakeBody("body")).AddJoint(joint);
    return builder.Build();
  }

  // The pose of M in F in the frames that the user gave, before axes are turned into z.
  Pose UserX_FM(const VecX& q) const {
    const Model model = Build();
    const Kinematics kin = KinematicsAt(model, q);
    return (BodyPose(model, kin, joint.parent) * joint.X_PF).Inverse() *
           (BodyPose(model, kin, joint.child) * joint.X_CM);
  }

  JointSpec joint;
};

// At neutral coordinates both frames of every joint coincide, whatever the axes and directions.
TEST(JointFrames, FramesOfJointsCoincideAtNeutralCoordinates) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Model model = MakeRandomTree(&random);
    const Kinematics kin = KinematicsAt(model, model.NeutralCoordinates());
    for (const JointSpec& joint : model.spec().joints) {
      const Pose F = BodyPose(model, kin, joint.parent) * joint.X_PF;
      const Pose M = BodyPose(model, kin, joint.child) * joint.X_CM;
      EXPECT_LT(PoseError(F, M), 1e-12) << "seed " << seed << ", " << joint.name;
    }
  }
}

TEST(JointFrames, LinkFramesAreTheJointsOwn) {
  // X_PI and X_LB are derived here from the user's frames alone, for joints without axes.
  Random random(1);
  for (bool reversed : {false, true}) {
    JointSpec spec;
    spec.type = JointType::kBall;
    const OneJoint one(&random, spec, reversed);
    const Model model = one.Build();
    const Pose& on_world = reversed ? one.joint.X_CM : one.joint.X_PF;
    const Pose& on_body = reversed ? one.joint.X_PF : one.joint.X_CM;
    EXPECT_LT(PoseError(model.tree().X_PI[1], on_world), 4e-15);
    EXPECT_LT(PoseError(model.tree().X_LB[1] * on_body, Pose{}), 4e-15);
    EXPECT_EQ(model.tree().reversed[1], reversed);
  }
}

TEST(JointFrames, AxesTurnTheMotionIntoTheGivenDirection) {
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const bool reversed = i % 2 == 1;
    const Vec3 axis = RandomVector(&random, 3);
    const Vec3 n = axis.normalized();
    const double angle = Uniform(&random, -3, 3), shift = Uniform(&random, -2, 2);
    JointSpec spec;
    spec.axis = axis;

    spec.type = JointType::kRevolute;
    EXPECT_LT(PoseError(OneJoint(&random, spec, reversed).UserX_FM(VecX::Constant(1, angle)),
                        {Eigen::AngleAxisd(angle, n).toRotationMatrix(), Vec3::Zero()}),
              1e-13);

    spec.type = JointType::kPrismatic;
    EXPECT_LT(PoseError(OneJoint(&random, spec, reversed).UserX_FM(VecX::Constant(1, shift)),
                        {Mat3::Identity(), shift * n}),
              1e-13);

    spec.type = JointType::kCylindrical;
    EXPECT_LT(PoseError(OneJoint(&random, spec, reversed).UserX_FM(Vec2(angle, shift)),
                        {Eigen::AngleAxisd(angle, n).toRotationMatrix(), shift * n}),
              1e-13);

    spec.type = JointType::kScrew;
    spec.pitch = 0.7;
    EXPECT_LT(PoseError(OneJoint(&random, spec, reversed).UserX_FM(VecX::Constant(1, angle)),
                        {Eigen::AngleAxisd(angle, n).toRotationMatrix(), 0.7 * angle * n}),
              1e-13);
    spec.pitch = 0;

    // In the plane the directions of x and y are the builder's choice; that they are normal to the
    // axis and to one another is not.
    spec.type = JointType::kPlanar;
    const OneJoint planar(&random, spec, reversed);
    const Vec3 along_x = planar.UserX_FM(Vec3(1, 0, 0)).p,
               along_y = planar.UserX_FM(Vec3(0, 1, 0)).p;
    EXPECT_NEAR(along_x.norm(), 1, 1e-13);
    EXPECT_LT((along_x.cross(along_y) - n).norm(), 1e-13);
    EXPECT_LT(PoseError(planar.UserX_FM(Vec3(0, 0, angle)),
                        {Eigen::AngleAxisd(angle, n).toRotationMatrix(), Vec3::Zero()}),
              1e-13);
  }
}

TEST(JointFrames, UniversalAxesTurnOneAfterTheOther) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    JointSpec spec;
    spec.type = JointType::kUniversal;
    spec.axis = RandomVector(&random, 2);
    spec.axis2 = spec.axis->cross(RandomVector(&random));
    const double a = Uniform(&random, -3, 3), b = Uniform(&random, -3, 3);
    const Mat3 expected = Eigen::AngleAxisd(a, spec.axis->normalized()).toRotationMatrix() *
                          Eigen::AngleAxisd(b, spec.axis2->normalized()).toRotationMatrix();
    EXPECT_LT(PoseError(OneJoint(&random, spec, i % 2 == 1).UserX_FM(Vec2(a, b)),
                        {expected, Vec3::Zero()}),
              1e-13);
  }
}

TEST(JointFrames, AxesOfAnyLengthAndNearlyPerpendicularOnesGiveRotations) {
  const auto frame_of = [](const JointSpec& joint) {
    ModelBuilder builder;
    builder.AddBody(MakeBody("body")).AddJoint(joint);
    return builder.Build().joint(1).X_PF.R;
  };
  JointSpec universal = MakeJoint("j", JointType::kUniversal, "world", "body");
  universal.axis = Vec3(1, 2, 3);
  universal.axis2 = Vec3(3, 0, -1) + 5e-10 * Vec3(1, 2, 3);
  const Mat3 R = frame_of(universal);
  EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 4e-15);
  EXPECT_LT((R.col(0) - Vec3(1, 2, 3).normalized()).norm(), 4e-15);
  EXPECT_LT((R.col(1) - Vec3(3, 0, -1).normalized()).norm(), 1e-8);

  JointSpec hinge = MakeJoint("j", JointType::kRevolute, "world", "body");
  for (double length : {1e-9, 1.0, 1e9, 1e200}) {
    hinge.axis = length * Vec3(2, -1, 2);
    EXPECT_LT((frame_of(hinge).col(2) - Vec3(2, -1, 2) / 3).norm(), 4e-15) << length;
  }
}

TEST(JointFrames, AxesMoveWithTheLinkUnlessTheParentCarriesThem) {
  for (int i = 0; i < kJointTypeCount; ++i) {
    const auto type = static_cast<JointType>(i);
    for (bool reversed : {false, true}) {
      Random random(i);
      JointSpec spec;
      spec.type = type;
      const Model model = OneJoint(&random, spec, reversed).Build();
      for (int k = 0; k < DofCount(type); ++k) {
        // Forwards the link is M, backwards it is F.
        EXPECT_EQ(model.tree().dof_moves_with_link[k] != 0,
                  reversed ? !AxisMovesWithM(type, k) : AxisMovesWithM(type, k));
      }
    }
  }
}

}  // namespace
}  // namespace voigt
