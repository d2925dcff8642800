// Where joints start, in all the ways a scene may say it.

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

// The state in which joint j of this type starts.
State Start(const std::string& type, const std::string& initial) {
  return ParseScene(
             "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
             "joints: [{name: j, child: b, type: " +
                 type + "}]\n" + initial,
             "s")
      .initial;
}

void ExpectList(const VecX& list, const std::vector<double>& expected) {
  ASSERT_EQ(list.size(), static_cast<Eigen::Index>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(list[i], expected[i], 1e-15) << i;
}

TEST(SceneInitial, IsZeroUnlessGiven) {
  for (const char* initial : {"", "initial:\n", "initial: {}\n", "initial: {j: {}}\n"}) {
    const State one = Start("revolute", initial);
    EXPECT_EQ(one.t, 0);
    ExpectList(one.q, {0});
    ExpectList(one.v, {0});
    const State free = Start("free", initial);
    ExpectList(free.q, {0, 0, 0, 1, 0, 0, 0});
    ExpectList(free.v, {0, 0, 0, 0, 0, 0});
    ExpectList(Start("ball", initial).q, {1, 0, 0, 0});
  }
}

TEST(SceneInitial, MayBeANumber) {
  const State state = Start("revolute", "initial: {j: 90 deg}\n");
  ExpectList(state.q, {kPi / 2});
  ExpectList(state.v, {0});
}

TEST(SceneInitial, MayBeAListOfCoordinates) {
  ExpectList(Start("revolute", "initial: {j: [0.5]}\n").q, {0.5});
  ExpectList(Start("planar", "initial: {j: [1, 2, 90 deg]}\n").q, {1, 2, kPi / 2});
  EXPECT_EQ(Start("fixed", "initial: {j: []}\n").q.size(), 0);
}

TEST(SceneInitial, MayBeAMapOfCoordinatesAndRates) {
  const State one = Start("revolute", "initial: {j: {q: 0.5, v: -2}}\n");
  ExpectList(one.q, {0.5});
  ExpectList(one.v, {-2});
  const State two = Start("universal", "initial: {j: {q: [0.5, 0.6], v: [1, 2]}}\n");
  ExpectList(two.q, {0.5, 0.6});
  ExpectList(two.v, {1, 2});
  const State rates = Start("prismatic", "initial: {j: {v: 3}}\n");
  ExpectList(rates.q, {0});
  ExpectList(rates.v, {3});
}

TEST(SceneInitial, QuaternionsInListsAreMadeUnit) {
  ExpectList(Start("ball", "initial: {j: [0, 3, 0, 4]}\n").q, {0, 0.6, 0, 0.8});
  ExpectList(Start("free", "initial: {j: [1, 2, 3, 0, 0, 0, 5]}\n").q, {1, 2, 3, 0, 0, 0, 1});
  // Squares of these are zero or infinite.
  ExpectList(Start("ball", "initial: {j: [0, 3e-200, 0, 4e-200]}\n").q, {0, 0.6, 0, 0.8});
  ExpectList(Start("ball", "initial: {j: [0, 3e200, 0, 4e200]}\n").q, {0, 0.6, 0, 0.8});
}

TEST(SceneInitial, BallJointsStartAtARotation) {
  const double s = std::sqrt(0.5);
  for (const char* rotation : {"rpy: [0, 90 deg, 0]", "quaternion: [2, 0, 2, 0]",
                               "axis_angle: {axis: [0, 1, 0], angle: 90 deg}"}) {
    const State state = Start(
        "ball", "initial: {j: {" + std::string(rotation) + ", angular_velocity: [1, 2, 3]}}\n");
    ExpectList(state.q, {s, 0, s, 0});
    ExpectList(state.v, {1, 2, 3});
  }
}

TEST(SceneInitial, FreeJointsStartAtAPoseWithAVelocity) {
  const double s = std::sqrt(0.5);
  const State state = Start("free",
                            "initial:\n"
                            "  j:\n"
                            "    position: [1, 2, 3]\n"
                            "    rpy: [0, 0, 90 deg]\n"
                            "    velocity: [4, 5, 6]\n"
                            "    angular_velocity: [7, 8, 9]\n");
  ExpectList(state.q, {1, 2, 3, s, 0, 0, s});
  ExpectList(state.v, {4, 5, 6, 7, 8, 9});
}

TEST(SceneInitial, GoesToTheRightJointsHoweverTheTreeNumbersThem) {
  const Scene scene = ParseScene(
      "bodies: [{name: tip, mass: 1, inertia: [1, 1, 1]}, {name: base, mass: 1, inertia: [1, 1, "
      "1]}]"
      "\njoints:\n"
      "  - {name: outer, type: revolute, parent: base, child: tip}\n"
      "  - {name: inner, type: cylindrical, child: base}\n"
      "initial: {outer: {q: 1, v: 2}, inner: {q: [3, 4], v: [5, 6]}}\n",
      "s");
  const Tree& tree = scene.model.tree();
  const int outer = *scene.model.FindJoint("outer"), inner = *scene.model.FindJoint("inner");
  EXPECT_EQ(scene.initial.q[tree.q_start[outer]], 1);
  EXPECT_EQ(scene.initial.v[tree.v_start[outer]], 2);
  EXPECT_EQ(scene.initial.q[tree.q_start[inner] + 1], 4);
  EXPECT_EQ(scene.initial.v[tree.v_start[inner] + 1], 6);
}

constexpr char kTwoPins[] =
    "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
    "joints: [{name: pin0, type: revolute, child: a}, {name: pin1, type: revolute, child: b}]\n";

TEST(SceneInitial, AsAListNamesJointsInsideAndCanBeRepeated) {
  const Scene scene =
      ParseScene(std::string(kTwoPins) +
                     "initial:\n"
                     "  - {repeat: {i: 2}, joint: 'pin${i}', q: '${i + 5}', v: 3}\n",
                 "s");
  ExpectList(scene.initial.q, {5, 6});
  ExpectList(scene.initial.v, {3, 3});
}

TEST(SceneInitial, AsAListComplainsAboutUnknownRepeatedAndMissingJoints) {
  const std::string text = std::string(kTwoPins) +
                           "initial:\n"
                           "  - {joint: pin0, q: 1}\n"
                           "  - {joint: pin0, q: 2}\n"
                           "  - {joint: pin2, q: 2, velocity: [0, 0, 0]}\n"
                           "  - {q: 2}\n"
                           "  - {joint: pin1, position: [0, 0, 0]}\n"
                           "  - {joint: '', q: 1}\n";
  EXPECT_EQ(
      testing::FindProblems(text),
      (testing::Lines{"s:5:13: initial[1].joint: 'pin0' is given twice, first at line 4",
                      "s:6:13: initial: joint 'pin2' does not exist",
                      "s:7:5: initial[3]: 'joint' is missing, expected a text",
                      "s:8:19: initial[4]: unknown key 'position', expected one of joint, q, v",
                      "s:9:13: initial[5].joint: is empty, expected a text"}));
}

TEST(SceneInitial, LoopJointsHaveNoCoordinates) {
  const std::string text =
      "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [{name: j, type: revolute, child: b}, {name: k, type: revolute, child: b}]\n"
      "initial:\n"
      "  j: 1\n"
      "  k: 1\n";
  EXPECT_EQ(testing::FindProblems(text),
            testing::Lines{"s:5:3: initial: joint 'k' closes a loop and has no coordinates of its "
                           "own"});
}

}  // namespace
}  // namespace voigt
