#include "voigt/model/model_builder.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/specs.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;
using testing::MakeRandomTree;
using testing::Random;

TEST(ModelBuilder, BuildsTheWorldAlone) {
  const Model model = ModelBuilder().Build();
  EXPECT_EQ(model.nb(), 1);
  EXPECT_EQ(model.nq(), 0);
  EXPECT_EQ(model.nv(), 0);
  EXPECT_EQ(model.body(0).name, "world");
  EXPECT_EQ(model.NeutralCoordinates().size(), 0);
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
