// Solids on the ground: where they touch it, against closed forms.

#include "voigt/collision/half_space_solids.h"

#include "tests/collision/pair_checks.h"

namespace voigt {
namespace {

using testing::ExpectPoint;
using testing::LookFromEverywhere;
using testing::Placed;
using testing::Turn;

const Placed kGround{HalfSpace{}, {}};

TEST(HalfSpaceBox, StandsOnItsFourLowerCorners) {
  const Placed box{Box{{2, 4, 6}}, {Mat3::Identity(), {1, 2, 2.9}}};
  LookFromEverywhere(kGround, box, 0.5, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 4u);
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(points[k].feature, k);
      EXPECT_EQ(points[k].radius, kInfinity);
      ExpectPoint(points[k], Vec3(k & 1 ? 2 : 0, k & 2 ? 4 : 0, -0.05), Vec3::UnitZ(), -0.1,
                  rounding);
    }
  });
}

TEST(HalfSpaceBox, OnAnEdgeTwoCornersTouchAndOnACornerOne) {
  const Placed on_edge{Box{{2, 2, 2}}, {Turn(kPi / 4, {1, 0, 0}), {0, 0, std::sqrt(2)}}};
  LookFromEverywhere(kGround, on_edge, 1e-3, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].feature, 0);
    EXPECT_EQ(points[1].feature, 1);
    ExpectPoint(points[0], {-1, 0, 0}, Vec3::UnitZ(), 0, rounding);
    ExpectPoint(points[1], {1, 0, 0}, Vec3::UnitZ(), 0, rounding);
  });
  // The diagonal of the cube upright.
  const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitZ()).matrix();
  const Placed on_corner{Box{{2, 2, 2}}, {R, {3, 0, std::sqrt(3) + 0.01}}};
  LookFromEverywhere(kGround, on_corner, 0.1, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].feature, 0);
    ExpectPoint(points[0], {3, 0, 0.005}, Vec3::UnitZ(), 0.01, rounding);
  });
}

TEST(HalfSpaceCapsule, LiesOnTwoPointsAndStandsOnOne) {
  const Placed lying{Capsule{0.5, 3}, {Turn(kPi / 2, {0, 1, 0}), {0, 0, 0.4}}};
  LookFromEverywhere(kGround, lying, 1e-3, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(points[k].feature, k);
      EXPECT_EQ(points[k].radius, 0.5);
      ExpectPoint(points[k], {k == 0 ? -1.5 : 1.5, 0, -0.05}, Vec3::UnitZ(), -0.1, rounding);
    }
  });
  const Placed standing{Capsule{0.5, 3}, {Mat3::Identity(), {1, 0, 2}}};
  LookFromEverywhere(kGround, standing, 1e-3, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], {1, 0, 0}, Vec3::UnitZ(), 0, rounding);
  });
}

TEST(HalfSpaceCylinder, StandsOnASquareThatBeginsAtX) {
  const Placed standing{Cylinder{0.5, 2}, {Mat3::Identity(), {0, 0, 0.9}}};
  LookFromEverywhere(kGround, standing, 1e-3, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 4u);
    const Vec3 corners[4] = {{0.5, 0, 0}, {0, 0.5, 0}, {-0.5, 0, 0}, {0, -0.5, 0}};
    // Turned frames tilt by rounding, of which one point of the rim is the lowest: any of them.
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(points[k].feature, k);
      EXPECT_NEAR(points[k].phi, -0.1, rounding);
      EXPECT_NEAR(points[k].p_W.head<2>().norm(), 0.5, rounding);
      EXPECT_NEAR(points[k].p_W.dot(points[(k + 1) % 4].p_W), 0.05 * 0.05, rounding);
      sum += points[k].p_W;
      if (rounding > 1e-13) continue;
      EXPECT_LT((points[k].p_W - corners[k] - Vec3(0, 0, -0.05)).norm(), 1e-14);
    }
    EXPECT_LT((sum - Vec3(0, 0, -0.2)).norm(), rounding);
  });
}

TEST(HalfSpaceCylinder, LiesOnBothRims) {
  const Placed lying{Cylinder{0.5, 2}, {Turn(kPi / 2, {0, 1, 0}), {0, 0, 0.5}}};
  LookFromEverywhere(kGround, lying, 1e-3, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].feature, 0);
    EXPECT_EQ(points[1].feature, 4);
    ExpectPoint(points[0], {-1, 0, 0}, Vec3::UnitZ(), 0, rounding);
    ExpectPoint(points[1], {1, 0, 0}, Vec3::UnitZ(), 0, rounding);
  });
}

TEST(HalfSpaceCylinder, TiltedItRestsOnTheLowestPointOfItsRimHoweverItIsTurned) {
  const double tilt = 0.3, height = 0.5 * std::sin(tilt) + std::cos(tilt) - 0.01;
  for (const double spin : {0.0, 0.1, 1.0, 3.0, 4.5}) {
    const Mat3 R = Turn(tilt, {0, 1, 0}) * Turn(spin, {0, 0, 1});
    const Placed tilted{Cylinder{0.5, 2}, {R, {0, 0, height}}};
    LookFromEverywhere(kGround, tilted, 0.1, [&](const Manifold& points, double rounding) {
      ASSERT_EQ(points.size(), 1u);
      EXPECT_EQ(points[0].feature, 0);
      const double x = 0.5 * std::cos(tilt) - std::sin(tilt);
      ExpectPoint(points[0], {x, 0, -0.005}, Vec3::UnitZ(), -0.01, rounding);
    });
  }
}

TEST(HalfSpaceEllipsoid, TouchesAtItsVerticesWithTheirRadius) {
  const Vec3 e(1, 2, 3);
  for (int axis = 0; axis < 3; ++axis) {
    const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::Unit(axis), Vec3::UnitZ()).matrix();
    const Placed solid{Ellipsoid{e}, {R, {5, 0, e[axis] - 0.1}}};
    LookFromEverywhere(kGround, solid, 0, [&](const Manifold& points, double rounding) {
      ASSERT_EQ(points.size(), 1u);
      ExpectPoint(points[0], {5, 0, -0.05}, Vec3::UnitZ(), -0.1, rounding);
      // Radii of curvature at the end of axis k: e_i²/e_k and e_j²/e_k.
      const double e_i = e[(axis + 1) % 3], e_j = e[(axis + 2) % 3];
      const double expected = e_i * e_j / e[axis];
      EXPECT_NEAR(points[0].radius, expected, 1e-11 * expected);
      const double ratio = std::min(e_i, e_j) / std::max(e_i, e_j);
      EXPECT_NEAR(points[0].ratio, ratio * ratio, 1e-11);
    });
  }
}

TEST(HalfSpaceEllipsoid, ASphereByAnotherName) {
  const Placed ball{Ellipsoid{{2, 2, 2}}, {Turn(1, {1, 2, 3}), {0, 0, 2.5}}};
  LookFromEverywhere(kGround, ball, 1, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], {0, 0, 0.25}, Vec3::UnitZ(), 0.5, rounding);
    EXPECT_NEAR(points[0].radius, 2, 1e-11);
  });
}

}  // namespace
}  // namespace voigt
