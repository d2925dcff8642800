// What the builder refuses, and that it says all of it at once.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/specs.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;
using testing::Mentions;

TEST(ModelProblems, ListsAllProblemsAtOnce) {
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

TEST(ModelProblems, ListsProblemsOfTheGraphBesideThoseOfElements) {
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

TEST(ModelProblems, RefusesUnreachableBodies) {
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

TEST(ModelProblems, RefusesDemandedCycles) {
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

}  // namespace
}  // namespace voigt
