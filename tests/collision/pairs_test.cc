// Gaps, normals and points of every pair of shapes, against closed forms.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/support/random_model.h"
#include "voigt/collision/points_half_space.h"
#include "voigt/collision/sphere_half_space.h"
#include "voigt/collision/sphere_sphere.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

constexpr double kTolerance = 1e-12;  // of lengths of order 1 to 10

TEST(SphereHalfSpace, GapIsTheHeightOfTheLowestPoint) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Pose X = RandomPose(&random, 10);
    const Vec3 local = RandomVector(&random, 3);
    const double radius = Uniform(&random, 0.01, 2);
    const ContactPoint point = CalcHalfSpaceSphere(MakePlane(X), X * local, radius);
    EXPECT_NEAR(point.phi, local[2] - radius, kTolerance);
    EXPECT_NEAR(point.n_W.norm(), 1, 1e-15);
    EXPECT_LT((point.n_W - X.R * Vec3::UnitZ()).norm(), 1e-14);
    // Midway between the lowest point and the face below it.
    const Vec3 expected(local[0], local[1], 0.5 * (local[2] - radius));
    EXPECT_LT((X.Inverse() * point.p_W - expected).norm(), kTolerance);
  }
}

TEST(PointsHalfSpace, GapIsTheHeight) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Pose X = RandomPose(&random, 10);
    const Vec3 local = RandomVector(&random, 3);
    const ContactPoint point = CalcHalfSpacePoint(MakePlane(X), X * local);
    EXPECT_NEAR(point.phi, local[2], kTolerance);
    EXPECT_NEAR(point.n_W.norm(), 1, 1e-15);
    EXPECT_LT((X.Inverse() * point.p_W - Vec3(local[0], local[1], local[2] / 2)).norm(),
              kTolerance);
  }
}

TEST(SphereSphere, GapIsTheDistanceOfTheSurfaces) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    // Two spheres on a known line.
    const Vec3 direction = RandomVector(&random).normalized(), center = RandomVector(&random, 10);
    const double r_A = Uniform(&random, 0.01, 2), r_B = Uniform(&random, 0.01, 2);
    const double phi = Uniform(&random, -0.5 * std::min(r_A, r_B), 3);
    const ContactPoint point =
        CalcSphereSphere(center, r_A, center + (r_A + r_B + phi) * direction, r_B);
    EXPECT_NEAR(point.phi, phi, kTolerance);
    EXPECT_NEAR(point.n_W.norm(), 1, 1e-15);
    EXPECT_LT((point.n_W - direction).norm(), 1e-11);  // at distances of 0.01 and more
    EXPECT_LT((point.p_W - (center + (r_A + phi / 2) * direction)).norm(), kTolerance);
  }
}

TEST(SphereSphere, WorksAtTinyAndAtNoDistance) {
  const ContactPoint same = CalcSphereSphere(Vec3::Ones(), 1, Vec3::Ones(), 2);
  EXPECT_EQ(same.phi, -3);
  EXPECT_EQ(same.n_W, Vec3::UnitZ());
  for (double distance : {1e-20, 1e-158, 1e-161, 1e-300, 5e-324}) {
    const ContactPoint near = CalcSphereSphere(Vec3::Zero(), 1, Vec3(0.6, 0, 0.8) * distance, 2);
    EXPECT_NEAR(near.n_W.norm(), 1, 1e-15) << distance;
    EXPECT_EQ(near.phi, -3);
  }
}

TEST(SphereSphere, StackedSpheresHaveExactlyVerticalNormals) {
  for (int i = 0; i < 100; ++i) {
    const Vec3 below(0, 0, 0.1 + 1.1 * i), above(0, 0, 0.1 + 1.1 * (i + 1));
    EXPECT_EQ(CalcSphereSphere(below, 0.5, above, 0.5).n_W, Vec3::UnitZ());
  }
}

TEST(Foundation, ElementsAreTheCentresOfTheCells) {
  Foundation layer;
  layer.size = {2, 3};
  layer.nx = 4;
  layer.ny = 2;
  EXPECT_LT((ElementPosition(layer, 0) - Vec3(-0.75, -0.75, 0)).norm(), 1e-15);
  EXPECT_LT((ElementPosition(layer, 3) - Vec3(0.75, -0.75, 0)).norm(), 1e-15);
  EXPECT_LT((ElementPosition(layer, 4) - Vec3(-0.75, 0.75, 0)).norm(), 1e-15);
  EXPECT_EQ(ElementArea(layer), 0.75);
  layer.nx = 30;
  layer.ny = 7;
  for (int k = 0; k < 210; ++k)
    EXPECT_EQ(ElementPosition(layer, k), -ElementPosition(layer, 209 - k));
}

}  // namespace
}  // namespace voigt
