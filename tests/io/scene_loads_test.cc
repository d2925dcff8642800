// Loads and drives of scenes: as the model keeps them, and what they do to a body in one step.

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"
#include "tests/io/scene_values.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::At;
using testing::List;

constexpr double kStep = 0.01;

// Body b of 2 kg and moments 2, 3, 4 without weight, on joint j, with these loads and drives.
Scene MakeLoadScene(const std::string& joint, const std::string& rest) {
  return ParseScene(
      "gravity: [0, 0, 0]\n"
      "bodies: [{name: b, mass: 2, inertia: [2, 3, 4]}]\n"
      "joints: [{name: j, child: b, " +
          joint +
          "}]\n"
          "simulation: {step: 0.01, kick: whole}\n" +
          rest,
      "s");
}

VecX RatesAfterOneStep(const Scene& scene) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  return simulator.state().v;
}

TEST(SceneLoads, OnBodiesKeepEverythingTheySay) {
  const Scene scene = MakeLoadScene("type: free", R"(
parameters: {F: 5}
loads:
  - name: push
    body: b
    point: [1, 2, 3]
    force: [F * t, 2, "t < 1 ? 0 : 7"]
    torque: [0, F, 1/t]
    frame: body
)");
  ASSERT_EQ(scene.model.body_loads().size(), 1u);
  const BodyLoad& load = scene.model.body_loads()[0];
  EXPECT_EQ(load.name, "push");
  EXPECT_EQ(load.body, "b");
  EXPECT_EQ(load.point, Vec3(1, 2, 3));
  EXPECT_EQ(At(load.force[0], 3), 15);
  EXPECT_EQ(At(load.force[1], 3), 2);
  EXPECT_EQ(At(load.force[2], 0.5), 0);
  EXPECT_EQ(At(load.force[2], 1.5), 7);
  EXPECT_EQ(At(load.torque[1], 0), 5);
  EXPECT_EQ(At(load.torque[2], 4), 0.25);
  EXPECT_EQ(load.frame, LoadFrame::kBody);
}

TEST(SceneLoads, HaveDefaults) {
  const Scene scene = MakeLoadScene("type: free", "loads: [{body: b, torque: [1, 2, 3]}]\n");
  const BodyLoad& load = scene.model.body_loads()[0];
  EXPECT_EQ(load.name, "loads[0]");
  EXPECT_EQ(load.point, Vec3::Zero());
  EXPECT_EQ(load.frame, LoadFrame::kWorld);
  for (const TimeFunction& component : load.force) EXPECT_EQ(At(component, 1), 0);
}

TEST(SceneLoads, OnJointsHaveAForcePerDegreeOfFreedom) {
  const Scene scene =
      MakeLoadScene("type: cylindrical", "loads: [{name: turn, joint: j, force: [1, 2 * t]}]\n");
  ASSERT_EQ(scene.model.joint_loads().size(), 1u);
  const JointLoad& load = scene.model.joint_loads()[0];
  EXPECT_EQ(load.name, "turn");
  EXPECT_EQ(load.joint, "j");
  ASSERT_EQ(load.force.size(), 2u);
  EXPECT_EQ(At(load.force[1], 3), 6);
  // Moment 1 on 4 kg m² about z.
  EXPECT_NEAR(RatesAfterOneStep(scene)[0], kStep * 1 / 4, 1e-16);
}

// Turned by a quarter about z, the body's x axis is the world's y axis.
TEST(SceneLoads, ActInWorldAxesOrInThoseOfTheBody) {
  const std::string start = "initial: {j: {rpy: [0, 0, 90 deg]}}\n";
  const auto rates = [&](const std::string& frame) {
    return RatesAfterOneStep(MakeLoadScene(
        "type: free",
        start + "loads: [{body: b, force: [6, 0, 0], torque: [0, 0, 8]" + frame + "}]\n"));
  };
  EXPECT_LT((rates("") - List({0.03, 0, 0, 0, 0, 0.02})).norm(), 1e-15);
  EXPECT_LT((rates(", frame: world") - List({0.03, 0, 0, 0, 0, 0.02})).norm(), 1e-15);
  EXPECT_LT((rates(", frame: body") - List({0, 0.03, 0, 0, 0, 0.02})).norm(), 1e-15);
}

TEST(SceneLoads, ActAtTheirPoint) {
  // [0, 1, 0] × [6, 0, 0] = [0, 0, -6], on 4 kg m².
  const Scene scene =
      MakeLoadScene("type: free", "loads: [{body: b, force: [6, 0, 0], point: [0, 1, 0]}]\n");
  EXPECT_LT((RatesAfterOneStep(scene) - List({0.03, 0, 0, 0, 0, -0.015})).norm(), 1e-15);
}

TEST(SceneLoads, MayBeSeveral) {
  const Scene scene = MakeLoadScene("type: free", R"(
loads:
  - {body: b, force: [6, 0, 0]}
  - {body: b, force: [0, 2, 0]}
  - {joint: j, force: [0, 0, 4, 0, 0, 0]}
)");
  EXPECT_LT((RatesAfterOneStep(scene) - List({0.03, 0.01, 0.02, 0, 0, 0})).norm(), 1e-15);
}

TEST(SceneDrives, KeepEverythingTheySay) {
  const Scene scene = MakeLoadScene("type: cylindrical", R"(
drives:
  - name: turner
    type: servo
    joint: j
    stiffness: [100, 200]
    damping: 3
    target: [sin(t), 2]
    rate: [cos(t), 0]
)");
  ASSERT_EQ(scene.model.servos().size(), 1u);
  const Servo& servo = scene.model.servos()[0];
  EXPECT_EQ(servo.name, "turner");
  EXPECT_EQ(servo.joint, "j");
  EXPECT_EQ(servo.stiffness, (std::vector<double>{100, 200}));
  EXPECT_EQ(servo.damping, std::vector<double>{3});
  EXPECT_EQ(At(servo.target[0], 0.5), std::sin(0.5));
  EXPECT_EQ(At(servo.target[1], 0.5), 2);
  EXPECT_EQ(At(servo.target_rate[0], 0.5), std::cos(0.5));
}

TEST(SceneDrives, HaveDefaults) {
  const Scene scene = MakeLoadScene("type: prismatic",
                                    "drives: [{type: servo, joint: j, stiffness: 1, target: 2}]\n");
  const Servo& servo = scene.model.servos()[0];
  EXPECT_EQ(servo.name, "drives[0]");
  EXPECT_TRUE(servo.damping.empty());
  EXPECT_TRUE(servo.target_rate.empty());
}

// m (v₁ - v₀) = h (k (target(h) - q₁) + d (rate(h) - v₁)) with q₁ = q₀ + h v₁.
TEST(SceneDrives, PullTowardsTheTargetAtTheEndOfTheStep) {
  const Scene scene = MakeLoadScene("type: prismatic", R"(
initial: {j: {q: 0.5, v: 0.1}}
drives: [{type: servo, joint: j, stiffness: 1e6, damping: 50, target: 2 + t, rate: 1}]
)");
  const double m = 2, h = kStep, k = 1e6, d = 50;
  const double v1 = (m * 0.1 + h * k * (2 + h - 0.5) + h * d * 1) / (m + h * d + h * h * k);
  EXPECT_NEAR(RatesAfterOneStep(scene)[0], v1, 1e-12 * v1);
}

}  // namespace
}  // namespace voigt
