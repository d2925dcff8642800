// Two height fields, of which one is a lid: it moves, and is turned over.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/collision/mesh_shapes.h"
#include "tests/collision/scene_of_shapes.h"
#include "tests/support/samples.h"
#include "voigt/collision/mesh_mesh.h"
#include "voigt/collision/narrow_phase.h"
#include "voigt/math/rotation.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::LeastPhi;
using testing::Random;
using testing::SurfaceOf;
using testing::Uniform;

HeightField MakeRandomHills(int nx, int ny, double spacing, double height, Random* random) {
  HeightField field{nx, ny, Vec2::Constant(spacing), {}};
  for (int k = 0; k < nx * ny; ++k) field.heights.push_back(Uniform(random, -height, height));
  return field;
}

// The same with a border that is out of the way.
HeightField MakeDome(int nx, int ny, double spacing, double height, Random* random) {
  HeightField field = MakeRandomHills(nx, ny, spacing, height, random);
  for (int k = 0; k < nx * ny; ++k) {
    const int i = k % nx, j = k / nx;
    if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1) field.heights[k] = -3 * height;
  }
  return field;
}

// z of the surface, of which each cell is cut from its lowest x and y to its highest; infinite
// beside it.
double HeightAt(const HeightField& field, double x, double y) {
  const double u = x / field.spacing[0] + 0.5 * (field.nx - 1);
  const double v = y / field.spacing[1] + 0.5 * (field.ny - 1);
  if (!(u >= 0 && v >= 0 && u <= field.nx - 1 && v <= field.ny - 1)) return -kInfinity;
  const int i = std::min(static_cast<int>(u), field.nx - 2);
  const int j = std::min(static_cast<int>(v), field.ny - 2);
  const auto z = [&](int di, int dj) { return field.heights[i + di + field.nx * (j + dj)]; };
  const double a = u - i, b = v - j;
  return a > b ? z(0, 0) + a * (z(1, 0) - z(0, 0)) + b * (z(1, 1) - z(1, 0))
               : z(0, 0) + b * (z(0, 1) - z(0, 0)) + a * (z(1, 1) - z(0, 1));
}

// The solid between a field and a plane below it.
TriangleMesh MakeSolid(const HeightField& field, double bottom) {
  TriangleMesh mesh = MakeMesh(field);
  const int count = static_cast<int>(mesh.vertices.size());
  for (int k = 0; k < count; ++k) {
    mesh.vertices.emplace_back(mesh.vertices[k][0], mesh.vertices[k][1], bottom);
  }
  for (size_t k = 0, top = mesh.triangles.size(); k < top; ++k) {
    const auto [a, b, c] = mesh.triangles[k];
    mesh.triangles.push_back({a + count, c + count, b + count});
  }
  const auto add_side = [&](int from, int to) {  // the solid is to the left
    mesh.triangles.push_back({from, from + count, to + count});
    mesh.triangles.push_back({from, to + count, to});
  };
  const int nx = field.nx, last = nx * (field.ny - 1);
  for (int i = 0; i + 1 < nx; ++i) {
    add_side(i, i + 1);
    add_side(last + i + 1, last + i);
  }
  for (int j = 0; j + 1 < field.ny; ++j) {
    add_side(nx * (j + 1), nx * j);
    add_side(nx * j + nx - 1, nx * (j + 1) + nx - 1);
  }
  return mesh;
}

Manifold CollideFields(const MeshSurface& A, const MeshSurface& B, const Pose& X_WB,
                       double margin) {
  MeshMeshCollider collider;
  Manifold out;
  collider.Collide(A, {}, B, X_WB, margin, &out);
  testing::ExpectWellFormed(out, margin);
  return out;
}

Pose TurnOver(double yaw, const Vec3& p) { return {RotationFromRollPitchYaw({kPi, 0, yaw}), p}; }

// The least height of the lid's points and edges above the ground: both are linear between the
// places where corners and edges of one are above those of the other.
double CalcLeastHeight(const HeightField& ground, const HeightField& lid, const Pose& X) {
  double least = kInfinity;
  const auto look = [&](const Vec3& p) {  // in the world, with the lid's height below p
    const Vec3 q = X.R.transpose() * (Vec3(p[0], p[1], X.p[2]) - X.p);
    const double of_lid = HeightAt(lid, q[0], q[1]), of_ground = HeightAt(ground, p[0], p[1]);
    if (std::isfinite(of_lid)) least = std::min(least, X.p[2] - of_lid - of_ground);
  };
  const TriangleMesh below = MakeMesh(ground), above = MakeMesh(lid);
  for (const Vec3& p : below.vertices) look(p);
  for (const Vec3& p : above.vertices) look(X * p);
  for (const auto& t : below.triangles) {
    for (const auto& s : above.triangles) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const Vec3 a = below.vertices[t[i]], b = below.vertices[t[(i + 1) % 3]];
          const Vec3 c = X * above.vertices[s[j]], d = X * above.vertices[s[(j + 1) % 3]];
          const Vec2 u = (b - a).head<2>(), v = (d - c).head<2>(), w = (c - a).head<2>();
          const double det = v[0] * u[1] - u[0] * v[1];
          if (std::abs(det) < 1e-9) continue;
          const double r = (v[0] * w[1] - w[0] * v[1]) / det, q = (u[0] * w[1] - w[0] * u[1]) / det;
          if (r < 0 || r > 1 || q < 0 || q > 1) continue;
          look(a + r * (b - a));
        }
      }
    }
  }
  return least;
}

TEST(HeightFields, MeetWhereTheirSurfacesDo) {
  Random random(5);
  for (int k = 0; k < testing::SampleCount(60); ++k) {
    const HeightField ground = MakeRandomHills(7, 7, 0.5, 0.1, &random);
    const HeightField lid = MakeDome(6, 5, 0.4, 0.1, &random);
    Pose X = TurnOver(Uniform(&random, -3, 3),
                      {Uniform(&random, -0.4, 0.4), Uniform(&random, -0.4, 0.4), 0});
    X.p[2] = -CalcLeastHeight(ground, lid, X);
    const MeshSurface A = SurfaceOf(ground), B = SurfaceOf(lid);
    // Slopes of up to 0.2/0.4 along both axes: gaps are no less than two thirds of heights.
    constexpr double kLeastCosine = 0.66;
    for (double height : {1e-3, 1e-5, -1e-5, -1e-3}) {
      const Pose X_lifted{X.R, X.p + Vec3(0, 0, height)};
      const Manifold points = CollideFields(A, B, X_lifted, 0.01);
      ASSERT_FALSE(points.empty());
      const double phi = LeastPhi(points);
      EXPECT_LE(std::abs(phi), std::abs(height) * (1 + 1e-9));
      EXPECT_GE(phi / height, kLeastCosine) << "height " << height;
      for (const ManifoldPoint& point : points) EXPECT_GT(point.n_W[2], kLeastCosine);
    }
  }
}

TEST(HeightFields, MeetLikeSolidsWithTheSameSurface) {
  Random random(6);
  const int count = testing::SampleCount(40);
  int points = 0;
  for (int k = 0; k < count; ++k) {
    const HeightField ground = MakeRandomHills(6, 6, 0.5, 0.1, &random);
    const HeightField lid = MakeRandomHills(4, 4, 0.3, 0.1, &random);
    Pose X = TurnOver(Uniform(&random, -3, 3),
                      {Uniform(&random, -0.3, 0.3), Uniform(&random, -0.3, 0.3), 0});
    X.p[2] = Uniform(&random, -0.002, 0.005) - CalcLeastHeight(ground, lid, X);
    const Manifold expected =
        CollideFields(SurfaceOf(ground), SurfaceOf(MakeSolid(lid, -0.3)), X, 0.004);
    const Manifold found = CollideFields(SurfaceOf(ground), SurfaceOf(lid), X, 0.004);
    EXPECT_EQ(found.size(), expected.size());
    points += static_cast<int>(found.size());
    for (const ManifoldPoint& e : expected) {
      EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const ManifoldPoint& p) {
        return (p.p_W - e.p_W).norm() < 1e-12 && (p.n_W - e.n_W).norm() < 1e-12 &&
               std::abs(p.phi - e.phi) < 1e-12;
      })) << e.p_W.transpose();
    }
  }
  EXPECT_GE(points, count / 2);
}

// A flat lid falls on the hills below and stays on them.
TEST(HeightFields, ALidFallsOnTheGroundAndStaysThere) {
  Random random(7);
  const HeightField ground = MakeRandomHills(7, 7, 0.5, 0.05, &random);
  const HeightField lid{5, 5, Vec2::Constant(0.4), std::vector<double>(25, 0.0)};
  ModelSpec spec;
  spec.gravity = {0, 0, -9.81};
  Material material;
  material.name = "default";
  material.friction = 0.5;
  spec.materials = {material};
  spec.world_geometry = {testing::MakeGeometry(ground)};
  testing::AddBodyWithShapes(&spec, "lid", {testing::MakeGeometry(lid, TurnOver(0, {0, 0, 0}))});
  SimulationSettings settings;
  settings.step = 2e-3;
  const Model model = ModelBuilder(spec).Build();
  EXPECT_TRUE(ContactFinder(model).unsupported().empty());
  State start;
  start.q = model.NeutralCoordinates();
  start.v = VecX::Zero(model.nv());
  start.q[2] = 0.06;
  Simulator simulator(model, settings, start);
  for (int i = 0; i < 250; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_GE(simulator.contact_count(), 1);
  const double highest = *std::max_element(ground.heights.begin(), ground.heights.end());
  EXPECT_GT(simulator.state().q[2], 0);
  EXPECT_LT(simulator.state().q[2], highest);
  EXPECT_LT(simulator.state().v.norm(), 0.1);
  EXPECT_LT(simulator.audit().worst.penetration, 1e-9);
}

}  // namespace
}  // namespace voigt
