#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/specs.h"
#include "voigt/model/model_builder.h"

// One good specification, for tests of the checks that spoil one thing at a time.
namespace voigt::testing {

// A chain with a joint of every type, loads on bodies and joints, a servo and shapes: no problems.
// Joint i moves body i.
inline ModelSpec GoodSpec() {
  ModelSpec spec;
  std::string parent = "world";
  for (int i = 0; i < kJointTypeCount; ++i) {
    const auto type = static_cast<JointType>(i);
    const std::string name(ToString(type));
    spec.bodies.push_back(MakeBody("body_" + name));
    spec.joints.push_back(MakeJoint(name, type, parent, "body_" + name));
    parent = "body_" + name;
  }
  BodySpec block;
  block.name = "block";
  block.geometry.push_back({"cube", Box{{1, 1, 1}}, {}, 1000.0, {}});
  spec.bodies.push_back(block);
  spec.joints.push_back(MakeJoint("block_joint", JointType::kFree, "world", "block"));
  spec.world_geometry.push_back({"ground", HalfSpace{}, {}, std::nullopt, {}});

  BodyLoad push;
  push.name = "push";
  push.body = "block";
  push.force = {TimeFunction(1), TimeFunction::Parse("sin(t)"), TimeFunction(0)};
  spec.body_loads.push_back(push);
  spec.joint_loads.push_back({"motor", "planar", {1, 2, 3}, {}});
  spec.servos.push_back({"servo", "revolute", {100}, {1}, {TimeFunction::Parse("t")}, {}, {}});
  return spec;
}

inline JointSpec& JointOf(ModelSpec* spec, JointType type) {
  return spec->joints[static_cast<int>(type)];
}

inline BodySpec& Block(ModelSpec* spec) { return spec->bodies.back(); }

using Change = std::function<void(ModelSpec*)>;

inline std::vector<Problem> ProblemsAfter(const Change& change) {
  ModelSpec spec = GoodSpec();
  change(&spec);
  return ModelBuilder(std::move(spec)).Check().problems();
}

inline std::string ToText(const std::vector<Problem>& problems) {
  std::string text = "the problems are:";
  for (const Problem& problem : problems) text += "\n  " + problem.ToString();
  return text;
}

inline void ExpectProblem(const Change& change, const std::string& element,
                          const std::string& message) {
  const std::vector<Problem> problems = ProblemsAfter(change);
  EXPECT_TRUE(Mentions(problems, element, message))
      << "expected " << element << ": …" << message << "…\n"
      << ToText(problems);
}

inline void ExpectFine(const Change& change) {
  const std::vector<Problem> problems = ProblemsAfter(change);
  EXPECT_TRUE(problems.empty()) << ToText(problems);
}

inline constexpr double kBadNumbers[] = {kNaN, kInfinity, -kInfinity};

}  // namespace voigt::testing
