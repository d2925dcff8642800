#include "voigt/collision/mesh_convex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/collision/mesh_shapes.h"
#include "voigt/collision/half_space_solids.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::LeastPhi;
using testing::MakeFloor;
using testing::MakeGridBox;
using testing::MakeL;
using testing::Random;
using testing::RandomPose;
using testing::RandomRotation;
using testing::RandomVector;
using testing::SurfaceOf;
using testing::Uniform;

ConvexShape ConvexOf(const Shape& shape) {
  std::string defect;
  auto convex = MakeConvexShape(shape, &defect);
  EXPECT_TRUE(convex.has_value()) << defect;
  return convex.value_or(ConvexShape{});
}

Manifold Collide(const MeshSurface& A, const Pose& X_WA, const Shape& B, const Pose& X_WB,
                 double margin) {
  MeshConvexCollider collider;
  Manifold out;
  collider.Collide(A, X_WA, ConvexOf(B), X_WB, margin, &out);
  testing::ExpectWellFormed(out, margin);
  return out;
}

HeightField MakeFlatField(double size, int n) {
  HeightField field{n + 1, n + 1, Vec2::Constant(size / n), {}};
  field.heights.assign((n + 1) * (n + 1), 0.0);
  return field;
}

// Floors at z = 0 with inner edges everywhere.
std::vector<std::pair<MeshSurface, Pose>> MakeFloors() {
  return {{SurfaceOf(MakeFloor(4, 8)), {}},
          {SurfaceOf(MakeGridBox(Vec3(4, 4, 4), 8)), {Mat3::Identity(), Vec3(0, 0, -2)}},
          {SurfaceOf(MakeFlatField(4, 8)), {}}};
}

TEST(MeshConvex, ABoxSlidesOverInnerEdgesOnItsFourCorners) {
  const Vec3 size(0.9, 0.7, 0.4);
  for (const auto& [floor, X] : MakeFloors()) {
    std::set<int> features;
    for (int k = 0; k <= 100; ++k) {
      const double x = (k - 50) / 50.0;
      const auto points =
          Collide(floor, X, Box{size}, {Mat3::Identity(), Vec3(x, 0.5 * x, 0.19)}, 0.05);
      ASSERT_EQ(points.size(), 4u) << x;
      for (const auto& point : points) {
        EXPECT_EQ(point.n_W, Vec3(0, 0, 1));
        EXPECT_NEAR(point.phi, -0.01, 1e-15);
        EXPECT_NEAR(std::abs(point.p_W[0] - x), 0.45, 1e-14);
        EXPECT_NEAR(std::abs(point.p_W[1] - 0.5 * x), 0.35, 1e-14);
        EXPECT_NEAR(point.p_W[2], -0.005, 1e-15);
        features.insert(point.feature);
      }
    }
    EXPECT_EQ(features.size(), 4u);
  }
}

// What lies on a floor of triangles is in contact as on a half-space.
TEST(MeshConvex, AFloorIsLikeAHalfSpace) {
  Random random(1);
  const Capsule capsule{0.2, 0.6};
  const Ellipsoid ellipsoid{{0.5, 0.3, 0.2}};
  for (const auto& [floor, X] : MakeFloors()) {
    for (int k = 0; k < 60; ++k) {
      Pose X_WB{RandomRotation(&random), Vec3{Uniform(&random, -1, 1), Uniform(&random, -1, 1), 0}};
      for (const Shape& shape : {Shape(capsule), Shape(ellipsoid)}) {
        const bool is_capsule = std::holds_alternative<Capsule>(shape);
        // Lying nearly flat, so that both ends of a capsule are within the margin, and overlapping
        // by a little.
        if (is_capsule)
          X_WB.R = RotationFromRollPitchYaw({kPi / 2 + Uniform(&random, -0.15, 0.15), 0, 1.0 * k});
        X_WB.p[2] = 0.3;
        Manifold expected;
        const auto collide = [&] {
          expected.clear();
          if (is_capsule) CollideHalfSpaceCapsule({}, {}, capsule, X_WB, 0.2, &expected);
          if (!is_capsule) CollideHalfSpaceEllipsoid({}, {}, ellipsoid, X_WB, 10, &expected);
        };
        collide();
        X_WB.p[2] -= LeastPhi(expected) + 0.01;
        collide();
        const auto points = Collide(floor, X, shape, X_WB, 0.2);
        ASSERT_EQ(points.size(), expected.size());
        for (const auto& e : expected) {
          const auto equal = [&](const ManifoldPoint& p) {
            return (p.p_W - e.p_W).norm() < 1e-13 && p.n_W == e.n_W &&
                   std::abs(p.phi - e.phi) < 1e-14 && std::abs(p.radius - e.radius) < 1e-13 &&
                   std::abs(p.ratio - e.ratio) < 1e-13;
          };
          EXPECT_TRUE(std::any_of(points.begin(), points.end(), equal));
        }
      }
    }
  }
}

TEST(MeshConvex, ACylinderStandsAndLies) {
  const Cylinder cylinder{0.3, 0.5};
  for (const auto& [floor, X] : MakeFloors()) {
    const auto standing =
        Collide(floor, X, cylinder, {Mat3::Identity(), Vec3(0.1, 0.2, 0.249)}, 0.05);
    EXPECT_EQ(standing.size(), 8u);
    for (const auto& point : standing) {
      EXPECT_EQ(point.n_W, Vec3(0, 0, 1));
      EXPECT_NEAR(point.phi, -0.001, 1e-15);
      EXPECT_NEAR((point.p_W - Vec3(0.1, 0.2, 0)).head<2>().norm(), 0.3, 1e-14);
    }
    const Mat3 lying = RotationFromRollPitchYaw({kPi / 2, 0, 0.3});
    const auto side = Collide(floor, X, cylinder, {lying, Vec3(0.1, 0.2, 0.299)}, 0.05);
    ASSERT_EQ(side.size(), 2u);
    EXPECT_NEAR((side[0].p_W - side[1].p_W).norm(), 0.5, 1e-14);
    for (const auto& point : side) {
      EXPECT_EQ(point.n_W, Vec3(0, 0, 1));
      EXPECT_NEAR(point.phi, -0.001, 1e-14);
    }
  }
}

TEST(MeshConvex, FindsTheNotchThatAHullWouldFill) {
  const MeshSurface L = SurfaceOf(MakeL());
  EXPECT_TRUE(
      Collide(L, {}, Box{{0.5, 0.5, 0.5}}, {Mat3::Identity(), Vec3(1.6, 0, 1.6)}, 0.05).empty());
  // Pushed into the corner: four corners on the floor, four on the wall.
  const auto points =
      Collide(L, {}, Box{{0.5, 0.5, 0.5}}, {Mat3::Identity(), Vec3(1.249, 0, 1.248)}, 0.01);
  ASSERT_EQ(points.size(), 8u);
  int floor = 0, wall = 0;
  for (const auto& point : points) {
    floor += point.n_W == Vec3(0, 0, 1) && std::abs(point.phi + 0.002) < 1e-14;
    wall += point.n_W == Vec3(1, 0, 0) && std::abs(point.phi + 0.001) < 1e-14;
  }
  EXPECT_EQ(floor, 4);
  EXPECT_EQ(wall, 4);
}

// A convex mesh is one that is solved otherwise: as a hull. The least gaps agree, for shapes that
// are apart and for those that overlap a little.
void CompareConvexMesh(const TriangleMesh& mesh, const Shape& B, double tolerance, int samples,
                       unsigned seed) {
  Random random(seed);
  const MeshSurface surface = SurfaceOf(mesh);
  const ConvexShape A = ConvexOf(ConvexHull{mesh.vertices}), shape_B = ConvexOf(B);
  ConvexCollider reference;
  MeshConvexCollider collider;
  int touching = 0, detours = 0;
  for (int k = 0; k < samples; ++k) {
    const Pose X_WA = RandomPose(&random, 1);
    Pose X_WB{RandomRotation(&random), X_WA.p + RandomVector(&random, 1)};
    // From where it is to a gap that is small, or half of the time an overlap.
    Meeting meeting;
    const double wanted = Uniform(&random, -0.04, 0.04);
    for (int round = 0; round < 30; ++round) {
      const ConvexPair pair(A, X_WA, shape_B, X_WB);
      reference.Solve(pair, 1e9, &meeting);
      X_WB.p += (wanted - meeting.phi) * (pair.X_WA.R * meeting.n);
    }
    const ConvexPair pair(A, X_WA, shape_B, X_WB);
    if (reference.Solve(pair, 1e9, &meeting) != ConvexCollider::Status::kSolved) continue;
    Manifold out;
    collider.Collide(surface, X_WA, shape_B, X_WB, 0.05, &out);
    testing::ExpectWellFormed(out, 0.05);
    if (meeting.phi > 0.05) {
      EXPECT_TRUE(out.empty());
      continue;
    }
    ++touching;
    ASSERT_FALSE(out.empty()) << k << " " << meeting.phi;
    // Apart, the least gap is the distance.
    if (meeting.phi > 1e-6) {
      EXPECT_NEAR(LeastPhi(out), meeting.phi, tolerance) << k;
    }
    // Overlapping, the deepest point leads out, in few steps and hardly farther than need be, but
    // for one in a hundred.
    const Vec3 start = X_WB.p;
    double longest = 0;
    for (int step = 0; step < 20 && LeastPhi(out) < -1e-9; ++step) {
      const auto deepest = *std::min_element(
          out.begin(), out.end(), [](const auto& a, const auto& b) { return a.phi < b.phi; });
      X_WB.p -= deepest.phi * deepest.n_W;
      longest = std::max(longest, (X_WB.p - start).norm());
      out.clear();
      collider.Collide(surface, X_WA, shape_B, X_WB, 0.05, &out);
    }
    Meeting after;
    reference.Solve(ConvexPair(A, X_WA, shape_B, X_WB), 1e9, &after);
    detours += longest > 3 * std::abs(meeting.phi) || after.phi < -1e-8;
  }
  EXPECT_LE(detours, samples / 100);
  EXPECT_GT(touching, samples / 2);
}

void CompareWithConvexShapes(int samples) {
  const TriangleMesh box = MakeGridBox(Vec3(1, 0.8, 0.6), 2);
  const TriangleMesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                 {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  unsigned seed = 0;
  for (const TriangleMesh& mesh : {box, tetrahedron}) {
    for (const Shape& B :
         {Shape(Box{{0.5, 0.7, 0.9}}), Shape(Capsule{0.2, 0.7}), Shape(Ellipsoid{{0.5, 0.4, 0.6}}),
          Shape(Cylinder{0.3, 0.8}), Shape(ConvexHull{tetrahedron.vertices})}) {
      SCOPED_TRACE(std::string(ShapeName(B)) +
                   (mesh.vertices.size() > 4 ? " box" : " tetrahedron"));
      CompareConvexMesh(mesh, B, 1e-9, samples, ++seed);
    }
  }
}

TEST(MeshConvex, ConvexMeshesAgreeWithTheirHulls) { CompareWithConvexShapes(15); }

TEST(LongMeshConvex, ConvexMeshesAgreeWithTheirHulls) { CompareWithConvexShapes(2000); }

// Equal cubes on top of each other, in all the ways that rounding and quivers turn them.
TEST(MeshConvex, StacksOfEqualCubesKeepTheirCorners) {
  Random random(3);
  for (int n : {1, 3}) {
    const MeshSurface cube = SurfaceOf(MakeGridBox(Vec3(1, 1, 1), n));
    for (const double quiver : {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5}) {
      for (int k = 0; k < 20; ++k) {
        const Vec3 shift = quiver * RandomVector(&random);
        const Mat3 R = RotationFromRollPitchYaw(quiver * RandomVector(&random));
        const auto points =
            Collide(cube, {}, Box{{1, 1, 1}}, {R, Vec3(0, 0, 1 - 1e-4) + shift}, 0.01);
        ASSERT_EQ(points.size(), 4u) << n << " " << quiver;
        for (const auto& point : points) {
          EXPECT_NEAR((point.n_W - Vec3(0, 0, 1)).norm(), 0, 4 * quiver);
          EXPECT_NEAR(point.phi, -1e-4, 4 * quiver + 1e-14);
          EXPECT_NEAR((point.p_W.cwiseAbs() - Vec3(0.5, 0.5, 0.5)).norm(), 0, 1e-4);
        }
      }
    }
  }
}

TEST(MeshConvex, APlateCanHangOverAnEdge) {
  // The plate's centre is beside the cube; where they overlap are two corners of the cube and two
  // crossings of edges.
  const MeshSurface cube = SurfaceOf(MakeGridBox(Vec3(1, 1, 1), 2));
  const auto points =
      Collide(cube, {}, Box{{4, 0.6, 0.1}}, {Mat3::Identity(), Vec3(1.8, 0, 0.549)}, 0.02);
  ASSERT_EQ(points.size(), 4u);
  for (const auto& point : points) {
    EXPECT_NEAR((point.n_W - Vec3(0, 0, 1)).norm(), 0, 1e-14);
    EXPECT_NEAR(point.phi, -0.001, 1e-14);
    EXPECT_NEAR(std::abs(point.p_W[1]), 0.3, 1e-14);
    EXPECT_TRUE(std::abs(point.p_W[0] - 0.5) < 1e-14 || std::abs(point.p_W[0] + 0.2) < 1e-14);
  }
}

TEST(MeshConvex, WhatIsDeepInsideIsPushedOutAsAWhole) {
  const MeshSurface cube = SurfaceOf(MakeGridBox(Vec3(4, 4, 4), 3));
  const auto points =
      Collide(cube, {}, Box{{0.5, 0.5, 0.5}}, {Mat3::Identity(), Vec3(0.1, 0.2, 1.5)}, 0.01);
  ASSERT_EQ(points.size(), 4u);
  for (const auto& point : points) {
    EXPECT_EQ(point.n_W, Vec3(0, 0, 1));
    EXPECT_NEAR(point.phi, -0.75, 1e-14);
  }
}

// However a small mesh is turned, it leaves a large shape where it is nearest to the outside: its
// own faces would lead it sideways through all of the shape.
TEST(MeshConvex, WhatIsWhollyInsideLeavesOnTheShortestWay) {
  const MeshSurface cube = SurfaceOf(MakeGridBox(Vec3(0.02, 0.02, 0.02), 1));
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const double depth = Uniform(&random, 0.02, 0.2);
    const Pose X{RandomRotation(&random), Vec3(3, -2, -depth)};
    const Manifold out =
        Collide(cube, X, Box{Vec3(20, 20, 1)}, {Mat3::Identity(), Vec3(0, 0, -0.5)}, 0.01);
    ASSERT_FALSE(out.empty());
    double lowest = 0;
    for (const auto& vertex : cube.vertices) lowest = std::min(lowest, (X * vertex.p).z());
    EXPECT_NEAR(LeastPhi(out), lowest, 1e-12);
    for (const ManifoldPoint& point : out) EXPECT_NEAR(point.n_W.z(), -1, 1e-12);
  }
}

TEST(MeshConvex, ASheetIsTouchedFromBothSides) {
  const MeshSurface floor = SurfaceOf(MakeFloor(4, 4));
  for (const double side : {-1.0, 1.0}) {
    const auto points = Collide(floor, {}, Box{{0.5, 0.5, 0.5}},
                                {Mat3::Identity(), Vec3(0.1, 0.2, side * 0.2)}, 0.01);
    ASSERT_EQ(points.size(), 4u);
    for (const auto& point : points) {
      EXPECT_EQ(point.n_W, Vec3(0, 0, side));
      EXPECT_NEAR(point.phi, -0.05, 1e-15);
    }
  }
}

TEST(MeshConvex, DoesNotDependOnPlaceOrTurn) {
  Random random(5);
  const MeshSurface L = SurfaceOf(MakeL());
  const Box box{{0.4, 0.5, 0.6}};
  int found = 0;
  for (int k = 0; k < 120; ++k) {
    const Pose X_AB{RandomRotation(&random), Vec3(1, 0, 1) + RandomVector(&random, 0.8)};
    const Pose X = RandomPose(&random, k % 2 == 0 ? 1 : 1e4);
    const double tolerance = 1e-12 * (X.p.norm() + 3);
    const Manifold here = Collide(L, {}, box, X_AB, 0.05),
                   there = Collide(L, X, box, X * X_AB, 0.05);
    ASSERT_EQ(here.size(), there.size());
    for (size_t i = 0; i < here.size(); ++i) {
      ++found;
      EXPECT_EQ(here[i].feature, there[i].feature);
      EXPECT_NEAR(here[i].phi, there[i].phi, tolerance);
      EXPECT_LT((X.R * here[i].n_W - there[i].n_W).norm(), tolerance);
      EXPECT_LT((X * here[i].p_W - there[i].p_W).norm(), tolerance);
    }
  }
  EXPECT_GT(found, 50);
}

TEST(MeshConvex, PosesThatAreNotFiniteHaveNoContacts) {
  const MeshSurface floor = SurfaceOf(MakeFloor(2, 2));
  EXPECT_TRUE(
      Collide(floor, {}, Box{{1, 1, 1}}, {Mat3::Identity(), Vec3::Constant(kNaN)}, 1).empty());
}

}  // namespace
}  // namespace voigt
