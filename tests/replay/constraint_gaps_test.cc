#include "voigt/replay/constraint_gaps.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

Kinematics MakeMovingKinematics(const Model& model, const VecX& q, const VecX& v) {
  Kinematics kin(model);
  UpdatePositions(model, q, &kin);
  UpdateVelocities(model, v, &kin);
  return kin;
}

// Pins of the governor, opened by moving every joint of its tree.
TEST(ConstraintGaps, OfLoopPinsAreTheDistanceOfTheirTwoSides) {
  const Scene scene = testing::LoadNamedScene("flyball_governor");
  const Model& model = scene.model;
  VecX q = scene.initial.q;
  for (int i = 0; i < q.size(); ++i) q[i] += 0.01 * (i + 1);
  const Kinematics kin = MakeMovingKinematics(model, q, scene.initial.v);
  ConstraintGaps gaps(model);
  ASSERT_EQ(gaps.names().size(), model.loops().size());
  const auto& list = gaps.Calc(model, kin, q, scene.initial.v, 0);
  for (size_t k = 0; k < list.size(); ++k) {
    const Joint& loop = model.loops()[k];
    ASSERT_EQ(loop.type, JointType::kRevolute);
    EXPECT_EQ(gaps.names()[k], "joint '" + loop.name + "'");
    const Vec3 p_F = CalcBodyPose(model, kin, loop.parent) * loop.X_PF.p;
    const Vec3 p_M = CalcBodyPose(model, kin, loop.child) * loop.X_CM.p;
    EXPECT_GT((p_M - p_F).norm(), 1e-3);
    EXPECT_LT((list[k].opening - (p_M - p_F)).norm(), 1e-15);
    EXPECT_LT((list[k].point - p_M).norm(), 1e-15);
  }
}

constexpr char kHeldBall[] = R"(
bodies: [{name: ball, mass: 1, inertia: [0.1, 0.1, 0.1]}]
joints: [{name: flight, type: free, child: ball}]
constraints:
  - {name: rod, type: distance, body: ball, length: 2}
  - {name: rope, type: distance, body: ball, length: 2, side: below}
  - {name: line, type: point-on-line, body: ball, on_point: [0, 1, 0], direction: [0, 0, 3]}
  - {name: stiff, type: point-in-plane, body: ball, stiffness: 1e9}
  - {name: spring, type: distance, body: ball, length: 2, stiffness: 1000}
  - {name: roll, type: knife-edge, body: ball, direction: [1, 0, 0]}
)";

// The ball at (x, 0, 4): 4 m and more from the origin, 1 m beside the line along y.
TEST(ConstraintGaps, OfRodsRopesAndLines) {
  const Scene scene = ParseScene(kHeldBall, "ball.yaml");
  ConstraintGaps gaps(scene.model);
  // A knife edge is about velocities: it has no gap. A spring is meant to yield.
  ASSERT_EQ(gaps.names(), (std::vector<std::string>{"constraint 'rod'", "constraint 'rope'",
                                                    "constraint 'line'", "constraint 'stiff'"}));
  VecX q = scene.model.NeutralCoordinates();
  const VecX v = VecX::Zero(6);
  const auto calc = [&](const Vec3& p) {
    q.head<3>() = p;
    return gaps.Calc(scene.model, MakeMovingKinematics(scene.model, q, v), q, v, 0);
  };
  auto far = calc({3, 0, 4});
  EXPECT_LT((far[0].opening - Vec3(1.8, 0, 2.4)).norm(), 1e-14);
  EXPECT_LT((far[1].opening - Vec3(1.8, 0, 2.4)).norm(), 1e-14);
  EXPECT_LT((far[2].opening - Vec3(3, -1, 0)).norm(), 1e-14);
  EXPECT_LT((far[3].opening - Vec3(0, 0, 4)).norm(), 1e-14);
  EXPECT_LT((far[0].point - Vec3(3, 0, 4)).norm(), 1e-14);
  // Within the rope's length only the rod is violated.
  auto near = calc({0, 0, 1});
  EXPECT_LT((near[0].opening - Vec3(0, 0, -1)).norm(), 1e-14);
  EXPECT_EQ(near[1].opening.norm(), 0);
}

// A drawer beyond its stop, a lever beyond its own, and a rack whose pinion is off.
TEST(ConstraintGaps, OfLimitsAndCouplersAreShownAtTheirJoints) {
  const Scene scene = ParseScene(R"(
bodies:
  - {name: drawer, mass: 1, inertia: [1, 1, 1]}
  - {name: lever, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: slide, type: prismatic, child: drawer, axis: [1, 0, 0], limits: [0, 0.5],
     frame: {position: [0, 0, 2]}}
  - {name: hinge, type: revolute, child: lever, axis: [0, 1, 0], limits: [-1, 1],
     frame: {position: [0, 3, 0]}}
constraints:
  - {name: rack, type: coupler, terms: [{joint: slide, factor: 4}, {joint: hinge, factor: -1}]}
)",
                                 "drawer.yaml");
  ConstraintGaps gaps(scene.model);
  ASSERT_EQ(gaps.names(),
            (std::vector<std::string>{"limits of joint 'slide'", "limits of joint 'hinge'",
                                      "constraint 'rack'"}));
  EXPECT_FALSE(gaps.is_turn(0));
  EXPECT_TRUE(gaps.is_turn(1));
  EXPECT_FALSE(gaps.is_turn(2));
  const VecX q = Eigen::Vector2d(0.6, -1.25), v = VecX::Zero(2);
  const auto list = gaps.Calc(scene.model, MakeMovingKinematics(scene.model, q, v), q, v, 0);
  // From where the point should be to where it is.
  EXPECT_LT((list[0].point - Vec3(0.6, 0, 2)).norm(), 1e-14);
  EXPECT_LT((list[0].opening - Vec3(0.1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((list[1].point - Vec3(0, 3, 0)).norm(), 1e-14);
  EXPECT_NEAR(list[1].turn, 0.25, 1e-14);
  EXPECT_EQ(list[1].opening.norm(), 0);
  EXPECT_LT((list[2].opening - Vec3((4 * 0.6 + 1.25) / 4, 0, 0)).norm(), 1e-14);
  // Within the limits there is nothing to see.
  const VecX inside = Eigen::Vector2d(0.1, 0.4);
  for (const auto& gap :
       gaps.Calc(scene.model, MakeMovingKinematics(scene.model, inside, v), inside, v, 0)) {
    EXPECT_LT(gap.opening.norm() + gap.turn, 1e-14);
  }
}

// A door on a hinge that closes a loop, turned out of the hinge's axis by an angle.
TEST(ConstraintGaps, TurnIsTheAngleBetweenAxes) {
  const Scene scene = ParseScene(R"(
bodies: [{name: door, mass: 1, inertia: [0.1, 0.1, 0.1]}]
joints:
  - {name: flight, type: free, child: door}
  - {name: hinge, type: revolute, child: door, tree: loop}
)",
                                 "door.yaml");
  ConstraintGaps gaps(scene.model);
  ASSERT_EQ(gaps.names().size(), 1u);
  const double angle = 0.01;
  VecX q = scene.model.NeutralCoordinates();
  q[3] = std::cos(angle / 2);
  q[4] = std::sin(angle / 2);
  const VecX v = VecX::Zero(6);
  const auto list = gaps.Calc(scene.model, MakeMovingKinematics(scene.model, q, v), q, v, 0);
  EXPECT_NEAR(list[0].turn, std::sin(angle), 1e-15);
  EXPECT_EQ(list[0].opening.norm(), 0);
}

}  // namespace
}  // namespace voigt
