#include "voigt/math/spatial.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/random_model.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomPose;
using testing::RandomSpatial;
using testing::RandomVector;

// The 6 × 6 matrix that takes motions in frame B (axes and origin) to frame A [Featherstone 2008,
// eq. 2.26]: ω_A = R ω_B, v_A = R v_B + p × R ω_B.
Mat6 MotionTransform(const Pose& X_AB) {
  Mat6 out = Mat6::Zero();
  out.topLeftCorner<3, 3>() = X_AB.R;
  out.bottomRightCorner<3, 3>() = X_AB.R;
  for (int k = 0; k < 3; ++k) {
    out.block<3, 1>(3, k) = X_AB.p.cross(X_AB.R.col(k));
  }
  return out;
}

TEST(Spatial, ShiftedMotionGivesTheVelocityOfTheOtherPoint) {
  // A body turns about a fixed point C; the velocity of any of its points is ω × (point − C).
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Vec3 omega = RandomVector(&random), C = RandomVector(&random);
    const Vec3 P = RandomVector(&random), Q = RandomVector(&random);
    Vec6 at_P, at_Q;
    at_P << omega, omega.cross(P - C);
    at_Q << omega, omega.cross(Q - C);
    EXPECT_LT((ShiftMotion(at_P, Q - P) - at_Q).norm(), 1e-14);
  }
}

TEST(Spatial, ShiftedForceHasTheMomentAboutTheOtherPoint) {
  // A pure force f at A: its moment about P is (A − P) × f.
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const Vec3 f = RandomVector(&random), A = RandomVector(&random), P = RandomVector(&random);
    Vec6 at_A, at_P;
    at_A << Vec3::Zero(), f;
    at_P << (A - P).cross(f), f;
    EXPECT_LT((ShiftForce(at_A, A - P) - at_P).norm(), 4e-15);
  }
}

TEST(Spatial, ShiftsPreservePower) {
  // Power is the same at every point: F moved by −r where V is moved by r.
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Vec6 V = RandomSpatial(&random), F = RandomSpatial(&random);
    const Vec3 r = RandomVector(&random, 10);
    EXPECT_NEAR(ShiftMotion(V, r).dot(ShiftForce(F, -r)), V.dot(F), 1e-13);
  }
}

TEST(Spatial, ShiftsCompose) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Vec6 V = RandomSpatial(&random);
    const Vec3 r = RandomVector(&random), s = RandomVector(&random);
    EXPECT_LT((ShiftMotion(ShiftMotion(V, r), s) - ShiftMotion(V, r + s)).norm(), 1e-14);
    EXPECT_LT((ShiftForce(ShiftForce(V, r), s) - ShiftForce(V, r + s)).norm(), 1e-14);
    EXPECT_LT((ShiftMotion(ShiftMotion(V, r), -r) - V).norm(), 1e-14);
  }
}

TEST(Spatial, ShiftIsTheTransformWithoutRotation) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const Vec6 V = RandomSpatial(&random), F = RandomSpatial(&random);
    const Vec3 r = RandomVector(&random);
    const Mat6 X = MotionTransform({Mat3::Identity(), -r});
    EXPECT_LT((ShiftMotion(V, r) - X * V).norm(), 1e-14);
    // Forces transform by the inverse transpose; moving the point back by r.
    EXPECT_LT((ShiftForce(F, -r) - X.inverse().transpose() * F).norm(), 1e-14);
  }
}

TEST(Spatial, CrossMotionIsTheRateOfACarriedMotion) {
  // Frame B moves with velocity V (at its origin, now at A's origin with A's axes); U is constant
  // in B. Its rate in A by differences of the 6 × 6 transform.
  Random random(6);
  const double s = 1e-5;
  for (int i = 0; i < 20; ++i) {
    const Vec6 V = RandomSpatial(&random), U = RandomSpatial(&random);
    const auto transform = [&](double t) {
      return MotionTransform(
          {QuaternionToMatrix(QuaternionExp(t * Vec3(V.head<3>()))), t * V.tail<3>()});
    };
    const Vec6 rate = (transform(s) - transform(-s)) * U / (2 * s);
    EXPECT_LT((CrossMotion(V, U) - rate).norm(), 1e-8);
  }
}

TEST(Spatial, CrossForceIsTheRateOfACarriedForce) {
  Random random(7);
  const double s = 1e-5;
  for (int i = 0; i < 20; ++i) {
    const Vec6 V = RandomSpatial(&random), F = RandomSpatial(&random);
    const auto transform = [&](double t) {
      const Mat6 X = MotionTransform(
          {QuaternionToMatrix(QuaternionExp(t * Vec3(V.head<3>()))), t * V.tail<3>()});
      return Mat6(X.inverse().transpose());
    };
    const Vec6 rate = (transform(s) - transform(-s)) * F / (2 * s);
    EXPECT_LT((CrossForce(V, F) - rate).norm(), 1e-8);
  }
}

TEST(Spatial, CrossProductsAreDual) {
  // (V ×* F) · U = −F · (V × U): carried along together, power does not change.
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Vec6 V = RandomSpatial(&random), U = RandomSpatial(&random), F = RandomSpatial(&random);
    EXPECT_NEAR(CrossForce(V, F).dot(U), -F.dot(CrossMotion(V, U)), 1e-14);
  }
}

TEST(Spatial, CrossMotionIsALieBracket) {
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const Vec6 A = RandomSpatial(&random), B = RandomSpatial(&random), C = RandomSpatial(&random);
    EXPECT_LT((CrossMotion(A, B) + CrossMotion(B, A)).norm(), 4e-15);
    const Vec6 jacobi = CrossMotion(A, CrossMotion(B, C)) + CrossMotion(B, CrossMotion(C, A)) +
                        CrossMotion(C, CrossMotion(A, B));
    EXPECT_LT(jacobi.norm(), 1e-14);
  }
}

TEST(Spatial, CrossProductsCommuteWithTransforms) {
  Random random(10);
  for (int i = 0; i < 50; ++i) {
    const Mat6 X = MotionTransform(RandomPose(&random));
    const Vec6 V = RandomSpatial(&random), U = RandomSpatial(&random);
    EXPECT_LT((CrossMotion(X * V, X * U) - X * CrossMotion(V, U)).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace voigt
