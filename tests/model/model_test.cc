#include "voigt/model/model.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/specs.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;

// Two arms on the world with a bar between them, which closes a loop.
Model MakeLoopedModel() {
  ModelSpec spec;
  spec.name = "bars";
  spec.gravity = {1, 2, 3};
  spec.bodies = {MakeBody("left", 1), MakeBody("right", 2), MakeBody("bar", 4)};
  spec.joints = {MakeJoint("l", JointType::kBall, "world", "left"),
                 MakeJoint("r", JointType::kFree, "world", "right"),
                 MakeJoint("lb", JointType::kPlanar, "left", "bar"),
                 MakeJoint("rb", JointType::kRevolute, "right", "bar")};
  BodyLoad load;
  load.name = "push";
  load.body = "bar";
  spec.body_loads.push_back(load);
  spec.joint_loads.push_back({"twist", "rb", {TimeFunction(1)}, {}});
  spec.servos.push_back({"hold", "lb", {1}, {}, {0, 0, 0}, {}, {}});
  return ModelBuilder(spec).Build();
}

TEST(Model, FindsBodiesByName) {
  const Model model = MakeLoopedModel();
  EXPECT_EQ(model.FindBody("world"), 0);
  for (int b = 0; b < model.nb(); ++b) EXPECT_EQ(model.FindBody(model.body(b).name), b);
  EXPECT_FALSE(model.FindBody("nobody"));
  EXPECT_FALSE(model.FindBody(""));
}

TEST(Model, FindsTreeJointsByTheBodyTheyMove) {
  const Model model = MakeLoopedModel();
  EXPECT_EQ(model.FindJoint("l"), model.FindBody("left"));
  EXPECT_EQ(model.FindJoint("r"), model.FindBody("right"));
  EXPECT_EQ(model.FindJoint("lb"), model.FindBody("bar"));
  for (int b = 1; b < model.nb(); ++b) EXPECT_EQ(model.FindJoint(model.joint(b).name), b);
  EXPECT_FALSE(model.FindJoint("rb")) << "a loop joint moves no body of the tree";
  EXPECT_FALSE(model.FindJoint("nothing"));
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_EQ(model.loops()[0].name, "rb");
}

TEST(Model, SumsMassesOfAllBodies) { EXPECT_EQ(MakeLoopedModel().TotalMass(), 7); }

TEST(Model, NeutralCoordinatesAreZerosAndIdentityQuaternions) {
  const Model model = MakeLoopedModel();
  const VecX q = model.NeutralCoordinates();
  ASSERT_EQ(q.size(), model.nq());
  VecX expected = VecX::Zero(14);
  expected[model.tree().q_start[*model.FindBody("left")]] = 1;
  expected[model.tree().q_start[*model.FindBody("right")] + 3] = 1;
  EXPECT_EQ(q, expected);
}

TEST(Model, KeepsWhatItWasBuiltFrom) {
  const Model model = MakeLoopedModel();
  EXPECT_EQ(model.name(), "bars");
  EXPECT_EQ(model.gravity(), Vec3(1, 2, 3));
  EXPECT_EQ(model.spec().joints.size(), 4u);
  ASSERT_EQ(model.body_loads().size(), 1u);
  EXPECT_EQ(model.body_loads()[0].name, "push");
  ASSERT_EQ(model.joint_loads().size(), 1u);
  EXPECT_EQ(model.joint_loads()[0].joint, "rb");
  ASSERT_EQ(model.servos().size(), 1u);
  EXPECT_EQ(model.servos()[0].name, "hold");
}

TEST(Model, CopiesAreIndependent) {
  testing::Random random(1);
  std::optional<Model> original = testing::MakeRandomTree(&random);
  const Model copy = *original;
  const int nv = original->nv();
  const std::string last = original->bodies().back().name;
  original.reset();
  EXPECT_EQ(copy.nv(), nv);
  EXPECT_EQ(copy.bodies().back().name, last);
  EXPECT_EQ(copy.FindBody(last), copy.nb() - 1);
}

}  // namespace
}  // namespace voigt
