// Constraints, drives and limits of scenes, as the model keeps them.

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"
#include "tests/io/scene_values.h"
#include "voigt/constraints/assembly.h"
#include "voigt/constraints/constraint_set.h"

namespace voigt {
namespace {

using testing::At;

// Bodies a and b on a pin and a ball joint, and whatever else is said.
Scene MakeConstraintScene(const std::string& rest) {
  return ParseScene(R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: pin, type: revolute, child: a}
  - {name: socket, type: ball, parent: a, child: b, cone_limit: 60 deg, limit_stiffness: 100,
     limit_damping: 2, loop_stiffness: 1e6, loop_damping: 3, loop_angular_stiffness: 2e5, loop_angular_damping: 4}
)" + rest,
                    "s");
}

template <typename Kind>
const Kind& Get(const Scene& scene, int i) {
  return std::get<Kind>(scene.model.spec().constraints.at(i).kind);
}

TEST(SceneConstraints, OfEveryTypeAreRead) {
  const Scene scene = MakeConstraintScene(R"(
constraints:
  - {name: rope, type: distance, body: b, point: [1, 2, 3], on: a, on_point: [4, 5, 6], length: 7,
     side: below, stiffness: 8, damping: 9}
  - {type: point-on-line, body: b, direction: [1, 1, 0]}
  - {type: point-in-plane, body: b, normal: [0, 1, 0], side: above}
  - {type: rolling, body: b, radius: 0.5, axis: [0, 1, 0], touch: false, damping: 4}
  - {type: knife-edge, body: b, direction: [0, 2, 0], on: a}
  - {type: prescribed-point, body: b, position: [t, 2 * t, 3], on: a, stiffness: 10}
  - {type: coupler, terms: [{joint: pin, factor: -2}], offset: 10 deg}
  - {type: constant-speed, terms: [{joint: socket, dof: 2, factor: 3}], speed: 5 * t, damping: 2}
  - {type: lock, joint: socket, at: {rpy: [0, 0, 90 deg]}}
)");
  const auto& constraints = scene.model.spec().constraints;
  ASSERT_EQ(constraints.size(), 9u);

  EXPECT_EQ(constraints[0].name, "rope");
  EXPECT_EQ(constraints[0].stiffness, 8);
  EXPECT_EQ(constraints[0].damping, 9);
  EXPECT_EQ(constraints[0].where.line, 11);
  const auto& rope = Get<DistanceSpec>(scene, 0);
  EXPECT_EQ(rope.B.body, "b");
  EXPECT_EQ(rope.B.point, Vec3(1, 2, 3));
  EXPECT_EQ(rope.A.body, "a");
  EXPECT_EQ(rope.A.point, Vec3(4, 5, 6));
  EXPECT_EQ(rope.length, 7);
  EXPECT_EQ(rope.side, Side::kBelow);

  EXPECT_EQ(constraints[1].name, "constraints[1]");
  EXPECT_EQ(constraints[1].stiffness, kInfinity);
  EXPECT_EQ(Get<PointOnLineSpec>(scene, 1).direction, Vec3(1, 1, 0));
  EXPECT_EQ(Get<PointOnLineSpec>(scene, 1).A.body, "world");
  EXPECT_EQ(Get<PointInPlaneSpec>(scene, 2).normal, Vec3(0, 1, 0));
  EXPECT_EQ(Get<PointInPlaneSpec>(scene, 2).side, Side::kAbove);

  const auto& wheel = Get<RollingSpec>(scene, 3);
  EXPECT_EQ(wheel.radius, 0.5);
  EXPECT_EQ(wheel.axis, Vec3(0, 1, 0));
  EXPECT_EQ(wheel.normal, Vec3(0, 0, 1));
  EXPECT_FALSE(wheel.touch);
  EXPECT_EQ(constraints[3].damping, 4);
  EXPECT_EQ(constraints[3].stiffness, 0);

  EXPECT_EQ(Get<KnifeEdgeSpec>(scene, 4).on, "a");
  EXPECT_EQ(Get<KnifeEdgeSpec>(scene, 4).direction, Vec3(0, 2, 0));
  EXPECT_EQ(constraints[4].stiffness, kInfinity);
  EXPECT_EQ(At(Get<PrescribedPointSpec>(scene, 5).position[1], 3), 6);
  EXPECT_EQ(Get<PrescribedPointSpec>(scene, 5).on, "a");

  EXPECT_EQ(Get<CouplerSpec>(scene, 6).terms[0].joint, "pin");
  EXPECT_EQ(Get<CouplerSpec>(scene, 6).terms[0].factor, -2);
  EXPECT_DOUBLE_EQ(Get<CouplerSpec>(scene, 6).offset, kPi / 18);
  EXPECT_EQ(Get<ConstantSpeedSpec>(scene, 7).terms[0].dof, 2);
  EXPECT_EQ(At(Get<ConstantSpeedSpec>(scene, 7).speed, 2), 10);
  EXPECT_EQ(constraints[7].damping, 2);
  const auto& lock = Get<JointLockSpec>(scene, 8);
  ASSERT_EQ(lock.at.size(), 4u);
  EXPECT_NEAR(lock.at[0], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(lock.at[3], std::sqrt(0.5), 1e-15);

  // All of them become rows; the limit of the ball joint as well.
  EXPECT_EQ(ConstraintSet(scene.model).list().size(), 10u);
}

TEST(SceneConstraints, MayHaveFrictionByTheirReaction) {
  const Scene scene = MakeConstraintScene(R"(
constraints:
  - {type: point-on-circle, body: b, on_point: [2, 0, 0], radius: 2, normal: [0, 3, 0],
     friction: {kinetic: 0.2, static: 0.3, drop_speed: 0.01}}
  - {type: point-on-line, body: b, direction: [1, 0, 0], friction: {static: 0.4}}
)");
  EXPECT_EQ(Get<PointOnCircleSpec>(scene, 0).radius, 2);
  EXPECT_EQ(Get<PointOnCircleSpec>(scene, 0).normal, Vec3(0, 3, 0));
  const auto& constraints = scene.model.spec().constraints;
  EXPECT_EQ(constraints[0].friction.mu_kinetic, 0.2);
  EXPECT_EQ(constraints[0].friction.mu_static, 0.3);
  EXPECT_EQ(constraints[0].friction.drop_speed, 0.01);
  EXPECT_EQ(constraints[1].friction.mu_kinetic, 0.4);
  EXPECT_TRUE(ConstraintSet(scene.model).has_reaction_friction());
}

TEST(SceneConstraints, LockJointsWhereTheyStart) {
  const Scene scene = MakeConstraintScene(R"(
initial: {pin: 30 deg}
constraints:
  - {type: lock, joint: pin}
  - {type: lock, joint: socket}
)");
  EXPECT_EQ(Get<JointLockSpec>(scene, 0).at, std::vector<double>{30 * kPi / 180});
  EXPECT_TRUE(Get<JointLockSpec>(scene, 1).at.empty());  // at zero
}

TEST(SceneConstraints, CanBeRepeatedAndOverridden) {
  const std::string text = R"(
bodies: [{repeat: {i: 3}, name: "b${i}", mass: 1, inertia: [1, 1, 1]}]
joints: [{repeat: {i: 3}, name: "j${i}", type: revolute, child: "b${i}"}]
constraints:
  - repeat: {i: 2}
    name: gear${i}
    type: coupler
    terms: [{joint: "j${i}", factor: 1}, {joint: "j${i + 1}", factor: 2}]
)";
  const Scene scene = ParseScene(text, "s", {{"constraints.gear1.offset", "0.5"}});
  ASSERT_EQ(scene.model.spec().constraints.size(), 2u);
  EXPECT_EQ(Get<CouplerSpec>(scene, 0).offset, 0);
  EXPECT_EQ(Get<CouplerSpec>(scene, 1).offset, 0.5);
  EXPECT_EQ(Get<CouplerSpec>(scene, 1).terms[1].joint, "j2");
}

// A four-bar linkage that starts with all but its crank at zero.
std::string FourBar(const std::string& coupler_length, const std::string& initial) {
  return R"(
bodies:
  - {name: crank, mass: 1, com: [0.25, 0, 0], inertia: [0.1, 0.1, 0.1]}
  - {name: coupler, mass: 1, com: [0.9, 0, 0], inertia: [0.1, 0.1, 0.1]}
  - {name: rocker, mass: 1, com: [0.6, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: A, type: revolute, child: crank}
  - {name: B, type: revolute, parent: crank, child: coupler, frame: {position: [0.5, 0, 0]}}
  - {name: D, type: revolute, child: rocker, frame: {position: [2, 0, 0]}}
  - name: C
    type: revolute
    parent: coupler
    child: rocker
    frame: {position: [)" +
         coupler_length + R"(, 0, 0]}
    child_frame: {position: [1.2, 0, 0]}
    tree: loop
)" + initial;
}

TEST(SceneInitial, IsMovedOntoTheConstraints) {
  const Scene scene = ParseScene(FourBar("1.8", "initial: {A: {q: 0.7, v: 3}}\n"), "s");
  EXPECT_EQ(scene.initial.q[0], 0.7);
  EXPECT_EQ(scene.initial.v[0], 3);
  EXPECT_FALSE(scene.moved_start);
  State again = scene.initial;
  EXPECT_TRUE(Assemble(scene.model, {}, &again).ok());
  EXPECT_EQ(again, scene.initial);

  const Scene moved = ParseScene(FourBar("1.8", "initial: {A: 0.7, B: 0, D: 2}\n"), "s");
  EXPECT_TRUE(moved.moved_start);
}

TEST(SceneInitial, NamesTheConstraintThatCannotBeMet) {
  testing::ExpectLines(testing::FindProblems(FourBar("0.2", "initial: {A: 0.7}\n")),
                       {{"s:10:5: joint 'C': ", "cannot be met together with the others: off by"}});
}

TEST(SceneJoints, HaveStiffnessAndDampingOfLimitsAndLoops) {
  const Scene scene = MakeConstraintScene("");
  const Joint& socket = scene.model.joint(*scene.model.FindJoint("socket"));
  EXPECT_DOUBLE_EQ(socket.cone_limit.value(), kPi / 3);
  EXPECT_EQ(socket.limit_stiffness, 100);
  EXPECT_EQ(socket.limit_damping, 2);
  EXPECT_EQ(socket.loop_stiffness, 1e6);
  EXPECT_EQ(socket.loop_damping, 3);
  EXPECT_EQ(socket.loop_angular_stiffness, 2e5);
  EXPECT_EQ(socket.loop_angular_damping, 4);
  const Joint& pin = scene.model.joint(*scene.model.FindJoint("pin"));
  EXPECT_FALSE(pin.cone_limit);
  EXPECT_EQ(pin.limit_stiffness, kInfinity);
  EXPECT_EQ(pin.loop_stiffness, kInfinity);
}

TEST(SceneDrives, AreServosMotorsAndPrescribedMotions) {
  const Scene scene = MakeConstraintScene(R"(
drives:
  - {type: servo, joint: pin, stiffness: 1, target: 2, force_limit: 3}
  - {name: m, type: motor, joint: socket, rate: [1, 2, 3 * t], force_limit: [4, 5, 6], gain: 7}
  - {type: prescribed, joint: pin, position: sin(t), stiffness: 8, damping: 9}
)");
  const ModelSpec& spec = scene.model.spec();
  ASSERT_EQ(spec.servos.size(), 1u);
  EXPECT_EQ(spec.servos[0].force_limit, std::vector<double>{3});
  ASSERT_EQ(spec.motors.size(), 1u);
  EXPECT_EQ(spec.motors[0].name, "m");
  EXPECT_EQ(At(spec.motors[0].rate[2], 2), 6);
  EXPECT_EQ(spec.motors[0].force_limit, (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(spec.motors[0].gain, std::vector<double>{7});
  ASSERT_EQ(spec.prescribed_joints.size(), 1u);
  EXPECT_EQ(At(spec.prescribed_joints[0].position[0], 1), std::sin(1.0));
  EXPECT_EQ(spec.prescribed_joints[0].stiffness, 8);
  EXPECT_EQ(spec.prescribed_joints[0].damping, 9);
}

}  // namespace
}  // namespace voigt
