// Cylinders, ellipsoids and capsules in positions whose gaps are known.

#include <gtest/gtest.h>

#include "tests/collision/convex_reference.h"

namespace voigt {
namespace {

using testing::CollideAll;
using testing::Deepest;
using testing::PlacedConvex;
using testing::Random;
using testing::RandomPose;
using testing::Uniform;

constexpr double kGaps[] = {0.5, 1e-3, 1e-8, 1e-13, 0.0, -1e-13, -1e-8, -1e-3, -0.05};

Pose At(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

// The same answer here and turned, far away.
template <typename Check>
void HereAndThere(const PlacedConvex& A, const PlacedConvex& B, const Check& check) {
  ConvexCollider collider;
  Random random(5);
  for (const Pose& X : {Pose{}, RandomPose(&random, 10), RandomPose(&random, 1e4)}) {
    PlacedConvex a = A, b = B;
    a.X = X * A.X;
    b.X = X * B.X;
    Manifold manifold = CollideAll(&collider, a, b);
    for (ManifoldPoint& point : manifold) {
      point.p_W = X.Inverse() * point.p_W;
      point.n_W = X.R.transpose() * point.n_W;
    }
    // Positions of that size are known to so many digits.
    check(manifold, 2e-14 + 1e-15 * X.p.norm());
  }
}

TEST(ConvexCurved, EllipsoidsTipToTip) {
  for (double gap : kGaps) {
    const PlacedConvex A(Ellipsoid{Vec3(1, 0.5, 0.7)}, {});
    const PlacedConvex B(Ellipsoid{Vec3(0.6, 0.3, 0.4)}, At(1.6 + gap, 0, 0));
    HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
      ASSERT_EQ(manifold.size(), 1u);
      EXPECT_NEAR(manifold[0].phi, gap, 10 * tolerance);
      EXPECT_LT((manifold[0].n_W - Vec3::UnitX()).norm(), 100 * tolerance);
      EXPECT_LT((manifold[0].p_W - Vec3(1 + 0.5 * gap, 0, 0)).norm(), 100 * tolerance);
      // Radii of curvature at the tips are b²/a and c²/a.
      const double k_y = 1 / 0.25 + 0.6 / 0.09, k_z = 1 / 0.49 + 0.6 / 0.16;
      EXPECT_NEAR(manifold[0].radius, 1 / std::sqrt(k_y * k_z), 1e-10);
      EXPECT_NEAR(manifold[0].ratio, std::min(k_y, k_z) / std::max(k_y, k_z), 1e-10);
    });
  }
}

TEST(ConvexCurved, EllipsoidsWithOneCentreLeaveByTheShortestAxis) {
  const PlacedConvex A(Ellipsoid{Vec3(1, 0.5, 0.7)}, {}), B(Ellipsoid{Vec3(0.6, 0.9, 0.3)}, {});
  HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
    ASSERT_EQ(manifold.size(), 1u);
    EXPECT_NEAR(manifold[0].phi, -1, 10 * tolerance);
    EXPECT_NEAR(std::abs(manifold[0].n_W[2]), 1, 1e-12);
  });
}

// An ellipsoid of equal radii is a sphere.
TEST(ConvexCurved, RoundEllipsoidsAreSpheres) {
  Random random(6);
  ConvexCollider collider;
  for (int trial = 0; trial < 300; ++trial) {
    const double r_A = Uniform(&random, 0.1, 1), r_B = Uniform(&random, 0.1, 1);
    const PlacedConvex A(Ellipsoid{Vec3::Constant(r_A)}, RandomPose(&random));
    const PlacedConvex B(Ellipsoid{Vec3::Constant(r_B)}, RandomPose(&random));
    const Vec3 d = B.X.p - A.X.p;
    const Manifold manifold = CollideAll(&collider, A, B);
    ASSERT_EQ(manifold.size(), 1u);
    EXPECT_NEAR(manifold[0].phi, d.norm() - r_A - r_B, 1e-13);
    EXPECT_LT((manifold[0].n_W - d.normalized()).norm(), 1e-12);
    EXPECT_NEAR(manifold[0].radius, r_A * r_B / (r_A + r_B), 1e-13);
  }
}

// On the face z = 1 of a shape.
void ExpectEllipsoidOnFace(const Shape& shape, unsigned seed) {
  Random random(seed);
  for (double gap : kGaps) {
    const Vec3 radii(0.3, 0.5, 0.2);
    const Mat3 R = testing::RandomRotation(&random);
    const double height = radii.cwiseProduct(R.row(2).transpose()).norm();
    const PlacedConvex A(shape, {});
    const PlacedConvex B(Ellipsoid{radii}, {R, Vec3(0.1, 0.2, 1 + height + gap)});
    HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
      ASSERT_EQ(manifold.size(), 1u);
      EXPECT_NEAR(manifold[0].phi, gap, 10 * tolerance);
      EXPECT_LT((manifold[0].n_W - Vec3::UnitZ()).norm(), 10 * tolerance);
      // Where the normal is −z: −D² R₃/height from the centre, D being the radii.
      const Vec3 low = R * radii.cwiseAbs2().cwiseProduct(-R.row(2).transpose()) / height;
      const Vec3 p = B.X.p + low - Vec3(0, 0, 0.5 * gap);
      EXPECT_LT((manifold[0].p_W - p).norm(), 100 * tolerance);
      // At z = −height the Gaussian curvature of the ellipsoid is (h²/abc)² [h: support height].
      EXPECT_NEAR(manifold[0].radius, radii.prod() / (height * height), 1e-12);
    });
  }
}

TEST(ConvexCurved, EllipsoidOnABoxFace) { ExpectEllipsoidOnFace(Box{Vec3(4, 4, 2)}, 7); }

TEST(ConvexCurved, EllipsoidOnTheEndOfACylinder) { ExpectEllipsoidOnFace(Cylinder{2, 2}, 9); }

TEST(ConvexCurved, CrossedCylindersTouchWhereTheirAxesAreNearest) {
  for (double gap : kGaps) {
    for (double angle : {0.2, 1.0, kPi / 2}) {
      const PlacedConvex A(Cylinder{0.5, 4}, {RotationAbout(Vec3::UnitY(), kPi / 2), Vec3::Zero()});
      const PlacedConvex B(Cylinder{0.3, 4}, {RotationAbout(Vec3::UnitZ(), angle) * A.X.R,
                                              Vec3(0.1, 0.05, 0.8 + gap)});
      HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
        ASSERT_EQ(manifold.size(), 1u);
        EXPECT_NEAR(manifold[0].phi, gap, 10 * tolerance);
        EXPECT_LT((manifold[0].n_W - Vec3::UnitZ()).norm(), 100 * tolerance);
        // The axes cross over (x, 0) with (x − 0.1, −0.05) along B.
        const Vec3 p(0.1 - 0.05 / std::tan(angle), 0, 0.5 + 0.5 * gap);
        EXPECT_LT((manifold[0].p_W - p).norm(), 1e3 * tolerance);
        EXPECT_NEAR(manifold[0].radius, std::sqrt(0.15) / std::sin(angle), 1e-10);
      });
    }
  }
}

TEST(ConvexCurved, TiltedCylinderTouchesWithItsRim) {
  for (double gap : kGaps) {
    for (double tilt : {1e-6, 1e-3, 0.3, 1.0, 1.5}) {
      const PlacedConvex A(Box{Vec3(6, 6, 2)}, {});
      const double low = 0.5 * std::sin(tilt) + std::cos(tilt);
      const PlacedConvex B(Cylinder{0.5, 2},
                           {RotationAbout(Vec3::UnitY(), -tilt), Vec3(0, 0, 1 + low + gap)});
      HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
        const ManifoldPoint& deepest = Deepest(manifold);
        EXPECT_NEAR(deepest.phi, gap, 10 * tolerance);
        EXPECT_LT((deepest.n_W - Vec3::UnitZ()).norm(), 10 * tolerance);
        const Vec3 p(-0.5 * std::cos(tilt) + std::sin(tilt), 0, 1 + 0.5 * gap);
        EXPECT_NEAR(std::abs(deepest.p_W[0]), std::abs(p[0]), 100 * tolerance);
        EXPECT_NEAR(deepest.p_W[2], p[2], 100 * tolerance);
      });
    }
  }
}

TEST(ConvexCurved, CapsuleAcrossACylinder) {
  for (double gap : kGaps) {
    const PlacedConvex A(Cylinder{0.5, 3}, {});
    const PlacedConvex B(Capsule{0.2, 2},
                         {RotationAbout(Vec3::UnitX(), kPi / 2), Vec3(0.7 + gap, 0.3, 0.4)});
    HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
      ASSERT_EQ(manifold.size(), 1u);
      EXPECT_NEAR(manifold[0].phi, gap, 10 * tolerance);
      EXPECT_LT((manifold[0].p_W - Vec3(0.5 + 0.5 * gap, 0, 0.4)).norm(), 100 * tolerance);
      EXPECT_NEAR(manifold[0].radius, std::sqrt(0.1), 1e-10);
    });
  }
}

// The sharp end of an ellipsoid against the side of a capsule that lies across it.
TEST(ConvexCurved, EllipsoidTipOnACapsule) {
  const Vec3 radii(1, 0.5, 0.7);
  for (double gap : kGaps) {
    const PlacedConvex A(Ellipsoid{radii}, {});
    const PlacedConvex B(Capsule{0.2, 2},
                         {RotationAbout(Vec3::UnitX(), kPi / 2), Vec3(1.2 + gap, 0.3, 0)});
    HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
      ASSERT_EQ(manifold.size(), 1u);
      EXPECT_NEAR(manifold[0].phi, gap, 10 * tolerance);
      EXPECT_LT((manifold[0].n_W - Vec3::UnitX()).norm(), 100 * tolerance);
      EXPECT_LT((manifold[0].p_W - Vec3(1 + 0.5 * gap, 0, 0)).norm(), 100 * tolerance);
      // The capsule is along y: it is curved along z only.
      const double k_y = 1 / 0.25, k_z = 1 / 0.49 + 1 / 0.2;
      EXPECT_NEAR(manifold[0].radius, 1 / std::sqrt(k_y * k_z), 1e-10);
      EXPECT_NEAR(manifold[0].ratio, std::min(k_y, k_z) / std::max(k_y, k_z), 1e-10);
    });
  }
}

// And against the round end of one that points at it.
TEST(ConvexCurved, EllipsoidTipOnTheEndOfACapsule) {
  for (double gap : kGaps) {
    const PlacedConvex A(Ellipsoid{Vec3(0.4, 0.5, 0.8)}, {});
    const PlacedConvex B(Capsule{0.2, 2}, At(0, 0, 2 + gap));
    HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
      ASSERT_EQ(manifold.size(), 1u);
      EXPECT_NEAR(manifold[0].phi, gap, 10 * tolerance);
      EXPECT_LT((manifold[0].n_W - Vec3::UnitZ()).norm(), 100 * tolerance);
      EXPECT_LT((manifold[0].p_W - Vec3(0, 0, 0.8 + 0.5 * gap)).norm(), 100 * tolerance);
      const double k_x = 0.8 / 0.16 + 1 / 0.2, k_y = 0.8 / 0.25 + 1 / 0.2;
      EXPECT_NEAR(manifold[0].radius, 1 / std::sqrt(k_x * k_y), 1e-10);
      EXPECT_NEAR(manifold[0].ratio, std::min(k_x, k_y) / std::max(k_x, k_y), 1e-10);
    });
  }
}

TEST(ConvexCurved, EllipsoidTipOnTheSideOfACylinder) {
  for (double gap : kGaps) {
    const PlacedConvex A(Ellipsoid{Vec3(1, 0.5, 0.7)}, {});
    const PlacedConvex B(Cylinder{0.4, 3}, At(1.4 + gap, 0, 0.2));
    HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
      ASSERT_EQ(manifold.size(), 1u);
      EXPECT_NEAR(manifold[0].phi, gap, 10 * tolerance);
      EXPECT_LT((manifold[0].n_W - Vec3::UnitX()).norm(), 100 * tolerance);
      EXPECT_LT((manifold[0].p_W - Vec3(1 + 0.5 * gap, 0, 0)).norm(), 100 * tolerance);
      const double k_y = 1 / 0.25 + 1 / 0.4, k_z = 1 / 0.49;
      EXPECT_NEAR(manifold[0].radius, 1 / std::sqrt(k_y * k_z), 1e-10);
      EXPECT_NEAR(manifold[0].ratio, std::min(k_y, k_z) / std::max(k_y, k_z), 1e-10);
    });
  }
}

// Two shapes about one centre with the same axes leave each other along an axis. Their reaches are
// sums of square roots of linear functions of w_i = n_i², or larger than such a sum and equal to it
// on the axes: concave, so that their least value over all n is at a corner of the w, an axis.
TEST(ConvexCurved, ShapesWithOneCentreLeaveAlongAnAxis) {
  const std::pair<int, int> kinds[] = {
      {testing::kCapsule, testing::kCylinder},   {testing::kCapsule, testing::kEllipsoid},
      {testing::kBox, testing::kCylinder},       {testing::kBox, testing::kEllipsoid},
      {testing::kCylinder, testing::kCylinder},  {testing::kCylinder, testing::kEllipsoid},
      {testing::kEllipsoid, testing::kEllipsoid}};
  Random random(10);
  for (const auto& [kind_A, kind_B] : kinds) {
    for (int trial = 0; trial < 50; ++trial) {
      SCOPED_TRACE(std::to_string(kind_A) + " " + std::to_string(kind_B) + " " +
                   std::to_string(trial));
      const PlacedConvex A(testing::RandomConvex(&random, kind_A), {});
      const PlacedConvex B(testing::RandomConvex(&random, kind_B), {});
      Vec3 depths;
      for (int k = 0; k < 3; ++k)
        depths[k] = A.CalcReach(Vec3::Unit(k)) + B.CalcReach(Vec3::Unit(k));
      int shortest;
      const double depth = depths.minCoeff(&shortest);
      HereAndThere(A, B, [&](const Manifold& manifold, double tolerance) {
        const ManifoldPoint deepest = Deepest(manifold);
        EXPECT_NEAR(deepest.phi, -depth, 10 * tolerance);
        EXPECT_NEAR(testing::CalcReferenceGap(A, B, deepest.n_W), -depth, 10 * tolerance);
        // Round ones may go anywhere around their axis.
        const bool is_unique = (depths.array() < depth + 1e-3).count() == 1;
        if (is_unique) {
          EXPECT_NEAR(std::abs(deepest.n_W[shortest]), 1, 1e-12);
        }
      });
    }
  }
}

// A speck on a mountain, tip on tip and tip on side: lengths of 1e-3 and 1e3.
TEST(ConvexCurved, SizesMayDifferByAMillion) {
  const auto check = [](const PlacedConvex& large, const PlacedConvex& speck, double gap,
                        double radius) {
    ConvexCollider collider;
    for (bool is_first : {true, false}) {
      const Manifold manifold =
          is_first ? CollideAll(&collider, large, speck) : CollideAll(&collider, speck, large);
      ASSERT_EQ(manifold.size(), 1u);
      // Coordinates of 1e3 are known to 1e-13.
      EXPECT_NEAR(manifold[0].phi, gap, 1e-12);
      EXPECT_LT((manifold[0].n_W - (is_first ? 1 : -1) * Vec3::UnitX()).norm(), 1e-9);
      EXPECT_LT((manifold[0].p_W - Vec3(1000 + 0.5 * gap, 0, 0)).norm(), 1e-9);
      EXPECT_NEAR(manifold[0].radius, radius, 1e-9 * radius);
    }
  };
  const Mat3 across = RotationAbout(Vec3::UnitX(), kPi / 2);
  for (double gap : {1e-3, 1e-6, 0.0, -1e-6, -1e-4}) {
    SCOPED_TRACE(gap);
    const PlacedConvex mountain(Ellipsoid{Vec3(1000, 800, 900)}, {});
    const PlacedConvex silo(Cylinder{1000, 2000}, {}), tank(Capsule{1000, 2000}, {});
    const double m_y = 1e3 / 64e4, m_z = 1e3 / 81e4;
    const PlacedConvex bean(Ellipsoid{Vec3(1e-3, 8e-4, 9e-4)}, At(1000 + 1e-3 + gap, 0, 0));
    const double b_y = 1e-3 / 64e-8, b_z = 1e-3 / 81e-8;
    const PlacedConvex pin(Cylinder{1e-3, 2e-3}, {across, Vec3(1000 + 1e-3 + gap, 0, 0)});
    const PlacedConvex pill(Capsule{1e-3, 2e-3}, {across, Vec3(1000 + 1e-3 + gap, 0, 0)});
    check(mountain, bean, gap, 1 / std::sqrt((m_y + b_y) * (m_z + b_z)));
    check(mountain, pin, gap, 1 / std::sqrt(m_y * (m_z + 1e3)));
    check(mountain, pill, gap, 1 / std::sqrt(m_y * (m_z + 1e3)));
    check(silo, bean, gap, 1 / std::sqrt((1e-3 + b_y) * b_z));
    check(silo, pin, gap, 1 / std::sqrt(1e-3 * 1e3));
    check(silo, pill, gap, 1 / std::sqrt(1e-3 * 1e3));
    check(tank, bean, gap, 1 / std::sqrt((1e-3 + b_y) * b_z));
    check(tank, pin, gap, 1 / std::sqrt(1e-3 * 1e3));
  }
}

// Finely tessellated copies inside of the shapes have gaps that are larger, by no more than what
// lies between a shape and its copy.
TEST(ConvexCurved, TessellatedCopiesAreSlightlyFartherApart) {
  Random random(8);
  ConvexCollider collider;
  constexpr int kCorners = 48;
  const auto make_copy = [&](const PlacedConvex& placed, double* error) {
    ConvexHull hull;
    const double between = 1 - std::cos(kPi / kCorners);
    for (int k = 0; k < kCorners; ++k) {
      const double angle = 2 * kPi * k / kCorners;
      if (const auto* cylinder = std::get_if<Cylinder>(&placed.shape)) {
        for (double z : {-0.5, 0.5}) {
          hull.points.emplace_back(cylinder->radius * std::cos(angle),
                                   cylinder->radius * std::sin(angle), z * cylinder->length);
        }
        *error = cylinder->radius * between;
      } else {
        const Vec3& radii = std::get<Ellipsoid>(placed.shape).radii;
        // A grid of meridians and parallels: half a cell is half a step in both directions.
        for (int j = 0; j <= kCorners / 2; ++j) {
          const double latitude = 2 * kPi * j / kCorners;
          hull.points.push_back(
              radii.cwiseProduct(Vec3(std::cos(angle) * std::sin(latitude),
                                      std::sin(angle) * std::sin(latitude), std::cos(latitude))));
        }
        *error = radii.maxCoeff() * 2 * between;
      }
    }
    return PlacedConvex(hull, placed.X);
  };
  for (int trial = 0; trial < 20; ++trial) {
    for (const auto& [kind_A, kind_B] : {std::pair{testing::kCylinder, testing::kCylinder},
                                         {testing::kCylinder, testing::kEllipsoid},
                                         {testing::kEllipsoid, testing::kEllipsoid}}) {
      const testing::RandomPair pair(&random, kind_A, kind_B);
      double error_A = 0, error_B = 0;
      const PlacedConvex A = make_copy(pair.A, &error_A), B = make_copy(pair.B, &error_B);
      const double phi = Deepest(CollideAll(&collider, pair.A, pair.B)).phi;
      const double copied = Deepest(CollideAll(&collider, A, B)).phi;
      EXPECT_GE(copied, phi - 1e-11);
      EXPECT_LE(copied, phi + error_A + error_B);
    }
  }
}

}  // namespace
}  // namespace voigt
