// Where flat parts meet: as many points as hold the shapes, with the right gaps and lasting names.

#include <gtest/gtest.h>

#include <set>

#include "tests/collision/convex_reference.h"

namespace voigt {
namespace {

using testing::CollideAll;
using testing::Deepest;
using testing::PlacedConvex;
using testing::Random;
using testing::RandomPose;
using testing::RandomVector;

std::set<int> ListFeatures(const Manifold& manifold) {
  std::set<int> out;
  for (const ManifoldPoint& point : manifold) out.insert(point.feature);
  EXPECT_EQ(out.size(), manifold.size()) << "features repeat";
  return out;
}

// The points, in the xy-plane, that hold what rests on them: none of the given ones is outside of
// their hull by more than the slack.
void ExpectCovers(const Manifold& manifold, const std::vector<Vec2>& corners, double slack) {
  for (int k = 0; k < 64; ++k) {
    const Vec2 d(std::cos(kPi * k / 32), std::sin(kPi * k / 32));
    double reach = -kInfinity, wanted = -kInfinity;
    for (const ManifoldPoint& point : manifold) {
      reach = std::max(reach, d.dot(point.p_W.head<2>()));
    }
    for (const Vec2& corner : corners) wanted = std::max(wanted, d.dot(corner));
    EXPECT_NEAR(reach, wanted, slack);
  }
}

ConvexHull HullOf(const Box& box) { return {MakePolytope(box).vertices}; }

TEST(ConvexManifold, BoxFaceOnFaceHasTheCornersOfTheOverlap) {
  ConvexCollider collider;
  const Box low{Vec3(2, 2, 1)}, high{Vec3(1, 3, 1)};
  for (double gap : {0.01, 0.0, -0.01}) {
    for (const Shape& shape_A : {Shape(low), Shape(HullOf(low))}) {
      for (const Shape& shape_B : {Shape(high), Shape(HullOf(high))}) {
        const PlacedConvex A(shape_A, {});
        const PlacedConvex B(shape_B, {Mat3::Identity(), Vec3(0.7, 0.2, 1 + gap)});
        const Manifold manifold = CollideAll(&collider, A, B, 0.02);
        EXPECT_EQ(manifold.size(), 4u);
        for (const ManifoldPoint& point : manifold) {
          EXPECT_NEAR(point.phi, gap, 1e-15);
          EXPECT_NEAR(point.p_W[2], 0.5 + 0.5 * gap, 1e-15);
          EXPECT_LT((point.n_W - Vec3::UnitZ()).norm(), 1e-15);
        }
        ExpectCovers(manifold, {{0.2, -1}, {1, -1}, {1, 1}, {0.2, 1}}, 1e-14);
        ListFeatures(manifold);
      }
    }
  }
}

TEST(ConvexManifold, EqualBoxesStackedExactlyHaveFourPoints) {
  ConvexCollider collider;
  const Box box{Vec3(1, 1, 1)};
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Pose X = RandomPose(&random, 10);
    const double gap = trial % 2 == 0 ? 0 : 1e-3;
    const PlacedConvex A(HullOf(box), X), B(box, X * Pose{Mat3::Identity(), Vec3(0, 0, 1 + gap)});
    const Manifold manifold = CollideAll(&collider, A, B, 0.01);
    EXPECT_EQ(manifold.size(), 4u);
    for (const ManifoldPoint& point : manifold) EXPECT_NEAR(point.phi, gap, 1e-14);
  }
}

// A box that is slightly tilted keeps all its corners within the margin, each with its own gap.
TEST(ConvexManifold, TiltedBoxHasTheGapOfEachCorner) {
  ConvexCollider collider;
  const PlacedConvex A(HullOf(Box{Vec3(4, 4, 2)}), {});
  const Box box{Vec3(1, 1, 1)};
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Mat3 R = RotationAbout(RandomVector(&random).normalized(), 1e-3);
    const PlacedConvex B(box, {R, Vec3(0.1, 0.2, 1.501)});
    const Manifold manifold = CollideAll(&collider, A, B, 0.01);
    ASSERT_EQ(manifold.size(), 4u);
    for (const ManifoldPoint& point : manifold) {
      // The corner of B above the point.
      double height = kInfinity;
      for (const Vec3& v : MakePolytope(box).vertices) {
        const Vec3 corner = B.X * v;
        if ((corner - point.p_W).head<2>().norm() < 1e-9) height = std::min(height, corner[2] - 1);
      }
      EXPECT_NEAR(point.phi, height, 1e-12);
    }
  }
}

// The corners of meshes have few digits: what was drawn as one face is several, bent by a little.
TEST(ConvexManifold, FacesOfSinglePrecisionCountAsOne) {
  ConvexCollider collider;
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3 R = testing::RandomRotation(&random);
    ConvexHull hull = HullOf(Box{Vec3(1, 1, 1)});
    for (Vec3& p : hull.points) p = (R * p).cast<float>().cast<double>();
    const PlacedConvex A(Box{Vec3(4, 4, 2)}, {});
    const PlacedConvex B(hull, {R.transpose(), Vec3(0, 0, 1.5)});
    const Manifold manifold = CollideAll(&collider, A, B, 1e-3);
    EXPECT_EQ(manifold.size(), 4u);
    for (const ManifoldPoint& point : manifold) EXPECT_NEAR(point.phi, 0, 2e-7);
    ExpectCovers(manifold, {{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}}, 1e-6);
  }
}

TEST(ConvexManifold, CylinderStandingOnABoxTouchesAllAroundItsRim) {
  ConvexCollider collider;
  const PlacedConvex A(Box{Vec3(4, 4, 2)}, {});
  for (double gap : {1e-3, 0.0, -1e-3}) {
    const PlacedConvex B(Cylinder{0.5, 1}, {Mat3::Identity(), Vec3(0, 0, 1.5 + gap)});
    const Manifold manifold = CollideAll(&collider, A, B, 0.01);
    EXPECT_EQ(manifold.size(), 8u);
    for (const ManifoldPoint& point : manifold) {
      EXPECT_NEAR(point.phi, gap, 1e-15);
      EXPECT_NEAR(point.p_W.head<2>().norm(), 0.5, 1e-15);
    }
    // Over the edge of the box, what is left of the octagon.
    const PlacedConvex C(Cylinder{0.5, 1}, {Mat3::Identity(), Vec3(2, 0, 1.5 + gap)});
    const Manifold half = CollideAll(&collider, A, C, 0.01);
    for (const ManifoldPoint& point : half) EXPECT_LE(point.p_W[0], 2 + 1e-12);
    ExpectCovers(half,
                 {{2, 0.5},
                  {2 - 0.5 * std::sqrt(0.5), 0.5 * std::sqrt(0.5)},
                  {1.5, 0},
                  {2 - 0.5 * std::sqrt(0.5), -0.5 * std::sqrt(0.5)},
                  {2, -0.5}},
                 1e-12);
  }
}

TEST(ConvexManifold, TiltedCylinderAddsItsLowestPoint) {
  ConvexCollider collider;
  const PlacedConvex A(Box{Vec3(4, 4, 2)}, {});
  for (double tilt : {1e-3, 1e-5, 1e-7}) {
    // Lowest between two corners of the octagon.
    const Mat3 R = RotationAbout(Vec3(-std::sin(0.3), std::cos(0.3), 0), tilt);
    const double low = 0.5 * std::sin(tilt) + 0.5 * std::cos(tilt);
    const PlacedConvex B(Cylinder{0.5, 1}, {R, Vec3(0, 0, 1 + low)});
    const Manifold manifold = CollideAll(&collider, A, B, 0.01);
    EXPECT_EQ(manifold.size(), 9u) << tilt;
    const ManifoldPoint& deepest = Deepest(manifold);
    EXPECT_NEAR(deepest.phi, 0, 1e-15);
    EXPECT_NEAR(std::atan2(deepest.p_W[1], deepest.p_W[0]), 0.3, 1e-6);
  }
}

TEST(ConvexManifold, CapOnCapOverlapsInALens) {
  ConvexCollider collider;
  const PlacedConvex A(Cylinder{0.5, 1}, {}),
      B(Cylinder{0.4, 1}, {Mat3::Identity(), Vec3(0.6, 0, 1)});
  const Manifold manifold = CollideAll(&collider, A, B, 0.01);
  EXPECT_GE(manifold.size(), 3u);
  for (const ManifoldPoint& point : manifold) {
    EXPECT_NEAR(point.phi, 0, 1e-15);
    EXPECT_LE(point.p_W.head<2>().norm(), 0.5 + 1e-12);
    EXPECT_LE((point.p_W.head<2>() - Vec2(0.6, 0)).norm(), 0.4 + 1e-12);
  }
  ListFeatures(manifold);
  // One behind the other on the same axis, all of the smaller cap.
  const PlacedConvex C(Cylinder{0.4, 1}, {Mat3::Identity(), Vec3(0, 0, 1)});
  EXPECT_EQ(CollideAll(&collider, A, C, 0.01).size(), 8u);
}

TEST(ConvexManifold, LyingCylindersAndCapsulesHaveTwoPoints) {
  ConvexCollider collider;
  const Mat3 R = RotationAbout(Vec3::UnitY(), kPi / 2);
  const PlacedConvex floor(Box{Vec3(4, 4, 2)}, {});
  const PlacedConvex hull(HullOf(Box{Vec3(4, 4, 2)}), {});
  for (double gap : {1e-3, 0.0, -1e-3}) {
    for (const Shape& shape : {Shape(Cylinder{0.3, 2}), Shape(Capsule{0.3, 2})}) {
      for (const PlacedConvex* A : {&floor, &hull}) {
        // The second reaches over the edge of the floor at x = 2.
        for (double x : {0.2, 1.7}) {
          const PlacedConvex B(shape, {R, Vec3(x, 0.1, 1.3 + gap)});
          const Manifold manifold = CollideAll(&collider, *A, B, 0.01);
          EXPECT_EQ(manifold.size(), 2u);
          for (const ManifoldPoint& point : manifold) {
            EXPECT_NEAR(point.phi, gap, 1e-15);
            EXPECT_EQ(point.radius, kInfinity);
          }
          ExpectCovers(manifold, {{x - 1, 0.1}, {std::min(2.0, x + 1), 0.1}}, 1e-12);
        }
      }
      // On another cylinder along it, and over its end.
      const PlacedConvex log(Cylinder{0.5, 3}, {R, Vec3::Zero()});
      for (double x : {0.2, 1.2}) {
        const PlacedConvex B(shape, {R, Vec3(x, 0, 0.8 + gap)});
        const Manifold manifold = CollideAll(&collider, log, B, 0.01);
        EXPECT_EQ(manifold.size(), 2u);
        for (const ManifoldPoint& point : manifold) EXPECT_NEAR(point.phi, gap, 2e-15);
        ExpectCovers(manifold, {{x - 1, 0}, {std::min(1.5, x + 1), 0}}, 1e-12);
      }
    }
  }
}

TEST(ConvexManifold, FeaturesLastWhileTheSameOnesMeet) {
  ConvexCollider collider;
  Random random(3);
  const std::pair<Shape, double> resting[] = {
      {Box{Vec3(1, 0.8, 1)}, 0.5}, {HullOf(Box{Vec3(1, 0.8, 1)}), 0.5}, {Cylinder{0.5, 1}, 0.5}};
  for (const auto& [shape, height] : resting) {
    const PlacedConvex A(HullOf(Box{Vec3(2, 2, 2)}), {});
    std::set<int> before;
    for (int step = 0; step < 50; ++step) {
      const Mat3 R = RotationAbout(Vec3::UnitZ(), 0.002 * step) *
                     RotationAbout(RandomVector(&random).normalized(), 1e-12);
      const PlacedConvex B(shape, {R, Vec3(0.7 + 1e-3 * step, 0.1, 1 + height - 1e-5)});
      const std::set<int> now = ListFeatures(CollideAll(&collider, A, B, 1e-3));
      if (step > 0) {
        EXPECT_EQ(now, before);
      }
      before = now;
    }
  }
}

}  // namespace
}  // namespace voigt
