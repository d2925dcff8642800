#include "voigt/model/convex_hull.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

std::vector<Vec3> RandomPoints(Random* random, int count, double scale = 1) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(RandomVector(random, scale));
  return points;
}

std::vector<Vec3> CubeCorners() {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) points.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  return points;
}

// All points with whole coordinates from 0 to `side`: most of them in the middle of faces.
std::vector<Vec3> Lattice(int side) {
  std::vector<Vec3> points;
  for (int x = 0; x <= side; ++x) {
    for (int y = 0; y <= side; ++y) {
      for (int z = 0; z <= side; ++z) points.emplace_back(x, y, z);
    }
  }
  return points;
}

TriangleMesh Hull(const std::vector<Vec3>& points) {
  std::string defect;
  const auto mesh = MakeConvexHullMesh(points, &defect);
  EXPECT_TRUE(mesh) << defect;
  EXPECT_EQ(defect, "");
  return mesh.value_or(TriangleMesh{});
}

std::string DefectOf(const std::vector<Vec3>& points) {
  std::string defect;
  EXPECT_FALSE(MakeConvexHullMesh(points, &defect));
  return defect;
}

double Volume(const TriangleMesh& mesh) {
  double volume = 0;
  const Vec3& o = mesh.vertices[0];
  for (const auto& t : mesh.triangles) {
    volume +=
        (mesh.vertices[t[0]] - o).dot((mesh.vertices[t[1]] - o).cross(mesh.vertices[t[2]] - o)) / 6;
  }
  return volume;
}

// How far the farthest point lies outside of the farthest plane of a triangle. Slivers, whose
// planes mean nothing, are left out.
double LargestDistanceOutside(const TriangleMesh& mesh, const std::vector<Vec3>& points) {
  double largest = -kInfinity;
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3 normal = (b - a).cross(c - a);
    if (normal.norm() < 1e-6 * (b - a).norm() * (c - a).norm()) continue;
    for (const Vec3& p : points) largest = std::max(largest, normal.normalized().dot(p - a));
  }
  return largest;
}

bool Holds(const std::vector<Vec3>& points, const Vec3& wanted) {
  return std::find(points.begin(), points.end(), wanted) != points.end();
}

TEST(ConvexHull, ContainsAllPointsAndIsClosedAndTurnedOutwards) {
  Random random(1);
  for (int count : {4, 5, 8, 20, 100, 500}) {
    for (int i = 0; i < 10; ++i) {
      const std::vector<Vec3> points = RandomPoints(&random, count);
      const TriangleMesh mesh = Hull(points);
      EXPECT_LT(LargestDistanceOutside(mesh, points), 1e-12);
      EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "");
      EXPECT_GT(Volume(mesh), 0);
      // Euler: a closed surface of triangles without handles has 2v − 4 of them.
      EXPECT_EQ(mesh.triangles.size(), 2 * mesh.vertices.size() - 4);
      for (const Vec3& vertex : mesh.vertices) EXPECT_TRUE(Holds(points, vertex));
    }
  }
}

TEST(ConvexHull, HoldsAnywhereAtAnySize) {
  Random random(2);
  for (double scale : {1e-4, 1.0, 1e5}) {
    std::vector<Vec3> points = RandomPoints(&random, 50, scale);
    const Vec3 offset = RandomVector(&random, 1e3 * scale);
    for (Vec3& point : points) point += offset;
    const TriangleMesh mesh = Hull(points);
    EXPECT_LT(LargestDistanceOutside(mesh, points), 1e-10 * scale);
    EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "");
  }
}

TEST(ConvexHull, DropsInteriorPoints) {
  std::vector<Vec3> points = CubeCorners();
  Random random(3);
  for (int i = 0; i < 100; ++i) points.push_back(Vec3::Constant(0.5) + RandomVector(&random, 0.4));
  const TriangleMesh mesh = Hull(points);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  for (const Vec3& corner : CubeCorners()) EXPECT_TRUE(Holds(mesh.vertices, corner));
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(Volume(mesh), 1, 4e-15);
}

TEST(ConvexHull, ClosesOverCoplanarAndCollinearPoints) {
  for (int side : {1, 2, 3, 5}) {
    const TriangleMesh mesh = Hull(Lattice(side));
    EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "") << side;
    EXPECT_NEAR(Volume(mesh), side * side * side, 1e-12);
  }
}

TEST(ConvexHull, ClosesOverCoplanarPointsInAnyPosition) {
  Random random(4);
  for (int side : {1, 2, 3, 4}) {
    for (int i = 0; i < 25; ++i) {
      const Pose X = RandomPose(&random, 10);
      std::vector<Vec3> points = Lattice(side);
      for (Vec3& point : points) point = X * point;
      const TriangleMesh mesh = Hull(points);
      EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "") << side;
      EXPECT_NEAR(Volume(mesh), side * side * side, 1e-12 * side * side * side);
    }
  }
}

TEST(ConvexHull, ClosesOverPrismsWithRoundBases) {
  // Both bases are polygons of many coplanar, cocircular points.
  for (int corners : {5, 12, 64}) {
    std::vector<Vec3> points;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * kPi * i / corners;
      points.emplace_back(std::cos(angle), std::sin(angle), 0);
      points.emplace_back(std::cos(angle), std::sin(angle), 2);
    }
    const TriangleMesh mesh = Hull(points);
    EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "");
    EXPECT_NEAR(Volume(mesh), corners * std::sin(2 * kPi / corners), 1e-12);
  }
}

TEST(ConvexHull, AcceptsPointsGivenSeveralTimes) {
  std::vector<Vec3> points = CubeCorners();
  for (int i = 0; i < 3; ++i) {
    const std::vector<Vec3> corners = CubeCorners();
    points.insert(points.end(), corners.begin(), corners.end());
  }
  const TriangleMesh mesh = Hull(points);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "");
  EXPECT_NEAR(Volume(mesh), 1, 4e-15);
}

TEST(ConvexHull, ClosesOverPointsThatNearlyCoincide) {
  // Triples of points at distances around rounding make slivers, whose normals mean nothing.
  Random random(5);
  for (int i = 0; i < 400; ++i) {
    const double distance = std::pow(10.0, Uniform(&random, -17, -8));
    std::vector<Vec3> points = RandomPoints(&random, 4 + i % 40);
    const std::vector<Vec3> centres = points;
    for (const Vec3& centre : centres) {
      for (int twin = 0; twin < 2; ++twin)
        points.push_back(centre + RandomVector(&random, distance));
    }
    const TriangleMesh mesh = Hull(points);
    EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "") << "case " << i << ", " << distance;
  }
}

TEST(ConvexHull, IsDeterministic) {
  Random random(6);
  const std::vector<Vec3> points = RandomPoints(&random, 60);
  const TriangleMesh first = Hull(points), second = Hull(points);
  EXPECT_EQ(first.vertices, second.vertices);
  EXPECT_EQ(first.triangles, second.triangles);
}

TEST(ConvexHull, RefusesFlatPoints) {
  EXPECT_NE(DefectOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).find("plane"),
            std::string::npos);
  // A tilted plane, a line, one point many times.
  Random random(7);
  const Pose X = RandomPose(&random);
  std::vector<Vec3> flat, line;
  for (int i = 0; i < 20; ++i) {
    flat.push_back(X * Vec3{Uniform(&random, -1, 1), Uniform(&random, -1, 1), 0});
    line.push_back(X * Vec3(Uniform(&random, -1, 1), 0, 0));
  }
  EXPECT_NE(DefectOf(flat).find("20 points"), std::string::npos);
  EXPECT_NE(DefectOf(line).find("20 points"), std::string::npos);
  EXPECT_NE(DefectOf(std::vector<Vec3>(6, Vec3(1, 2, 3))), "");
}

TEST(ConvexHull, RefusesTooFewPoints) {
  EXPECT_EQ(DefectOf({}), "0 points, expected at least 4");
  EXPECT_EQ(DefectOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "3 points, expected at least 4");
}

TEST(ConvexHull, RefusesPointsThatAreNotFinite) {
  for (double bad : {kNaN, kInfinity, -kInfinity}) {
    std::vector<Vec3> points = CubeCorners();
    points[3][1] = bad;
    EXPECT_EQ(DefectOf(points), "point 3 is not finite");
  }
}

}  // namespace
}  // namespace voigt
