#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"
#include "tests/io/scene_values.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::FindProblems;

constexpr const char* kTwoLinks = R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: first, type: revolute, child: a}
  - {name: second, type: cylindrical, parent: a, child: b}
)";

TEST(SceneActuators, ReadsTendons) {
  const Scene scene = ParseScene(std::string(kTwoLinks) + R"(
tendons:
  - name: t
    terms: [{joint: first, factor: 2}, {joint: second, dof: 1, factor: -0.5}]
    limits: [-1, inf]
    limit_stiffness: 100
    limit_damping: 3
    spring: {stiffness: 7, rest: 0.25}
    damping: 8
    dry_friction: 9
)",
                                 "s");
  const TendonSpec& tendon = scene.model.spec().tendons.at(0);
  EXPECT_EQ(tendon.name, "t");
  ASSERT_EQ(tendon.terms.size(), 2u);
  EXPECT_EQ(tendon.terms[1].joint, "second");
  EXPECT_EQ(tendon.terms[1].dof, 1);
  EXPECT_EQ(tendon.terms[1].factor, -0.5);
  EXPECT_EQ(tendon.range.lower, -1);
  EXPECT_EQ(tendon.range.upper, kInfinity);
  EXPECT_EQ(tendon.limit_stiffness, 100);
  EXPECT_EQ(tendon.limit_damping, 3);
  EXPECT_EQ(tendon.stiffness, 7);
  EXPECT_EQ(tendon.rest, 0.25);
  EXPECT_EQ(tendon.damping, 8);
  EXPECT_EQ(tendon.dry_friction, 9);
  EXPECT_EQ(tendon.where.line, 10);
}

TEST(SceneActuators, ReadsActuators) {
  const Scene scene = ParseScene(std::string(kTwoLinks) + R"(
tendons: [{name: t, terms: [{joint: first, factor: 2}]}]
actuators:
  - {name: m, type: motor, joint: second, gear: [3, 4], input: 2 * t, input_range: [-1, 5]}
  - {name: p, type: position, tendon: t, gear: 2, stiffness: 10, damping: 1, force_range: [-6, 7]}
  - {name: v, type: velocity, joint: first, damping: 3}
  - name: g
    type: general
    joint: first
    gain: {constant: 1, length: 2, velocity: 3}
    bias: {constant: 4, length: 5, velocity: 6}
    activation: {type: filter, time_constant: 0.2, range: [-1, 1], start: 0.5}
  - {name: i, type: general, joint: first, activation: {type: integrator}}
)",
                                 "s");
  const auto& list = scene.model.actuators();
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[0].gear, (std::vector<double>{3, 4}));
  EXPECT_EQ(testing::At(list[0].input, 2), 4);
  EXPECT_EQ(list[0].input_range.upper, 5);
  EXPECT_FALSE(list[0].has_feedback());
  EXPECT_EQ(list[1].tendon, "t");
  EXPECT_EQ(list[1].gain.constant, 10);
  EXPECT_EQ(list[1].bias.length, -10);
  EXPECT_EQ(list[1].bias.velocity, -1);
  EXPECT_EQ(list[1].force_range.lower, -6);
  EXPECT_EQ(list[2].gain.constant, 3);
  EXPECT_EQ(list[2].bias.velocity, -3);
  EXPECT_EQ(list[3].gain.velocity, 3);
  EXPECT_EQ(list[3].bias.constant, 4);
  EXPECT_EQ(list[3].time_constant, 0.2);
  EXPECT_EQ(list[3].activation_range.lower, -1);
  EXPECT_EQ(list[4].gain.constant, 1);
  EXPECT_EQ(list[4].activation, ActivationLaw::kIntegrator);
  // Two terms of a joint, those of the tendon with the gear.
  ASSERT_EQ(scene.model.transmission(0).size(), 2u);
  EXPECT_EQ(scene.model.transmission(0)[1].factor, 4);
  EXPECT_EQ(scene.model.transmission(1)[0].factor, 4);
  ASSERT_EQ(scene.initial.activation.size(), 2);
  EXPECT_EQ(scene.initial.activation[0], 0.5);
  EXPECT_EQ(scene.initial.activation[1], 0);
}

TEST(SceneActuators, TakeValuesFromTheCommandLine) {
  const Scene scene =
      ParseScene(std::string(kTwoLinks) +
                     "tendons: [{name: t, terms: [{joint: first, factor: 1}]}]\n"
                     "actuators: [{name: p, type: position, joint: first, stiffness: 1}]\n",
                 "s", {{"actuators.p.stiffness", "30"}, {"tendons.t.damping", "4"}});
  EXPECT_EQ(scene.model.actuators()[0].gain.constant, 30);
  EXPECT_EQ(scene.model.spec().tendons[0].damping, 4);
}

TEST(SceneActuators, SaysWhatIsWrongWithATendon) {
  const std::string head = kTwoLinks;
  ExpectLines(FindProblems(head + "tendons: [{terms: [{joint: first, factor: 1}]}]"),
              {{"s:8:11: tendons[0]", "'name' is missing"}});
  ExpectLines(FindProblems(head + "tendons: [{name: t}]"),
              {{"s:8:11: tendons[0] 't'", "'terms' is missing"}});
  ExpectLines(
      FindProblems(head + "tendons: [{name: t, limits: [1], terms: [{joint: first, factor: 1}]}]"),
      {{"s:8:29: tendons[0] 't'.limits", "1 values, expected [lower, upper]"}});
  ExpectLines(FindProblems(head + "tendons: [{name: t, terms: [{joint: x, factor: 1}]}]"),
              {{"s:8:11: tendon 't'", "joint 'x' does not exist"}});
}

TEST(SceneActuators, SaysWhatIsWrongWithAnActuator) {
  const std::string head = std::string(kTwoLinks) + "actuators: [{name: a, ";
  ExpectLines(FindProblems(head + "joint: first}]"),
              {{"s:8:13: actuators[0] 'a'", "'type' is missing"}});
  ExpectLines(FindProblems(head + "joint: first, type: piston, stiffness: 1}]"),
              {{"s:8:43: actuators[0] 'a'.type", "'piston', expected motor, position"}});
  ExpectLines(FindProblems(head + "type: motor}]"),
              {{"s:8:13: actuator 'a'", "neither or both of a joint and a tendon"}});
  ExpectLines(FindProblems(head + "joint: first, type: motor, stiffness: 3}]"),
              {{"s:8:50: actuators[0] 'a'", "unknown key 'stiffness'"}});
  ExpectLines(FindProblems(head + "joint: first, type: position}]"),
              {{"s:8:13: actuators[0] 'a'", "'stiffness' is missing"}});
  ExpectLines(FindProblems(head + "joint: second, type: motor}]"),
              {{"s:8:13: actuator 'a'", "gear has 1 values, expected 2"}});
  ExpectLines(FindProblems(head + "tendon: t, type: motor}]"),
              {{"s:8:13: actuator 'a'", "tendon 't' does not exist"}});
  ExpectLines(FindProblems(head + "joint: first, type: motor, input: [1, 2]}]"),
              {{"s:8:57: actuators[0] 'a'.input", "2 values, expected one function of t"}});
  ExpectLines(FindProblems(head + "joint: first, type: motor, activation: {type: filter}}]"),
              {{"s:8:62: actuators[0] 'a'.activation", "'time_constant' is missing"}});
  ExpectLines(FindProblems(head + "joint: first, type: motor, "
                                  "activation: {type: integrator, time_constant: 1}}]"),
              {{"s:8:96: actuators[0] 'a'.activation.time_constant", "belongs to a filter"}});
}

}  // namespace
}  // namespace voigt
