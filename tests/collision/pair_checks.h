#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "tests/collision/deepest.h"
#include "tests/support/random_model.h"
#include "voigt/collision/box_box.h"
#include "voigt/collision/capsule_box.h"
#include "voigt/collision/capsule_capsule.h"
#include "voigt/collision/half_space_solids.h"
#include "voigt/collision/sphere_half_space.h"
#include "voigt/collision/sphere_solids.h"
#include "voigt/collision/sphere_sphere.h"

// What is true of any pair of convex shapes. The signed distance of A and B is
//
//   φ = max over unit n of σ(n),  σ(n) = min n · (y - x) over x in A, y in B,
//
// both for shapes that overlap and for those that do not. σ needs the support functions of the two
// shapes only, which have nothing in common with the code that is tested.
namespace voigt::testing {

// The half-space counts as unbounded. max d · x over the shape, d of unit length, in its frame.
inline double CalcSupport(const Shape& shape, const Vec3& d) {
  const double across = std::hypot(d[0], d[1]), along = std::abs(d[2]);
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) return 0.5 * s->size.dot(d.cwiseAbs());
  if (const auto* s = std::get_if<Capsule>(&shape)) return s->radius + 0.5 * s->length * along;
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    return s->radius * across + 0.5 * s->length * along;
  }
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) return s->radii.cwiseProduct(d).norm();
  return d[2] > 1 - 1e-14 ? 0 : kInfinity;
}

// At most 0 for points of the shape; about the distance for those outside.
inline double CalcExcess(const Shape& shape, const Vec3& x) {
  const double across = std::hypot(x[0], x[1]), along = std::abs(x[2]);
  if (const auto* s = std::get_if<Sphere>(&shape)) return x.norm() - s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) return (x.cwiseAbs() - 0.5 * s->size).maxCoeff();
  if (const auto* s = std::get_if<Capsule>(&shape)) {
    return std::hypot(across, std::max(0.0, along - 0.5 * s->length)) - s->radius;
  }
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    return std::max(across - s->radius, along - 0.5 * s->length);
  }
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    return (x.cwiseQuotient(s->radii).norm() - 1) * s->radii.minCoeff();
  }
  return x[2];
}

inline double CalcReach(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) return 0.5 * s->size.norm();
  if (const auto* s = std::get_if<Capsule>(&shape)) return s->radius + 0.5 * s->length;
  if (const auto* s = std::get_if<Cylinder>(&shape)) return std::hypot(s->radius, 0.5 * s->length);
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) return s->radii.maxCoeff();
  return 0;
}

struct Placed {
  Shape shape;
  Pose X;
};

inline double CalcSeparation(const Placed& A, const Placed& B, const Vec3& n) {
  return n.dot(B.X.p - A.X.p) - CalcSupport(A.shape, A.X.R.transpose() * n) -
         CalcSupport(B.shape, B.X.R.transpose() * -n);
}

// Lengths in the pair, and how far it is from the origin: what 1e-12 is relative to.
inline double CalcScale(const Placed& A, const Placed& B) {
  return CalcReach(A.shape) + CalcReach(B.shape) + A.X.p.norm() + B.X.p.norm();
}

template <typename ShapeA, typename ShapeB>
using CollideFunction = void (*)(const ShapeA&, const Pose&, const ShapeB&, const Pose&, double,
                                 Manifold*);

template <typename ShapeA, typename ShapeB>
bool TryPair(CollideFunction<ShapeA, ShapeB> collide, const Placed& A, const Placed& B,
             double margin, Manifold* out) {
  const auto* a = std::get_if<ShapeA>(&A.shape);
  const auto* b = std::get_if<ShapeB>(&B.shape);
  if (a == nullptr || b == nullptr) return false;
  collide(*a, A.X, *b, B.X, margin, out);
  return true;
}

// Spheres have one point, and functions that know of no poses.
inline void AppendOnlyPoint(const ContactPoint& point, double radius, double margin,
                            Manifold* out) {
  if (point.phi <= margin) out->push_back({point, 0, radius});
}
inline void CollideHalfSpaceAndSphere(const HalfSpace&, const Pose& X_WA, const Sphere& B,
                                      const Pose& X_WB, double margin, Manifold* out) {
  AppendOnlyPoint(CalcHalfSpaceSphere(MakePlane(X_WA), X_WB.p, B.radius), B.radius, margin, out);
}
inline void CollideTwoSpheres(const Sphere& A, const Pose& X_WA, const Sphere& B, const Pose& X_WB,
                              double margin, Manifold* out) {
  AppendOnlyPoint(CalcSphereSphere(X_WA.p, A.radius, X_WB.p, B.radius),
                  A.radius * B.radius / (A.radius + B.radius), margin, out);
}

// The function for these two shapes in this order, if there is one.
inline bool CollideInOrder(const Placed& A, const Placed& B, double margin, Manifold* out) {
  return TryPair(CollideHalfSpaceAndSphere, A, B, margin, out) ||
         TryPair(CollideTwoSpheres, A, B, margin, out) ||
         TryPair(CollideHalfSpaceBox, A, B, margin, out) ||
         TryPair(CollideHalfSpaceCapsule, A, B, margin, out) ||
         TryPair(CollideHalfSpaceCylinder, A, B, margin, out) ||
         TryPair(CollideHalfSpaceEllipsoid, A, B, margin, out) ||
         TryPair(CollideSphereBox, A, B, margin, out) ||
         TryPair(CollideSphereCapsule, A, B, margin, out) ||
         TryPair(CollideSphereCylinder, A, B, margin, out) ||
         TryPair(CollideSphereEllipsoid, A, B, margin, out) ||
         TryPair(CollideCapsuleCapsule, A, B, margin, out) ||
         TryPair(CollideCapsuleBox, A, B, margin, out) || TryPair(CollideBoxBox, A, B, margin, out);
}

inline Manifold Collide(const Placed& A, const Placed& B, double margin = 1e9) {
  Manifold out;
  if (CollideInOrder(A, B, margin, &out)) return out;
  if (!CollideInOrder(B, A, margin, &out)) ADD_FAILURE() << "no function for these shapes";
  for (ManifoldPoint& point : out) point.n_W = -point.n_W;
  return out;
}

// Points are well formed and in both shapes; the least φ is the separation along its normal.
// Together these prove that it is the distance where it is positive, and a way out where not.
inline void ExpectConsistent(const Placed& A, const Placed& B, const Manifold& manifold,
                             double relative = 1e-12) {
  const double tolerance = relative * CalcScale(A, B);
  ASSERT_FALSE(manifold.empty());
  std::vector<int> features;
  for (const ManifoldPoint& point : manifold) {
    EXPECT_NEAR(point.n_W.norm(), 1, 1e-15);
    EXPECT_GE(point.feature, 0);
    EXPECT_LT(point.feature, kMaxContactPoints);
    EXPECT_GT(point.radius, 0);
    features.push_back(point.feature);
    const Vec3 x = point.p_W - 0.5 * point.phi * point.n_W;
    const Vec3 y = point.p_W + 0.5 * point.phi * point.n_W;
    EXPECT_LE(CalcExcess(A.shape, A.X.R.transpose() * (x - A.X.p)), tolerance);
    EXPECT_LE(CalcExcess(B.shape, B.X.R.transpose() * (y - B.X.p)), tolerance);
  }
  std::sort(features.begin(), features.end());
  EXPECT_EQ(std::adjacent_find(features.begin(), features.end()), features.end());
  const ManifoldPoint deepest = Deepest(manifold);
  EXPECT_NEAR(deepest.phi, CalcSeparation(A, B, deepest.n_W), tolerance);
}

// The greatest separation that a search over directions finds, starting at random ones.
inline double SearchSeparation(const Placed& A, const Placed& B, int starts, int steps,
                               Random* random) {
  if (std::holds_alternative<HalfSpace>(A.shape)) return CalcSeparation(A, B, A.X.R.col(2));
  double best = -kInfinity;
  Vec3 n_best = Vec3::UnitX();
  for (int k = 0; k < starts; ++k) {
    const Vec3 n = RandomVector(random).normalized();
    const double value = CalcSeparation(A, B, n);
    if (value > best) best = value, n_best = n;
  }
  double step = 1;
  for (int k = 0; k < steps; ++k) {
    const Vec3 n = (n_best + step * RandomVector(random)).normalized();
    const double value = CalcSeparation(A, B, n);
    if (value > best) {
      best = value, n_best = n;
    } else {
      step *= 0.93;
    }
  }
  return best;
}

inline Shape MakeShape(const std::string& name, Random* random, double low = 0.1, double high = 2) {
  const auto length = [&] { return std::exp(Uniform(random, std::log(low), std::log(high))); };
  const auto lengths = [&] {
    const double x = length(), y = length(), z = length();
    return Vec3(x, y, z);
  };
  if (name == "Sphere") return Sphere{length()};
  if (name == "Box") return Box{lengths()};
  if (name == "Ellipsoid") return Ellipsoid{lengths()};
  const double radius = length();
  if (name == "Capsule") return Capsule{radius, length()};
  if (name == "Cylinder") return Cylinder{radius, length()};
  return HalfSpace{};
}

struct PairName {
  std::string A, B;
};
inline void PrintTo(const PairName& pair, std::ostream* out) { *out << pair.A << ' ' << pair.B; }
inline std::string NameOf(const ::testing::TestParamInfo<PairName>& info) {
  return info.param.A + info.param.B;
}
inline const std::vector<PairName>& AllPairs() {
  static const std::vector<PairName> pairs = {{"HalfSpace", "Sphere"},
                                              {"Sphere", "Sphere"},
                                              {"HalfSpace", "Box"},
                                              {"HalfSpace", "Capsule"},
                                              {"HalfSpace", "Cylinder"},
                                              {"HalfSpace", "Ellipsoid"},
                                              {"Sphere", "Box"},
                                              {"Sphere", "Capsule"},
                                              {"Sphere", "Cylinder"},
                                              {"Sphere", "Ellipsoid"},
                                              {"Capsule", "Capsule"},
                                              {"Capsule", "Box"},
                                              {"Box", "Box"}};
  return pairs;
}

// A pair given in a frame of its own, which closed forms are simple in, and looked at from several
// places in the world: here, turned, and far away. `check` gets the points back in that frame, and
// the rounding of lengths there.
template <typename Check>
void LookFromEverywhere(const Placed& A, const Placed& B, double margin, const Check& check) {
  Random random(99);
  for (const double distance : {0.0, 1.0, 1e4}) {
    SCOPED_TRACE(distance);
    const Pose X = distance == 0 ? Pose{} : RandomPose(&random, distance);
    const Placed moved_A{A.shape, X * A.X}, moved_B{B.shape, X * B.X};
    Manifold manifold = Collide(moved_A, moved_B, margin);
    for (ManifoldPoint& point : manifold) {
      point.p_W = X.R.transpose() * (point.p_W - X.p);
      point.n_W = X.R.transpose() * point.n_W;
    }
    std::sort(manifold.begin(), manifold.end(),
              [](const auto& a, const auto& b) { return a.feature < b.feature; });
    check(manifold, 1e-15 * (10 + CalcScale(moved_A, moved_B)));
  }
}

inline void ExpectPoint(const ManifoldPoint& point, const Vec3& p, const Vec3& n, double phi,
                        double rounding) {
  EXPECT_LT((point.p_W - p).norm(), rounding) << point.p_W.transpose();
  EXPECT_LT((point.n_W - n).norm(), rounding) << point.n_W.transpose();
  EXPECT_NEAR(point.phi, phi, rounding);
}

inline Mat3 Turn(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

}  // namespace voigt::testing
