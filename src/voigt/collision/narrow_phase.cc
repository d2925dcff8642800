#include "voigt/collision/narrow_phase.h"

#include <array>
#include <type_traits>
#include <utility>
#include <variant>

#include "voigt/collision/box_box.h"
#include "voigt/collision/capsule_box.h"
#include "voigt/collision/capsule_capsule.h"
#include "voigt/collision/half_space_hull.h"
#include "voigt/collision/half_space_solids.h"
#include "voigt/collision/mesh_half_space.h"
#include "voigt/collision/sphere_half_space.h"
#include "voigt/collision/sphere_solids.h"
#include "voigt/collision/sphere_sphere.h"

namespace voigt {
namespace {

void AppendPoint(const ContactPoint& point, double radius, double margin, Manifold* out) {
  if (!(point.phi <= margin)) return;
  ManifoldPoint& added = out->emplace_back();
  static_cast<ContactPoint&>(added) = point;
  added.radius = radius;
}

void CollideHalfSpaceSphere(const HalfSpace&, const Pose& X_WA, const Sphere& B, const Pose& X_WB,
                            double margin, Manifold* out) {
  AppendPoint(CalcHalfSpaceSphere(MakePlane(X_WA), X_WB.p, B.radius), B.radius, margin, out);
}

void CollideSphereSphere(const Sphere& A, const Pose& X_WA, const Sphere& B, const Pose& X_WB,
                         double margin, Manifold* out) {
  AppendPoint(CalcSphereSphere(X_WA.p, A.radius, X_WB.p, B.radius),
              A.radius * B.radius / (A.radius + B.radius), margin, out);
}

// A file for the pair (A, B) in this order.
using PairFunction = void (*)(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB, double margin, Manifold* out);

template <typename A, typename B>
struct Pair {
  template <void (*collide)(const A&, const Pose&, const B&, const Pose&, double, Manifold*)>
  static void Call(const CollisionShape& a, const Pose& X_WA, const CollisionShape& b,
                   const Pose& X_WB, double margin, Manifold* out) {
    collide(*std::get_if<A>(&a.shape), X_WA, *std::get_if<B>(&b.shape), X_WB, margin, out);
  }
};

void CallHalfSpaceHull(const CollisionShape&, const Pose& X_WA, const CollisionShape& b,
                       const Pose& X_WB, double margin, Manifold* out) {
  CollideHalfSpaceHull(MakePlane(X_WA), *b.convex, X_WB, margin, out);
}

constexpr size_t kKindCount = std::variant_size_v<Shape>;
using Table = std::array<std::array<PairFunction, kKindCount>, kKindCount>;

// The place of a kind of shape among all.
template <typename Kind, size_t k = 0>
constexpr size_t IndexOf() {
  if constexpr (std::is_same_v<std::variant_alternative_t<k, Shape>, Kind>) {
    return k;
  } else {
    return IndexOf<Kind, k + 1>();
  }
}

template <typename A, typename B>
constexpr PairFunction& At(Table* table) {
  return (*table)[IndexOf<A>()][IndexOf<B>()];
}

constexpr Table MakeTable() {
  Table t{};
  At<HalfSpace, Sphere>(&t) = Pair<HalfSpace, Sphere>::Call<CollideHalfSpaceSphere>;
  At<HalfSpace, Box>(&t) = Pair<HalfSpace, Box>::Call<CollideHalfSpaceBox>;
  At<HalfSpace, Capsule>(&t) = Pair<HalfSpace, Capsule>::Call<CollideHalfSpaceCapsule>;
  At<HalfSpace, Cylinder>(&t) = Pair<HalfSpace, Cylinder>::Call<CollideHalfSpaceCylinder>;
  At<HalfSpace, Ellipsoid>(&t) = Pair<HalfSpace, Ellipsoid>::Call<CollideHalfSpaceEllipsoid>;
  At<HalfSpace, ConvexHull>(&t) = CallHalfSpaceHull;
  At<Sphere, Sphere>(&t) = Pair<Sphere, Sphere>::Call<CollideSphereSphere>;
  At<Sphere, Box>(&t) = Pair<Sphere, Box>::Call<CollideSphereBox>;
  At<Sphere, Capsule>(&t) = Pair<Sphere, Capsule>::Call<CollideSphereCapsule>;
  At<Sphere, Cylinder>(&t) = Pair<Sphere, Cylinder>::Call<CollideSphereCylinder>;
  At<Sphere, Ellipsoid>(&t) = Pair<Sphere, Ellipsoid>::Call<CollideSphereEllipsoid>;
  At<Capsule, Capsule>(&t) = Pair<Capsule, Capsule>::Call<CollideCapsuleCapsule>;
  At<Capsule, Box>(&t) = Pair<Capsule, Box>::Call<CollideCapsuleBox>;
  At<Box, Box>(&t) = Pair<Box, Box>::Call<CollideBoxBox>;
  return t;
}

constexpr Table kTable = MakeTable();

bool IsSurface(const Shape& shape) {
  return std::holds_alternative<TriangleMesh>(shape) || std::holds_alternative<HeightField>(shape);
}

void Flip(size_t first, Manifold* out) {
  for (size_t i = first; i < out->size(); ++i) (*out)[i].n_W = -(*out)[i].n_W;
}

// Of a smooth shape: a round polytope or an ellipsoid.
double LeastRadius(const ConvexShape& shape) {
  if (shape.kind != ConvexShape::Kind::kEllipsoid) return shape.rounding;
  const double least = shape.radii.minCoeff();
  return least * least / shape.radii.maxCoeff();
}

}  // namespace

PairKind ClassifyPair(const Shape& a, const Shape& b) {
  const bool half_space_a = std::holds_alternative<HalfSpace>(a);
  const bool half_space_b = std::holds_alternative<HalfSpace>(b);
  if (half_space_a && half_space_b) return PairKind::kNever;
  if (!IsSolid(a) || !IsSolid(b)) {
    return half_space_a || half_space_b ? PairKind::kPointsHalfSpace : PairKind::kNever;
  }
  if (kTable[a.index()][b.index()] || kTable[b.index()][a.index()]) return PairKind::kClosedForm;
  return IsSurface(a) || IsSurface(b) ? PairKind::kSurface : PairKind::kConvex;
}

PairKind ClassifyPair(const Geometry& a, const Geometry& b) {
  const PairKind kind = ClassifyPair(a.shape, b.shape);
  const bool has_layer = a.foundation || b.foundation;
  if (!has_layer || kind == PairKind::kNever) return kind;
  // Sheets have no inside for an element to be in.
  for (const Geometry* one : {&a, &b}) {
    const auto* mesh = std::get_if<TriangleMesh>(&one->shape);
    if (mesh != nullptr && DescribeSolidDefect(*mesh)) return PairKind::kUnsupported;
  }
  return PairKind::kLayer;
}

bool AlwaysHasRadius(const Shape& a, const Shape& b) { return IsSmooth(a) && IsSmooth(b); }

void NarrowPhase::Collide(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                          const Pose& X_WB, double margin, Manifold* out) {
  const size_t a = A.shape.index(), b = B.shape.index(), first = out->size();
  if (A.layer && !(B.layer && B.layer->mean_area() < A.layer->mean_area())) {
    layer_.Collide(*A.layer, X_WA, B, X_WB, margin, out);
  } else if (B.layer) {
    layer_.Collide(*B.layer, X_WB, A, X_WA, margin, out);
    Flip(first, out);
  } else if (kTable[a][b]) {
    kTable[a][b](A, X_WA, B, X_WB, margin, out);
  } else if (kTable[b][a]) {
    kTable[b][a](B, X_WB, A, X_WA, margin, out);
    Flip(first, out);
  } else if (A.surface) {
    CollideSurface(A, X_WA, B, X_WB, margin, out);
  } else if (B.surface) {
    CollideSurface(B, X_WB, A, X_WA, margin, out);
    Flip(first, out);
  } else if (A.convex && B.convex) {
    CollideConvex(A, X_WA, B, X_WB, margin, out);
  }
}

void NarrowPhase::CollideSurface(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                 const Pose& X_WB, double margin, Manifold* out) {
  const size_t first = out->size();
  if (std::holds_alternative<HalfSpace>(B.shape)) {
    CollideHalfSpaceMesh(MakePlane(X_WB), *A.surface, X_WA, margin, &near_, out);
    Flip(first, out);
  } else if (const auto* sphere = std::get_if<Sphere>(&B.shape)) {
    mesh_sphere_.Collide(*A.surface, X_WA, *sphere, X_WB, margin, out);
  } else if (B.convex) {
    mesh_convex_.Collide(*A.surface, X_WA, *B.convex, X_WB, margin, out);
  } else if (B.surface) {
    mesh_mesh_.Collide(*A.surface, X_WA, *B.surface, X_WB, margin, out);
  }
}

void NarrowPhase::CollideConvex(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                const Pose& X_WB, double margin, Manifold* out) {
  const size_t first = out->size();
  const auto status = convex_.Collide(*A.convex, X_WA, *B.convex, X_WB, margin, out);
  if (status != ConvexCollider::Status::kInexact) return;
  ++inexact_count_;
  // The first stage knows no curvature; the sharpest there is stands for it.
  if (!AlwaysHasRadius(A.shape, B.shape)) return;
  for (size_t i = first; i < out->size(); ++i) {
    (*out)[i].radius = 1 / (1 / LeastRadius(*A.convex) + 1 / LeastRadius(*B.convex));
  }
}

}  // namespace voigt
