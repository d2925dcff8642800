#include "voigt/io/polygon.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <random>
#include <utility>

namespace voigt {
namespace {

Vec3 AreaOf(const std::vector<Vec3>& ring) {
  Vec3 area = Vec3::Zero();
  for (size_t i = 0; i < ring.size(); ++i) {
    area += ring[i].cross(ring[(i + 1) % ring.size()]) / 2;
  }
  return area;
}

// Triangles of the polygon's winding that add up to its area, and whose edges are the polygon's or
// come in pairs, cover it once.
void ExpectCovers(const std::vector<Vec3>& ring, const std::vector<std::array<int, 3>>& triangles) {
  const Vec3 area = AreaOf(ring);
  ASSERT_EQ(triangles.size(), ring.size() - 2);
  Vec3 sum = Vec3::Zero();
  double absolute = 0;
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : triangles) {
    const Vec3 part = AreaOf({ring[t[0]], ring[t[1]], ring[t[2]]});
    EXPECT_GE(part.dot(area), -1e-12 * area.squaredNorm());
    sum += part;
    absolute += part.norm();
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  }
  EXPECT_LT((sum - area).norm(), 1e-12 * area.norm());
  EXPECT_NEAR(absolute, area.norm(), 1e-12 * area.norm());
  const int count = static_cast<int>(ring.size());
  for (const auto& [edge, times] : edges) {
    EXPECT_EQ(times, 1);
    const bool is_border = edge.second == (edge.first + 1) % count;
    EXPECT_EQ(edges.contains({edge.second, edge.first}), !is_border);
  }
}

std::vector<Vec3> Placed(std::vector<Vec3> ring, const Eigen::Quaterniond& turn, double size) {
  for (Vec3& p : ring) p = size * (turn * p + Vec3(0.3, -2, 1));
  return ring;
}

const Eigen::Quaterniond kAskew = Eigen::Quaterniond(0.5, -0.7, 0.3, 0.2).normalized();

TEST(Polygon, ConvexOnesBecomeAFanAroundTheirFirstCorner) {
  const std::vector<Vec3> ring = {{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {1, 2, 0}, {-1, 1, 0}};
  std::vector<std::array<int, 3>> triangles;
  EXPECT_EQ(PolygonCutter().Cut(ring, &triangles), "");
  EXPECT_EQ(triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(Polygon, StarsOfAnyShapeAreCovered) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> radius(0.1, 2);
  PolygonCutter cutter;
  std::vector<std::array<int, 3>> triangles;
  for (int trial = 0; trial < 300; ++trial) {
    const int count = 4 + trial % 40;
    std::vector<Vec3> ring;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * kPi * i / count, r = radius(random);
      ring.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    }
    ring = Placed(std::move(ring), kAskew, std::pow(10, trial % 9 - 4));
    ASSERT_EQ(cutter.Cut(ring, &triangles), "");
    EXPECT_LT(cutter.unevenness(), 1e-14);
    ExpectCovers(ring, triangles);
  }
}

TEST(Polygon, SpiralsCombsPointsOnSidesAndHolesAreCovered) {
  std::vector<Vec3> spiral, comb = {{10.5, -1, 0}, {10.5, 0, 0}};
  for (int i = 0; i <= 60; ++i) {
    spiral.emplace_back((1 + i) * std::cos(0.3 * i), (1 + i) * std::sin(0.3 * i), 0);
  }
  for (int i = 60; i >= 0; --i) {
    spiral.emplace_back((4 + i) * std::cos(0.3 * i), (4 + i) * std::sin(0.3 * i), 0);
  }
  std::reverse(spiral.begin(), spiral.end());
  for (int i = 10; i >= 0; --i) comb.insert(comb.end(), {{i + 0.25, 5, 0}, {double(i), 0, 0}});
  comb.emplace_back(0, -1, 0);
  const std::vector<Vec3> sides = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                   {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
  const std::vector<Vec3> hole = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0},
                                  {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}};
  PolygonCutter cutter;
  std::vector<std::array<int, 3>> triangles;
  for (const std::vector<Vec3>& ring : {spiral, comb, sides, hole}) {
    for (const Eigen::Quaterniond& turn : {Eigen::Quaterniond::Identity(), kAskew}) {
      const std::vector<Vec3> placed = Placed(ring, turn, 1);
      EXPECT_EQ(cutter.Cut(placed, &triangles), "");
      ExpectCovers(placed, triangles);
    }
  }
}

TEST(Polygon, WhatIsNoneIsRefused) {
  PolygonCutter cutter;
  std::vector<std::array<int, 3>> triangles;
  EXPECT_EQ(cutter.Cut({{0, 0, 0}, {1, 0, 0}}, &triangles), "2 corners, expected 3 to 1000");
  EXPECT_EQ(cutter.Cut(std::vector<Vec3>(1001, Vec3::Zero()), &triangles),
            "1001 corners, expected 3 to 1000");
  EXPECT_EQ(cutter.Cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, &triangles),
            "the polygon has no area");
  EXPECT_EQ(cutter.Cut({{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 1, 0}}, &triangles),
            "the border of the polygon crosses itself");
  EXPECT_TRUE(triangles.empty());
}

TEST(Polygon, UnevennessIsTheSpreadAlongTheNormal) {
  PolygonCutter cutter;
  std::vector<std::array<int, 3>> triangles;
  const double h = 0.01;
  EXPECT_EQ(cutter.Cut({{0, 0, h}, {2, 0, -h}, {2, 2, h}, {0, 2, -h}}, &triangles), "");
  EXPECT_NEAR(cutter.unevenness(), h, 1e-15);
}

}  // namespace
}  // namespace voigt
