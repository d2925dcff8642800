#include "voigt/model/spec_checks.h"

#include <gtest/gtest.h>

#include "tests/model/good_spec.h"

namespace voigt {
namespace {

using testing::ExpectFine;
using testing::ExpectProblem;
using testing::kBadNumbers;
using testing::MakeBody;
using testing::MakeJoint;
using testing::ProblemsAfter;

TEST(SpecChecks, FindsNothingInAGoodSpec) {
  ExpectFine([](ModelSpec*) {});
}

// Names.

TEST(SpecChecks, RefusesBodiesWithoutNameOrWithATakenOne) {
  ExpectProblem([](ModelSpec* s) { s->bodies[2].name = ""; }, "body 2", "has no name");
  ExpectProblem([](ModelSpec* s) { s->bodies[2].name = "world"; }, "body 2", "'world'");
  ExpectProblem([](ModelSpec* s) { s->bodies[2].name = s->bodies[1].name; }, "body 2",
                "name 'body_revolute' is taken by body 1");
}

TEST(SpecChecks, RefusesJointsWithoutNameOrWithATakenOne) {
  ExpectProblem([](ModelSpec* s) { s->joints[3].name = ""; }, "joint 3", "has no name");
  ExpectProblem([](ModelSpec* s) { s->joints[3].name = "world"; }, "joint 3", "'world'");
  ExpectProblem([](ModelSpec* s) { s->joints[3].name = "fixed"; }, "joint 3",
                "name 'fixed' is taken by joint 0");
}

TEST(SpecChecks, ABodyAndAJointMayShareAName) {
  ExpectFine([](ModelSpec* s) { s->joints.back().name = "block"; });
}

TEST(SpecChecks, RefusesGravityThatIsNotFinite) {
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { s->gravity[1] = bad; }, "gravity", "not finite");
  }
}

// Ends of joints.

TEST(SpecChecks, RefusesJointsOnUnknownBodies) {
  ExpectProblem([](ModelSpec* s) { s->joints[1].parent = "nobody"; }, "joint 'revolute'",
                "parent body 'nobody' does not exist");
  ExpectProblem([](ModelSpec* s) { s->joints[1].child = "nobody"; }, "joint 'revolute'",
                "child body 'nobody' does not exist");
  ExpectProblem([](ModelSpec* s) { s->joints[1].child = ""; }, "joint 'revolute'",
                "child body '' does not exist");
}

TEST(SpecChecks, RefusesJointsBetweenABodyAndItself) {
  ExpectProblem([](ModelSpec* s) { s->joints[1].parent = s->joints[1].child; }, "joint 'revolute'",
                "with itself");
  ExpectProblem([](ModelSpec* s) { s->joints[1].child = s->joints[1].parent = "world"; },
                "joint 'revolute'", "with itself");
}

TEST(SpecChecks, ProblemsKeepThePlaceTheyWereWrittenAt) {
  const auto problems = ProblemsAfter([](ModelSpec* s) {
    s->joints[1].where = {"scene.yaml", 12, 3};
    s->joints[1].damping = {-1};
  });
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].where.ToString(), "scene.yaml:12:3");
}

TEST(Describe, NamesElements) {
  EXPECT_EQ(Describe(MakeBody("arm")), "body 'arm'");
  EXPECT_EQ(Describe(MakeJoint("elbow", JointType::kBall, "world", "arm")), "joint 'elbow'");
}

}  // namespace
}  // namespace voigt
