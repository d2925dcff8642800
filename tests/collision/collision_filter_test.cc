// Which shapes may touch: what joints connect, what the scene excludes, what groups accept.

#include "voigt/collision/collision_filter.h"

#include <gtest/gtest.h>

#include "tests/collision/scene_of_shapes.h"
#include "voigt/base/errors.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::AddBodyWithShapes;
using testing::MakeGeometry;

void AddBall(ModelSpec* spec, const std::string& name, JointType type = JointType::kFree,
             const std::string& parent = "world") {
  AddBodyWithShapes(spec, name, {MakeGeometry(Sphere{1})}, type, parent);
}

// Whether the first shapes of two bodies may touch, whichever is named first.
bool MayTouch(const Model& model, const char* a, const char* b) {
  const CollisionFilter filter(model);
  const int A = model.body(*model.FindBody(a)).first_geometry;
  const int B = model.body(*model.FindBody(b)).first_geometry;
  EXPECT_EQ(filter.MayTouch(A, B), filter.MayTouch(B, A));
  return filter.MayTouch(A, B);
}

ModelSpec MakeRobot() {
  ModelSpec spec;
  spec.world_geometry = {MakeGeometry(HalfSpace{})};
  AddBall(&spec, "base");
  AddBall(&spec, "arm", JointType::kRevolute, "base");
  AddBall(&spec, "tool", JointType::kFixed, "arm");
  AddBall(&spec, "finger", JointType::kPrismatic, "tool");
  AddBall(&spec, "drone", JointType::kFree, "base");
  AddBall(&spec, "post", JointType::kFixed);
  AddBall(&spec, "door", JointType::kRevolute, "post");
  return spec;
}

TEST(CollisionFilter, KeepsApartWhatJointsConnect) {
  const Model model = ModelBuilder(MakeRobot()).Build();
  for (const Model& one : {model, ToMaximal(model)}) {
    EXPECT_FALSE(MayTouch(one, "base", "base"));
    EXPECT_FALSE(MayTouch(one, "base", "arm"));
    EXPECT_FALSE(MayTouch(one, "arm", "tool"));
    EXPECT_FALSE(MayTouch(one, "base", "tool"));   // tool and arm are one piece
    EXPECT_FALSE(MayTouch(one, "arm", "finger"));  // and so for what hangs on it
    EXPECT_TRUE(MayTouch(one, "base", "finger"));
    EXPECT_TRUE(MayTouch(one, "base", "drone"));  // free joints connect nothing
    EXPECT_TRUE(MayTouch(one, "base", "world"));
    EXPECT_FALSE(MayTouch(one, "post", "world"));
    EXPECT_TRUE(MayTouch(one, "door", "world"));
    EXPECT_TRUE(MayTouch(one, "door", "post"));  // the post is a piece of the world
  }
}

TEST(CollisionFilter, NeighboursTouchWhereTheirJointSaysSo) {
  ModelSpec spec = MakeRobot();
  spec.joints[1].bodies_touch = true;  // base and arm
  const Model model = ModelBuilder(spec).Build();
  for (const Model& one : {model, ToMaximal(model)}) {
    EXPECT_TRUE(MayTouch(one, "base", "arm"));
    EXPECT_TRUE(MayTouch(one, "base", "tool"));
    EXPECT_FALSE(MayTouch(one, "tool", "finger"));
    EXPECT_FALSE(MayTouch(one, "arm", "tool"));
  }
}

// Three hinges at one place, as scenes write a joint with three angles.
TEST(CollisionFilter, LinksWithoutShapesDoNotPartNeighbours) {
  ModelSpec spec;
  AddBall(&spec, "torso");
  AddBodyWithShapes(&spec, "yaw", {}, JointType::kRevolute, "torso");
  AddBodyWithShapes(&spec, "roll", {}, JointType::kRevolute, "yaw");
  for (BodySpec& body : spec.bodies) {
    if (body.geometry.empty()) body.mass_source = MassSource::kMassless;
  }
  AddBall(&spec, "thigh", JointType::kRevolute, "roll");
  AddBall(&spec, "shin", JointType::kRevolute, "thigh");
  EXPECT_FALSE(MayTouch(ModelBuilder(spec).Build(), "torso", "thigh"));
  EXPECT_TRUE(MayTouch(ModelBuilder(spec).Build(), "torso", "shin"));
  spec.joints[2].bodies_touch = true;
  EXPECT_TRUE(MayTouch(ModelBuilder(spec).Build(), "torso", "thigh"));
}

TEST(CollisionFilter, ExcludedPairsNeverTouch) {
  ModelSpec spec = MakeRobot();
  spec.contact.excluded = {{"finger", "base"}, {"world", "door"}, {"tool", "drone"}};
  const Model model = ModelBuilder(spec).Build();
  EXPECT_FALSE(MayTouch(model, "base", "finger"));
  EXPECT_FALSE(MayTouch(model, "door", "world"));
  EXPECT_FALSE(MayTouch(model, "door", "post"));
  EXPECT_FALSE(MayTouch(model, "drone", "arm"));  // one piece with the tool
  EXPECT_TRUE(MayTouch(model, "drone", "finger"));
  EXPECT_TRUE(MayTouch(model, "drone", "base"));
}

TEST(CollisionFilter, GroupsAcceptEachOther) {
  ModelSpec spec;
  AddBall(&spec, "plain");
  AddBall(&spec, "ghost");
  AddBall(&spec, "robot");
  AddBall(&spec, "other");
  AddBall(&spec, "guard");
  const auto shape = [&](int i) -> Geometry& { return spec.bodies[i].geometry[0]; };
  shape(1).touches = std::vector<std::string>{};
  shape(2).groups = shape(3).groups = {"robots", "metal"};
  shape(2).touches = shape(3).touches = {"default"};
  shape(4).touches = {"metal"};
  Model model = ModelBuilder(spec).Build();
  EXPECT_FALSE(MayTouch(model, "plain", "ghost"));
  EXPECT_TRUE(MayTouch(model, "plain", "robot"));
  EXPECT_FALSE(MayTouch(model, "robot", "other"));
  EXPECT_FALSE(MayTouch(model, "plain", "guard"));  // the guard does not accept it
  EXPECT_TRUE(MayTouch(model, "robot", "guard"));

  spec.contact.filter_rule = FilterRule::kEither;
  model = ModelBuilder(spec).Build();
  EXPECT_TRUE(MayTouch(model, "plain", "ghost"));  // the other one accepts
  EXPECT_FALSE(MayTouch(model, "ghost", "guard"));
  EXPECT_TRUE(MayTouch(model, "plain", "guard"));
  EXPECT_FALSE(MayTouch(model, "robot", "other"));
}

TEST(CollisionFilter, UnknownNamesAreRefused) {
  ModelSpec spec = MakeRobot();
  spec.bodies[0].geometry[0].touches = {"default", "grond"};
  spec.contact.excluded = {{"base", "amr"}, {"arm", "arm"}};
  const ProblemList problems = ModelBuilder(spec).Check();
  ASSERT_EQ(problems.problems().size(), 3u);
  EXPECT_EQ(problems.problems()[0].message, "may touch group 'grond', to which no shape belongs");
  EXPECT_EQ(problems.problems()[1].message, "body 'amr' does not exist");
  EXPECT_EQ(problems.problems()[2].message, "names body 'arm' twice, expected two bodies");
}

TEST(CollisionFilter, HasRoomForSixtyFourGroups) {
  ModelSpec spec;
  AddBall(&spec, "a");
  AddBall(&spec, "b");
  for (int i = 0; i < 63; ++i) spec.bodies[0].geometry[0].groups.push_back(std::to_string(i));
  spec.bodies[1].geometry[0].touches = {"62"};
  EXPECT_TRUE(MayTouch(ModelBuilder(spec).Build(), "a", "b"));
  spec.bodies[0].geometry[0].groups.push_back("one too many");
  EXPECT_EQ(ModelBuilder(spec).Check().problems().size(), 1u);
}

}  // namespace
}  // namespace voigt
