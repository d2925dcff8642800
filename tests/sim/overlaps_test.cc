#include "voigt/sim/overlaps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

std::vector<ShapeOverlap> OverlapsOf(const std::string& material, double height) {
  const Scene scene = ParseScene(fmt::format(R"(
materials: {{default: {}}}
world: {{geometry: [{{shape: half-space, name: floor}}]}}
bodies:
  - {{name: ball, mass: 2, geometry: [{{shape: sphere, radius: 0.5}}]}}
  - {{name: other, mass: 2, geometry: [{{shape: sphere, radius: 0.5}}]}}
joints: [{{name: f, type: free, child: ball}}, {{name: g, type: free, child: other}}]
initial: {{f: {{position: [0, 0, {}]}}, g: {{position: [0, 0, 3]}}}}
)",
                                             material, height),
                                 "overlaps");
  return ListShapeOverlaps(scene.model, scene.initial);
}

TEST(Overlaps, AreToldWithPairAndDepth) {
  for (double depth : {0.5, 1e-3, 2e-5}) {
    const std::vector<ShapeOverlap> overlaps = OverlapsOf("{}", 0.5 - depth);
    ASSERT_EQ(overlaps.size(), 1u);
    EXPECT_EQ(overlaps[0].pair, "floor and ball");
    EXPECT_NEAR(overlaps[0].depth, depth, 1e-12);
  }
}

TEST(Overlaps, WhatTouchesOrRestsOnItsSpringDoesNotOverlap) {
  EXPECT_TRUE(OverlapsOf("{}", 0.5).empty());
  EXPECT_TRUE(OverlapsOf("{}", 0.6).empty());
  // 39.24 N on two surfaces of 1e4 N/m, one behind the other.
  EXPECT_TRUE(OverlapsOf("{stiffness: 1e4}", 0.5 - 0.0078).empty());
  EXPECT_EQ(OverlapsOf("{stiffness: 1e4}", 0.5 - 0.0079).size(), 1u);
}

TEST(Overlaps, TheDeepestComesFirst) {
  const std::vector<ShapeOverlap> overlaps = OverlapsOf("{}", 2.5);
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_EQ(overlaps[0].pair, "ball and other");
}

}  // namespace
}  // namespace voigt
