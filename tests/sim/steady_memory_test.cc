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

class SteadyMemory : public ::testing::TestWithParam<FormulationKind> {};

TEST_P(SteadyMemory, NoStepAllocatesOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  Scene scene = ParseScene(kThreeIslands, "islands");
  scene.settings.formulation.kind = GetParam();
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const long before = testing::CountAllocations();
  for (int i = 0; i < 20; ++i) simulator.Step();
  EXPECT_EQ(testing::CountAllocations(), before);
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_GE(simulator.contact_count(), 3);
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
