#include "voigt/constraints/degrees_of_freedom.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

struct Mechanism {
  const char* scene;
  int dofs;
};

// As textbooks count them.
class DegreesOfFreedom : public ::testing::TestWithParam<Mechanism> {};

TEST_P(DegreesOfFreedom, AreThoseOfTheMechanism) {
  const Scene scene = testing::LoadNamedScene(GetParam().scene);
  EXPECT_EQ(CountDegreesOfFreedom(scene.model, scene.initial.q), GetParam().dofs);
}

INSTANTIATE_TEST_SUITE_P(Scenes, DegreesOfFreedom,
                         ::testing::Values(Mechanism{"slider_crank", 1}, Mechanism{"andrews", 1},
                                           Mechanism{"bricard", 1}, Mechanism{"double_pendulum", 2},
                                           Mechanism{"eight_joint_arm", 8},
                                           Mechanism{"tumbling_box", 6},
                                           Mechanism{"adams_universal", 2}),
                         [](const auto& entry) { return std::string(entry.param.scene); });

// A door on two hinges, and with all bodies free.
TEST(DegreesOfFreedomOfLoops, CountRowsThatRepeatEachOtherOnce) {
  const Scene scene = ParseScene(R"(
bodies:
  - {name: frame, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - {name: leaf, mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: base, type: fixed, child: frame}
  - {name: lower, type: revolute, parent: frame, child: leaf, axis: [0, 0, 1]}
  - {name: upper, type: revolute, parent: frame, child: leaf, axis: [0, 0, 1],
     frame: {position: [0, 0, 1]}, child_frame: {position: [0, 0, 1]}}
)",
                                 "door");
  EXPECT_EQ(CountDegreesOfFreedom(scene.model, scene.initial.q), 1);
}

// What drives a mechanism, or yields, leaves it its freedom.
TEST(DegreesOfFreedomOfLoops, CountNoDrivesAndNoSprings) {
  const Scene scene = ParseScene(R"(
bodies:
  - {name: cart, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - {name: bob, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: rail, type: prismatic, child: cart, axis: [1, 0, 0]}
  - {name: ball, type: ball, parent: cart, child: bob}
constraints:
  - {type: distance, body: bob, point: [0, 0, -1], on: cart, on_point: [0, 0, 0], length: 1,
     stiffness: 100}
drives:
  - {type: motor, joint: rail, rate: 1}
)",
                                 "cart");
  EXPECT_EQ(CountDegreesOfFreedom(scene.model, scene.initial.q), 4);
}

}  // namespace
}  // namespace voigt
