#include "voigt/math/spatial_inertia.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomRotation;
using testing::RandomSpatial;
using testing::RandomVector;
using testing::Uniform;

// A rigid cloud of point masses: everything about its inertia follows from sums over points.
struct Cloud {
  std::vector<double> mass;
  std::vector<Vec3> point;

  static Cloud Make(Random* random, int count = 7) {
    Cloud cloud;
    for (int i = 0; i < count; ++i) {
      cloud.mass.push_back(Uniform(random, 0.1, 2));
      cloud.point.push_back(RandomVector(random));
    }
    return cloud;
  }

  double TotalMass() const {
    double sum = 0;
    for (double m : mass) sum += m;
    return sum;
  }

  Vec3 CenterOfMass() const {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 0; i < mass.size(); ++i) sum += mass[i] * point[i];
    return sum / TotalMass();
  }

  // ∫ (|x|² 1 − x xᵀ) dm with x from `about`.
  Mat3 InertiaAbout(const Vec3& about) const {
    Mat3 I = Mat3::Zero();
    for (size_t i = 0; i < mass.size(); ++i) {
      const Vec3 x = point[i] - about;
      I += mass[i] * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
    }
    return I;
  }

  SpatialInertia AboutOrigin() const {
    return SpatialInertia::FromMatrix(TotalMass(), TotalMass() * CenterOfMass(),
                                      InertiaAbout(Vec3::Zero()));
  }

  // [L; p] about the origin when the points move with ω × x + v.
  Vec6 Momentum(const Vec6& V) const {
    Vec6 sum = Vec6::Zero();
    for (size_t i = 0; i < mass.size(); ++i) {
      const Vec3 velocity = V.head<3>().cross(point[i]) + V.tail<3>();
      sum.head<3>() += mass[i] * point[i].cross(velocity);
      sum.tail<3>() += mass[i] * velocity;
    }
    return sum;
  }

  double KineticEnergy(const Vec6& V) const {
    double sum = 0;
    for (size_t i = 0; i < mass.size(); ++i) {
      sum += 0.5 * mass[i] * (V.head<3>().cross(point[i]) + V.tail<3>()).squaredNorm();
    }
    return sum;
  }
};

void ExpectNear(const SpatialInertia& a, const SpatialInertia& b, double tolerance) {
  const double scale = 1 + b.mass + b.h.norm() + b.I.norm();
  EXPECT_NEAR(a.mass, b.mass, tolerance * scale);
  EXPECT_LT((a.h - b.h).norm(), tolerance * scale);
  EXPECT_LT((a.I - b.I).norm(), tolerance * scale);
}

TEST(SpatialInertia, IsNothingByDefault) {
  EXPECT_EQ(SpatialInertia{}.Matrix(), Mat6(Mat6::Zero()));
}

TEST(SpatialInertia, TimesMotionIsTheMomentumOfPointMasses) {
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const Cloud cloud = Cloud::Make(&random);
    const Vec6 V = RandomSpatial(&random);
    EXPECT_LT((cloud.AboutOrigin() * V - cloud.Momentum(V)).norm(), 1e-13);
  }
}

TEST(SpatialInertia, GivesTheKineticEnergyOfPointMasses) {
  Random random(2);
  for (int i = 0; i < 30; ++i) {
    const Cloud cloud = Cloud::Make(&random);
    const Vec6 V = RandomSpatial(&random);
    EXPECT_NEAR(0.5 * V.dot(cloud.AboutOrigin() * V), cloud.KineticEnergy(V), 1e-13);
  }
}

TEST(SpatialInertia, MatrixIsSymmetricAndMultipliesAlike) {
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const SpatialInertia I = Cloud::Make(&random).AboutOrigin();
    const Vec6 V = RandomSpatial(&random);
    EXPECT_EQ(I.Matrix(), Mat6(I.Matrix().transpose()));
    EXPECT_LT((I.Matrix() * V - I * V).norm(), 1e-14 * I.Matrix().norm());
    EXPECT_GT(I.Matrix().selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0);
  }
}

TEST(SpatialInertia, FromComMovesTheInertiaByParallelAxes) {
  Random random(4);
  for (int i = 0; i < 30; ++i) {
    const Cloud cloud = Cloud::Make(&random);
    const Vec3 com = cloud.CenterOfMass();
    ExpectNear(SpatialInertia::FromCom(cloud.TotalMass(), com, cloud.InertiaAbout(com)),
               cloud.AboutOrigin(), 1e-14);
  }
}

TEST(SpatialInertia, CentralMatrixUndoesFromCom) {
  Random random(5);
  for (int i = 0; i < 30; ++i) {
    const Cloud cloud = Cloud::Make(&random);
    const Mat3 central = cloud.InertiaAbout(cloud.CenterOfMass());
    const Vec3 com = RandomVector(&random, 2);
    const SpatialInertia I = SpatialInertia::FromCom(cloud.TotalMass(), com, central);
    EXPECT_LT((I.CentralMatrix() - central).norm(), 1e-13);
    EXPECT_LT((I.h / I.mass - com).norm(), 4e-15);
    EXPECT_LT((cloud.AboutOrigin().CentralMatrix() - central).norm(), 1e-13);
  }
}

TEST(SpatialInertia, RotationalMatrixUndoesFromMatrix) {
  Mat3 I;
  I << 1, 4, 5, 4, 2, 6, 5, 6, 3;
  const SpatialInertia inertia = SpatialInertia::FromMatrix(7, {8, 9, 10}, I);
  EXPECT_EQ(inertia.RotationalMatrix(), I);
  EXPECT_EQ(inertia.TimesAngular({1, 10, 100}), Vec3(I * Vec3(1, 10, 100)));
  EXPECT_EQ(inertia.mass, 7);
  EXPECT_EQ(inertia.h, Vec3(8, 9, 10));
}

TEST(SpatialInertia, ShiftedByMatchesPointMassesAboutTheOtherPoint) {
  Random random(6);
  for (int i = 0; i < 30; ++i) {
    const Cloud cloud = Cloud::Make(&random);
    // O is displaced by r from the new point: in its coordinates every mass lies r further.
    const Vec3 r = RandomVector(&random, 3);
    Cloud moved = cloud;
    for (Vec3& point : moved.point) point += r;
    ExpectNear(cloud.AboutOrigin().ShiftedBy(r), moved.AboutOrigin(), 1e-14);
    ExpectNear(cloud.AboutOrigin().ShiftedBy(r).ShiftedBy(-r), cloud.AboutOrigin(), 1e-14);
  }
}

TEST(SpatialInertia, ShiftsAgreeWithShiftsOfMotionAndForce) {
  // F = I V at O; at the other point the same momentum belongs to the same motion.
  Random random(7);
  for (int i = 0; i < 30; ++i) {
    const SpatialInertia I = Cloud::Make(&random).AboutOrigin();
    const Vec3 r = RandomVector(&random);
    const Vec6 V = RandomSpatial(&random);
    const Vec6 momentum = ShiftForce(I * ShiftMotion(V, r), r);
    EXPECT_LT((I.ShiftedBy(r) * V - momentum).norm(), 1e-13 * (1 + momentum.norm()));
  }
}

TEST(SpatialInertia, RotatedByMatchesRotatedPointMasses) {
  Random random(8);
  for (int i = 0; i < 30; ++i) {
    const Cloud cloud = Cloud::Make(&random);
    const Mat3 R = RandomRotation(&random);
    Cloud turned = cloud;
    for (Vec3& point : turned.point) point = R * point;
    ExpectNear(cloud.AboutOrigin().RotatedBy(R), turned.AboutOrigin(), 1e-14);
  }
}

TEST(SpatialInertia, AddsUpWhenBodiesAreWelded) {
  Random random(9);
  for (int i = 0; i < 30; ++i) {
    const Cloud a = Cloud::Make(&random), b = Cloud::Make(&random);
    Cloud both = a;
    both.mass.insert(both.mass.end(), b.mass.begin(), b.mass.end());
    both.point.insert(both.point.end(), b.point.begin(), b.point.end());
    SpatialInertia sum = a.AboutOrigin();
    sum += b.AboutOrigin();
    ExpectNear(sum, both.AboutOrigin(), 1e-14);
    EXPECT_LT((sum.CentralMatrix() - both.InertiaAbout(both.CenterOfMass())).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace voigt
