// Models as parts of others: a model that is placed elsewhere, gravity and all, moves there as it
// did; one whose names have a prefix moves as it did, too.

#include "voigt/io/spec_merge.h"

#include <gtest/gtest.h>

#include "voigt/dynamics/kinematics.h"
#include "voigt/io/scene.h"
#include "voigt/math/rotation.h"
#include "voigt/model/model_builder.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

// Everything that can be fixed to the world or name something, in motion.
const char kEverything[] = R"(
parameters: {a: 0.2}
materials: {default: {friction: 0.4}, ice: {friction: 0.1}}
contact: {pairs: [{materials: [default, ice], friction: 0.3}], exclude: [[rod, hoop]]}
world: {geometry: [{name: ground, shape: half-space, material: ice, position: [0, 0, -2]}]}
bodies:
  - {name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.02]}
  - {name: bob, mass: 2, inertia: [0.1, 0.2, 0.15]}
  - {name: ball, mass: 1, geometry: [{name: skin, shape: sphere, radius: 0.1}]}
  - {name: puck, mass: 1, inertia: [0.1, 0.2, 0.15]}
  - {name: hoop, mass: 1, inertia: [0.1, 0.2, 0.1], geometry: [{shape: box, size: [a, a, a]}]}
  - {name: skate, mass: 1, inertia: [0.1, 0.2, 0.1]}
  - {name: bead, mass: 1, inertia: [0.1, 0.2, 0.1]}
  - {name: lamp, mass: 1, inertia: [0.1, 0.2, 0.1]}
  - {name: bird, mass: 1, inertia: [0.1, 0.2, 0.1]}
joints:
  - {name: pin, type: revolute, child: rod, axis: [0, 1, 0], frame: {position: [1, 0, 0]}, damping: 0.1}
  - {name: cord, type: ball, parent: rod, child: bob, frame: {position: [0, 0, -1]}}
  - {name: fly, type: free, child: ball}
  - {name: slide, type: free, child: puck}
  - {name: roll, type: free, child: hoop}
  - {name: glide, type: free, child: skate}
  - {name: string, type: free, child: bead}
  - {name: hang, type: free, child: lamp}
  - {name: perch, type: free, child: bird}
  - {name: back, type: planar, parent: skate, child: world, tree: loop, child_frame: {position: [0, 0, 2]}}
loads:
  - {body: bob, force: [sin(t), 1, 0], torque: [0, 0, 0.1], point: [0, 0, 0.1]
}
  - {body: puck, force: [0, a, 1], frame: body}
  - {joint: pin, force: 0.3}
drives:
  - {type: servo, joint: pin, stiffness: 2, target: 0.1}
constraints:
  - {type: distance, body: lamp, point: [0, 0, 0.1], on_point: [3, 3, 1], length: 2}
  - {type: point-in-plane, body: puck, on_point: [0, 0, 1], normal: [0, 0.2, 1]}
  - {type: rolling, body: hoop, radius: 0.3, on_point: [0, 0, -1.5]}
  - {type: knife-edge, body: skate, direction: [0, 1, 0]}
  - {type: point-on-line, body: bead, on_point: [5, 0, 0], direction: [0, 0.3, 1]}
  - {type: prescribed-point, body: bird, point: [0, 0, 0.1], position: [a * sin(5 * t), t, 3]}
initial:
  pin: {q: 0.5, v: 1}
  fly: {position: [-2, 0, -1.95], velocity: [1, 0, 0]}
  slide: {position: [0, 0, 1], angular_velocity: [0, 1, 2]}
  roll: {position: [0, 0, -1.2], velocity: [0.3, 0, 0]}
  glide: {position: [0, 0, 2], velocity: [1, 0, 0], angular_velocity: [0, 0, 1]}
  string: {position: [5, 0, 0], angular_velocity: [0, 0, 1]}
  hang: {position: [3, 3, -1.1], velocity: [0.5, 0, 0]}
  perch: {position: [0, 0, 2.9]}
)";

// The poses of all bodies after some steps.
std::vector<Pose> MoveBodies(const ModelSpec& spec, const State& start) {
  const Model model = ModelBuilder(spec).Build();
  Simulator simulator(model, {}, start);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  Kinematics kin(model);
  UpdatePositions(model, simulator.state().q, &kin);
  std::vector<Pose> poses;
  for (int b = 1; b < model.nb(); ++b) poses.push_back(CalcBodyPose(model, kin, b));
  return poses;
}

TEST(SpecMerge, AModelPlacedElsewhereMovesThereAsItDid) {
  const Scene scene = ParseScene(kEverything, "s");
  const Pose X{RotationFromRollPitchYaw({0.3, -0.4, 1.1}), Vec3(1, -2, 3)};
  ModelSpec placed = scene.model.spec();
  PlaceInWorld(X, &placed);
  const std::vector<Pose> before = MoveBodies(scene.model.spec(), scene.initial);
  // Without its gravity turned along it moves differently, or this test shows nothing.
  const std::vector<Pose> tilted = MoveBodies(placed, scene.initial);
  placed.gravity = X.R * placed.gravity;
  const std::vector<Pose> after = MoveBodies(placed, scene.initial);
  ASSERT_EQ(before.size(), 9u);
  double difference = 0;
  for (size_t b = 0; b < before.size(); ++b) {
    const Pose expected = X * before[b];
    EXPECT_LT((after[b].p - expected.p).norm(), 1e-8) << b;
    EXPECT_LT((after[b].R - expected.R).norm(), 1e-8) << b;
    difference = std::max(difference, (tilted[b].p - expected.p).norm());
  }
  EXPECT_GT(difference, 1e-3);
}

TEST(SpecMerge, APrefixChangesNamesAndNothingElse) {
  const Scene scene = ParseScene(kEverything, "s");
  ModelSpec renamed = scene.model.spec();
  AddPrefix("left/", "left/default", &renamed);
  const Model model = ModelBuilder(renamed).Build();
  for (int b = 1; b < model.nb(); ++b) {
    EXPECT_EQ(model.body(b).name, "left/" + scene.model.body(b).name);
    EXPECT_EQ(model.joint(b).name, "left/" + scene.model.joint(b).name);
  }
  EXPECT_EQ(renamed.materials[0].name, "left/default");
  EXPECT_EQ(renamed.materials[1].name, "left/ice");
  EXPECT_EQ(renamed.bodies[2].geometry[0].material, "left/default");
  EXPECT_EQ(renamed.bodies[2].geometry[0].name, "left/skin");
  EXPECT_EQ(renamed.contact.pairs[0].first, "left/default");
  const std::vector<Pose> before = MoveBodies(scene.model.spec(), scene.initial);
  const std::vector<Pose> after = MoveBodies(renamed, scene.initial);
  for (size_t b = 0; b < before.size(); ++b) EXPECT_EQ(before[b].p, after[b].p);
}

TEST(SpecMerge, TwoPartsBesideEachOther) {
  const Scene scene = ParseScene(kEverything, "s");
  ModelSpec left = scene.model.spec(), whole = scene.model.spec();
  AddPrefix("left/", "left/default", &left);
  PlaceInWorld({Mat3::Identity(), Vec3(100, 0, 0)}, &left);
  AppendSpec(left, &whole);
  const Model model = ModelBuilder(whole).Build();
  EXPECT_EQ(model.nb(), 2 * scene.model.nb() - 1);
  EXPECT_EQ(model.nv(), 2 * scene.model.nv());
  EXPECT_EQ(whole.constraints.size(), 2 * scene.model.spec().constraints.size());
  EXPECT_EQ(whole.body_loads.size(), 4u);
  EXPECT_EQ(whole.servos.size(), 2u);
}

TEST(SpecMerge, BasesAreFreedAndFixedWhereTheyStart) {
  ModelSpec spec =
      ParseScene(
          "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: point}]\n"
          "joints: [{name: j, type: free, child: a, frame: {position: [1, 0, 0], rpy: [0, 0, 90 "
          "deg]}},\n"
          "         {name: k, type: fixed, parent: a, child: b}]\n",
          "s")
          .model.spec();
  EXPECT_EQ(FreeBase(&spec), 0);
  const Vec4 turn = QuaternionExp({0, 0, 0.5});
  JointValues q = {{"j", {2, 0, 3, turn[0], turn[1], turn[2], turn[3]}}},
              v = {{"j", {1, 0, 0, 0, 0, 0}}};
  EXPECT_EQ(FixBase(&spec, &q, &v), 1);
  EXPECT_TRUE(q.empty());
  EXPECT_TRUE(v.empty());
  EXPECT_EQ(spec.joints[0].type, JointType::kFixed);
  EXPECT_LT((spec.joints[0].X_PF.p - Vec3(1, 2, 3)).norm(), 1e-15);
  EXPECT_LT((spec.joints[0].X_PF.R - RotationAbout(Vec3::UnitZ(), std::acos(0) + 0.5)).norm(),
            1e-15);
  EXPECT_EQ(spec.joints[1].type, JointType::kFixed);
  EXPECT_EQ(FreeBase(&spec), 1);
  EXPECT_EQ(spec.joints[0].type, JointType::kFree);
  EXPECT_EQ(spec.joints[1].type, JointType::kFixed);
}

TEST(SpecMerge, BodiesOfOneModelMayBeKeptFromTouching) {
  ModelSpec spec = ParseScene(kEverything, "s").model.spec();
  spec.contact.excluded.clear();
  ExcludeSelfContact(&spec);
  // Only two of the bodies have shapes.
  ASSERT_EQ(spec.contact.excluded.size(), 1u);
  EXPECT_EQ(spec.contact.excluded[0].body_A, "ball");
  EXPECT_EQ(spec.contact.excluded[0].body_B, "hoop");
}

}  // namespace
}  // namespace voigt
