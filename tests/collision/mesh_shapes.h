#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/support/meshes.h"
#include "tests/support/random_model.h"
#include "voigt/collision/manifold.h"
#include "voigt/collision/mesh_surface.h"

// Meshes that contact is tested with, and what is known about meshes without any of the code that
// is tested.
namespace voigt::testing {

inline MeshSurface SurfaceOf(const Shape& shape) {
  std::string defect;
  auto surface = MakeMeshSurface(shape, &defect);
  EXPECT_TRUE(surface.has_value()) << defect;
  return surface.value_or(MeshSurface{});
}

// A square of edge length `size` at z = 0 around the origin, n by n cells of two triangles each,
// whose diagonals turn from cell to cell.
inline TriangleMesh MakeFloor(double size, int n) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      mesh.vertices.emplace_back(size * (2 * i - n) / (2.0 * n), size * (2 * j - n) / (2.0 * n), 0);
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = i + (n + 1) * j, b = a + 1, c = a + n + 2, d = a + n + 1;
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  }
  return mesh;
}

// The closed box of this size around the origin, each face n by n cells.
inline TriangleMesh MakeGridBox(const Vec3& size, int n) {
  TriangleMesh mesh;
  std::map<std::array<int, 3>, int> index;
  const auto vertex = [&](const std::array<int, 3>& k) {
    const auto [entry, is_new] = index.try_emplace(k, static_cast<int>(mesh.vertices.size()));
    if (is_new) {
      mesh.vertices.push_back(size.cwiseProduct(Vec3(2 * k[0] - n, 2 * k[1] - n, 2 * k[2] - n)) /
                              (2.0 * n));
    }
    return entry->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (int side : {0, n}) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const auto corner = [&](int di, int dj) {
            std::array<int, 3> k{};
            k[axis] = side;
            k[(axis + 1) % 3] = i + di;
            k[(axis + 2) % 3] = j + dj;
            return vertex(k);
          };
          const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
          if (side == n) {
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
          } else {
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({a, d, c});
          }
        }
      }
    }
  }
  return mesh;
}

// An L: the squares 2 x 1 and 1 x 2 in x and z with a corner at the origin, along y from -1 to 1.
// Its notch is at x > 1, z > 1, with the edge at x = z = 1.
inline TriangleMesh MakeL() {
  const std::vector<Vec2> outline = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  TriangleMesh mesh;
  for (double y : {-1.0, 1.0}) {
    for (const Vec2& p : outline) mesh.vertices.emplace_back(p[0], y, p[1]);
  }
  for (int k = 1; k < 5; ++k) {
    mesh.triangles.push_back({0, k, k + 1});
    mesh.triangles.push_back({6, 6 + k + 1, 6 + k});
  }
  for (int k = 0; k < 6; ++k) {
    const int next = (k + 1) % 6;
    mesh.triangles.push_back({next, k, 6 + k});
    mesh.triangles.push_back({next, 6 + k, 6 + next});
  }
  return mesh;
}

// A torus about z of radii R and r, with m by n quadrilaterals.
inline TriangleMesh MakeTorus(double R, double r, int m, int n) {
  TriangleMesh mesh;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = 2 * kPi * i / m, b = 2 * kPi * j / n, d = R + r * std::cos(b);
      mesh.vertices.emplace_back(d * std::cos(a), d * std::sin(a), r * std::sin(b));
      const int next_i = (i + 1) % m, next_j = (j + 1) % n;
      const int p = j + n * i, q = j + n * next_i, s = next_j + n * next_i, t = next_j + n * i;
      mesh.triangles.push_back({p, q, s});
      mesh.triangles.push_back({p, s, t});
    }
  }
  return mesh;
}

// The distance of q from a triangle: the foot from the normal equations, or the nearest of its
// sides.
inline double CalcTriangleDistance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& q) {
  Eigen::Matrix<double, 3, 2> E;
  E << b - a, c - a;
  const Vec2 u = E.colPivHouseholderQr().solve(q - a);
  if (u[0] >= 0 && u[1] >= 0 && u[0] + u[1] <= 1) return (q - a - E * u).norm();
  const auto to_side = [&](const Vec3& v, const Vec3& w) {
    const double s = std::clamp((q - v).dot(w - v) / (w - v).squaredNorm(), 0.0, 1.0);
    return (q - v - s * (w - v)).norm();
  };
  return std::min({to_side(a, b), to_side(b, c), to_side(c, a)});
}

inline double CalcMeshDistance(const TriangleMesh& mesh, const Vec3& q) {
  double distance = kInfinity;
  for (const auto& [a, b, c] : mesh.triangles) {
    distance = std::min(
        distance, CalcTriangleDistance(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], q));
  }
  return distance;
}

// Whether q is inside, by the solid angles of all triangles.
inline bool IsInside(const TriangleMesh& mesh, const Vec3& q) {
  double angle = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[i] - q, b = mesh.vertices[j] - q, c = mesh.vertices[k] - q;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)),
                            la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle > 2 * kPi;
}

inline double CalcSignedDistance(const TriangleMesh& mesh, const Vec3& q) {
  return IsInside(mesh, q) ? -CalcMeshDistance(mesh, q) : CalcMeshDistance(mesh, q);
}

inline void ExpectWellFormed(const Manifold& manifold, double margin) {
  std::vector<int> features;
  for (const ManifoldPoint& point : manifold) {
    EXPECT_NEAR(point.n_W.norm(), 1, 1e-15);
    EXPECT_TRUE(point.p_W.allFinite());
    EXPECT_LE(point.phi, margin);
    EXPECT_GE(point.feature, 0);
    EXPECT_LT(point.feature, kMaxContactPoints);
    EXPECT_GT(point.radius, 0);
    features.push_back(point.feature);
  }
  std::sort(features.begin(), features.end());
  EXPECT_EQ(std::adjacent_find(features.begin(), features.end()), features.end());
}

inline double LeastPhi(const Manifold& manifold) {
  double least = kInfinity;
  for (const ManifoldPoint& point : manifold) least = std::min(least, point.phi);
  return least;
}

}  // namespace voigt::testing
