// Capsules against capsules and boxes, where closed forms say what must come out.

#include "tests/collision/pair_checks.h"

namespace voigt {
namespace {

using testing::Collide;
using testing::Deepest;
using testing::ExpectPoint;
using testing::LookFromEverywhere;
using testing::Placed;
using testing::Turn;

const Mat3 kAlongX = Turn(kPi / 2, {0, 1, 0});
const Mat3 kAlongY = Turn(-kPi / 2, {1, 0, 0});
const Mat3 kAlongZ = Mat3::Identity();

TEST(CapsuleCapsule, CrossedAtRightAnglesTheyTouchInOnePoint) {
  const Placed A{Capsule{0.5, 4}, {kAlongX, {1, 0, 0}}};
  const Placed B{Capsule{0.25, 4}, {kAlongY, {2, 1, 1}}};
  LookFromEverywhere(A, B, 1, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].feature, 0);
    ExpectPoint(points[0], {2, 0, 0.625}, Vec3::UnitZ(), 0.25, rounding);
    EXPECT_NEAR(points[0].radius, std::sqrt(0.5 * 0.25), 1e-11);
    EXPECT_NEAR(points[0].ratio, 0.5, 1e-11);
  });
}

TEST(CapsuleCapsule, AnEndMeetsASideAndAnotherEnd) {
  // A T: B hangs above A with its lower end.
  const Placed A{Capsule{0.5, 4}, {kAlongX, {0, 0, 0}}};
  const Placed T{Capsule{0.25, 2}, {kAlongZ, {1, 0, 1.6}}};
  LookFromEverywhere(A, T, 1, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], {1, 0, 0.425}, Vec3::UnitZ(), -0.15, rounding);
    EXPECT_NEAR(points[0].radius, 1 / std::sqrt((2 + 4) * 4), 1e-11);
    EXPECT_NEAR(points[0].ratio, 4.0 / (2 + 4), 1e-11);
  });
  const Placed line{Capsule{0.25, 2}, {kAlongX, {4, 0, 0}}};
  LookFromEverywhere(A, line, 1, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], {2.625, 0, 0}, Vec3::UnitX(), 0.25, rounding);
    EXPECT_NEAR(points[0].radius, 1.0 / 6, 1e-11);
    EXPECT_EQ(points[0].ratio, 1);
  });
}

TEST(CapsuleCapsule, ParallelOnesTouchAtBothEndsOfWhatTheyShare) {
  for (const bool opposite : {false, true}) {
    const Mat3 R = opposite ? Mat3(kAlongX * Turn(kPi, {1, 0, 0})) : kAlongX;
    const Placed A{Capsule{0.5, 4}, {kAlongX, {0, 0, 0}}};
    const Placed B{Capsule{0.25, 2}, {R, {1.5, 0, 0.7}}};  // from 0.5 to 2.5
    LookFromEverywhere(A, B, 0, [](const Manifold& points, double rounding) {
      ASSERT_EQ(points.size(), 2u);
      EXPECT_EQ(points[0].feature, 1);
      EXPECT_EQ(points[1].feature, 2);
      ExpectPoint(points[0], {0.5, 0, 0.475}, Vec3::UnitZ(), -0.05, rounding);
      ExpectPoint(points[1], {2, 0, 0.475}, Vec3::UnitZ(), -0.05, rounding);
      EXPECT_NEAR(points[0].radius, 1 / std::sqrt((2 + 4) * 4), 1e-11);  // B's end on A's side
      EXPECT_NEAR(points[1].radius, 1 / std::sqrt((2 + 4) * 2), 1e-11);
      EXPECT_NEAR(points[0].ratio, 4.0 / (2 + 4), 1e-11);
      EXPECT_NEAR(points[1].ratio, 2.0 / (2 + 4), 1e-11);
    });
  }
}

TEST(CapsuleCapsule, ASmallOneLiesOnALargeOneAtBothEnds) {
  const Placed A{Capsule{500, 2000}, {kAlongX, {0, 0, -500}}};
  const Placed B{Capsule{1e-3, 2e-3}, {kAlongX, {100, 0, 1e-3}}};
  LookFromEverywhere(A, B, 1e-4, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    ExpectPoint(points[0], {100 - 1e-3, 0, 0}, Vec3::UnitZ(), 0, rounding);
    ExpectPoint(points[1], {100 + 1e-3, 0, 0}, Vec3::UnitZ(), 0, rounding);
  });
}

TEST(CapsuleCapsule, AxesThatMeetArePushedApartAcrossBoth) {
  const Placed A{Capsule{0.5, 4}, {kAlongX, {0, 0, 0}}};
  const Placed B{Capsule{0.25, 4}, {kAlongY, {0.5, 0.5, 0}}};
  LookFromEverywhere(A, B, 0, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].phi, -0.75, rounding);
    EXPECT_NEAR(std::abs(points[0].n_W[2]), 1, rounding);
  });
  // Right at the crossing a shift by less than rounding changes sides, and nothing else.
  for (const double z : {1e-9, 1e-12, -1e-9, -1e-12}) {
    Placed C = B;
    C.X.p[2] = z;
    const Manifold points = Collide(A, C);
    EXPECT_LT((points[0].n_W - Vec3(0, 0, z < 0 ? -1 : 1)).norm(), 1e-15);
    EXPECT_NEAR(points[0].phi, -0.75 + std::abs(z), 1e-15);
  }
}

TEST(CapsuleCapsule, CoincidentOnesArePushedApartAcrossTheAxis) {
  const Placed A{Capsule{0.5, 4}, {kAlongX, {0, 0, 0}}};
  const Placed B{Capsule{0.25, 2}, {kAlongX, {0, 0, 0}}};
  LookFromEverywhere(A, B, 0, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    for (const ManifoldPoint& point : points) {
      EXPECT_NEAR(point.phi, -0.75, rounding);
      EXPECT_NEAR(point.n_W[0], 0, rounding);
    }
  });
}

// Lying on each other and rocking, they keep the two points, and where they cross have a third.
TEST(CapsuleCapsule, RockingKeepsTheEnds) {
  const Placed A{Capsule{0.5, 4}, {kAlongX, {0, 0, 0}}};
  for (const double angle : {0.0, 1e-12, 1e-6, 1e-3, 0.05}) {
    for (const Vec3& axis : {Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1)}) {
      const Placed B{Capsule{0.25, 4}, {Turn(angle, axis) * kAlongX, {0, 0, 0.75}}};
      std::vector<int> features;
      for (const ManifoldPoint& point : Collide(A, B)) features.push_back(point.feature);
      const bool crosses = axis[2] == 1 && angle > 1e-12;
      EXPECT_EQ(features, crosses ? std::vector<int>({1, 2, 0}) : std::vector<int>({1, 2}))
          << angle << " about " << axis.transpose();
    }
  }
}

const Placed kTable{Box{{4, 2, 1}}, {Mat3::Identity(), {0, 0, -0.5}}};

// The box is the second shape: normals point down.
TEST(CapsuleBox, LiesOnAFaceOnTwoPoints) {
  const Placed inside{Capsule{0.5, 2}, {kAlongX, {0.3, 0.2, 0.4}}};
  LookFromEverywhere(inside, kTable, 0, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(points[k].feature, 1 + k);
      EXPECT_EQ(points[k].radius, 0.5);
      ExpectPoint(points[k], {k == 0 ? -0.7 : 1.3, 0.2, -0.05}, -Vec3::UnitZ(), -0.1, rounding);
    }
  });
  // Across the table, over both edges.
  const Placed across{Capsule{0.5, 6}, {kAlongY, {0.3, 0.2, 0.5}}};
  LookFromEverywhere(across, kTable, 0.01, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    for (int k = 0; k < 2; ++k) {
      ExpectPoint(points[k], {0.3, k == 0 ? -1.0 : 1.0, 0}, -Vec3::UnitZ(), 0, rounding);
    }
  });
}

TEST(CapsuleBox, ASmallOneLiesOnALargeBoxOnTwoPoints) {
  const Placed plain{Box{{2e3, 2e3, 2}}, {Mat3::Identity(), {0, 0, -1}}};
  const Placed small{Capsule{1e-3, 2e-3}, {kAlongX, {100, 200, 1e-3}}};
  LookFromEverywhere(small, plain, 1e-4, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    ExpectPoint(points[0], {100 - 1e-3, 200, 0}, -Vec3::UnitZ(), 0, rounding);
    ExpectPoint(points[1], {100 + 1e-3, 200, 0}, -Vec3::UnitZ(), 0, rounding);
  });
}

TEST(CapsuleBox, StandsOnOnePoint) {
  const Placed standing{Capsule{0.5, 2}, {kAlongZ, {1, 0.5, 1.6}}};
  LookFromEverywhere(standing, kTable, 0.2, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], {1, 0.5, 0.05}, -Vec3::UnitZ(), 0.1, rounding);
    EXPECT_EQ(points[0].radius, 0.5);
  });
}

TEST(CapsuleBox, AlongAnEdgeItTouchesAtTwoPointsAndAcrossOneAtOne) {
  const double s = std::sqrt(0.5);
  // Beside the upper edge at y = 1, from x = 1 to 3: the edge ends at 2.
  const Placed along{Capsule{0.5, 2}, {kAlongX, {2, 1 + 0.6 * s, 0.6 * s}}};
  LookFromEverywhere(along, kTable, 0.15, [&](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    const Vec3 n(0, s, s);
    ExpectPoint(points[0], Vec3(1, 1, 0) + 0.05 * n, -n, 0.1, rounding);
    ExpectPoint(points[1], Vec3(2, 1, 0) + 0.05 * n, -n, 0.1, rounding);
    EXPECT_EQ(points[0].radius, kInfinity);
  });
  // Leaning over the same edge at 45°.
  const Vec3 n(0, s, s);
  const Placed leaning{Capsule{0.5, 2}, {Turn(kPi / 4, {1, 0, 0}), Vec3(1, 1, 0) + 0.4 * n}};
  LookFromEverywhere(leaning, kTable, 0, [&](const Manifold& points, double rounding) {
    ASSERT_GE(points.size(), 1u);
    ExpectPoint(Deepest(points), Vec3(1, 1, 0) - 0.05 * n, -n, -0.1, rounding);
  });
}

TEST(CapsuleBox, AgainstACornerItIsASphereOrACylinder) {
  const Vec3 corner(2, 1, 0), diagonal = Vec3(1, 1, 1).normalized();
  const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), diagonal).matrix();
  const Placed end_on{Capsule{0.5, 2}, {R, corner + 1.6 * diagonal}};
  LookFromEverywhere(end_on, kTable, 1, [&](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], corner + 0.05 * diagonal, -diagonal, 0.1, rounding);
  });
  const Mat3 Q = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), Vec3(1, -1, 0)).matrix();
  const Placed side_on{Capsule{0.5, 2}, {Q, corner + 0.6 * diagonal}};
  LookFromEverywhere(side_on, kTable, 1, [&](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], corner + 0.05 * diagonal, -diagonal, 0.1, rounding);
  });
}

TEST(CapsuleBox, AnAxisInsideIsPushedOutTheShortestWay) {
  // 0.2 below the upper face, level: out by 0.2 + radius.
  const Placed level{Capsule{0.5, 1}, {kAlongX, {0, 0, -0.2}}};
  LookFromEverywhere(level, kTable, 0, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    for (int k = 0; k < 2; ++k) {
      ExpectPoint(points[k], {k == 0 ? -0.5 : 0.5, 0, -0.35}, -Vec3::UnitZ(), -0.7, rounding);
    }
  });
  // Cutting the edge at y = 1 under 45°, 0.1 below it: out across the edge.
  const double s = std::sqrt(0.5);
  const Vec3 n(0, s, s);
  const Placed cutting{Capsule{0.5, 2}, {Turn(kPi / 4, {1, 0, 0}), Vec3(1, 1, 0) - 0.1 * n}};
  LookFromEverywhere(cutting, kTable, 0, [&](const Manifold& points, double rounding) {
    ASSERT_GE(points.size(), 1u);
    const ManifoldPoint deepest = Deepest(points);
    ExpectPoint(deepest, Vec3(1, 1, 0) - 0.3 * n, -n, -0.6, rounding);
    EXPECT_EQ(deepest.radius, kInfinity);
  });
  // Coincident centres: z is the thinnest.
  const Placed center{Capsule{0.5, 1}, {kAlongX, {0, 0, -0.5}}};
  LookFromEverywhere(center, kTable, 0, [](const Manifold& points, double rounding) {
    EXPECT_NEAR(Deepest(points).phi, -1, rounding);
    EXPECT_NEAR(std::abs(Deepest(points).n_W[2]), 1, rounding);
  });
}

// A long capsule over both edges of a narrow box is nearest to one edge or the other, and has two
// points all the same.
TEST(CapsuleBox, RockingOverEdgesKeepsBothPoints) {
  for (const double angle : {-1e-3, -1e-9, 0.0, 1e-9, 1e-3}) {
    const Placed across{Capsule{0.5, 6}, {Turn(angle, {1, 0, 0}) * kAlongY, {0, 0, 0.5}}};
    const Manifold points = Collide(across, kTable, 0.01);
    ASSERT_EQ(points.size(), 2u) << angle;
    EXPECT_EQ(points[0].feature, 1);
    EXPECT_EQ(points[1].feature, 2);
    EXPECT_NEAR(points[0].p_W[1], -1, 0.01);
    EXPECT_NEAR(points[1].p_W[1], 1, 0.01);
  }
}

}  // namespace
}  // namespace voigt
