#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/collision/mesh_shapes.h"
#include "voigt/collision/mesh_convex.h"
#include "voigt/math/rotation.h"

// A box on ground of triangles, against the height by which it has to be lifted.
namespace voigt {
namespace {

using testing::LeastPhi;
using testing::Random;
using testing::SurfaceOf;
using testing::Uniform;

HeightField MakeHills(int n, double spacing) {
  HeightField field{n, n, Vec2::Constant(spacing), {}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      field.heights.push_back(0.05 * std::sin(1.3 * i) * std::cos(1.1 * j) +
                              0.01 * std::sin(3 * i + 2 * j));
    }
  }
  return field;
}

// By how much a box has to be lifted to be clear of the ground, which is made of triangles;
// negative where it is. The extremes are at a corner of either or where edges cross, seen from
// above.
double CalcLift(const MeshSurface& ground, const Vec3& size, const Pose& X) {
  const Pose X_ground = ground.Place({});
  const auto vertex = [&](int v) -> Vec3 { return X_ground * ground.vertices[v].p; };
  const auto corner = [&](int k) -> Vec3 {
    return X * (0.5 * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).cwiseProduct(size));
  };
  const auto cross = [](const Vec3& a, const Vec3& b) { return a[0] * b[1] - a[1] * b[0]; };
  double lift = -kInfinity;
  for (size_t v = 0; v < ground.vertices.size(); ++v) {
    // The stretch of the vertical line through the vertex that is in the box.
    const Vec3 p = X.R.transpose() * (vertex(static_cast<int>(v)) - X.p), up = X.R.row(2);
    double low = -kInfinity, high = kInfinity;
    for (int axis = 0; axis < 3; ++axis) {
      const double a = (-0.5 * size[axis] - p[axis]) / up[axis];
      const double b = (0.5 * size[axis] - p[axis]) / up[axis];
      low = std::max(low, std::min(a, b));
      high = std::min(high, std::max(a, b));
    }
    if (low <= high) lift = std::max(lift, -low);
  }
  for (const MeshSurface::Triangle& triangle : ground.triangles) {
    const auto& v = triangle.vertices;
    const Vec3 a = vertex(v[0]), b = vertex(v[1]) - a, c = vertex(v[2]) - a;
    for (int k = 0; k < 8; ++k) {
      const Vec3 p = corner(k) - a;
      const double s = cross(p, c) / cross(b, c), t = cross(b, p) / cross(b, c);
      if (s >= 0 && t >= 0 && s + t <= 1) lift = std::max(lift, s * b[2] + t * c[2] - p[2]);
    }
  }
  for (const MeshSurface::Edge& edge : ground.edges) {
    const Vec3 a = vertex(edge.vertices[0]), u = vertex(edge.vertices[1]) - a;
    for (int k = 0; k < 8; ++k) {
      for (int bit : {1, 2, 4}) {
        if (k & bit) continue;
        const Vec3 b = corner(k), w = corner(k | bit) - b;
        const double s = cross(b - a, w) / cross(u, w), t = cross(b - a, u) / cross(u, w);
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
          lift = std::max(lift, a[2] + s * u[2] - b[2] - t * w[2]);
        }
      }
    }
  }
  return lift;
}

// A box on hills, many triangles wide: planes of triangles go on where the triangles do not, and
// must not be taken for ground there.
void CompareWithLift(int samples) {
  Random random(5);
  const MeshSurface hills = SurfaceOf(MakeHills(21, 0.1));
  const Vec3 size(0.8, 0.6, 0.04);
  std::string defect;
  const ConvexShape box = *MakeConvexShape(Box{size}, &defect);
  MeshConvexCollider collider;
  int understated = 0, exaggerated = 0;
  for (int k = 0; k < samples; ++k) {
    Pose X{RotationFromRollPitchYaw({Uniform(&random, -0.4, 0.4), Uniform(&random, -0.4, 0.4),
                                     Uniform(&random, -kPi, kPi)}),
           Vec3(Uniform(&random, -0.3, 0.3), Uniform(&random, -0.3, 0.3), 0)};
    const double wanted = std::pow(10.0, Uniform(&random, -8, -2.3));
    X.p[2] += CalcLift(hills, size, X) - wanted;
    const double lift = CalcLift(hills, size, X);
    ASSERT_NEAR(lift, wanted, 1e-9) << k;
    Manifold points;
    collider.Collide(hills, {}, box, X, 0.02, &points);
    testing::ExpectWellFormed(points, 0.02);
    ASSERT_FALSE(points.empty()) << k;
    // A vertical way of this length leads out along every normal; regions near a corner are told
    // apart by how far they are, up to half of it.
    exaggerated += LeastPhi(points) < -1.5 * lift;
    understated += LeastPhi(points) > -0.5 * lift;
  }
  EXPECT_LE(understated, samples / 50);
  // Edges of the ground whose ends only are in the box.
  EXPECT_LE(exaggerated, samples / 5000);
}

TEST(MeshHills, NoContactIsDeeperThanTheBoxIs) { CompareWithLift(300); }

TEST(LongMeshHills, NoContactIsDeeperThanTheBoxIs) { CompareWithLift(20000); }

}  // namespace
}  // namespace voigt
