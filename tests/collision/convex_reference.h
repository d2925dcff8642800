#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "tests/collision/deepest.h"
#include "tests/support/random_model.h"
#include "voigt/collision/convex_convex.h"
#include "voigt/math/rotation.h"

// Convex shapes as plain formulas, to hold the solver against.
namespace voigt::testing {

// How far a shape reaches along a unit vector, in its own frame.
struct Reach {
  Vec3 n;
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Capsule& s) const { return s.radius + 0.5 * s.length * std::abs(n[2]); }
  double operator()(const Box& s) const { return 0.5 * s.size.dot(n.cwiseAbs()); }
  double operator()(const Cylinder& s) const {
    return s.radius * std::hypot(n[0], n[1]) + 0.5 * s.length * std::abs(n[2]);
  }
  double operator()(const Ellipsoid& s) const { return s.radii.cwiseProduct(n).norm(); }
  double operator()(const ConvexHull& s) const {
    double reach = -kInfinity;
    for (const Vec3& p : s.points) reach = std::max(reach, n.dot(p));
    return reach;
  }
  template <typename Other>
  double operator()(const Other&) const {
    return kNaN;
  }
};

// A shape somewhere.
struct PlacedConvex {
  Shape shape;
  ConvexShape convex;
  Pose X;

  PlacedConvex(Shape s, const Pose& pose) : shape(std::move(s)), X(pose) {
    std::string defect;
    auto made = MakeConvexShape(shape, &defect);
    EXPECT_TRUE(made) << defect;
    convex = std::move(*made);
  }
  double CalcReach(const Vec3& n_W) const {
    return std::visit(Reach{X.R.transpose() * n_W}, shape);
  }
};

// min n·B - max n·A.
inline double CalcReferenceGap(const PlacedConvex& A, const PlacedConvex& B, const Vec3& n) {
  return n.dot(B.X.p - A.X.p) - A.CalcReach(n) - B.CalcReach(-n);
}

// The largest gap along any direction that a coarse search over the sphere and a fine one about the
// best of it find.
inline double SearchLargestGap(const PlacedConvex& A, const PlacedConvex& B) {
  constexpr int kCount = 200;
  std::vector<std::pair<double, Vec3>> samples;
  for (int k = 0; k < kCount; ++k) {
    const double z = 1 - (2 * k + 1.0) / kCount, angle = 2.399963229728653 * k;
    const double r = std::sqrt(1 - z * z);
    const Vec3 n(r * std::cos(angle), r * std::sin(angle), z);
    samples.push_back({CalcReferenceGap(A, B, n), n});
  }
  std::sort(samples.begin(), samples.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  double best = -kInfinity;
  Random random(1);
  for (int start = 0; start < 3; ++start) {
    auto [gap, n] = samples[start];
    for (double step = 0.1; step > 1e-9;) {
      bool better = false;
      for (int k = 0; k < 12 && !better; ++k) {
        const Vec3 turned = (n + RandomVector(&random, step)).normalized();
        const double here = CalcReferenceGap(A, B, turned);
        if (here > gap) gap = here, n = turned, better = true;
      }
      if (!better) step *= 0.5;
    }
    best = std::max(best, gap);
  }
  return best;
}

enum ConvexKind { kBox, kHull, kCapsule, kCylinder, kEllipsoid, kSphere, kConvexKindCount };

inline ConvexHull RandomHull(Random* random, int count) {
  ConvexHull hull;
  const Vec3 radii{Uniform(random, 0.4, 1), Uniform(random, 0.4, 1), Uniform(random, 0.4, 1)};
  for (int k = 0; k < count; ++k) {
    hull.points.push_back(radii.cwiseProduct(RandomVector(random).normalized()));
  }
  return hull;
}

inline Shape RandomConvex(Random* random, int kind) {
  const auto length = [&] { return Uniform(random, 0.2, 2); };
  const auto radius = [&] { return Uniform(random, 0.1, 1); };
  switch (kind) {
    case kBox:
      return Box{Vec3{length(), length(), length()}};
    case kHull:
      return RandomHull(random, 20);
    case kCapsule:
      return Capsule{radius(), length()};
    case kCylinder:
      return Cylinder{radius(), length()};
    case kEllipsoid:
      return Ellipsoid{Vec3{radius(), radius(), radius()}};
    default:
      return Sphere{radius()};
  }
}

// Two shapes whose balls overlap: some of the shapes do, others do not.
struct RandomPair {
  PlacedConvex A, B;
  RandomPair(Random* random, int kind_A, int kind_B)
      : A{RandomConvex(random, kind_A), RandomPose(random)},
        B{RandomConvex(random, kind_B), RandomPose(random)} {
    const double distance = Uniform(random, 0, 0.9) * (A.convex.reach + B.convex.reach);
    B.X.p = A.X.p + distance * RandomVector(random).normalized();
  }
  double size() const { return std::max(A.convex.reach, B.convex.reach); }
};

inline Manifold CollideAll(ConvexCollider* collider, const PlacedConvex& A, const PlacedConvex& B,
                           double margin = 1e9) {
  Manifold out;
  const auto status = collider->Collide(A.convex, A.X, B.convex, B.X, margin, &out);
  EXPECT_NE(status, ConvexCollider::Status::kInexact);
  return out;
}

}  // namespace voigt::testing
