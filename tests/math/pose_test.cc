#include "voigt/math/pose.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomPose;
using testing::RandomVector;

Eigen::Matrix4d Homogeneous(const Pose& X) {
  Eigen::Matrix4d out = Eigen::Matrix4d::Identity();
  out.topLeftCorner<3, 3>() = X.R;
  out.topRightCorner<3, 1>() = X.p;
  return out;
}

TEST(Pose, IsTheIdentityByDefault) {
  EXPECT_EQ(Homogeneous(Pose{}), Eigen::Matrix4d(Eigen::Matrix4d::Identity()));
}

TEST(Pose, ComposesLikeHomogeneousMatrices) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Pose A = RandomPose(&random, 3), B = RandomPose(&random, 3);
    EXPECT_LT((Homogeneous(A * B) - Homogeneous(A) * Homogeneous(B)).norm(), 1e-14);
  }
}

TEST(Pose, MovesPointsLikeHomogeneousMatrices) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const Pose X = RandomPose(&random, 3);
    const Vec3 point = RandomVector(&random, 3);
    EXPECT_LT((X * point - (Homogeneous(X) * point.homogeneous()).head<3>()).norm(), 1e-14);
  }
}

TEST(Pose, InverseIsTheMatrixInverse) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Pose X = RandomPose(&random, 3);
    EXPECT_LT((Homogeneous(X.Inverse()) - Homogeneous(X).inverse()).norm(), 1e-13);
    EXPECT_LT((Homogeneous(X * X.Inverse()) - Homogeneous(Pose{})).norm(), 1e-14);
  }
}

TEST(Pose, PlacesAKnownPoint) {
  // A quarter turn about z, then a shift: the point (1, 0, 0) of B lies at (5, 7, 7) of A.
  Pose X;
  X.R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  X.p = {5, 6, 7};
  EXPECT_EQ(X * Vec3(1, 0, 0), Vec3(5, 7, 7));
}

}  // namespace
}  // namespace voigt
