#include "voigt/collision/mesh_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "tests/collision/mesh_shapes.h"
#include "voigt/collision/box_box.h"
#include "voigt/collision/convex_convex.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::LeastPhi;
using testing::MakeFloor;
using testing::MakeGridBox;
using testing::MakeL;
using testing::MakeTorus;
using testing::Random;
using testing::RandomPose;
using testing::RandomRotation;
using testing::RandomVector;
using testing::SurfaceOf;
using testing::Uniform;

Manifold Collide(const MeshSurface& A, const Pose& X_WA, const MeshSurface& B, const Pose& X_WB,
                 double margin) {
  MeshMeshCollider collider;
  Manifold out;
  collider.Collide(A, X_WA, B, X_WB, margin, &out);
  testing::ExpectWellFormed(out, margin);
  return out;
}

// Whether every point of one is a point of the other.
void ExpectSamePoints(const Manifold& got, const Manifold& expected, double tolerance) {
  EXPECT_EQ(got.size(), expected.size());
  for (const auto& e : expected) {
    const auto same = [&](const ManifoldPoint& p) {
      return (p.p_W - e.p_W).norm() <= tolerance && (p.n_W - e.n_W).norm() <= tolerance &&
             std::abs(p.phi - e.phi) <= tolerance;
    };
    EXPECT_TRUE(std::any_of(got.begin(), got.end(), same)) << e.p_W.transpose();
  }
}

TEST(MeshMesh, CubesOnTopOfEachOtherMeetLikeBoxes) {
  for (int n : {1, 3}) {
    const MeshSurface lower = SurfaceOf(MakeGridBox(Vec3(1, 1, 1), n));
    const MeshSurface upper = SurfaceOf(MakeGridBox(Vec3(1, 1, 1), n + 1));
    for (const double yaw : {0.0, 0.2, 0.6, 1.1}) {
      for (const Vec3& shift : {Vec3(0, 0, 0), Vec3(0.21, 0.13, 0)}) {
        const Pose X_WB{RotationFromRollPitchYaw({0, 0, yaw}), Vec3(0, 0, 0.999) + shift};
        Manifold expected;
        CollideBoxBox(Box{{1, 1, 1}}, {}, Box{{1, 1, 1}}, X_WB, 0.01, &expected);
        ExpectSamePoints(Collide(lower, {}, upper, X_WB, 0.01), expected, 1e-12);
      }
    }
  }
}

TEST(MeshMesh, ACubeSlidesOverInnerEdgesOnItsFourCorners) {
  const MeshSurface cube = SurfaceOf(MakeGridBox(Vec3(0.9, 0.7, 0.4), 2));
  HeightField field{9, 9, Vec2::Constant(0.5), std::vector<double>(81, 0.0)};
  const std::vector<std::pair<MeshSurface, Pose>> floors = {
      {SurfaceOf(MakeFloor(4, 8)), {}},
      {SurfaceOf(MakeGridBox(Vec3(4, 4, 4), 8)), {Mat3::Identity(), Vec3(0, 0, -2)}},
      {SurfaceOf(field), {}}};
  for (const auto& [floor, X] : floors) {
    // The corners keep their numbers all the way: a solver finds its last impulses by them.
    std::set<std::tuple<int, bool, bool>> corners;
    std::set<int> features;
    for (int k = 0; k <= 40; ++k) {
      const double x = (k - 20) / 20.0;
      const auto points = Collide(floor, X, cube, {Mat3::Identity(), Vec3(x, 0.5 * x, 0.19)}, 0.05);
      ASSERT_EQ(points.size(), 4u) << x;
      for (const auto& point : points) {
        EXPECT_EQ(point.n_W, Vec3(0, 0, 1));
        EXPECT_NEAR(point.phi, -0.01, 1e-14);
        EXPECT_NEAR(std::abs(point.p_W[0] - x), 0.45, 1e-14);
        EXPECT_NEAR(std::abs(point.p_W[1] - 0.5 * x), 0.35, 1e-14);
        features.insert(point.feature);
        corners.emplace(point.feature, point.p_W[0] > x, point.p_W[1] > 0.5 * x);
      }
    }
    EXPECT_EQ(features.size(), 4u);
    EXPECT_EQ(corners.size(), 4u);
  }
}

TEST(MeshMesh, FindsNotchesAndHolesThatHullsWouldFill) {
  const MeshSurface L = SurfaceOf(MakeL()), cube = SurfaceOf(MakeGridBox(Vec3(0.5, 0.5, 0.5), 2));
  EXPECT_TRUE(Collide(L, {}, cube, {Mat3::Identity(), Vec3(1.6, 0, 1.6)}, 0.05).empty());
  const auto points = Collide(L, {}, cube, {Mat3::Identity(), Vec3(1.6, 0, 1.249)}, 0.05);
  ASSERT_EQ(points.size(), 4u);
  for (const auto& point : points) {
    EXPECT_EQ(point.n_W, Vec3(0, 0, 1));
    EXPECT_NEAR(point.phi, -0.001, 1e-14);
  }
  // Two links of a chain: apart, though their hulls are not, and touching where one is pulled.
  const MeshSurface torus = SurfaceOf(MakeTorus(1, 0.3, 24, 12));
  const Mat3 across = RotationFromRollPitchYaw({kPi / 2, 0, 0});
  EXPECT_TRUE(Collide(torus, {}, torus, {across, Vec3(1, 0, 0)}, 0.01).empty());
  const auto chain = Collide(torus, {}, torus, {across, Vec3(1.41, 0, 0)}, 0.01);
  ASSERT_FALSE(chain.empty());
  EXPECT_LT(LeastPhi(chain), 0);
  EXPECT_GT(LeastPhi(chain), -0.06);
  // The other one is pulled outwards, and held back.
  for (const auto& point : chain) EXPECT_LT(point.n_W[0], -0.5);
}

TEST(MeshMesh, WhatIsEnclosedIsPushedOut) {
  const MeshSurface large = SurfaceOf(MakeGridBox(Vec3(4, 4, 4), 3));
  const MeshSurface small = SurfaceOf(MakeGridBox(Vec3(0.2, 0.2, 0.2), 1));
  const auto points = Collide(large, {}, small, {Mat3::Identity(), Vec3(1.5, 0.2, 0.1)}, 0.01);
  ASSERT_EQ(points.size(), 4u);
  for (const auto& point : points) {
    EXPECT_NEAR((point.n_W - Vec3(1, 0, 0)).norm(), 0, 1e-15);
    EXPECT_NEAR(point.phi, -0.6, 1e-14);
  }
}

// Two boxes as meshes, and as hulls beside them.
struct BoxesAsMeshes {
  TriangleMesh mesh_A = MakeGridBox(Vec3(1, 0.8, 0.6), 2);
  TriangleMesh mesh_B = MakeGridBox(Vec3(0.5, 0.7, 0.9), 1);
  MeshSurface A = SurfaceOf(mesh_A), B = SurfaceOf(mesh_B);
  std::string defect;
  ConvexShape hull_A = *MakeConvexShape(ConvexHull{mesh_A.vertices}, &defect);
  ConvexShape hull_B = *MakeConvexShape(ConvexHull{mesh_B.vertices}, &defect);
  ConvexCollider reference;

  Meeting CalcMeeting(const Pose& X_WA, const Pose& X_WB) {
    Meeting meeting;
    reference.Solve(ConvexPair(hull_A, X_WA, hull_B, X_WB), 1e9, &meeting);
    return meeting;
  }

  // Moves B until its distance, negative for an overlap, is the wanted one; returns what it is.
  double Move(const Pose& X_WA, double wanted, int rounds, Pose* X_WB) {
    for (int round = 0; round < rounds; ++round) {
      const Meeting meeting = CalcMeeting(X_WA, *X_WB);
      const ConvexPair pair(hull_A, X_WA, hull_B, *X_WB);
      X_WB->p += (wanted - meeting.phi) * (pair.X_WA.R * meeting.n);
    }
    return CalcMeeting(X_WA, *X_WB).phi;
  }
};

// Convex meshes against the solver for hulls: distances where they are apart; where they overlap,
// the deepest point leads out.
void CompareConvexMeshes(int samples) {
  Random random(1);
  BoxesAsMeshes boxes;
  const MeshSurface &A = boxes.A, &B = boxes.B;
  MeshMeshCollider collider;
  int detours = 0;
  for (int k = 0; k < samples; ++k) {
    const Pose X_WA = RandomPose(&random, 1);
    Pose X_WB{RandomRotation(&random), X_WA.p + RandomVector(&random, 1)};
    const double phi = boxes.Move(X_WA, Uniform(&random, -0.02, 0.04), 30, &X_WB);
    Manifold out;
    collider.Collide(A, X_WA, B, X_WB, 0.05, &out);
    testing::ExpectWellFormed(out, 0.05);
    ASSERT_FALSE(out.empty()) << k << " " << phi;
    if (phi > 1e-6) {
      EXPECT_NEAR(LeastPhi(out), phi, 1e-12) << k;
    }
    const Vec3 start = X_WB.p;
    double longest = 0;
    for (int step = 0; step < 20 && LeastPhi(out) < -1e-9; ++step) {
      const auto deepest = *std::min_element(
          out.begin(), out.end(), [](const auto& a, const auto& b) { return a.phi < b.phi; });
      X_WB.p -= deepest.phi * deepest.n_W;
      longest = std::max(longest, (X_WB.p - start).norm());
      out.clear();
      collider.Collide(A, X_WA, B, X_WB, 0.05, &out);
    }
    detours += longest > 3 * std::abs(phi) || boxes.CalcMeeting(X_WA, X_WB).phi < -1e-8;
  }
  // One in fifty needs a longer way.
  EXPECT_LE(detours, samples / 50);
}

// Overlaps as small as those of stiff contact, of boxes in any position and of boxes almost flat on
// each other: none is missed, and none is made much of. Corners that meet have several ways out, of
// which meshes tell all that lead away from where they are.
void CompareSmallOverlaps(int samples) {
  Random random(3);
  BoxesAsMeshes boxes;
  const MeshSurface &A = boxes.A, &B = boxes.B;
  MeshMeshCollider collider;
  int compared = 0, understated = 0;
  for (int k = 0; k < samples; ++k) {
    const double tilt = std::array<double, 3>{kPi, 1e-3, 1e-6}[k % 3];
    const double wanted = -std::pow(10.0, Uniform(&random, -8, -4));
    Pose X_WB{
        RotationFromRollPitchYaw({Uniform(&random, -tilt, tilt), Uniform(&random, -tilt, tilt),
                                  Uniform(&random, -kPi, kPi)}),
        RandomVector(&random, 1)};
    const double phi = boxes.Move({}, wanted, 60, &X_WB);
    if (std::abs(phi / wanted - 1) > 1e-3) continue;  // no such place near this one
    ++compared;
    Manifold out;
    collider.Collide(A, {}, B, X_WB, 0.01, &out);
    testing::ExpectWellFormed(out, 0.01);
    ASSERT_FALSE(out.empty()) << k << " " << phi;
    EXPECT_LE(LeastPhi(out), 0.1 * phi) << k;
    EXPECT_GE(LeastPhi(out), 2 * phi) << k;
    understated += LeastPhi(out) > 0.999 * phi;
  }
  EXPECT_GT(compared, samples / 2);
  EXPECT_LE(understated, samples / 100);
}

TEST(MeshMesh, SmallOverlapsAreFoundAndNotExaggerated) { CompareSmallOverlaps(300); }

TEST(LongMeshMesh, SmallOverlapsAreFoundAndNotExaggerated) { CompareSmallOverlaps(20000); }

TEST(MeshMesh, ConvexMeshesAgreeWithTheirHulls) { CompareConvexMeshes(40); }

TEST(LongMeshMesh, ConvexMeshesAgreeWithTheirHulls) { CompareConvexMeshes(10000); }

TEST(MeshMesh, OrderAndPlaceDoNotMatter) {
  Random random(2);
  const MeshSurface L = SurfaceOf(MakeL()), torus = SurfaceOf(MakeTorus(0.6, 0.2, 12, 8));
  int found = 0;
  for (int k = 0; k < 80; ++k) {
    const Pose X_AB{RandomRotation(&random), Vec3(1, 0, 1) + RandomVector(&random, 1.2)};
    const Pose X = RandomPose(&random, k % 2 == 0 ? 1 : 1e4);
    const double tolerance = 1e-12 * (X.p.norm() + 3);
    const Manifold here = Collide(L, {}, torus, X_AB, 0.02);
    const Manifold there = Collide(L, X, torus, X * X_AB, 0.02);
    ASSERT_EQ(here.size(), there.size());
    for (size_t i = 0; i < here.size(); ++i) {
      ++found;
      EXPECT_EQ(here[i].feature, there[i].feature);
      EXPECT_NEAR(here[i].phi, there[i].phi, tolerance);
      EXPECT_LT((X.R * here[i].n_W - there[i].n_W).norm(), tolerance);
      EXPECT_LT((X * here[i].p_W - there[i].p_W).norm(), tolerance);
    }
    // The other way around, normals are the opposite.
    Manifold back = Collide(torus, X_AB, L, {}, 0.02);
    ASSERT_EQ(back.size(), here.size());
    for (const auto& point : here) {
      const auto is_opposite = [&](const ManifoldPoint& other) {
        return (other.p_W - point.p_W).norm() < 1e-12 && (other.n_W + point.n_W).norm() < 1e-12 &&
               std::abs(other.phi - point.phi) < 1e-12;
      };
      EXPECT_TRUE(std::any_of(back.begin(), back.end(), is_opposite));
    }
  }
  EXPECT_GT(found, 20);
}

TEST(MeshMesh, PosesThatAreNotFiniteHaveNoContacts) {
  const MeshSurface L = SurfaceOf(MakeL());
  EXPECT_TRUE(Collide(L, {}, L, {Mat3::Identity(), Vec3::Constant(kNaN)}, 1).empty());
}

}  // namespace
}  // namespace voigt
