#include "voigt/plot/outline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace voigt {
namespace {

using Polygon = std::vector<Vec2>;

double Turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0];
}

TEST(ConvexOutline, OfASquareIsItsCorners) {
  EXPECT_EQ(ConvexOutline({{1, 1}, {0, 0}, {0.5, 0.5}, {1, 0}, {0, 1}, {0.2, 0.9}}),
            (Polygon{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
}

TEST(ConvexOutline, LeavesOutPointsOnEdges) {
  EXPECT_EQ(ConvexOutline({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 1}, {0, 0}}),
            (Polygon{{0, 0}, {2, 0}, {2, 2}}));
}

TEST(ConvexOutline, OfAFlatSetIsItsEnds) {
  EXPECT_EQ(ConvexOutline({{3, 3}, {1, 1}, {2, 2}, {0, 0}}), (Polygon{{0, 0}, {3, 3}}));
  EXPECT_EQ(ConvexOutline({{1, 5}, {1, 2}, {1, 3}}), (Polygon{{1, 2}, {1, 5}}));
}

TEST(ConvexOutline, OfFewPointsIsThesePoints) {
  EXPECT_EQ(ConvexOutline({}), Polygon{});
  EXPECT_EQ(ConvexOutline({{1, 2}}), (Polygon{{1, 2}}));
  EXPECT_EQ(ConvexOutline({{3, 4}, {1, 2}}), (Polygon{{1, 2}, {3, 4}}));
  EXPECT_EQ(ConvexOutline({{1, 2}, {1, 2}, {1, 2}, {1, 2}}), (Polygon{{1, 2}}));
}

TEST(ConvexOutline, TurnsLeftAndContainsEverything) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    Polygon points(200);
    for (Vec2& point : points) point = {normal(random), normal(random)};
    const Polygon hull = ConvexOutline(points);
    ASSERT_GE(hull.size(), 3u);
    for (size_t i = 0; i < hull.size(); ++i) {
      const Vec2 &a = hull[i], &b = hull[(i + 1) % hull.size()], &c = hull[(i + 2) % hull.size()];
      EXPECT_GT(Turn(a, b, c), 0);
      for (const Vec2& point : points) EXPECT_GE(Turn(a, b, point), -1e-12);
    }
  }
}

// The distance of p from the segment from -length/2 to length/2 along z.
double DistanceFromAxis(const Vec3& p, double length) {
  return (p - Vec3(0, 0, std::clamp(p[2], -length / 2, length / 2))).norm();
}

TEST(SampleSurface, LiesOnSpheresAndEllipsoids) {
  const auto sphere = SampleSurface(Sphere{2});
  EXPECT_GE(sphere.size(), 100u);
  for (const Vec3& p : sphere) EXPECT_NEAR(p.norm(), 2, 1e-14);
  const Vec3 radii(1, 2, 3);
  const auto ellipsoid = SampleSurface(Ellipsoid{radii});
  EXPECT_GE(ellipsoid.size(), 100u);
  for (const Vec3& p : ellipsoid) EXPECT_NEAR(p.cwiseQuotient(radii).norm(), 1, 1e-14);
}

TEST(SampleSurface, LiesOnCapsulesAndCylinders) {
  const auto capsule = SampleSurface(Capsule{0.5, 3});
  EXPECT_GE(capsule.size(), 100u);
  for (const Vec3& p : capsule) EXPECT_NEAR(DistanceFromAxis(p, 3), 0.5, 1e-14);
  const auto cylinder = SampleSurface(Cylinder{0.5, 3});
  EXPECT_GE(cylinder.size(), 64u);
  for (const Vec3& p : cylinder) {
    EXPECT_NEAR(p.head<2>().norm(), 0.5, 1e-14);
    EXPECT_EQ(std::abs(p[2]), 1.5);
  }
}

TEST(SampleSurface, IsTheCornersOfPolyhedra) {
  const auto box = SampleSurface(Box{{2, 4, 6}});
  ASSERT_EQ(box.size(), 8u);
  for (const Vec3& p : box) EXPECT_EQ(Vec3(p.cwiseAbs()), Vec3(1, 2, 3));
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_EQ(SampleSurface(ConvexHull{points}), points);
  EXPECT_EQ(SampleSurface(TriangleMesh{points, {{0, 2, 1}}}), points);
  const std::vector<Vec3> grid = {{-1, -1, 5}, {1, -1, 6}, {-1, 1, 7}, {1, 1, 8}};
  EXPECT_EQ(SampleSurface(HeightField{2, 2, {2, 2}, {5, 6, 7, 8}}), grid);
}

TEST(SampleSurface, IsThePointsAndTheCornersOfAFoundation) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 2, 3}};
  EXPECT_EQ(SampleSurface(ContactPoints{points}), points);
  Foundation layer;
  layer.size = {2, 4};
  const auto corners = SampleSurface(layer);
  ASSERT_EQ(corners.size(), 4u);
  for (const Vec3& p : corners) EXPECT_EQ(Vec3(p.cwiseAbs()), Vec3(1, 2, 0));
}

TEST(SampleSurface, OfAHalfSpaceIsEmpty) { EXPECT_TRUE(SampleSurface(HalfSpace{}).empty()); }

// Seen from any side, the drawn outline is nearly as wide as the shape.
TEST(SampleSurface, ReachesTheExtremes) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto reach = [&](const Shape& shape, double sign) {
      double best = -kInfinity;
      for (const Vec3& p : SampleSurface(shape)) best = std::max(best, sign * p[axis]);
      return best;
    };
    for (double sign : {-1, 1}) {
      EXPECT_DOUBLE_EQ(reach(Sphere{2}, sign), 2);
      EXPECT_DOUBLE_EQ(reach(Capsule{0.5, 3}, sign), axis == 2 ? 2 : 0.5);
      EXPECT_DOUBLE_EQ(reach(Cylinder{0.5, 3}, sign), axis == 2 ? 1.5 : 0.5);
    }
  }
}

}  // namespace
}  // namespace voigt
