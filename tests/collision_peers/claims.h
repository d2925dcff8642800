#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/collision/convex_reference.h"
#include "tests/collision/pair_checks.h"
#include "voigt/collision/convex_convex.h"
#include "voigt/collision/half_space_hull.h"
#include "voigt/collision/sphere_half_space.h"
#include "voigt/collision/sphere_sphere.h"

// What somebody claims of two convex shapes, and what the claim is worth. The signed distance is
//
//   φ = max over unit n of σ(n),  σ(n) = min n·B - max n·A,
//
// so that every direction proves a lower bound, σ(n) ≤ φ, and every two points a of A and b of B
// prove an upper bound of the distance of shapes that are apart, φ ≤ ‖b - a‖. Both are calculated
// here from the shapes' formulas alone.
namespace voigt::testing {

struct Claim {
  double phi = 0;
  Vec3 n_W = Vec3::UnitZ(), a_W = Vec3::Zero(), b_W = Vec3::Zero();
};

// A shape somewhere. A half-space is unbounded and has no general form.
struct Solid {
  struct Facet {
    Vec3 n;
    double d;  // n·x ≤ d within
  };

  Shape shape;
  Pose X;
  std::optional<ConvexShape> convex;
  std::vector<Facet> facets;  // of a hull

  Solid(Shape s, const Pose& pose) : shape(std::move(s)), X(pose) {
    std::string defect;
    convex = MakeConvexShape(shape, &defect);
    if (const auto* hull = std::get_if<ConvexHull>(&shape)) facets = FindFacets(hull->points);
  }
  bool is_half_space() const { return std::holds_alternative<HalfSpace>(shape); }
  double reach() const { return convex ? convex->reach : 0; }
  double CalcExtent(const Vec3& n_W) const {
    return n_W.dot(X.p) + std::visit(Reach{X.R.transpose() * n_W}, shape);
  }
  // How far a point is outside, at most; at most 0 within.
  double CalcExcessAt(const Vec3& x_W) const {
    const Vec3 x = X.R.transpose() * (x_W - X.p);
    if (!std::holds_alternative<ConvexHull>(shape)) return CalcExcess(shape, x);
    double excess = -kInfinity;
    for (const Facet& facet : facets) excess = std::max(excess, facet.n.dot(x) - facet.d);
    return excess;
  }

 private:
  // Every plane through three points that has all others on one side.
  static std::vector<Facet> FindFacets(const std::vector<Vec3>& points) {
    std::vector<Facet> out;
    for (size_t i = 0; i < points.size(); ++i) {
      for (size_t j = i + 1; j < points.size(); ++j) {
        for (size_t k = j + 1; k < points.size(); ++k) {
          const Vec3 n = (points[j] - points[i]).cross(points[k] - points[i]).normalized();
          for (const Vec3& side : {n, Vec3(-n)}) {
            const double d = side.dot(points[i]);
            const bool is_outside = std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
              return side.dot(p) <= d + 1e-12;
            });
            if (is_outside) out.push_back({side, d});
          }
        }
      }
    }
    return out;
  }
};

// σ(n). A half-space, which comes first, has one direction only.
inline double CalcProvenGap(const Solid& A, const Solid& B, const Vec3& n) {
  if (!A.is_half_space()) return -B.CalcExtent(-n) - A.CalcExtent(n);
  const Vec3 normal = A.X.R.col(2).normalized();
  return (n - normal).norm() < 1e-9 ? -B.CalcExtent(-normal) - normal.dot(A.X.p) : -kInfinity;
}

// A direction near n with a larger gap, if small random turns lead to one.
inline Vec3 ImproveDirection(const Solid& A, const Solid& B, Vec3 n, int steps, Random* random) {
  double best = CalcProvenGap(A, B, n), step = 0.1;
  for (int k = 0; k < steps; ++k) {
    const Vec3 turned = (n + RandomVector(random, step)).normalized();
    const double gap = CalcProvenGap(A, B, turned);
    if (gap > best) {
      best = gap, n = turned;
    } else {
      step *= 0.8;
    }
  }
  return n;
}

inline Claim ToClaim(const ContactPoint& point) {
  return {point.phi, point.n_W, point.p_W - 0.5 * point.phi * point.n_W,
          point.p_W + 0.5 * point.phi * point.n_W};
}

// What the function made for these two shapes says, if there is one.
inline std::optional<Claim> AskPairFunction(const Solid& A, const Solid& B) {
  const auto* sphere_B = std::get_if<Sphere>(&B.shape);
  if (sphere_B != nullptr && A.is_half_space()) {
    return ToClaim(CalcHalfSpaceSphere(MakePlane(A.X), B.X.p, sphere_B->radius));
  }
  if (const auto* sphere_A = std::get_if<Sphere>(&A.shape); sphere_A != nullptr && sphere_B) {
    return ToClaim(CalcSphereSphere(A.X.p, sphere_A->radius, B.X.p, sphere_B->radius));
  }
  Manifold manifold;
  if (A.is_half_space() && std::holds_alternative<ConvexHull>(B.shape)) {
    CollideHalfSpaceHull(MakePlane(A.X), *B.convex, B.X, kInfinity, &manifold);
  } else if (!CollideInOrder({A.shape, A.X}, {B.shape, B.X}, kInfinity, &manifold)) {
    return std::nullopt;
  }
  return ToClaim(Deepest(manifold));
}

// What the solver for any two convex shapes says: its meeting, which is also the deepest point of
// its manifold. (Where edges are nearly parallel, the place of that point is that of the edges'.)
inline std::optional<Claim> AskGeneralSolver(ConvexCollider* collider, const Solid& A,
                                             const Solid& B) {
  if (!A.convex || !B.convex) return std::nullopt;
  Meeting meeting;
  const ConvexPair pair(*A.convex, A.X, *B.convex, B.X);
  EXPECT_EQ(collider->Solve(pair, kInfinity, &meeting), ConvexCollider::Status::kSolved);
  Manifold manifold;
  collider->Collide(*A.convex, A.X, *B.convex, B.X, kInfinity, &manifold);
  const ManifoldPoint deepest = Deepest(manifold);
  EXPECT_NEAR(deepest.phi, meeting.phi, 1e-11 * pair.size);
  EXPECT_LT((deepest.n_W - pair.X_WA.R * meeting.n).norm(), 1e-14);
  return Claim{deepest.phi, deepest.n_W, pair.X_WA * meeting.a, pair.X_WA * meeting.b};
}

// The points are in the shapes and φ n apart, and σ(n) = φ. Where φ > 0 this proves it; where not,
// that the shapes can be parted by moving them |φ|.
inline void ExpectProven(const Solid& A, const Solid& B, const Claim& claim, double tolerance) {
  EXPECT_NEAR(claim.n_W.norm(), 1, 1e-15);
  EXPECT_NEAR(CalcProvenGap(A, B, claim.n_W), claim.phi, tolerance);
  EXPECT_LT((claim.b_W - claim.a_W - claim.phi * claim.n_W).norm(), tolerance);
  EXPECT_LE(A.CalcExcessAt(claim.a_W), tolerance);
  EXPECT_LE(B.CalcExcessAt(claim.b_W), tolerance);
}

}  // namespace voigt::testing
