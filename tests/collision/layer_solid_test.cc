// Elastic layers against solids of every kind: distances, which elements are found, and that their
// forces have a potential.

#include "voigt/collision/layer_solid.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/collision/mesh_shapes.h"
#include "tests/support/samples.h"
#include "voigt/collision/narrow_phase.h"
#include "voigt/collision/solid_distance.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

Geometry WithLayer(const Shape& shape, double resolution) {
  Geometry geometry{.name = "", .shape = shape, .X_BG = {}, .density = {}};
  geometry.foundation = ElasticLayer{};
  geometry.foundation->resolution = resolution;
  geometry.foundation->stiffness = 1;
  return geometry;
}

CollisionShape MakeLayered(const Shape& shape, double resolution) {
  std::string defect;
  return MakeCollisionShapeWithLayer(WithLayer(shape, resolution), &defect).value();
}

CollisionShape MakeBare(const Shape& shape) {
  std::string defect;
  Geometry geometry{.name = "", .shape = shape, .X_BG = {}, .density = {}};
  return MakeCollisionShapeWithLayer(geometry, &defect).value();
}

HeightField MakeHills() {
  HeightField field{.nx = 6, .ny = 5, .spacing = {0.5, 0.6}, .heights = {}};
  for (int k = 0; k < 30; ++k) field.heights.push_back(0.3 * std::sin(1.7 * k));
  return field;
}

// Solids about as large as 1.
std::vector<Shape> BoundedSolids() {
  const TriangleMesh box = testing::MakeBoxMesh({-0.4, -0.5, -0.3}, {0.4, 0.5, 0.3});
  return {Sphere{0.6},
          Box{{0.8, 1, 0.6}},
          Capsule{0.4, 0.7},
          Cylinder{0.4, 1},
          Ellipsoid{{0.4, 0.6, 0.8}},
          ConvexHull{box.vertices},
          testing::MakeTorus(0.7, 0.3, 12, 8)};
}

std::vector<Shape> SolidsOfEveryKind() {
  std::vector<Shape> out = BoundedSolids();
  out.emplace_back(HalfSpace{});
  out.emplace_back(MakeHills());
  return out;
}

TEST(SolidDistance, IsThatOfTheSameSolidByAnotherName) {
  const Vec3 size(0.8, 1, 0.6);
  const TriangleMesh mesh = testing::MakeGridBox(size, 3);
  const CollisionShape box = MakeBare(Box{size}), hull = MakeBare(ConvexHull{mesh.vertices}),
                       solid = MakeBare(mesh);
  Random random(1);
  std::vector<int> near;
  int inside = 0;
  for (int i = 0; i < testing::SampleCount(2000); ++i) {
    const Vec3 q = RandomVector(&random, 0.8);
    const NearestPoint expected = *FindSignedDistance(box, q, kInfinity, &near);
    inside += expected.distance < 0;
    for (const CollisionShape* other : {&hull, &solid}) {
      const auto found = FindSignedDistance(*other, q, 10, &near);
      ASSERT_TRUE(found);
      EXPECT_NEAR(found->distance, expected.distance, 1e-13);
      EXPECT_LT((found->n - expected.n).norm(), 1e-10);
    }
  }
  EXPECT_GT(inside, 20);
}

// Of the surface that is nearest, wherever there is one such point only.
TEST(SolidDistance, HasTheNormalAsItsGradient) {
  Random random(2);
  std::vector<int> near;
  for (const Shape& shape : SolidsOfEveryKind()) {
    SCOPED_TRACE(ShapeName(shape));
    const CollisionShape solid = MakeBare(shape);
    int good = 0;
    const int count = testing::SampleCount(300);
    for (int i = 0; i < count; ++i) {
      const Vec3 q = RandomVector(&random, 0.8);
      const auto at = [&](const Vec3& x) {
        return FindSignedDistance(solid, x, 10, &near).value().distance;
      };
      const double e = 1e-6;
      Vec3 gradient;
      for (int k = 0; k < 3; ++k) {
        gradient[k] = (at(q + e * Vec3::Unit(k)) - at(q - e * Vec3::Unit(k))) / (2 * e);
      }
      good += (gradient - FindSignedDistance(solid, q, 10, &near)->n).norm() < 1e-4;
    }
    EXPECT_GT(good, 0.97 * count);
  }
}

TEST(SolidDistance, IsNothingBeyondTheReachAndForSheets) {
  std::vector<int> near;
  const CollisionShape solid = MakeBare(testing::MakeGridBox(Vec3::Ones(), 2));
  EXPECT_TRUE(FindSignedDistance(solid, {0, 0, 0.6}, 0.11, &near));
  EXPECT_FALSE(FindSignedDistance(solid, {0, 0, 0.6}, 0.09, &near));
  EXPECT_TRUE(FindSignedDistance(solid, {0, 0, 0.1}, 0, &near));
  const CollisionShape sheet = MakeBare(testing::MakeFloor(1, 2));
  EXPECT_FALSE(FindSignedDistance(sheet, {0, 0, 0.1}, 1, &near));
}

// Nothing is left out that an element by element search finds, and nothing else is found.
TEST(LayerSolid, FindsTheElementsWithinTheMargin) {
  Random random(3);
  LayerCollider collider;
  std::vector<int> near;
  for (const Shape& shape_A : BoundedSolids()) {
    const CollisionShape A = MakeLayered(shape_A, 0.15);
    for (const Shape& shape_B : SolidsOfEveryKind()) {
      SCOPED_TRACE(std::string(ShapeName(shape_A)) + " on " + std::string(ShapeName(shape_B)));
      const CollisionShape B = MakeBare(shape_B);
      size_t total = 0;
      // Not all samples touch: where few are asked for, so many that one does.
      const int trials = testing::SampleCount(20);
      for (int trial = 0; trial < trials || (total == 0 && trial < 20); ++trial) {
        const Pose X_WA = RandomPose(&random), X_WB = RandomPose(&random);
        const double margin = Uniform(&random, 0, 0.1);
        Manifold found;
        collider.Collide(*A.layer, X_WA, B, X_WB, margin, &found);
        size_t next = 0;
        for (size_t k = 0; k < A.layer->elements().size(); ++k) {
          const SurfaceElement& element = A.layer->elements()[k];
          const Vec3 q = X_WB.Inverse() * (X_WA * element.p);
          const auto nearest = FindSignedDistance(B, q, 10, &near);
          ASSERT_TRUE(nearest);
          // Rounding decides about the last ones.
          if (std::abs(nearest->distance - margin) < 1e-12) continue;
          const bool is_found = next < found.size() && found[next].feature == static_cast<int>(k);
          ASSERT_EQ(is_found, nearest->distance <= margin) << k;
          if (!is_found) continue;
          const ManifoldPoint& point = found[next++];
          EXPECT_NEAR(point.phi, nearest->distance, 1e-13);
          EXPECT_EQ(point.area, element.area);
          EXPECT_EQ(point.radius, kInfinity);
          // The element and the nearest point of B are at equal distances from p along n.
          EXPECT_LT((X_WA * element.p - (point.p_W - 0.5 * point.phi * point.n_W)).norm(), 1e-13);
        }
        total += found.size();
      }
      EXPECT_GT(total, 0u);
    }
  }
}

// The wrench on A of pressures k d: forces and moments about the world's origin.
Vec6 CalcWrench(const Manifold& manifold, double* potential) {
  Vec6 wrench = Vec6::Zero();
  *potential = 0;
  for (const ManifoldPoint& point : manifold) {
    const double depth = std::max(0.0, -point.phi);
    const Vec3 force = -point.area * depth * point.n_W;
    wrench.head<3>() += point.p_W.cross(force);
    wrench.tail<3>() += force;
    *potential += 0.5 * point.area * depth * depth;
  }
  return wrench;
}

// Forces along the gradient of depths, at points on the line between element and surface, do the
// work that the potential loses, whatever moves.
TEST(LayerSolid, ForcesHaveAPotential) {
  Random random(4);
  LayerCollider collider;
  for (const Shape& shape_A : BoundedSolids()) {
    const CollisionShape A = MakeLayered(shape_A, 0.1);
    for (const Shape& shape_B : SolidsOfEveryKind()) {
      SCOPED_TRACE(std::string(ShapeName(shape_A)) + " on " + std::string(ShapeName(shape_B)));
      const CollisionShape B = MakeBare(shape_B);
      const Pose X_WB = RandomPose(&random);
      // Overlapping by about a tenth of the sizes.
      Pose X_WA = RandomPose(&random);
      const Vec3 up = X_WB.R.col(2);
      // A torus with its ring, not with its hole.
      const bool has_hole = std::holds_alternative<TriangleMesh>(shape_A);
      const Vec3 aim = (has_hole ? 0.7 : 0.0) * X_WA.R.col(0);
      double height = 2;
      Manifold found;
      while (height > -1) {
        X_WA.p = X_WB.p + height * up - aim;
        found.clear();
        collider.Collide(*A.layer, X_WA, B, X_WB, 0, &found);
        double deepest = 0;
        for (const ManifoldPoint& point : found) deepest = std::min(deepest, point.phi);
        if (deepest < -0.08) break;
        height -= 0.02;
      }
      ASSERT_FALSE(found.empty());
      double potential = 0;
      const Vec6 wrench = CalcWrench(found, &potential);
      ASSERT_GT(potential, 0);
      for (int k = 0; k < 6; ++k) {
        // A moves by ±e: a rotation about an axis through the world's origin, or a shift.
        const double e = 1e-5;
        double U[2] = {};
        for (int s : {0, 1}) {
          Pose X = X_WA;
          const double step = s == 0 ? -e : e;
          if (k < 3) {
            const Mat3 R = Eigen::AngleAxisd(step, Vec3::Unit(k)).toRotationMatrix();
            X = Pose{R, Vec3::Zero()} * X_WA;
          } else {
            X.p += step * Vec3::Unit(k - 3);
          }
          Manifold moved;
          collider.Collide(*A.layer, X, B, X_WB, 0, &moved);
          CalcWrench(moved, &U[s]);
        }
        // Elements that come to touch on the way do so with forces of the order of e.
        EXPECT_NEAR(-(U[1] - U[0]) / (2 * e), wrench[k], 2e-3 * wrench.norm()) << k;
      }
    }
  }
}

// The Winkler ball on a plane: F = π k R d², as ∫ (d - u) 2πR du over the cap is exactly that.
TEST(LayerSolid, BallOnAPlaneConvergesToWinklersParabola) {
  const double R = 0.5, d = 0.05, expected = kPi * R * d * d;
  const CollisionShape plane = MakeBare(HalfSpace{});
  LayerCollider collider;
  Random random(5);
  double coarse = 0;
  for (double resolution : {0.04, 0.02, 0.01}) {
    const CollisionShape ball = MakeLayered(Sphere{R}, resolution);
    double squares = 0;
    for (int trial = 0; trial < 20; ++trial) {
      const Pose X{testing::RandomRotation(&random), Vec3(0, 0, R - d)};
      Manifold found;
      collider.Collide(*ball.layer, X, plane, {}, 0, &found);
      double potential = 0;
      const Vec6 wrench = CalcWrench(found, &potential);
      squares += std::pow(wrench[5] / expected - 1, 2) / 20;
      // What touches is no more than the cap and its border.
      const double cap = 2 * kPi * R * d;
      EXPECT_LT(found.size(), 1.5 * cap / ball.layer->mean_area() + 20);
    }
    const double error = std::sqrt(squares);
    EXPECT_LT(error, 20 * resolution * resolution);
    if (resolution == 0.04) coarse = error;
    if (resolution == 0.01) {
      EXPECT_GT(coarse / error, 10);
    }
  }
}

// A ring of inner radius r, outer radius 2r and length l along z, round to the n-th part. Circles
// go through the middles of its inner facets.
TriangleMesh MakeRing(double r, double l, int n) {
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * kPi * i / n;
    const Vec3 u(std::cos(angle), std::sin(angle), 0);
    for (double radius : {r / std::cos(kPi / n), 2 * r}) {
      for (double z : {-0.5 * l, 0.5 * l}) mesh.vertices.push_back(radius * u + z * Vec3::UnitZ());
    }
  }
  const auto add = [&](int a, int b, int c, int d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < n; ++i) {
    const int a = 4 * i, b = 4 * ((i + 1) % n);  // inner low, inner high, outer low, outer high
    add(a, a + 1, b + 1, b);
    add(a + 2, b + 2, b + 3, a + 3);
    add(a + 1, a + 3, b + 3, b + 1);
    add(a, b, b + 2, a + 2);
  }
  return mesh;
}

// Conforming contact: a pin in a hole with a clearance c, pushed aside by x. Depths x cos ψ - c
// within ±ψ₀, cos ψ₀ = c/x, give F = k R l (x (ψ₀ + sin ψ₀ cos ψ₀) - 2 c sin ψ₀), to the order of
// x/R.
TEST(LayerSolid, PinInAHoleCarriesWhatItsArcDoes) {
  const double R = 0.1, c = 5e-5, x = 2e-4, l = 0.2;
  const double psi = std::acos(c / x);
  const double expected =
      R * l * (x * (psi + std::sin(psi) * std::cos(psi)) - 2 * c * std::sin(psi));
  const CollisionShape pin = MakeLayered(Cylinder{R, l}, 0.004);
  LayerCollider collider;
  double last = 0;
  for (int n : {180, 360, 720}) {
    const TriangleMesh ring = MakeRing(R + c, 1.5 * l, n);
    ASSERT_FALSE(DescribeSolidDefect(ring));
    Manifold found;
    collider.Collide(*pin.layer, {Mat3::Identity(), {x, 0, 0}}, MakeBare(ring), {}, 0, &found);
    double potential = 0;
    const Vec6 wrench = CalcWrench(found, &potential);
    const double error = std::abs(-wrench[3] / expected - 1);
    // The hole is narrower than the circle by up to r (π/n)²/2.
    EXPECT_LT(error, std::pow(kPi / n, 2) * R / x + 3e-3);
    if (last > 0) {
      EXPECT_LT(error, 0.6 * last);
    }
    last = error;
  }
  EXPECT_LT(last, 5e-3);
}

// Where things stand in the world does not matter, and names stay.
TEST(LayerSolid, IsTheSameInEveryFrame) {
  Random random(6);
  LayerCollider collider;
  for (const Shape& shape_B : SolidsOfEveryKind()) {
    SCOPED_TRACE(ShapeName(shape_B));
    const CollisionShape A = MakeLayered(Box{{0.5, 0.6, 0.7}}, 0.1), B = MakeBare(shape_B);
    const Pose X_WA = RandomPose(&random, 0.5), X_WB = RandomPose(&random, 0.5);
    const Pose X = RandomPose(&random, 100);
    Manifold here, there;
    collider.Collide(*A.layer, X_WA, B, X_WB, 0.05, &here);
    collider.Collide(*A.layer, X * X_WA, B, X * X_WB, 0.05, &there);
    ASSERT_EQ(here.size(), there.size());
    for (size_t k = 0; k < here.size(); ++k) {
      EXPECT_EQ(here[k].feature, there[k].feature);
      EXPECT_NEAR(here[k].phi, there[k].phi, 1e-12);
      EXPECT_LT((X * here[k].p_W - there[k].p_W).norm(), 1e-12);
      EXPECT_LT((X.R * here[k].n_W - there[k].n_W).norm(), 1e-9);
    }
  }
}

// Of two layers the finer one has the elements, of equal ones the first, and normals lead from the
// first shape to the second all the same.
TEST(LayerSolid, TheFinerOfTwoLayersHasTheElements) {
  NarrowPhase narrow_phase;
  const Shape cube = Box{Vec3::Ones()};
  const Pose above{Mat3::Identity(), {0, 0, 0.999}};
  struct Case {
    CollisionShape A, B;
    size_t count;
  };
  const std::vector<Case> cases = {{MakeLayered(cube, 0.1), MakeLayered(cube, 0.25), 100},
                                   {MakeLayered(cube, 0.25), MakeLayered(cube, 0.1), 100},
                                   {MakeLayered(cube, 0.25), MakeBare(cube), 16},
                                   {MakeBare(cube), MakeLayered(cube, 0.25), 16}};
  for (const Case& c : cases) {
    Manifold found;
    narrow_phase.Collide(c.A, {}, c.B, above, 0, &found);
    EXPECT_EQ(found.size(), c.count);
    for (const ManifoldPoint& point : found) {
      EXPECT_LT((point.n_W - Vec3::UnitZ()).norm(), 1e-15);
      EXPECT_NEAR(point.phi, -1e-3, 1e-15);
      EXPECT_NEAR(point.area, 1.0 / c.count, 1e-15);
    }
  }
  // Equal ones: elements of A have their middles at A's upper face.
  Manifold found;
  narrow_phase.Collide(MakeLayered(cube, 0.25), {}, MakeLayered(cube, 0.25),
                       {Mat3::Identity(), {0.05, 0, 0.999}}, 0, &found);
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(std::abs(std::fmod(found[0].p_W[0], 0.25)), 0.125, 1e-12);
}

TEST(LayerSolid, KindsOfPairs) {
  const Geometry layered = WithLayer(Sphere{1}, 0.1);
  const auto kind = [&](const Shape& shape) {
    return ClassifyPair(layered, Geometry{.name = "", .shape = shape, .X_BG = {}, .density = {}});
  };
  EXPECT_EQ(kind(Box{Vec3::Ones()}), PairKind::kLayer);
  EXPECT_EQ(kind(HalfSpace{}), PairKind::kLayer);
  EXPECT_EQ(kind(MakeHills()), PairKind::kLayer);
  EXPECT_EQ(kind(testing::MakeGridBox(Vec3::Ones(), 1)), PairKind::kLayer);
  EXPECT_EQ(kind(testing::MakeFloor(1, 1)), PairKind::kUnsupported);
  EXPECT_EQ(kind(ContactPoints{{Vec3::Zero()}}), PairKind::kNever);
}

}  // namespace
}  // namespace voigt
