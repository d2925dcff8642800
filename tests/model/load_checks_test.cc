#include <gtest/gtest.h>

#include <functional>

#include "tests/model/good_spec.h"

namespace voigt {
namespace {

using testing::ExpectFine;
using testing::ExpectProblem;
using testing::kBadNumbers;

TEST(LoadChecks, RefusesLoadsOnUnknownBodies) {
  ExpectProblem([](ModelSpec* s) { s->body_loads[0].body = "nobody"; }, "load 'push'",
                "body 'nobody' does not exist");
  ExpectProblem([](ModelSpec* s) { s->body_loads[0].body = "world"; }, "load 'push'",
                "acts on the world");
}

TEST(LoadChecks, RefusesLoadsThatAreNotFinite) {
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { s->body_loads[0].point[2] = bad; }, "load 'push'",
                  "point is not finite");
    ExpectProblem([&](ModelSpec* s) { s->body_loads[0].force[0] = bad; }, "load 'push'",
                  "force = ");
    ExpectProblem([&](ModelSpec* s) { s->body_loads[0].torque[2] = bad; }, "load 'push'",
                  "torque = ");
    ExpectProblem([&](ModelSpec* s) { s->joint_loads[0].force[1] = bad; }, "load 'motor'",
                  "force = ");
  }
}

TEST(LoadChecks, RefusesLoadsOnUnknownJointsOrOfWrongLength) {
  ExpectProblem([](ModelSpec* s) { s->joint_loads[0].joint = "nothing"; }, "load 'motor'",
                "joint 'nothing' does not exist");
  ExpectProblem([](ModelSpec* s) { s->joint_loads[0].force = {1, 2}; }, "load 'motor'",
                "force has 2 values, expected 3");
  ExpectProblem([](ModelSpec* s) { s->joint_loads[0].force = {}; }, "load 'motor'",
                "force has 0 values, expected 3");
}

TEST(LoadChecks, RefusesServosOnJointsTheyCannotDrive) {
  ExpectProblem([](ModelSpec* s) { s->servos[0].joint = "nothing"; }, "servo 'servo'",
                "joint 'nothing' does not exist");
  for (JointType type : {JointType::kFixed, JointType::kBall, JointType::kFree}) {
    ExpectProblem([&](ModelSpec* s) { s->servos[0].joint = std::string(ToString(type)); },
                  "servo 'servo'", "no scalar coordinates to drive");
  }
}

TEST(LoadChecks, RefusesServosWithListsOfWrongLength) {
  const auto servo = [](const std::function<void(Servo*)>& change) {
    return [=](ModelSpec* s) {
      Servo& drive = s->servos[0];
      drive = {"servo", "planar", {1}, {1}, {0, 0, 0}, {0, 0, 0}, {}};
      change(&drive);
    };
  };
  ExpectFine(servo([](Servo*) {}));
  ExpectFine(servo([](Servo* drive) { drive->stiffness = {1, 2, 3}; }));
  ExpectFine(servo([](Servo* drive) { drive->damping = {}; }));
  ExpectFine(servo([](Servo* drive) { drive->target_rate = {}; }));
  ExpectProblem(servo([](Servo* drive) { drive->stiffness = {}; }), "servo 'servo'",
                "stiffness has 0 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->stiffness = {1, 2}; }), "servo 'servo'",
                "stiffness has 2 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->damping = {1, 2}; }), "servo 'servo'",
                "damping has 2 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->target = {0, 0}; }), "servo 'servo'",
                "target has 2 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->target_rate = {0}; }), "servo 'servo'",
                "target rate has 1 values, expected 3");
}

TEST(LoadChecks, RefusesServosWithBadNumbers) {
  for (double bad : {-1.0, kNaN, kInfinity}) {
    ExpectProblem([&](ModelSpec* s) { s->servos[0].stiffness = {bad}; }, "servo 'servo'",
                  "gain = ");
    ExpectProblem([&](ModelSpec* s) { s->servos[0].damping = {bad}; }, "servo 'servo'", "gain = ");
  }
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { s->servos[0].target = {bad}; }, "servo 'servo'", "target = ");
    ExpectProblem([&](ModelSpec* s) { s->servos[0].target_rate = {bad}; }, "servo 'servo'",
                  "target rate = ");
  }
}

}  // namespace
}  // namespace voigt
