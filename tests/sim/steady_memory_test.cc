// Steps whose contacts stay as they are take no memory from the heap, whoever solves them.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/allocation_counter.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

// Islands of different sizes: what is kept for one must not be given back for the next. A ball
// rolls, one box rests and another one slides.
constexpr const char* kThreeIslands = R"(
materials: {default: {friction: 0.3}}
world: {geometry: [{shape: half-space}]}
bodies:
  - {name: ball, geometry: [{shape: sphere, radius: 0.5, density: 1000}]}
  - {name: box, geometry: [{shape: box, size: [1, 1, 1], density: 1000}]}
  - {name: sled, geometry: [{shape: box, size: [1, 1, 0.2], density: 1000}]}
joints:
  - {name: a, type: free, child: ball}
  - {name: b, type: free, child: box}
  - {name: c, type: free, child: sled}
initial:
  a: {position: [0, 0, 0.5], velocity: [1, 0, 0], angular_velocity: [0, 2, 0]}
  b: {position: [0, 5, 0.5]}
  c: {position: [0, 10, 0.1], velocity: [9, 0, 0]}
simulation: {step: 1e-3}
)";

void ExpectNoAllocations(Simulator* simulator) {
  for (int i = 0; i < 300; ++i) ASSERT_EQ(simulator->Step(), StepStatus::kOk);
  const long before = testing::CountAllocations();
  for (int i = 0; i < 20; ++i) simulator->Step();
  EXPECT_EQ(testing::CountAllocations(), before);
  EXPECT_EQ(simulator->status(), StepStatus::kOk);
}

class SteadyMemory : public ::testing::TestWithParam<FormulationKind> {};

TEST_P(SteadyMemory, NoStepAllocatesOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  Scene scene = ParseScene(kThreeIslands, "islands");
  scene.settings.formulation.kind = GetParam();
  Simulator simulator = testing::MakeSimulator(scene);
  ExpectNoAllocations(&simulator);
  EXPECT_GE(simulator.contact_count(), 3);
}

// Nor do joints that repeat each other, and share their loads: a door on two hinges, and a crank
// whose loop lies in a plane.
TEST(SteadyMemoryOfJoints, NoStepAllocatesOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const Scene scene = ParseScene(R"(
bodies:
  - {name: door, mass: 20, com: [0.45, 0, 0], inertia: [6.667, 8.017, 1.35]}
  - {name: crank, mass: 1, inertia: [0.01, 0.02, 0.02]}
  - {name: coupler, mass: 1, inertia: [0.01, 0.02, 0.02]}
  - {name: rocker, mass: 1, inertia: [0.01, 0.02, 0.02]}
joints:
  - {name: upper, type: revolute, child: door, frame: {position: [0, 0, 0.8]}, child_frame: {position: [0, 0, 0.8]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: lower, type: revolute, child: door, frame: {position: [0, 0, -0.8]}, child_frame: {position: [0, 0, -0.8]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: a, type: revolute, child: crank, axis: [0, 1, 0], frame: {position: [0, 3, 0]}, child_frame: {position: [0, 0, -0.5]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: b, type: revolute, parent: crank, child: coupler, axis: [0, 1, 0], frame: {position: [0, 0, 0.5]}, child_frame: {position: [-0.5, 0, 0]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: c, type: revolute, child: rocker, axis: [0, 1, 0], frame: {position: [1, 3, 0]}, child_frame: {position: [0, 0, -0.5]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: d, type: revolute, parent: coupler, child: rocker, axis: [0, 1, 0], frame: {position: [0.5, 0, 0]}, child_frame: {position: [0, 0, 0.5]}, friction: {kinetic: 0.1, radius: 0.02}}
initial: {upper: {v: 0.9}, a: {q: 0.3}, b: {q: -0.3}, c: {q: 0.3}}
simulation: {step: 1e-3}
)",
                                 "joints");
  Simulator simulator = testing::MakeSimulator(scene);
  ExpectNoAllocations(&simulator);
  EXPECT_GT(simulator.state().v.head<2>().cwiseAbs().minCoeff(), 1e-3);  // both still move
}

INSTANTIATE_TEST_SUITE_P(Kinds, SteadyMemory,
                         ::testing::Values(FormulationKind::kCompliant,
                                           FormulationKind::kStabilizedLcp,
                                           FormulationKind::kMlcpLemke, FormulationKind::kMlcpFbRlm,
                                           FormulationKind::kMlcpFbPlm, FormulationKind::kMncpRlm,
                                           FormulationKind::kMncpPlm),
                         [](const auto& p) {
                           std::string name(ToString(p.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace voigt
