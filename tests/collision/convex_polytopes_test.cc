// Polytopes against brute force: every axis of faces and pairs of edges, every pair of features.

#include <gtest/gtest.h>

#include "tests/collision/convex_reference.h"
#include "voigt/collision/half_space_hull.h"

namespace voigt {
namespace {

using testing::CollideAll;
using testing::Deepest;
using testing::kBox;
using testing::kHull;
using testing::PlacedConvex;
using testing::Random;
using testing::RandomHull;
using testing::RandomPair;
using testing::RandomPose;
using testing::RandomVector;
using testing::Uniform;

template <typename T>
using Vec = Eigen::Matrix<T, 3, 1>;

template <typename T>
std::vector<Vec<T>> PlaceVertices(const PlacedConvex& placed) {
  std::vector<Vec<T>> out;
  for (const Vec3& v : placed.convex.polytope.vertices) {
    out.push_back(placed.X.R.cast<T>() * (v + placed.convex.center).cast<T>() +
                  placed.X.p.cast<T>());
  }
  return out;
}

template <typename T>
std::vector<Vec<T>> ListEdgeVectors(const PlacedConvex& placed,
                                    const std::vector<Vec<T>>& vertices) {
  std::vector<Vec<T>> out;
  for (const auto& edge : placed.convex.polytope.edges) {
    out.push_back(vertices[edge.vertices[1]] - vertices[edge.vertices[0]]);
  }
  return out;
}

// The largest gap along the normals of all faces and all pairs of edges: what φ is where polytopes
// overlap. Normals come from the corners of the faces.
template <typename T>
T CalcLargestAxisGap(const PlacedConvex& A, const PlacedConvex& B) {
  const auto a = PlaceVertices<T>(A), b = PlaceVertices<T>(B);
  T best = -1e30;
  const auto try_axis = [&](Vec<T> n) {
    const T norm = n.norm();
    if (norm < T(1e-9)) return;
    n /= norm;
    T low_a = 1e30, high_a = -1e30, low_b = 1e30, high_b = -1e30;
    for (const Vec<T>& v : a)
      low_a = std::min(low_a, n.dot(v)), high_a = std::max(high_a, n.dot(v));
    for (const Vec<T>& v : b)
      low_b = std::min(low_b, n.dot(v)), high_b = std::max(high_b, n.dot(v));
    best = std::max(best, std::max(low_b - high_a, low_a - high_b));
  };
  const auto try_faces = [&](const Polytope& p, const std::vector<Vec<T>>& v) {
    for (const Polytope::Face& face : p.faces) {
      const int* loop = &p.loops[face.first];
      try_axis((v[loop[1]] - v[loop[0]]).cross(v[loop[2]] - v[loop[0]]));
    }
  };
  try_faces(A.convex.polytope, a);
  try_faces(B.convex.polytope, b);
  for (const Vec<T>& u : ListEdgeVectors(A, a)) {
    for (const Vec<T>& w : ListEdgeVectors(B, b)) try_axis(u.cross(w));
  }
  return best;
}

double CalcSegmentDistance(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& w) {
  double best = kInfinity;
  const Vec3 d = q - p;
  const Vec3 cross = u.cross(w);
  const double square = cross.squaredNorm();
  if (square > 1e-20) {
    const double s = d.cross(w).dot(cross) / square, t = d.cross(u).dot(cross) / square;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return std::abs(d.dot(cross)) / std::sqrt(square);
  }
  const auto to_segment = [&](const Vec3& x, const Vec3& from, const Vec3& along) {
    const double s = std::clamp(along.dot(x - from) / along.squaredNorm(), 0.0, 1.0);
    best = std::min(best, (from + s * along - x).norm());
  };
  to_segment(p, q, w);
  to_segment(p + u, q, w);
  to_segment(q, p, u);
  to_segment(q + w, p, u);
  return best;
}

// The least distance of any edge or vertex of one polytope from any edge or face of the other: what
// φ is where they are apart.
double CalcLeastFeatureDistance(const PlacedConvex& A, const PlacedConvex& B) {
  const auto a = PlaceVertices<double>(A), b = PlaceVertices<double>(B);
  double best = kInfinity;
  for (const auto& e : A.convex.polytope.edges) {
    for (const auto& f : B.convex.polytope.edges) {
      best = std::min(best,
                      CalcSegmentDistance(a[e.vertices[0]], a[e.vertices[1]] - a[e.vertices[0]],
                                          b[f.vertices[0]], b[f.vertices[1]] - b[f.vertices[0]]));
    }
  }
  const auto try_faces = [&](const PlacedConvex& P, const std::vector<Vec3>& corners,
                             const std::vector<Vec3>& others) {
    const Polytope& p = P.convex.polytope;
    for (const Polytope::Face& face : p.faces) {
      const Vec3 n = P.X.R * face.normal;
      for (const Vec3& x : others) {
        const double height = n.dot(x - corners[p.loops[face.first]]);
        bool is_ahead = height >= 0;
        for (int k = 0; k < face.count && is_ahead; ++k) {
          const Vec3& from = corners[p.loops[face.first + k]];
          const Vec3& to = corners[p.loops[face.first + (k + 1) % face.count]];
          is_ahead = n.cross(to - from).dot(x - from) >= 0;
        }
        if (is_ahead) best = std::min(best, height);
      }
    }
  };
  try_faces(A, a, b);
  try_faces(B, b, a);
  return best;
}

TEST(ConvexPolytopes, GapIsTheBestOfAllAxesOrTheLeastOfAllDistances) {
  ConvexCollider collider;
  int apart_count = 0;
  for (const auto& [kind_A, kind_B] :
       {std::pair{kHull, kHull}, {kBox, kHull}, {kHull, kBox}, {kBox, kBox}}) {
    Random random(11);
    for (int trial = 0; trial < 250; ++trial) {
      const RandomPair pair(&random, kind_A, kind_B);
      const double phi = Deepest(CollideAll(&collider, pair.A, pair.B)).phi;
      const double axis_gap = CalcLargestAxisGap<double>(pair.A, pair.B);
      apart_count += axis_gap > 0;
      const double expected = axis_gap > 0 ? CalcLeastFeatureDistance(pair.A, pair.B) : axis_gap;
      EXPECT_NEAR(phi, expected, 1e-12) << trial;
    }
  }
  EXPECT_GT(apart_count, 100);
}

TEST(ConvexPolytopes, DepthIsRightInHigherPrecision) {
  ConvexCollider collider;
  Random random(12);
  for (int trial = 0; trial < 15;) {
    const RandomPair pair(&random, kHull, kBox);
    const double phi = Deepest(CollideAll(&collider, pair.A, pair.B)).phi;
    if (phi > 0) continue;
    EXPECT_NEAR(phi, static_cast<double>(CalcLargestAxisGap<long double>(pair.A, pair.B)), 2e-15);
    ++trial;
  }
}

// Shrunk copies of hulls around one corner of a big one, and big ones around small ones.
TEST(ConvexPolytopes, SizesMayDifferByAThousandfold) {
  ConvexCollider collider;
  Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    RandomPair pair(&random, kHull, kHull);
    ConvexHull hull = std::get<ConvexHull>(pair.B.shape);
    for (Vec3& p : hull.points) p *= 1e-3;
    const Vec3 corner = pair.A.X * std::get<ConvexHull>(pair.A.shape).points[trial % 20];
    const PlacedConvex B(hull, {pair.B.X.R, corner + RandomVector(&random, 2e-3)});
    const double phi = Deepest(CollideAll(&collider, pair.A, B)).phi;
    const double axis_gap = CalcLargestAxisGap<double>(pair.A, B);
    EXPECT_NEAR(phi, axis_gap > 0 ? CalcLeastFeatureDistance(pair.A, B) : axis_gap, 2e-15);
  }
}

// Hulls far from the origin of their own frame, as meshes are drawn.
TEST(ConvexPolytopes, FrameOfAHullDoesNotMatter) {
  ConvexCollider collider;
  Random random(15);
  for (int trial = 0; trial < 200; ++trial) {
    const RandomPair pair(&random, kHull, trial % 2 == 0 ? kHull : testing::kCylinder);
    ConvexHull hull = std::get<ConvexHull>(pair.A.shape);
    const Vec3 shift(1000, -2000, 3000);
    for (Vec3& p : hull.points) p += shift;
    const PlacedConvex A(hull, {pair.A.X.R, pair.A.X.p - pair.A.X.R * shift});
    const ManifoldPoint p = Deepest(CollideAll(&collider, pair.A, pair.B));
    const ManifoldPoint q = Deepest(CollideAll(&collider, A, pair.B));
    EXPECT_NEAR(p.phi, q.phi, 1e-11);
    EXPECT_LT((p.n_W - q.n_W).norm(), 1e-6);
  }
}

TEST(ConvexPolytopes, EdgesThatCrossTouchInOnePoint) {
  // Two cubes on their edges, one along x above the other along y.
  const double half = std::sqrt(0.5);
  const Mat3 on_edge_x = RotationAbout(Vec3::UnitX(), kPi / 4);
  const Mat3 on_edge_y = RotationAbout(Vec3::UnitY(), kPi / 4);
  ConvexCollider collider;
  for (double gap : {0.3, 1e-3, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -1e-3, -0.1}) {
    const PlacedConvex A(Box{Vec3(1, 1, 1)}, {on_edge_x, Vec3::Zero()});
    const PlacedConvex B(Box{Vec3(1, 1, 1)}, {on_edge_y, Vec3(0.1, -0.2, 2 * half + gap)});
    const Manifold manifold = CollideAll(&collider, A, B);
    ASSERT_EQ(manifold.size(), 1u) << gap;
    EXPECT_NEAR(manifold[0].phi, gap, 4e-16);
    EXPECT_LT((manifold[0].n_W - Vec3::UnitZ()).norm(), 1e-15);
    EXPECT_LT((manifold[0].p_W - Vec3(0.1, 0, half + 0.5 * gap)).norm(), 1e-15);
    EXPECT_EQ(manifold[0].radius, kInfinity);
  }
}

TEST(ConvexPolytopes, BallsOnHullsTouchFacesEdgesAndCorners) {
  const PlacedConvex cube(Box{Vec3(2, 2, 2)}, {});
  ConvexHull points;
  points.points = cube.convex.polytope.vertices;
  const PlacedConvex hull(points, {});
  const double r = 0.5;
  ConvexCollider collider;
  const auto check = [&](const Vec3& center, const Vec3& n, double phi, double radius) {
    const PlacedConvex ball(Sphere{r}, {Mat3::Identity(), center});
    for (const PlacedConvex* placed : {&cube, &hull}) {
      const Manifold manifold = CollideAll(&collider, *placed, ball);
      ASSERT_EQ(manifold.size(), 1u);
      EXPECT_NEAR(manifold[0].phi, phi, 1e-15);
      EXPECT_LT((manifold[0].n_W - n.normalized()).norm(), 1e-15);
      EXPECT_LT((manifold[0].p_W - (center - (r + 0.5 * phi) * n.normalized())).norm(), 1e-15);
      EXPECT_EQ(manifold[0].radius, radius);
    }
  };
  check(Vec3(0.2, -0.3, 1.6), Vec3(0, 0, 1), 0.1, r);
  check(Vec3(0.2, -0.3, 0.6), Vec3(0, 0, 1), -0.9, r);
  check(Vec3(-1.3, 0.4, 1.4), Vec3(-0.3, 0, 0.4), 0, kInfinity);
  check(Vec3(1.1, 1.1, 1.1), Vec3(1, 1, 1), 0.1 * std::sqrt(3) - r, kInfinity);
}

TEST(ConvexPolytopes, HalfSpaceMeetsTheLowCornersOfAHull) {
  Random random(14);
  Manifold manifold;
  for (int trial = 0; trial < 100; ++trial) {
    const PlacedConvex hull{RandomHull(&random, 20), RandomPose(&random)};
    const Pose X_WP = RandomPose(&random), X_WH = hull.convex.Place(hull.X);
    manifold.clear();
    CollideHalfSpaceHull(MakePlane(X_WP), hull.convex, hull.X, 0.1, &manifold);
    size_t expected = 0;
    for (size_t v = 0; v < hull.convex.polytope.vertices.size(); ++v) {
      const Vec3 local = X_WP.Inverse() * (X_WH * hull.convex.polytope.vertices[v]);
      if (local[2] > 0.1) continue;
      ASSERT_LT(expected, manifold.size());
      const ManifoldPoint& point = manifold[expected++];
      EXPECT_EQ(point.feature, static_cast<int>(v));
      EXPECT_NEAR(point.phi, local[2], 1e-14);
      EXPECT_LT((point.p_W - X_WP * Vec3(local[0], local[1], 0.5 * local[2])).norm(), 1e-14);
    }
    EXPECT_EQ(manifold.size(), expected);
  }
}

}  // namespace
}  // namespace voigt
