#include "voigt/collision/mesh_sphere.h"

#include <gtest/gtest.h>

#include "tests/collision/mesh_shapes.h"

namespace voigt {
namespace {

using testing::ExpectWellFormed;
using testing::LeastPhi;
using testing::MakeFloor;
using testing::MakeGridBox;
using testing::MakeL;
using testing::MakeTorus;
using testing::Random;
using testing::RandomPose;
using testing::RandomVector;
using testing::SurfaceOf;
using testing::Uniform;

Manifold Collide(const MeshSurface& A, const Pose& X_WA, double radius, const Vec3& center,
                 double margin) {
  MeshSphereCollider collider;
  Manifold out;
  collider.Collide(A, X_WA, Sphere{radius}, {Mat3::Identity(), center}, margin, &out);
  ExpectWellFormed(out, margin);
  return out;
}

TEST(MeshSphere, MeetsFaceEdgeAndCorner) {
  const MeshSurface cube = SurfaceOf(MakeGridBox(Vec3(2, 2, 2), 1));
  ASSERT_EQ(cube.kind, MeshSurface::Kind::kSolid);
  const auto face = Collide(cube, {}, 0.5, {0.3, 0.2, 1.4}, 0.1);
  ASSERT_EQ(face.size(), 1u);
  EXPECT_EQ(face[0].n_W, Vec3(0, 0, 1));
  EXPECT_NEAR(face[0].phi, -0.1, 1e-15);
  EXPECT_NEAR((face[0].p_W - Vec3(0.3, 0.2, 0.95)).norm(), 0, 1e-15);
  EXPECT_EQ(face[0].radius, 0.5);

  const auto edge = Collide(cube, {}, 0.5, {1.3, 0.2, 1.4}, 0.1);
  ASSERT_EQ(edge.size(), 1u);
  EXPECT_NEAR(edge[0].phi, 0, 1e-15);
  EXPECT_NEAR((edge[0].n_W - Vec3(0.6, 0, 0.8)).norm(), 0, 1e-15);
  EXPECT_EQ(edge[0].radius, kInfinity);

  const auto corner = Collide(cube, {}, 0.5, {1.2, 1.1, 1.2}, 0.1);
  ASSERT_EQ(corner.size(), 1u);
  EXPECT_NEAR(corner[0].phi, 0.3 - 0.5, 1e-15);
  EXPECT_NEAR((corner[0].n_W - Vec3(2, 1, 2) / 3).norm(), 0, 1e-15);

  EXPECT_TRUE(Collide(cube, {}, 0.5, {0, 0, 1.7}, 0.1).empty());
}

TEST(MeshSphere, RollsOverInnerEdgesOfAFloorAsOverAPlane) {
  for (const TriangleMesh& mesh : {MakeFloor(4, 8), MakeGridBox(Vec3(4, 4, 4), 8)}) {
    const MeshSurface floor = SurfaceOf(mesh);
    const double top = mesh.vertices.size() == 81 ? 0 : 2;
    int feature = -1;
    for (int k = 0; k <= 600; ++k) {
      // Across, along and exactly through edges and vertices.
      for (const Vec2& way : {Vec2(1, 0), Vec2(1, 1), Vec2(0.7, 0.31)}) {
        const double s = (k - 300) / 160.0;
        const auto points = Collide(floor, {}, 0.3, {s * way[0], s * way[1], top + 0.29}, 0.05);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_EQ(points[0].n_W, Vec3(0, 0, 1));
        EXPECT_NEAR(points[0].phi, -0.01, 1e-15);
        if (feature < 0) feature = points[0].feature;
        EXPECT_EQ(points[0].feature, feature);
      }
    }
  }
}

TEST(MeshSphere, RestsOnAllFacesOfABowl) {
  // An open pyramid upside down with slopes of 45 degrees.
  TriangleMesh bowl{{{0, 0, 0}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}},
                    {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}}};
  for (const bool reversed : {false, true}) {
    if (reversed) {
      for (auto& t : bowl.triangles) std::swap(t[1], t[2]);
    }
    const MeshSurface surface = SurfaceOf(bowl);
    EXPECT_EQ(surface.kind, MeshSurface::Kind::kSheet);
    const auto points = Collide(surface, {}, 0.4, {0, 0, 0.5}, 0.01);
    ASSERT_EQ(points.size(), 4u);
    for (const auto& point : points) {
      EXPECT_NEAR(point.phi, 0.5 * std::sqrt(0.5) - 0.4, 1e-15);
      EXPECT_NEAR(point.n_W[2], std::sqrt(0.5), 1e-15);
    }
    // From below there is one point, the tip.
    const auto below = Collide(surface, {}, 0.4, {0.05, 0.02, -0.3}, 0.01);
    ASSERT_EQ(below.size(), 1u);
    EXPECT_NEAR(below[0].phi, Vec3(0.05, 0.02, -0.3).norm() - 0.4, 1e-15);
  }
}

TEST(MeshSphere, TouchesBothSidesOfANotchAndNothingInItsPlace) {
  const MeshSurface L = SurfaceOf(MakeL());
  // In the notch, which the hull would fill.
  const auto points = Collide(L, {}, 0.3, {1.3, 0, 1.2}, 0.01);
  ASSERT_EQ(points.size(), 2u);
  for (const auto& point : points) {
    const bool is_floor = point.n_W == Vec3(0, 0, 1);
    EXPECT_TRUE(is_floor || point.n_W == Vec3(1, 0, 0));
    EXPECT_NEAR(point.phi, is_floor ? -0.1 : 0.0, 1e-15);
  }
  EXPECT_TRUE(Collide(L, {}, 0.2, {1.5, 0, 1.5}, 0.1).empty());
  // The hole of a torus.
  const MeshSurface torus = SurfaceOf(MakeTorus(1, 0.3, 24, 12));
  EXPECT_TRUE(Collide(torus, {}, 0.5, {0, 0, 0}, 0.1).empty());
  EXPECT_GE(Collide(torus, {}, 0.72, {0, 0, 0}, 0.01).size(), 12u);
}

TEST(MeshSphere, PushesOutThroughTheNearestSurface) {
  const MeshSurface box = SurfaceOf(MakeGridBox(Vec3(2, 2, 2), 4));
  const auto points = Collide(box, {}, 0.01, {0.3, -0.9, 0.2}, 0.001);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR((points[0].n_W - Vec3(0, -1, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(points[0].phi, -0.11, 1e-15);
  // Near a reflex edge of the material the nearest point is on that edge.
  const MeshSurface L = SurfaceOf(MakeL());
  const auto edge = Collide(L, {}, 0.1, {0.97, 0, 0.96}, 0.001);
  ASSERT_EQ(edge.size(), 1u);
  EXPECT_NEAR(edge[0].phi, -0.15, 1e-15);
  EXPECT_NEAR((edge[0].n_W - Vec3(0.6, 0, 0.8)).norm(), 0, 1e-13);
}

// The least gap is the signed distance of the centre; all points lie on the surface, midway.
void CompareWithAllTriangles(const TriangleMesh& mesh, int samples, unsigned seed) {
  Random random(seed);
  const MeshSurface surface = SurfaceOf(mesh);
  const bool is_solid = surface.kind == MeshSurface::Kind::kSolid;
  MeshSphereCollider collider;
  int inside = 0, touching = 0;
  for (int k = 0; k < samples; ++k) {
    const Pose X = RandomPose(&random, 2);
    const Vec3 q = RandomVector(&random, 1.5);
    const double radius = Uniform(&random, 0.01, 0.6), margin = Uniform(&random, 0, 0.2);
    Manifold out;
    collider.Collide(surface, X, Sphere{radius}, {Mat3::Identity(), X * q}, margin, &out);
    ExpectWellFormed(out, margin);
    const double distance =
        is_solid ? testing::CalcSignedDistance(mesh, q) : testing::CalcMeshDistance(mesh, q);
    inside += distance < 0;
    if (distance - radius > margin) {
      EXPECT_TRUE(out.empty());
      continue;
    }
    ++touching;
    ASSERT_FALSE(out.empty()) << distance << " " << radius;
    EXPECT_NEAR(LeastPhi(out), distance - radius, 1e-14);
    for (const auto& point : out) {
      const Vec3 on_A = point.p_W - 0.5 * point.phi * point.n_W;
      const Vec3 on_B = point.p_W + 0.5 * point.phi * point.n_W;
      EXPECT_NEAR(testing::CalcMeshDistance(mesh, X.Inverse() * on_A), 0, 1e-14);
      EXPECT_NEAR((on_B + radius * point.n_W - X * q).norm(), 0, 1e-14);
    }
  }
  EXPECT_GT(touching, samples / 10);
  if (is_solid) {
    EXPECT_GT(inside, samples / 100);
  }
}

void CompareAllMeshes(int samples) {
  CompareWithAllTriangles(MakeTorus(0.8, 0.35, 14, 9), samples, 1);
  CompareWithAllTriangles(MakeL(), samples, 2);
  CompareWithAllTriangles(MakeGridBox(Vec3(1, 2, 1.5), 3), samples, 3);
  CompareWithAllTriangles(MakeFloor(2, 3), samples, 4);
  Random random(7);
  TriangleMesh crumpled = MakeFloor(2, 6);
  for (Vec3& v : crumpled.vertices) v += RandomVector(&random, 0.15);
  CompareWithAllTriangles(crumpled, samples, 5);
  TriangleMesh rock = MakeGridBox(Vec3(1.5, 1.5, 1.5), 4);
  for (Vec3& v : rock.vertices) v *= Uniform(&random, 0.8, 1.1);
  CompareWithAllTriangles(rock, samples, 6);
}

TEST(MeshSphere, AgreesWithLookingAtEveryTriangle) { CompareAllMeshes(60); }

TEST(LongMeshSphere, AgreesWithLookingAtEveryTriangle) { CompareAllMeshes(20000); }

// Ground: above it like the sheet of its triangles; below, out to the nearest point of them.
TEST(MeshSphere, GroundIsSolidBelowItsSurface) {
  Random random(9);
  HeightField field{9, 7, Vec2(0.25, 0.4), {}};
  for (int k = 0; k < 63; ++k) field.heights.push_back(Uniform(&random, -0.3, 0.3));
  const TriangleMesh mesh = MakeMesh(field);
  const MeshSurface ground = SurfaceOf(field);
  ASSERT_EQ(ground.kind, MeshSurface::Kind::kGround);
  int above = 0, below = 0;
  for (int k = 0; k < 400; ++k) {
    const Vec3 q{Uniform(&random, -1, 1), Uniform(&random, -1.2, 1.2), Uniform(&random, -0.8, 0.8)};
    // On which side q is, the triangle under or over it tells.
    bool is_below = false;
    for (const auto& [i, j, l] : mesh.triangles) {
      const Vec3 &a = mesh.vertices[i], &b = mesh.vertices[j], &c = mesh.vertices[l];
      Mat3 M;
      M << a[0], b[0], c[0], a[1], b[1], c[1], 1, 1, 1;
      const Vec3 w = M.inverse() * Vec3(q[0], q[1], 1);
      if (w.minCoeff() < 0) continue;
      is_below |= q[2] < w.dot(Vec3(a[2], b[2], c[2]));
    }
    const double distance = testing::CalcMeshDistance(mesh, q), radius = 0.2;
    const auto points = Collide(ground, {}, radius, q, 0.05);
    if (is_below) {
      ++below;
      ASSERT_EQ(points.size(), 1u);
      EXPECT_NEAR(points[0].phi, -distance - radius, 1e-14);
    } else if (distance - radius > 0.05) {
      EXPECT_TRUE(points.empty());
    } else {
      ++above;
      ASSERT_FALSE(points.empty());
      EXPECT_NEAR(LeastPhi(points), distance - radius, 1e-14);
    }
    for (const auto& point : points) {
      const Vec3 on_A = point.p_W - 0.5 * point.phi * point.n_W;
      EXPECT_NEAR(testing::CalcMeshDistance(mesh, on_A), 0, 1e-14);
    }
  }
  EXPECT_GT(above, 50);
  EXPECT_GT(below, 50);
  // Beside the grid there is nothing.
  EXPECT_TRUE(Collide(ground, {}, 0.2, {1.5, 0, -5}, 0.05).empty());
}

TEST(MeshSphere, DoesNotDependOnPlaceOrTurn) {
  Random random(8);
  const MeshSurface torus = SurfaceOf(MakeTorus(0.8, 0.35, 14, 9));
  for (int k = 0; k < 200; ++k) {
    const Vec3 q = RandomVector(&random, 1);
    const Pose X = RandomPose(&random, k < 100 ? 1 : 1e4);
    const double scale = X.p.norm() + 1;
    const Manifold here = Collide(torus, {}, 0.2, q, 0.1),
                   there = Collide(torus, X, 0.2, X * q, 0.1);
    // Where the margin ends, rounding decides.
    if (here.size() != there.size()) {
      for (const auto& list : {here, there}) {
        for (const auto& point : list) EXPECT_LE(point.phi, 0.1);
      }
      continue;
    }
    for (size_t i = 0; i < here.size(); ++i) {
      EXPECT_EQ(here[i].feature, there[i].feature);
      EXPECT_NEAR(here[i].phi, there[i].phi, 1e-15 * scale);
      EXPECT_NEAR((X.R * here[i].n_W - there[i].n_W).norm(), 0, 1e-13 * scale);
      EXPECT_NEAR((X * here[i].p_W - there[i].p_W).norm(), 0, 1e-15 * scale);
    }
  }
}

TEST(MeshSphere, CentreOnTheSurfaceIsNothingSpecial) {
  for (const TriangleMesh& mesh : {MakeFloor(2, 2), MakeGridBox(Vec3(2, 2, 2), 2), MakeL()}) {
    const MeshSurface surface = SurfaceOf(mesh);
    std::vector<Vec3> places = mesh.vertices;
    for (const auto& [a, b, c] : mesh.triangles) {
      places.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
      places.push_back((mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3);
    }
    for (const Vec3& q : places) {
      const auto points = Collide(surface, {}, 0.1, q, 0.01);
      ASSERT_FALSE(points.empty());
      EXPECT_NEAR(LeastPhi(points), -0.1, 1e-15);
    }
  }
}

TEST(MeshSphere, PosesThatAreNotFiniteHaveNoContacts) {
  const MeshSurface floor = SurfaceOf(MakeFloor(2, 2));
  EXPECT_TRUE(Collide(floor, {}, 0.1, Vec3::Constant(kNaN), 0.01).empty());
}

}  // namespace
}  // namespace voigt
