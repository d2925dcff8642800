// Mass properties that are moved and joined, principal axes, and inertias that no body has.

#include "voigt/model/mass_properties.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <string>

#include "tests/model/known_masses.h"
#include "tests/support/meshes.h"
#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::BoxBetween;
using testing::ExpectNear;
using testing::kDensity;
using testing::MakeBoxMesh;
using testing::Random;
using testing::RandomMass;
using testing::RandomPose;
using testing::RandomRotation;

TEST(MassProperties, TransformMovesTheBodyAsItsMeshMoves) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    TriangleMesh mesh = MakeBoxMesh({0, 0.5, 1}, {1, 2, 4});
    const MassProperties before = CalcPolyhedronMassProperties(mesh, kDensity);
    const Pose X = RandomPose(&random, 5);
    for (Vec3& vertex : mesh.vertices) vertex = X * vertex;
    ExpectNear(Transform(X, before), CalcPolyhedronMassProperties(mesh, kDensity), 1e-13, 10);
  }
}

TEST(MassProperties, TransformBackReturns) {
  Random random(2);
  const MassProperties mass = RandomMass(&random);
  const Pose X = RandomPose(&random);
  ExpectNear(Transform(X.Inverse(), Transform(X, mass)), mass, 1e-14);
}

TEST(MassProperties, CombineAgreesForEveryWayToCutAnLShape) {
  // The L is [0,3]×[0,1] with [0,1]×[1,3] on it, 0.5 thick; with the missing [1,3]×[1,3] it is a
  // square.
  const auto box = [](double x0, double y0, double x1, double y1) {
    return BoxBetween({x0, y0, 0}, {x1, y1, 0.5});
  };
  const MassProperties wide = Combine({box(0, 0, 3, 1), box(0, 1, 1, 3)});
  const MassProperties tall = Combine({box(0, 0, 1, 3), box(1, 0, 3, 1)});
  ExpectNear(wide, tall, 1e-14, 3);
  ExpectNear(Combine({wide, box(1, 1, 3, 3)}), box(0, 0, 3, 3), 1e-14, 3);
  // By hand: areas 3 and 2, centres (1.5, 0.5) and (0.5, 2).
  EXPECT_NEAR(wide.mass, kDensity * 2.5, 1e-12);
  EXPECT_LT((wide.com - Vec3(5.5 / 5, 5.5 / 5, 0.25)).norm(), 4e-15);
}

TEST(MassProperties, CombineCommutesWithTransform) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const MassProperties a = RandomMass(&random), b = RandomMass(&random), c = RandomMass(&random);
    const Pose X = RandomPose(&random);
    ExpectNear(Transform(X, Combine({a, b, c})),
               Combine({Transform(X, c), Transform(X, a), Transform(X, b)}), 1e-14);
    ExpectNear(Combine({Combine({a, b}), c}), Combine({a, b, c}), 1e-14);
  }
}

TEST(MassProperties, CombineOfOnePartIsThePart) {
  Random random(4);
  const MassProperties a = RandomMass(&random);
  ExpectNear(Combine({a}), a, 4e-15);
}

TEST(MassProperties, CombineOfTwoPointMassesIsADumbbell) {
  const MassProperties mass = Combine({{1, {0, 0, 0}, Mat3::Zero()}, {3, {4, 0, 0}, Mat3::Zero()}});
  EXPECT_EQ(mass.mass, 4);
  EXPECT_EQ(mass.com, Vec3(3, 0, 0));
  // The reduced mass 3/4 times the distance squared.
  EXPECT_EQ(mass.inertia, Mat3(Vec3(0, 12, 12).asDiagonal()));
}

TEST(PrincipalInertia, RebuildsTheInertiaFromRightHandedAxes) {
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Mat3 inertia = RandomMass(&random).inertia;
    const PrincipalInertia principal = CalcPrincipalInertia(inertia);
    const Mat3& axes = principal.axes;
    EXPECT_LT((axes * axes.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(axes.determinant(), 1, 1e-14);
    EXPECT_LT((axes * principal.moments.asDiagonal() * axes.transpose() - inertia).norm(),
              1e-14 * inertia.norm());
  }
}

TEST(PrincipalInertia, KeepsTheAxesOfADiagonalInertia) {
  // Even where moments are equal, or not in order.
  for (const Vec3& moments : {Vec3(3, 1, 2), Vec3(1, 1, 1), Vec3(2, 2, 1), Vec3(0, 0, 0)}) {
    const PrincipalInertia principal = CalcPrincipalInertia(moments.asDiagonal());
    EXPECT_EQ(principal.moments, moments);
    EXPECT_EQ(principal.axes, Mat3(Mat3::Identity()));
  }
}

// Checks of an inertia.

std::string DefectOfInertia(const Mat3& inertia) {
  return DescribeInertiaDefect(inertia).value_or("");
}

Mat3 Moments(double a, double b, double c) { return Vec3(a, b, c).asDiagonal(); }

TEST(InertiaDefect, AcceptsPhysicalInertias) {
  EXPECT_EQ(DefectOfInertia(Moments(1, 1, 1)), "");
  EXPECT_EQ(DefectOfInertia(Moments(1e-9, 1e-9, 1e-9)), "");
  Random random(5);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(DefectOfInertia(RandomMass(&random).inertia), "");
}

TEST(InertiaDefect, AcceptsFlatBodiesInAnyPosition) {
  EXPECT_EQ(DefectOfInertia(Moments(1, 2, 3)), "");
  EXPECT_EQ(DefectOfInertia(Moments(0.333333, 0.666667, 1.0)), "");
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    const Mat3 R = RandomRotation(&random);
    EXPECT_EQ(DefectOfInertia(R * Moments(1, 2, 3) * R.transpose()), "");
  }
}

TEST(InertiaDefect, RefusesMomentsThatViolateTheTriangleInequality) {
  Random random(7);
  for (const Mat3& bad : {Moments(1, 1, 2.01), Moments(5, 1, 1), Moments(1, 1e-3, 2)}) {
    EXPECT_NE(DefectOfInertia(bad).find("sum of the other two"), std::string::npos);
    const Mat3 R = RandomRotation(&random);
    EXPECT_NE(DefectOfInertia(R * bad * R.transpose()).find("sum of the other two"),
              std::string::npos);
  }
}

TEST(InertiaDefect, RefusesMomentsThatAreNotPositive) {
  for (const Mat3& bad :
       {Moments(0, 1, 1), Moments(1, -1, 1), Moments(0, 0, 0), Moments(-1, -1, -1)}) {
    EXPECT_NE(DefectOfInertia(bad).find("expected all to be positive"), std::string::npos);
  }
  // Positive on the diagonal, but not definite.
  Mat3 indefinite = Mat3::Identity();
  indefinite(0, 1) = indefinite(1, 0) = 2;
  EXPECT_NE(DefectOfInertia(indefinite).find("expected all to be positive"), std::string::npos);
}

TEST(InertiaDefect, RefusesAsymmetry) {
  Mat3 bad = Moments(2, 2, 2);
  bad(0, 1) = 1e-3;
  EXPECT_NE(DefectOfInertia(bad).find("not symmetric"), std::string::npos);
}

TEST(InertiaDefect, RefusesNumbersThatAreNotFinite) {
  for (double value : {kNaN, kInfinity, -kInfinity}) {
    for (int i = 0; i < 9; ++i) {
      Mat3 bad = Moments(2, 2, 2);
      bad(i / 3, i % 3) = value;
      EXPECT_NE(DefectOfInertia(bad).find("not finite"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace voigt
