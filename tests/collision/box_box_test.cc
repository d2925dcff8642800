// Boxes on, beside and in boxes, where closed forms say what must come out.

#include "voigt/collision/box_box.h"

#include <set>

#include "tests/collision/pair_checks.h"
#include "tests/support/allocation_counter.h"

namespace voigt {
namespace {

using testing::Collide;
using testing::Deepest;
using testing::ExpectPoint;
using testing::LookFromEverywhere;
using testing::Placed;
using testing::Random;
using testing::RandomVector;
using testing::Turn;

const Vec3 kUp = Vec3::UnitZ();
const Placed kCube{Box{{2, 2, 2}}, {}};

std::set<int> FeaturesOf(const Manifold& points) {
  std::set<int> out;
  for (const ManifoldPoint& point : points) out.insert(point.feature);
  return out;
}

// There is a point at p, with normal n and gap φ.
void ExpectPointAmong(const Manifold& points, const Vec3& p, const Vec3& n, double phi,
                      double rounding) {
  double nearest = kInfinity;
  for (const ManifoldPoint& point : points) {
    nearest = std::min(nearest,
                       (point.p_W - p).norm() + (point.n_W - n).norm() + std::abs(point.phi - phi));
  }
  EXPECT_LT(nearest, 3 * rounding) << p.transpose();
}

TEST(BoxBox, StackedCubesTouchAtFourCorners) {
  for (const double gap : {0.0, 0.1, -0.1}) {
    const Placed above{Box{{2, 2, 2}}, {Turn(kPi / 2, kUp), {0, 0, 2 + gap}}};
    LookFromEverywhere(kCube, above, 0.2, [&](const Manifold& points, double rounding) {
      ASSERT_EQ(points.size(), 4u);
      EXPECT_EQ(FeaturesOf(points), (std::set<int>{4, 5, 6, 7}));
      for (const double x : {-1, 1}) {
        for (const double y : {-1, 1}) {
          ExpectPointAmong(points, {x, y, 1 + 0.5 * gap}, kUp, gap, rounding);
        }
      }
    });
  }
}

TEST(BoxBox, TurnedByAnEighthTheyTouchInAnOctagon) {
  const Placed above{Box{{2, 2, 2}}, {Turn(kPi / 4, kUp), {0, 0, 1.99}}};
  LookFromEverywhere(kCube, above, 0, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 8u);
    const double c = std::sqrt(2) - 1;
    for (const double a : {-1.0, 1.0}) {
      for (const double b : {-c, c}) {
        ExpectPointAmong(points, {a, b, 0.995}, kUp, -0.01, rounding);
        ExpectPointAmong(points, {b, a, 0.995}, kUp, -0.01, rounding);
      }
    }
  });
}

TEST(BoxBox, OverlapOfShiftedFacesIsCutOut) {
  const Placed above{Box{{2, 2, 2}}, {Mat3::Identity(), {1.5, 0.5, 2}}};
  LookFromEverywhere(kCube, above, 0.1, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 4u);
    for (const double x : {0.5, 1.0}) {
      for (const double y : {-0.5, 1.0}) ExpectPointAmong(points, {x, y, 1}, kUp, 0, rounding);
    }
  });
}

TEST(BoxBox, SmallOnLargeStandsOnItsOwnCorners) {
  const Placed mountain{Box{{2e3, 2e3, 2e3}}, {Mat3::Identity(), {0, 0, -1e3}}};
  const Placed speck{Box{{2e-3, 2e-3, 2e-3}}, {Turn(0.3, kUp), {100, 200, 1e-3}}};
  LookFromEverywhere(mountain, speck, 1e-4, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 4u);
    EXPECT_EQ(FeaturesOf(points), (std::set<int>{8, 9, 10, 11}));
    for (const double x : {-1e-3, 1e-3}) {
      for (const double y : {-1e-3, 1e-3}) {
        const Vec3 corner = Turn(0.3, kUp) * Vec3(x, y, 0) + Vec3(100, 200, 0);
        ExpectPointAmong(points, corner, kUp, 0, rounding);
      }
    }
  });
}

TEST(BoxBox, OnAnEdgeTwoPointsTouchAndOnACornerOne) {
  const double d = std::sqrt(2);
  const Placed on_edge{Box{{1, 2, 2}}, {Turn(kPi / 4, {1, 0, 0}), {0.2, 0, 1 + d - 0.1}}};
  LookFromEverywhere(kCube, on_edge, 0, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(FeaturesOf(points), (std::set<int>{8, 9}));
    ExpectPointAmong(points, {-0.3, 0, 0.95}, kUp, -0.1, rounding);
    ExpectPointAmong(points, {0.7, 0, 0.95}, kUp, -0.1, rounding);
  });
  const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), kUp).matrix();
  const Placed on_corner{Box{{2, 2, 2}}, {R, {0.2, 0.3, 1 + std::sqrt(3) - 0.1}}};
  LookFromEverywhere(kCube, on_corner, 0, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].feature, 8);
    ExpectPoint(points[0], {0.2, 0.3, 0.95}, kUp, -0.1, 2 * rounding);
  });
}

// Two ridges at right angles, one above the other.
TEST(BoxBox, CrossedEdgesTouchInOnePoint) {
  const double d = std::sqrt(2);
  for (const double gap : {-0.1, 0.0, 0.1}) {
    const Placed below{Box{{4, 2, 2}}, {Turn(kPi / 4, {1, 0, 0}), {0, 0, -d}}};
    const Placed above{Box{{2, 4, 2}}, {Turn(kPi / 4, {0, 1, 0}), {0.3, 0.4, d + gap}}};
    LookFromEverywhere(below, above, 0.15, [&](const Manifold& points, double rounding) {
      ASSERT_EQ(points.size(), 1u);
      EXPECT_GE(points[0].feature, 16);
      ExpectPoint(points[0], {0.3, 0, 0.5 * gap}, kUp, gap, 2 * rounding);
    });
  }
}

TEST(BoxBox, SeparatedCornersAndEdgesHaveTheirTrueDistance) {
  // Corner to corner.
  const Placed diagonal{Box{{2, 2, 2}}, {Mat3::Identity(), {2.1, 2.2, 2.2}}};
  LookFromEverywhere(kCube, diagonal, 1, [](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    ExpectPoint(points[0], {1.05, 1.1, 1.1}, Vec3(1, 2, 2) / 3, 0.3, 4 * rounding / 0.3);
    EXPECT_NEAR(points[0].phi, 0.3, rounding);
  });
  // Parallel edges: both ends of what they share.
  const Placed beside{Box{{2, 2, 2}}, {Mat3::Identity(), {2.3, 2.4, 0.5}}};
  LookFromEverywhere(kCube, beside, 1, [](const Manifold& points, double rounding) {
    ASSERT_GE(points.size(), 2u);
    const double lenient = 4 * rounding / 0.5;
    ExpectPointAmong(points, {1.15, 1.2, 1}, {0.6, 0.8, 0}, 0.5, lenient);
    ExpectPointAmong(points, {1.15, 1.2, -0.5}, {0.6, 0.8, 0}, 0.5, lenient);
    for (const ManifoldPoint& point : points) EXPECT_GE(point.phi, 0.5 - rounding);
  });
  // A corner beside an edge: the lower corner of a cube on its tip, level with the middle of x.
  const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), Vec3(0, 0.6, 0.8)).matrix();
  const Vec3 n(0, 0.6, 0.8);
  const Placed tip{Box{{2, 2, 2}}, {R, Vec3(0.2, 1, 1) + (std::sqrt(3) + 0.5) * n}};
  LookFromEverywhere(kCube, tip, 0.6, [&](const Manifold& points, double rounding) {
    EXPECT_NEAR(Deepest(points).phi, 0.5, rounding);
    ExpectPointAmong(points, Vec3(0.2, 1, 1) + 0.25 * n, n, 0.5, 4 * rounding / 0.5);
  });
}

TEST(BoxBox, CoincidentCentresArePushedOutAlongTheThinnestDirection) {
  const Placed A{Box{{2, 4, 6}}, {}}, B{Box{{6, 4, 1}}, {Turn(kPi / 2, {0, 1, 0}), {0, 0, 0}}};
  LookFromEverywhere(A, B, 0, [](const Manifold& points, double rounding) {
    ASSERT_FALSE(points.empty());
    EXPECT_NEAR(std::abs(Deepest(points).n_W[0]), 1, rounding);
    EXPECT_NEAR(Deepest(points).phi, -1.5, rounding);
  });
}

// Two ridges in line, one ending where the other begins, or 4e-12 later: seen along a normal that
// is across the ridges the boxes pass each other by a little more than rounding, and along the one
// that is not they do not. Both separate them by the same to the last digit.
TEST(BoxBox, FacesThatBarelyPassEachOtherAreNotLost) {
  const Placed below{Box{{1, 0.5, 0.5}}, {Turn(kPi / 4, {1, 0, 0}), {0, 0, 0}}};
  for (const double shift : {0.0, 1e-13, 1e-12, 4.1418e-12, 1e-11, 1e-10, 1e-6}) {
    const Vec3 p(1 + shift, 4.325201714221194e-12, -1.0000000000084572);
    const Placed above{Box{{1, 0.5, 0.5}}, {Turn(-kPi / 4, {1, 0, 0}), p}};
    const Manifold points = Collide(below, above, 0.3);
    ASSERT_FALSE(points.empty()) << shift;
    const double height = 1.0000000000084572 - std::sqrt(0.5);
    EXPECT_NEAR(Deepest(points).phi, std::hypot(height, shift, p[1]), 1e-14) << shift;
  }
}

// As in a stack that is at rest up to what its solver leaves.
TEST(BoxBox, QuiveringStacksKeepTheirFeatures) {
  Random random(21);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 turn = 1e-6 * RandomVector(&random), shift = 1e-6 * RandomVector(&random);
    const Placed above{Box{{2, 2, 2}}, {Turn(turn.norm(), turn), Vec3(0, 0, 2) + shift}};
    const Manifold points = Collide(kCube, above, 1e-2);
    std::set<int> features = FeaturesOf(points);
    // Where edges cross near a corner there may be two points; one of them is the corner's.
    for (const int corner : {4, 5, 6, 7}) EXPECT_EQ(features.count(corner), 1u);
    EXPECT_LE(features.size(), 8u);
  }
}

TEST(BoxBox, NeedsNoMemoryOnceTheManifoldHasIt) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  Manifold out;
  out.reserve(8);
  const long before = testing::CountAllocations();
  for (const double angle : {0.0, 0.4, kPi / 4}) {
    for (const double gap : {-0.1, 0.1}) {
      out.clear();
      CollideBoxBox({{2, 2, 2}}, {}, {{2, 2, 2}}, {Turn(angle, kUp), {0.3, 0.4, 2 + gap}}, 0.2,
                    &out);
      out.clear();
      CollideBoxBox({{2, 2, 2}}, {}, {{2, 2, 2}}, {Turn(angle, kUp), {2.1, 2.1, 2 + gap}}, 5, &out);
    }
  }
  EXPECT_EQ(testing::CountAllocations(), before);
  EXPECT_FALSE(out.empty());
}

}  // namespace
}  // namespace voigt
