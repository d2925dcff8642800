// Polytopes: faces, edges and neighbours from points, and what is refused.

#include "voigt/collision/polytope.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>

#include "tests/collision/convex_reference.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomHull;
using testing::RandomPose;
using testing::RandomVector;

// Every edge joins two faces that meet there, every face is a convex polygon about its normal, and
// every vertex is below every face.
void ExpectConsistent(const Polytope& p, double tolerance) {
  EXPECT_EQ(p.vertices.size() + p.faces.size(), p.edges.size() + 2);
  for (const Polytope::Face& face : p.faces) {
    EXPECT_NEAR(face.normal.norm(), 1, 1e-15);
    for (const Vec3& v : p.vertices) EXPECT_LE(face.normal.dot(v), face.offset + tolerance);
    for (int k = 0; k < face.count; ++k) {
      const Vec3& a = p.vertices[p.loops[face.first + k]];
      const Vec3& b = p.vertices[p.loops[face.first + (k + 1) % face.count]];
      const Vec3& c = p.vertices[p.loops[face.first + (k + 2) % face.count]];
      EXPECT_NEAR(face.normal.dot(a), face.offset, tolerance);
      EXPECT_GT(face.normal.dot((b - a).cross(c - b)), 0);
    }
  }
  for (const Polytope::Edge& edge : p.edges) {
    const Vec3 along = p.vertices[edge.vertices[1]] - p.vertices[edge.vertices[0]];
    const Vec3 &left = p.faces[edge.faces[0]].normal, &right = p.faces[edge.faces[1]].normal;
    EXPECT_GT(left.cross(right).dot(along), 0);
    EXPECT_NEAR(left.dot(along), 0, 2 * tolerance);
    EXPECT_NEAR(right.dot(along), 0, 2 * tolerance);
  }
}

TEST(Polytope, OfRandomHullsIsConsistent) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    std::string defect;
    const auto p = MakePolytope(RandomHull(&random, 4 + trial), &defect);
    ASSERT_TRUE(p) << defect;
    EXPECT_EQ(p->vertices.size(), 4u + trial);
    ExpectConsistent(*p, 1e-12);
  }
}

TEST(Polytope, SupportOfLargeHullsIsThatOfAllVertices) {
  Random random(2);
  std::string defect;
  const auto p = MakePolytope(RandomHull(&random, 500), &defect);
  ASSERT_TRUE(p) << defect;
  int hint = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3 d = RandomVector(&random);
    double best = -kInfinity;
    for (const Vec3& v : p->vertices) best = std::max(best, d.dot(v));
    hint = p->FindSupport(d, hint);
    EXPECT_EQ(d.dot(p->vertices[hint]), best);
  }
}

TEST(Polytope, OfABoxAndOfItsPointsAgree) {
  const Polytope box = MakePolytope(Box{Vec3(1, 2, 3)});
  ExpectConsistent(box, 1e-15);
  EXPECT_EQ(box.faces.size(), 6u);
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    // Turned, with points on faces, edges and inside, and all of them twice.
    const Pose X = RandomPose(&random, trial < 10 ? 0 : 100);
    ConvexHull hull;
    for (int i = -2; i <= 2; ++i) {
      for (int j = -2; j <= 2; ++j) {
        for (int k = -2; k <= 2; ++k) {
          hull.points.push_back(X * Vec3(0.25 * i, 0.5 * j, 0.75 * k));
        }
      }
    }
    hull.points.insert(hull.points.end(), hull.points.begin(), hull.points.end());
    std::string defect;
    const auto p = MakePolytope(hull, &defect);
    ASSERT_TRUE(p) << defect;
    EXPECT_EQ(p->vertices.size(), 8u);
    EXPECT_EQ(p->faces.size(), 6u);
    EXPECT_EQ(p->edges.size(), 12u);
    ExpectConsistent(*p, 1e-12);
  }
}

TEST(Polytope, PrismHasPolygonsAsCaps) {
  ConvexHull hull;
  for (int k = 0; k < 64; ++k) {
    const double angle = 2 * kPi * k / 64;
    for (double z : {-0.1, 0.1}) hull.points.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  std::string defect;
  const auto p = MakePolytope(hull, &defect);
  ASSERT_TRUE(p) << defect;
  EXPECT_EQ(p->faces.size(), 66u);
  EXPECT_EQ(p->edges.size(), 192u);
  ExpectConsistent(*p, 1e-13);
}

TEST(Polytope, RefusesWhatHasNoVolume) {
  const auto refuse = [](std::vector<Vec3> points, const std::string& part) {
    std::string defect;
    EXPECT_FALSE(MakePolytope(ConvexHull{std::move(points)}, &defect));
    EXPECT_NE(defect.find(part), std::string::npos) << defect;
  };
  refuse({}, "0 points, expected at least 4");
  refuse({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(0.5, 0.2, 0)}, "plane");
  refuse(std::vector<Vec3>(10, Vec3(1, 2, 3)), "hull");
  refuse({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, kNaN)}, "point 3 is not finite");
  refuse({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, kInfinity)}, "not finite");
}

TEST(ConvexShape, RefusesWhatIsNotConvexOrNotValid) {
  std::string defect;
  EXPECT_FALSE(MakeConvexShape(HalfSpace{}, &defect));
  EXPECT_NE(defect.find("expected a sphere"), std::string::npos) << defect;
  EXPECT_FALSE(MakeConvexShape(Cylinder{-1, 1}, &defect));
  EXPECT_NE(defect.find("radius = -1"), std::string::npos) << defect;
  EXPECT_FALSE(MakeConvexShape(ConvexHull{{Vec3::Zero()}}, &defect));
  EXPECT_NE(defect.find("1 points"), std::string::npos) << defect;
}

}  // namespace
}  // namespace voigt
