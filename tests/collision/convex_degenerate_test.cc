// Positions that chance avoids: parallel faces, edges and axes, common centres, exact touching, all
// of these exactly and nearly.

#include <gtest/gtest.h>

#include "tests/collision/convex_reference.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

using testing::CalcReferenceGap;
using testing::CollideAll;
using testing::Deepest;
using testing::kConvexKindCount;
using testing::PlacedConvex;
using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

// Lengths that are multiples of ½: faces, edges and centres coincide often.
Shape MakeEvenShape(Random* random, int kind) {
  const auto length = [&] { return 0.5 * (1 + (*random)() % 4); };
  switch (kind) {
    case testing::kBox:
      return Box{Vec3{length(), length(), length()}};
    case testing::kHull: {
      ConvexHull hull{MakePolytope(Box{Vec3{length(), length(), length()}}).vertices};
      // A gable roof or a pyramid on one of the faces.
      const Vec3 top(0, 0, hull.points[7][2] + 0.5);
      hull.points.push_back(top + Vec3(0.25 * ((*random)() % 2), 0, 0));
      hull.points.push_back(top - Vec3(0.25 * ((*random)() % 2), 0, 0));
      return hull;
    }
    case testing::kCapsule:
      return Capsule{0.5 * length(), length()};
    case testing::kCylinder:
      return Cylinder{0.5 * length(), length()};
    case testing::kEllipsoid:
      return Ellipsoid{0.5 * Vec3{length(), length(), length()}};
    default:
      return Sphere{0.5 * length()};
  }
}

// A rotation that maps axes to axes, or nearly.
Mat3 MakeEvenRotation(Random* random) {
  Mat3 R = Mat3::Identity();
  for (int k = 0; k < 3; ++k) {
    const int axis = static_cast<int>((*random)() % 3), i = (axis + 1) % 3, j = (axis + 2) % 3;
    Mat3 quarter = Mat3::Zero();
    quarter(axis, axis) = quarter(j, i) = 1;
    quarter(i, j) = -1;
    R = R * quarter;
  }
  if ((*random)() % 2 == 0) return R;
  const double angle = std::pow(10, -Uniform(random, 1, 16));
  return R * RotationAbout(RandomVector(random).normalized(), angle);
}

PlacedConvex PlaceB(Random* random, int kind, const PlacedConvex& A) {
  PlacedConvex B{MakeEvenShape(random, kind), {MakeEvenRotation(random), Vec3::Zero()}};
  for (int k = 0; k < 3; ++k) {
    B.X.p[k] = 0.25 * (static_cast<int>((*random)() % 7) - 3);
  }
  if ((*random)() % 3 == 0) B.X.p.setZero();
  // Some are moved along an axis until they touch, and a little more or less.
  if ((*random)() % 2 == 0) {
    const Vec3 n = Vec3::Unit((*random)() % 3);
    const double nearly = (*random)() % 2 == 0 ? 0 : std::pow(10, -Uniform(random, 2, 16));
    B.X.p += n * (nearly - CalcReferenceGap(A, B, n));
  }
  return B;
}

class ConvexDegenerate : public ::testing::TestWithParam<int> {};

TEST_P(ConvexDegenerate, GapHoldsAgainstAllAxesOfBoth) {
  const int kind_A = GetParam();
  ConvexCollider collider;
  Random random(17 + kind_A);
  for (int trial = 0; trial < testing::SampleCount(1500); ++trial) {
    SCOPED_TRACE(trial);
    const PlacedConvex A(MakeEvenShape(&random, kind_A), {});
    const PlacedConvex B = PlaceB(&random, trial % kConvexKindCount, A);
    const Manifold manifold = CollideAll(&collider, A, B);
    ASSERT_FALSE(manifold.empty());
    const ManifoldPoint& deepest = Deepest(manifold);
    EXPECT_NEAR(deepest.phi, CalcReferenceGap(A, B, deepest.n_W), 2e-11);
    // Directions that matter in such positions, and some about the one that was found.
    const auto expect_no_larger = [&](const Vec3& n) {
      if (n.norm() < 1e-6) return;
      EXPECT_LE(CalcReferenceGap(A, B, n.normalized()), deepest.phi + 1e-9);
    };
    for (double sign : {-1.0, 1.0}) {
      for (int i = 0; i < 3; ++i) {
        expect_no_larger(sign * Vec3::Unit(i));
        expect_no_larger(sign * B.X.R.col(i));
        for (int j = 0; j < 3; ++j) expect_no_larger(sign * Vec3::Unit(i).cross(B.X.R.col(j)));
      }
      expect_no_larger(sign * B.X.p);
    }
    for (int k = 0; k < 60; ++k) {
      const double amount = std::pow(10, -Uniform(&random, 0, 15));
      expect_no_larger(deepest.n_W + amount * RandomVector(&random));
    }
    const ManifoldPoint swapped = Deepest(CollideAll(&collider, B, A));
    EXPECT_NEAR(swapped.phi, deepest.phi, 1e-9);
    for (const ManifoldPoint& point : manifold) {
      EXPECT_TRUE(point.p_W.allFinite());
      EXPECT_NEAR(point.n_W.norm(), 1, 1e-15);
      EXPECT_GE(point.phi, deepest.phi);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ConvexDegenerate, ::testing::Range(0, int{kConvexKindCount}));

TEST(ConvexCollider, PosesThatAreNotFiniteAreReported) {
  ConvexCollider collider;
  for (int kind_A = 0; kind_A < kConvexKindCount; ++kind_A) {
    for (int kind_B = 0; kind_B < kConvexKindCount; ++kind_B) {
      Random random(1);
      const PlacedConvex A(testing::RandomConvex(&random, kind_A), {});
      for (double bad : {kNaN, kInfinity}) {
        PlacedConvex B(testing::RandomConvex(&random, kind_B), {});
        B.X.p[1] = bad;
        Manifold manifold;
        const auto status = collider.Collide(A.convex, A.X, B.convex, B.X, 1, &manifold);
        EXPECT_NE(status, ConvexCollider::Status::kSolved);
        EXPECT_TRUE(manifold.empty());
        B.X.p[1] = 0;
        B.X.R(0, 0) = bad;
        collider.Collide(A.convex, A.X, B.convex, B.X, 1, &manifold);
        for (const ManifoldPoint& point : manifold) EXPECT_TRUE(std::isfinite(point.phi));
      }
    }
  }
}

TEST(ConvexThin, DiscsNeedlesAndPlatesAreSolved) {
  ConvexCollider collider;
  Random random(3);
  const auto thin = [&]() -> Shape {
    const double t = std::pow(10, -Uniform(&random, 1, 4));
    switch (random() % 5) {
      case 0:
        return Cylinder{1, t};
      case 1:
        return Cylinder{t, 2};
      case 2:
        return Ellipsoid{Vec3(1, 0.8, t)};
      case 3:
        return Ellipsoid{Vec3(t, t, 1)};
      default:
        return Box{Vec3(2, 1, t)};
    }
  };
  for (int trial = 0; trial < testing::SampleCount(1000); ++trial) {
    SCOPED_TRACE(trial);
    const PlacedConvex A(thin(), RandomPose(&random));
    PlacedConvex B(thin(), RandomPose(&random));
    B.X.p = A.X.p + RandomVector(&random, 0.7);
    const ManifoldPoint deepest = Deepest(CollideAll(&collider, A, B));
    EXPECT_NEAR(deepest.phi, CalcReferenceGap(A, B, deepest.n_W), 1e-11);
    EXPECT_GE(deepest.phi, testing::SearchLargestGap(A, B) - 1e-10);
  }
}

Shape MakeSmallShape(int kind) {
  switch (kind) {
    case 0:
      return Cylinder{5e-4, 1e-3};
    case 1:
      return Box{Vec3(1e-3, 5e-4, 7e-4)};
    default:
      return Ellipsoid{Vec3(1e-3, 5e-4, 3e-4)};
  }
}

// Small things on the ground.
TEST(ConvexSizes, MayDifferAMillionfold) {
  ConvexCollider collider;
  Random random(5);
  const PlacedConvex ground(Box{Vec3(1000, 1000, 10)}, {});
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    PlacedConvex B(MakeSmallShape(trial % 3), RandomPose(&random));
    const double gap = Uniform(&random, -3e-4, 3e-4);
    B.X.p = Vec3{Uniform(&random, -100, 100), Uniform(&random, -100, 100), 5};
    B.X.p[2] += gap + B.CalcReach(-Vec3::UnitZ());
    const ManifoldPoint deepest = Deepest(CollideAll(&collider, ground, B));
    EXPECT_NEAR(deepest.phi, gap, 1e-12);
    EXPECT_LT((deepest.n_W - Vec3::UnitZ()).norm(), 1e-11);
  }
}

TEST(ConvexSizes, MayDifferAThousandfold) {
  ConvexCollider collider;
  Random random(4);
  for (int trial = 0; trial < testing::SampleCount(1000); ++trial) {
    SCOPED_TRACE(trial);
    const PlacedConvex A(testing::RandomConvex(&random, trial % kConvexKindCount),
                         RandomPose(&random));
    // Somewhere near the surface of the large one.
    const Vec3 d = RandomVector(&random).normalized();
    PlacedConvex B(MakeSmallShape(trial % 3), RandomPose(&random));
    B.X.p = A.X.p + (Uniform(&random, 0.5, 1.1) * A.CalcReach(d)) * d;
    const ManifoldPoint deepest = Deepest(CollideAll(&collider, A, B));
    EXPECT_NEAR(deepest.phi, CalcReferenceGap(A, B, deepest.n_W), 1e-11);
    EXPECT_GE(deepest.phi, testing::SearchLargestGap(A, B) - 1e-11);
  }
}

}  // namespace
}  // namespace voigt
