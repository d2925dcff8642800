#include "voigt/model/model_builder.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "tests/support/random_model.h"
#include "tests/support/specs.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/math/rotation.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;
using testing::MakeRandomTree;
using testing::Mentions;
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

double PoseError(const Pose& a, const Pose& b) { return (a.R - b.R).norm() + (a.p - b.p).norm(); }

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

TEST(ModelBuilder, BuildsTheWorldAlone) {
  const Model model = ModelBuilder().Build();
  EXPECT_EQ(model.nb(), 1);
  EXPECT_EQ(model.nq(), 0);
  EXPECT_EQ(model.nv(), 0);
  EXPECT_EQ(model.body(0).name, "world");
  EXPECT_EQ(model.NeutralCoordinates().size(), 0);
}

TEST(ModelBuilder, ListsAllProblemsAtOnce) {
  ModelSpec spec;
  spec.gravity[0] = kNaN;
  spec.bodies = {MakeBody("a"), MakeBody("a"), MakeBody("world"), MakeBody("c")};
  spec.bodies[3].mass.mass = -1;
  spec.bodies[3].mass.inertia = Vec3(1, 1, 5).asDiagonal();
  spec.joints = {MakeJoint("j1", JointType::kRevolute, "world", "a"),
                 MakeJoint("j2", JointType::kRevolute, "a", "nobody"),
                 MakeJoint("j3", JointType::kRevolute, "c", "c")};
  spec.joints[0].axis = Vec3::Zero();
  spec.joints[0].lower = {1};
  spec.joints[0].upper = {0};
  spec.joints[1].stiffness = {-5};
  spec.joints[1].damping = {1, 2};
  spec.joint_loads.push_back({"load", "nothing", {}, {}});
  spec.servos.push_back({"servo", "nothing", {1}, {}, {0}, {}, {}});
  spec.world_geometry.push_back({"ball", Sphere{-1}, {}, {}, {}});

  std::vector<Problem> problems;
  std::string text;
  try {
    ModelBuilder(spec).Build();
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    problems = error.problems();
    text = error.what();
  }
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"gravity", "not finite"},
      {"body 1", "name 'a' is taken"},
      {"body 2", "'world'"},
      {"body 'c'", "mass = -1"},
      {"body 'c'", "sum of the other two"},
      {"joint 'j1'", "axis = [0, 0, 0]"},
      {"joint 'j1'", "limits [1, 0]"},
      {"joint 'j2'", "child body 'nobody' does not exist"},
      {"joint 'j2'", "stiffness = -5"},
      {"joint 'j2'", "damping has 2 values"},
      {"joint 'j3'", "with itself"},
      {"load 'load'", "joint 'nothing' does not exist"},
      {"servo 'servo'", "joint 'nothing' does not exist"},
      {"world, sphere 'ball'", "radius = -1"},
  };
  for (const auto& [element, message] : expected) {
    EXPECT_TRUE(Mentions(problems, element, message)) << element << ": " << message << "\n" << text;
  }
  EXPECT_EQ(problems.size(), expected.size()) << text;
  // The text holds one line for each.
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n') + 1,
            static_cast<std::ptrdiff_t>(expected.size()));
  EXPECT_EQ(ModelBuilder(spec).Check().problems().size(), expected.size());
}

TEST(ModelBuilder, ListsProblemsOfTheGraphBesideThoseOfElements) {
  ModelSpec spec;
  spec.bodies = {MakeBody("a"), MakeBody("lost")};
  spec.bodies[0].mass.mass = -1;
  spec.joints = {MakeJoint("j1", JointType::kRevolute, "world", "a"),
                 MakeJoint("j2", JointType::kRevolute, "world", "a")};
  spec.joints[0].tree = spec.joints[1].tree = TreeChoice::kTree;
  const std::vector<Problem> problems = ModelBuilder(spec).Check().problems();
  EXPECT_TRUE(Mentions(problems, "body 'a'", "mass = -1"));
  EXPECT_TRUE(Mentions(problems, "body 'lost'", "not connected"));
  EXPECT_TRUE(Mentions(problems, "joint 'j2'", "cycle"));
  EXPECT_EQ(problems.size(), 3u);
}

TEST(ModelBuilder, RefusesUnreachableBodies) {
  ModelSpec spec;
  spec.bodies = {MakeBody("a"), MakeBody("b"), MakeBody("c")};
  spec.joints = {MakeJoint("ja", JointType::kFree, "world", "a"),
                 MakeJoint("jb", JointType::kBall, "b", "c")};
  const auto problems = ModelBuilder(spec).Check().problems();
  EXPECT_EQ(problems.size(), 2u);
  EXPECT_TRUE(Mentions(problems, "body 'b'", "not connected to the world"));
  EXPECT_TRUE(Mentions(problems, "body 'c'", "not connected to the world"));
  EXPECT_THROW(ModelBuilder(spec).Build(), InputError);
}

TEST(ModelBuilder, RefusesDemandedCycles) {
  ModelSpec spec;
  spec.bodies = {MakeBody("a"), MakeBody("b")};
  spec.joints = {MakeJoint("j1", JointType::kRevolute, "world", "a", TreeChoice::kTree),
                 MakeJoint("j2", JointType::kRevolute, "a", "b", TreeChoice::kTree),
                 MakeJoint("j3", JointType::kRevolute, "b", "world", TreeChoice::kTree)};
  const auto problems = ModelBuilder(spec).Check().problems();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(Mentions(problems, "joint 'j3'", "cycle"));
  // With one of them free to choose it is a loop.
  spec.joints[1].tree = TreeChoice::kAuto;
  const Model model = ModelBuilder(spec).Build();
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_EQ(model.loops()[0].name, "j2");
}

TEST(ModelBuilder, NumbersBodiesAlongTheTree) {
  ModelSpec spec;
  spec.bodies = {MakeBody("tip"), MakeBody("middle"), MakeBody("root"), MakeBody("other")};
  spec.joints = {MakeJoint("j_tip", JointType::kBall, "middle", "tip"),
                 MakeJoint("j_other", JointType::kFree, "world", "other"),
                 MakeJoint("j_root", JointType::kRevolute, "world", "root"),
                 MakeJoint("j_middle", JointType::kUniversal, "middle", "root")};
  const Model model = ModelBuilder(spec).Build();
  const Tree& tree = model.tree();
  ASSERT_EQ(model.nb(), 5);
  EXPECT_EQ(model.nq(), 7 + 1 + 2 + 4);
  EXPECT_EQ(model.nv(), 6 + 1 + 2 + 3);
  const std::vector<std::string> names = {"world", "other", "root", "middle", "tip"};
  for (int b = 0; b < 5; ++b) EXPECT_EQ(model.body(b).name, names[b]);
  EXPECT_EQ(tree.parent, (std::vector<int>{-1, 0, 0, 2, 3}));
  EXPECT_EQ(tree.reversed, (std::vector<char>{0, 0, 0, 1, 0}));
  EXPECT_EQ(tree.q_start, (std::vector<int>{0, 0, 7, 8, 10}));
  EXPECT_EQ(tree.v_start, (std::vector<int>{0, 0, 6, 7, 9}));
  EXPECT_EQ(tree.dof_count, (std::vector<int>{0, 6, 1, 2, 3}));
  EXPECT_EQ(tree.root, (std::vector<int>{0, 1, 2, 2, 2}));
  EXPECT_EQ(tree.last_dof, (std::vector<int>{-1, 5, 6, 8, 11}));
  EXPECT_EQ(model.joint(3).name, "j_middle");
  // Joints keep their own direction.
  EXPECT_EQ(model.joint(3).parent, 3);
  EXPECT_EQ(model.joint(3).child, 2);
}

TEST(ModelBuilder, LaysOutRandomTreesConsistently) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Model model = MakeRandomTree(&random);
    const Tree& tree = model.tree();
    int nq = 0, nv = 0;
    for (int b = 1; b < model.nb(); ++b) {
      const Joint& joint = model.joint(b);
      EXPECT_LT(tree.parent[b], b);
      EXPECT_GE(tree.parent[b], 0);
      EXPECT_EQ(tree.reversed[b] ? joint.parent : joint.child, b);
      EXPECT_EQ(tree.reversed[b] ? joint.child : joint.parent, tree.parent[b]);
      EXPECT_EQ(tree.q_start[b], nq);
      EXPECT_EQ(tree.v_start[b], nv);
      nq += CoordinateCount(joint.type);
      nv += DofCount(joint.type);
      // The path of dofs is that of the joints between the world and the body.
      std::vector<int> expected, above;
      for (int up = b; up > 0; up = tree.parent[up]) above.insert(above.begin(), up);
      EXPECT_EQ(tree.root[b], above.front());
      for (int up : above) {
        for (int k = 0; k < tree.dof_count[up]; ++k) {
          EXPECT_EQ(tree.dof_body[tree.v_start[up] + k], up);
          expected.push_back(tree.v_start[up] + k);
        }
      }
      if (expected.empty()) {
        EXPECT_EQ(tree.last_dof[b], -1);
      } else {
        const int last = tree.last_dof[b];
        const int* path = tree.pattern.path(last);
        EXPECT_EQ(std::vector<int>(path, path + tree.pattern.depth(last) + 1), expected);
      }
      // Subtrees are contiguous: the previous body is the parent or inside its subtree.
      int up = b - 1;
      while (up > tree.parent[b]) up = tree.parent[up];
      EXPECT_EQ(up, tree.parent[b]);
    }
    EXPECT_EQ(model.nq(), nq);
    EXPECT_EQ(model.nv(), nv);
    EXPECT_EQ(tree.pattern.size(), nv);
    EXPECT_EQ(static_cast<int>(tree.dof_moves_with_link.size()), nv);
  }
}

// At neutral coordinates both frames of every joint coincide, whatever the axes and directions.
TEST(ModelBuilder, FramesOfJointsCoincideAtNeutralCoordinates) {
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

TEST(ModelBuilder, LinkFramesAreTheJointsOwn) {
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

TEST(ModelBuilder, AxesTurnTheMotionIntoTheGivenDirection) {
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

TEST(ModelBuilder, UniversalAxesTurnOneAfterTheOther) {
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

TEST(ModelBuilder, AxesOfAnyLengthAndNearlyPerpendicularOnesGiveRotations) {
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

TEST(ModelBuilder, InertiaIsThatOfTheBodyInItsLinkFrame) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Model model = MakeRandomTree(&random);
    for (int b = 1; b < model.nb(); ++b) {
      const MassProperties& mass = model.body(b).mass;
      const SpatialInertia& inertia = model.tree().inertia[b];
      const Pose& X_LB = model.tree().X_LB[b];
      EXPECT_EQ(inertia.mass, mass.mass);
      EXPECT_LT((inertia.h / inertia.mass - X_LB * mass.com).norm(), 1e-14);
      EXPECT_LT((X_LB.R.transpose() * inertia.CentralMatrix() * X_LB.R - mass.inertia).norm(),
                1e-13 * (1 + inertia.I.norm()));
      const Mat3& R_LP = model.tree().R_LP[b];
      const Vec3& moments = model.tree().principal_moments[b];
      EXPECT_LT((R_LP * moments.asDiagonal() * R_LP.transpose() - inertia.CentralMatrix()).norm(),
                1e-13 * (1 + inertia.I.norm()));
    }
  }
}

TEST(ModelBuilder, AcceptsMasslessLinks) {
  ModelSpec spec;
  spec.bodies = {MakeBody("link"), MakeBody("load")};
  spec.bodies[0].mass_source = MassSource::kMassless;
  spec.joints = {MakeJoint("j1", JointType::kRevolute, "world", "link"),
                 MakeJoint("j2", JointType::kRevolute, "link", "load")};
  const Model model = ModelBuilder(spec).Build();
  EXPECT_EQ(model.tree().inertia[1].mass, 0);
  EXPECT_EQ(model.tree().inertia[1].I, Vec6(Vec6::Zero()));
  EXPECT_EQ(model.TotalMass(), 1);
}

TEST(ModelBuilder, TakesMassFromEverySource) {
  ModelSpec spec;
  const Geometry cube{"", Box{{1, 1, 1}}, {}, std::nullopt, {}};
  Geometry dense = cube;
  dense.density = 10;
  for (MassSource source : {MassSource::kExplicit, MassSource::kPoint, MassSource::kMassless,
                            MassSource::kGeometry, MassSource::kScaled}) {
    BodySpec body = MakeBody("b" + std::to_string(spec.bodies.size()));
    body.mass_source = source;
    body.mass.mass = 6;
    body.geometry = {source == MassSource::kGeometry ? dense : cube};
    spec.joints.push_back(MakeJoint("j" + body.name, JointType::kFree, "world", body.name));
    spec.bodies.push_back(body);
  }
  const Model model = ModelBuilder(spec).Build();
  const std::vector<double> mass = {6, 6, 0, 10, 6}, moment = {1, 0, 0, 10.0 / 6, 1};
  for (int i = 0; i < 5; ++i) {
    const MassProperties& of_body = model.body(i + 1).mass;
    EXPECT_NEAR(of_body.mass, mass[i], 1e-14) << i;
    EXPECT_LT((of_body.inertia - moment[i] * Mat3::Identity()).norm(), 1e-14) << i;
  }
  EXPECT_NEAR(model.TotalMass(), 28, 1e-13);
}

TEST(ModelBuilder, FillsListsToFullLength) {
  ModelSpec spec;
  spec.bodies = {MakeBody("a"), MakeBody("b"), MakeBody("c")};
  spec.joints = {MakeJoint("planar", JointType::kPlanar, "world", "a"),
                 MakeJoint("ball", JointType::kBall, "a", "b"),
                 MakeJoint("plain", JointType::kCylindrical, "b", "c")};
  spec.joints[0].lower = {-2};
  spec.joints[0].upper = {1, 2, 3};
  spec.joints[0].stiffness = {5};
  spec.joints[0].damping = {1, 2, 3};
  spec.joints[0].armature = {0.5};
  spec.joints[0].dry_friction = {4};
  spec.joints[0].viscous_friction = {7, 8, 9};
  spec.joints[0].rest = {0.1, 0.2, 0.3};
  const Model model = ModelBuilder(spec).Build();
  const Joint& planar = model.joint(1);
  EXPECT_EQ(planar.lower, VecX(Vec3(-2, -2, -2)));
  EXPECT_EQ(planar.upper, VecX(Vec3(1, 2, 3)));
  EXPECT_EQ(planar.stiffness, VecX(Vec3(5, 5, 5)));
  EXPECT_EQ(planar.damping, VecX(Vec3(1, 2, 3)));
  EXPECT_EQ(planar.dry_friction, VecX(Vec3(4, 4, 4)));
  EXPECT_EQ(planar.viscous_friction, VecX(Vec3(7, 8, 9)));
  EXPECT_EQ(planar.rest, VecX(Vec3(0.1, 0.2, 0.3)));

  // What was not given: no limits, no forces, springs at rest in the neutral position.
  EXPECT_EQ(model.joint(2).rest, VecX(Vec4(1, 0, 0, 0)));
  EXPECT_EQ(model.joint(3).lower, VecX(Vec2(-kInfinity, -kInfinity)));
  EXPECT_EQ(model.joint(3).upper, VecX(Vec2(kInfinity, kInfinity)));
  EXPECT_EQ(model.joint(3).stiffness, VecX(Vec2(0, 0)));

  VecX stiffness(8), damping(8), armature(8), rest(9);
  stiffness << 5, 5, 5, 0, 0, 0, 0, 0;
  damping << 1 + 7, 2 + 8, 3 + 9, 0, 0, 0, 0, 0;  // viscous friction is one more damper
  armature << 0.5, 0.5, 0.5, 0, 0, 0, 0, 0;
  rest << 0.1, 0.2, 0.3, 1, 0, 0, 0, 0, 0;
  EXPECT_EQ(model.tree().stiffness, stiffness);
  EXPECT_EQ(model.tree().damping, damping);
  EXPECT_EQ(model.tree().armature, armature);
  EXPECT_EQ(model.tree().rest, rest);
  EXPECT_TRUE(model.tree().has_springs);
  spec.joints[0].stiffness.clear();
  EXPECT_FALSE(ModelBuilder(spec).Build().tree().has_springs);
}

TEST(ModelBuilder, AxesMoveWithTheLinkUnlessTheParentCarriesThem) {
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

TEST(ModelBuilder, GroupsGeometryByBody) {
  ModelSpec spec;
  const auto shape = [](const std::string& name) {
    return Geometry{name, Sphere{1}, {}, std::nullopt, {}};
  };
  spec.world_geometry = {shape("w1"), shape("w2")};
  spec.bodies = {MakeBody("late"), MakeBody("early"), MakeBody("bare")};
  spec.bodies[0].geometry = {shape("l1")};
  spec.bodies[1].geometry = {shape("e1"), shape("e2"), shape("e3")};
  spec.joints = {MakeJoint("j1", JointType::kFree, "world", "early"),
                 MakeJoint("j2", JointType::kFree, "world", "bare"),
                 MakeJoint("j3", JointType::kFree, "world", "late")};
  const Model model = ModelBuilder(spec).Build();
  const std::vector<std::vector<std::string>> expected = {
      {"w1", "w2"}, {"e1", "e2", "e3"}, {}, {"l1"}};
  ASSERT_EQ(model.nb(), 4);
  for (int b = 0; b < 4; ++b) {
    std::vector<std::string> names;
    const Body& body = model.body(b);
    for (int g = 0; g < body.geometry_count; ++g) {
      names.push_back(model.geometry()[body.first_geometry + g].name);
    }
    EXPECT_EQ(names, expected[b]) << body.name;
  }
  EXPECT_EQ(model.geometry().size(), 6u);
}

TEST(ModelBuilder, ListsLoopJointsApart) {
  ModelSpec spec;
  spec.bodies = {MakeBody("a"), MakeBody("b"), MakeBody("c")};
  spec.joints = {MakeJoint("j1", JointType::kRevolute, "world", "a"),
                 MakeJoint("j2", JointType::kRevolute, "a", "b"),
                 MakeJoint("j3", JointType::kUniversal, "b", "c"),
                 MakeJoint("j4", JointType::kRevolute, "world", "c")};
  spec.joints[2].axis = Vec3::UnitY();
  spec.joints[2].axis2 = Vec3::UnitZ();
  spec.joints[2].damping = {3};
  // Breadth-first: a and c hang on the world, b on a; between b and c is the loop.
  const Model model = ModelBuilder(spec).Build();
  EXPECT_EQ(model.nv(), 3);
  ASSERT_EQ(model.loops().size(), 1u);
  const Joint& loop = model.loops()[0];
  EXPECT_EQ(loop.name, "j3");
  EXPECT_EQ(model.body(loop.parent).name, "b");
  EXPECT_EQ(model.body(loop.child).name, "c");
  EXPECT_EQ(loop.damping, VecX(Vec2(3, 3)));
  EXPECT_EQ(Vec3(loop.X_PF.R.col(0)), Vec3(Vec3::UnitY()));
  EXPECT_EQ(Vec3(loop.X_PF.R.col(1)), Vec3(Vec3::UnitZ()));
}

TEST(ModelBuilder, BuildsTheSameModelTwice) {
  Random random(5);
  const Model first = MakeRandomTree(&random);
  const Model second = ModelBuilder(first.spec()).Build();
  ASSERT_EQ(first.nb(), second.nb());
  for (int b = 0; b < first.nb(); ++b) {
    EXPECT_EQ(first.body(b).name, second.body(b).name);
    EXPECT_EQ(first.tree().X_PI[b].R, second.tree().X_PI[b].R);
    EXPECT_EQ(first.tree().X_LB[b].p, second.tree().X_LB[b].p);
  }
}

}  // namespace
}  // namespace voigt
