#include <gtest/gtest.h>

#include "tests/support/specs.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// A cart and a ball on a joint each, with a tendon and an actuator that are fine.
ModelSpec MakeActuatedSpec() {
  ModelSpec spec;
  spec.bodies = {testing::MakeBody("cart"), testing::MakeBody("ball"), testing::MakeBody("post")};
  spec.joints = {testing::MakeJoint("rail", JointType::kPrismatic, "world", "cart"),
                 testing::MakeJoint("socket", JointType::kBall, "cart", "ball"),
                 testing::MakeJoint("weld", JointType::kFixed, "world", "post")};
  TendonSpec tendon;
  tendon.name = "rope";
  tendon.terms = {{"rail", 0, 2}};
  spec.tendons = {tendon};
  ActuatorSpec actuator;
  actuator.name = "motor";
  actuator.joint = "rail";
  spec.actuators = {actuator};
  return spec;
}

template <typename Change>
std::vector<Problem> ProblemsAfter(Change change) {
  ModelSpec spec = MakeActuatedSpec();
  change(&spec.tendons[0], &spec.actuators[0]);
  return ModelBuilder(spec).Check().problems();
}

TEST(ActuatorChecks, AcceptWhatIsFine) {
  EXPECT_TRUE(ModelBuilder(MakeActuatedSpec()).Check().empty());
  EXPECT_TRUE(ProblemsAfter([](TendonSpec*, ActuatorSpec* actuator) {
                actuator->joint = "socket";
                actuator->gear = {0, 0, 3};
              }).empty());
}

TEST(ActuatorChecks, FindEveryBadNumberOfATendon) {
  const auto expect = [](auto change, const std::string& message) {
    const auto problems = ProblemsAfter([&](TendonSpec* tendon, ActuatorSpec*) { change(tendon); });
    EXPECT_EQ(problems.size(), 1u) << message;
    EXPECT_TRUE(testing::Mentions(problems, "tendon 'rope'", message)) << message;
  };
  expect([](TendonSpec* t) { t->terms.clear(); }, "has no terms");
  expect([](TendonSpec* t) { t->terms[0].joint = "x"; }, "joint 'x' does not exist");
  expect([](TendonSpec* t) { t->terms[0].joint = "socket"; }, "no scalar coordinates");
  expect([](TendonSpec* t) { t->range = {2, 1}; }, "range = [2, 1], expected the lower end first");
  expect([](TendonSpec* t) { t->stiffness = -1; }, "stiffness = -1, expected a finite number ≥ 0");
  expect([](TendonSpec* t) { t->damping = kInfinity; }, "damping = inf, expected a finite");
  expect([](TendonSpec* t) { t->dry_friction = kNaN; }, "dry friction = nan, expected a finite");
  expect([](TendonSpec* t) { t->rest = kInfinity; }, "rest = inf, expected a finite number");
  expect([](TendonSpec* t) { t->limit_stiffness = -1; }, "limit stiffness = -1");
}

TEST(ActuatorChecks, FindEveryBadNumberOfAnActuator) {
  const auto expect = [](auto change, const std::string& message) {
    const auto problems =
        ProblemsAfter([&](TendonSpec*, ActuatorSpec* actuator) { change(actuator); });
    EXPECT_EQ(problems.size(), 1u) << message;
    EXPECT_TRUE(testing::Mentions(problems, "actuator 'motor'", message)) << message;
  };
  expect([](ActuatorSpec* a) { a->joint = ""; }, "neither or both of a joint and a tendon");
  expect([](ActuatorSpec* a) { a->tendon = "rope"; }, "neither or both of a joint and a tendon");
  expect([](ActuatorSpec* a) { a->joint = "x"; }, "joint 'x' does not exist");
  expect([](ActuatorSpec* a) { a->joint = "weld"; }, "drives a fixed joint");
  expect([](ActuatorSpec* a) { a->joint = "socket"; }, "gear has 1 values, expected 3");
  expect([](ActuatorSpec* a) { a->gear = {0}; }, "gear is zero");
  expect([](ActuatorSpec* a) { a->gear = {kNaN}; }, "gear = nan, expected a finite number");
  expect([](ActuatorSpec* a) { a->input = kInfinity; }, "input = inf, expected a finite number");
  expect([](ActuatorSpec* a) { a->input_range = {1, 1}; }, "input range = [1, 1]");
  expect([](ActuatorSpec* a) { a->force_range = {1, -1}; }, "force range = [1, -1]");
  expect([](ActuatorSpec* a) { a->gain.length = kNaN; }, "gain = nan");
  expect([](ActuatorSpec* a) { a->bias.velocity = kInfinity; }, "bias = inf");
  expect([](ActuatorSpec* a) { a->activation = ActivationLaw::kFilter; }, "time constant = 0");
  expect(
      [](ActuatorSpec* a) {
        a->activation = ActivationLaw::kIntegrator;
        a->activation_range = {1, 2};
      },
      "start = 0, expected a number within [1, 2]");
  const auto problems = ProblemsAfter([](TendonSpec*, ActuatorSpec* actuator) {
    actuator->joint = "";
    actuator->tendon = "x";
  });
  EXPECT_TRUE(testing::Mentions(problems, "actuator 'motor'", "tendon 'x' does not exist"));
}

TEST(ActuatorChecks, NamesAreUnique) {
  ModelSpec spec = MakeActuatedSpec();
  spec.actuators.push_back(spec.actuators[0]);
  spec.tendons.push_back(spec.tendons[0]);
  const auto problems = ModelBuilder(spec).Check().problems();
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_TRUE(testing::Mentions(problems, "actuator 1", "name 'motor' is taken by actuator 0"));
  EXPECT_TRUE(testing::Mentions(problems, "tendon 1", "name 'rope' is taken by tendon 0"));
}

}  // namespace
}  // namespace voigt
