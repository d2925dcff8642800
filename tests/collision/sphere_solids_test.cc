// Spheres against solids, where closed forms say what must come out.

#include "voigt/collision/sphere_solids.h"

#include "tests/collision/pair_checks.h"
#include "voigt/collision/nearest_point.h"

namespace voigt {
namespace {

using testing::ExpectPoint;
using testing::LookFromEverywhere;
using testing::Placed;
using testing::Random;
using testing::RandomVector;
using testing::Turn;
using testing::Uniform;

// A sphere of radius 1 with its centre at c, against a solid at the origin: φ is `phi`, and the
// solid's surface, with outward normal n, is at x.
void ExpectTouch(const Shape& solid, const Vec3& c, const Vec3& x, const Vec3& n, double phi,
                 double radius) {
  const Placed ball{Sphere{1}, {Turn(2, {3, 2, 1}), c}}, other{solid, {}};
  LookFromEverywhere(ball, other, 100, [&](const Manifold& points, double rounding) {
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].feature, 0);
    ExpectPoint(points[0], x + 0.5 * phi * n, -n, phi, rounding);
    if (radius == kInfinity) {
      EXPECT_EQ(points[0].radius, kInfinity);
    } else {
      EXPECT_NEAR(points[0].radius, radius, 1e-10 * radius);
    }
  });
}

TEST(SphereBox, TouchesFacesEdgesAndCorners) {
  const Box box{{2, 4, 6}};
  ExpectTouch(box, {0.5, 0.3, 4.5}, {0.5, 0.3, 3}, {0, 0, 1}, 0.5, 1);
  ExpectTouch(box, {-2, 1, 2}, {-1, 1, 2}, {-1, 0, 0}, 0, 1);
  ExpectTouch(box, {1.3, 2.4, 1}, {1, 2, 1}, {0.6, 0.8, 0}, -0.5, kInfinity);
  ExpectTouch(box, {-2, -4, 5}, {-1, -2, 3}, Vec3(-1, -2, 2) / 3, 2, kInfinity);
}

TEST(SphereBox, IsPushedOutThroughTheNearestFace) {
  const Box box{{2, 4, 6}};
  ExpectTouch(box, {0.2, -1.7, 1}, {0.2, -2, 1}, {0, -1, 0}, -1.3, 1);
  ExpectTouch(box, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, -2, 1);  // through +x by convention
  ExpectTouch(box, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, -1, 1);  // with the centre on the face
}

TEST(SphereCapsule, TouchesSideAndEnds) {
  const Capsule capsule{0.5, 4};
  const double side = 1 / std::sqrt((1 + 2) * 1), end = 1.0 / 3;
  ExpectTouch(capsule, {3, 4, 1}, {0.3, 0.4, 1}, {0.6, 0.8, 0}, 3.5, side);
  ExpectTouch(capsule, {0, -1.2, -1.9}, {0, -0.5, -1.9}, {0, -1, 0}, -0.3, side);
  ExpectTouch(capsule, {0.6, 0, 2.8}, {0.3, 0, 2.4}, {0.6, 0, 0.8}, -0.5, end);
  ExpectTouch(capsule, {0, 0, -4}, {0, 0, -2.5}, {0, 0, -1}, 0.5, end);
}

// A sphere of radius 1 on curvatures of 2 and 0, 2 and 2, 0 and 0, 3/4 and 3.
TEST(SphereSolids, RatioIsThatOfTheSumsOfCurvatures) {
  const auto ratio = [](const Shape& solid, const Vec3& c) {
    const Manifold points = testing::Collide({Sphere{1}, {Mat3::Identity(), c}}, {solid, {}});
    return testing::Deepest(points).ratio;
  };
  EXPECT_NEAR(ratio(Capsule{0.5, 4}, {3, 4, 1}), 1.0 / 3, 1e-14);
  EXPECT_NEAR(ratio(Capsule{0.5, 4}, {0, 0, -4}), 1, 1e-14);
  EXPECT_NEAR(ratio(Cylinder{0.5, 4}, {3, 4, 1}), 1.0 / 3, 1e-14);
  EXPECT_EQ(ratio(Cylinder{0.5, 4}, {0.2, 0.1, -3}), 1);
  EXPECT_EQ(ratio(Box{{1, 1, 1}}, {0.2, 0.1, 3}), 1);
  EXPECT_NEAR(ratio(Ellipsoid{{2, 1, 3}}, {0, 0, 5}), (1 + 0.75) / (1 + 3), 1e-14);
}

TEST(SphereCapsule, OnTheAxisItIsPushedAcross) {
  ExpectTouch(Capsule{0.5, 4}, {0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, -1.5, 1 / std::sqrt(3));
  const NearestPoint beside = FindNearestOnCapsule({0.5, 4}, {0, 1e-300, 1});
  EXPECT_LT((beside.n - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(beside.distance, -0.5);
}

TEST(SphereCylinder, TouchesSideCapsAndRim) {
  const Cylinder cylinder{0.5, 4};
  const double side = 1 / std::sqrt((1 + 2) * 1);
  ExpectTouch(cylinder, {3, 4, 1}, {0.3, 0.4, 1}, {0.6, 0.8, 0}, 3.5, side);
  ExpectTouch(cylinder, {0.2, 0.1, -3}, {0.2, 0.1, -2}, {0, 0, -1}, 0, 1);
  ExpectTouch(cylinder, {0, -1.1, 2.8}, {0, -0.5, 2}, {0, -0.6, 0.8}, 0, kInfinity);
}

TEST(SphereCylinder, IsPushedOutThroughTheSideOrACap) {
  const Cylinder cylinder{0.5, 4};
  ExpectTouch(cylinder, {0, 0.3, 1}, {0, 0.5, 1}, {0, 1, 0}, -1.2, 1 / std::sqrt(3));
  ExpectTouch(cylinder, {0, 0.3, -1.9}, {0, 0.3, -2}, {0, 0, -1}, -1.1, 1);
  ExpectTouch(cylinder, {0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, -1.5, 1 / std::sqrt(3));
}

// From a point of the surface along its normal the way is known, as far inside as the least radius
// of curvature allows (e_min²/e_max at least).
TEST(NearestOnEllipsoid, FindsThePointThatTheNormalCameFrom) {
  Random random(11);
  for (int trial = 0; trial < 5000; ++trial) {
    SCOPED_TRACE(trial);
    const double low = trial % 2 == 0 ? 0.3 : 1e-3, high = trial % 2 == 0 ? 3 : 1e3;
    const auto length = [&] { return std::exp(Uniform(&random, std::log(low), std::log(high))); };
    Vec3 e{length(), length(), length()};
    if (trial % 5 == 0) e[1] = e[0];
    if (trial % 7 == 0) e[2] = e[1];
    const Vec3 w = RandomVector(&random).normalized();
    const Vec3 x = e.cwiseProduct(w), n = w.cwiseQuotient(e).normalized();
    const double inside = e.minCoeff() * e.minCoeff() / e.maxCoeff();
    for (const double d : {0.0, 1e-9, 1.0, 100.0, -0.01 * inside, -0.9 * inside}) {
      const NearestPoint nearest = FindNearestOnEllipsoid(Ellipsoid{e}, x + d * n);
      const double size = e.maxCoeff() + std::abs(d);
      EXPECT_NEAR(nearest.distance, d, 1e-14 * size);
      EXPECT_NEAR(nearest.n.norm(), 1, 1e-15);
      // Where the surface bends with radius R ≥ `inside`, errors ε of the point turn the normal by
      // ε/R, and by more near the centre of curvature.
      EXPECT_LT((nearest.n - n).norm(), 1e-13 * size / inside);
    }
  }
}

TEST(NearestOnEllipsoid, InTheMiddleTheShortestAxisIsNearest) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 e(2, 3, 4);
    e[axis] = 1;
    const NearestPoint center = FindNearestOnEllipsoid(Ellipsoid{e}, Vec3::Zero());
    EXPECT_EQ(center.distance, -1);
    EXPECT_EQ(center.n, Vec3(Vec3::Unit(axis)));
    for (const double offset : {1e-300, 1e-20, 1e-8}) {
      const NearestPoint beside = FindNearestOnEllipsoid(Ellipsoid{e}, -offset * Vec3::Ones());
      EXPECT_NEAR(beside.distance, -1 + offset, 1e-15);
      EXPECT_LT((beside.n + Vec3::Unit(axis)).norm(), 2 * offset);
    }
  }
}

// In the plane of the two longer axes, within the ellipse of the centres of curvature, two points
// are nearest: q = (x, y, 0) has w = r z/(r - 1) along these axes.
TEST(NearestOnEllipsoid, OnTheMedialDiscBothSidesAreEquallyNear) {
  Random random(12);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 e{Uniform(&random, 2, 5), Uniform(&random, 2, 5), 1};
    const double share = Uniform(&random, 0, 0.999);
    const Vec2 w = share * RandomVector(&random).head<2>().normalized();
    const Vec3 q(w[0] * (e[0] * e[0] - 1) / e[0], w[1] * (e[1] * e[1] - 1) / e[1], 0);
    const Vec3 x(e[0] * w[0], e[1] * w[1], std::sqrt(1 - w.squaredNorm()));
    const NearestPoint nearest = FindNearestOnEllipsoid(Ellipsoid{e}, q);
    EXPECT_NEAR(nearest.distance, -(q - x).norm(), 1e-14);
    EXPECT_LT((nearest.n - (x - q).normalized()).norm(), 1e-12);
    for (const double side : {-1e-9, 1e-9}) {
      const NearestPoint beside = FindNearestOnEllipsoid(Ellipsoid{e}, q + Vec3(0, 0, side));
      EXPECT_EQ(std::signbit(beside.n[2]), side < 0);
      EXPECT_NEAR(beside.distance, nearest.distance, 1e-9 + 1e-14);
    }
  }
}

TEST(NearestOnEllipsoid, SphereWithEqualRadii) {
  const Ellipsoid ball{{2, 2, 2}};
  EXPECT_EQ(FindNearestOnEllipsoid(ball, Vec3::Zero()).distance, -2);
  const NearestPoint nearest = FindNearestOnEllipsoid(ball, {0, 3, 4});
  EXPECT_NEAR(nearest.distance, 3, 1e-15);
  EXPECT_LT((nearest.n - Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_NEAR(nearest.curvature_1, 0.5, 1e-15);
  EXPECT_NEAR(nearest.curvature_2, 0.5, 1e-15);
}

// The normal turns by κ per length along the surface: its derivative has the principal curvatures
// as eigenvalues, and a zero along the normal itself.
TEST(NearestOnEllipsoid, CurvaturesAreThoseOfTheTurningNormal) {
  Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 e{Uniform(&random, 0.5, 2), Uniform(&random, 0.5, 2), Uniform(&random, 0.5, 2)};
    const Vec3 x = e.cwiseProduct(RandomVector(&random).normalized());
    const NearestPoint nearest = FindNearestOnEllipsoid(Ellipsoid{e}, x);
    Mat3 turning;
    const double step = 1e-5;
    for (int k = 0; k < 3; ++k) {
      const Vec3 shift = step * Vec3::Unit(k);
      turning.col(k) = (FindNearestOnEllipsoid(Ellipsoid{e}, x + shift).n -
                        FindNearestOnEllipsoid(Ellipsoid{e}, x - shift).n) /
                       (2 * step);
    }
    const double sum = nearest.curvature_1 + nearest.curvature_2;
    const double product = nearest.curvature_1 * nearest.curvature_2;
    EXPECT_NEAR(turning.trace(), sum, 1e-7 * sum);
    // Of a matrix with eigenvalues κ₁, κ₂, 0: the sum of squares.
    EXPECT_NEAR((turning * turning).trace(), sum * sum - 2 * product, 1e-7 * sum * sum);
  }
}

TEST(SphereEllipsoid, TouchesVerticesWithTheRadiusOfBoth) {
  const Ellipsoid solid{{1, 2, 3}};
  // Curvatures at the end of z: 3/1 and 3/4.
  const double radius = 1 / std::sqrt((1 + 3) * (1 + 0.75));
  ExpectTouch(solid, {0, 0, 5}, {0, 0, 3}, {0, 0, 1}, 1, radius);
  ExpectTouch(solid, {0, 0, 4}, {0, 0, 3}, {0, 0, 1}, 0, radius);
  ExpectTouch(solid, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, -2,
              1 / std::sqrt((1 + 0.25) * (1 + 1.0 / 9)));
}

}  // namespace
}  // namespace voigt
