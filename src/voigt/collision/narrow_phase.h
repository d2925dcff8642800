#pragma once

#include "voigt/collision/collision_shape.h"
#include "voigt/collision/convex_convex.h"
#include "voigt/collision/layer_solid.h"
#include "voigt/collision/manifold.h"
#include "voigt/collision/mesh_convex.h"
#include "voigt/collision/mesh_mesh.h"
#include "voigt/collision/mesh_sphere.h"

namespace voigt {

// How contact of two kinds of shapes is found: the file that does it, by kind.
enum class PairKind {
  kNever,            // they do not touch by nature: points with a sphere, half-spaces
  kPointsHalfSpace,  // points_half_space.h: points or a foundation
  kClosedForm,       // one of the files for pairs of primitives
  kConvex,           // convex_convex.h
  kSurface,          // the files for meshes and height fields
  kLayer,            // layer_solid.h: one of them has an elastic layer
  kUnsupported,      // no file finds their contacts
};

PairKind ClassifyPair(const Shape& a, const Shape& b);
// With their layers.
PairKind ClassifyPair(const Geometry& a, const Geometry& b);

// Whether every contact of the two shapes has a radius of curvature.
bool AlwaysHasRadius(const Shape& a, const Shape& b);

// The table of shape pairs: sends each to the file that knows it. Holds the memory in which they
// work.
class NarrowPhase {
 public:
  // Appends the points of two solids whose gap is at most `margin`, normals from A to B, whichever
  // order the file for the pair has. Pairs that are never or not supported have none. Where both
  // have an elastic layer, the elements are those of the finer one, of A's if they are equal.
  void Collide(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
               double margin, Manifold* out);

  // How many calls of the general solver since Reset() could vouch for the digits of its first
  // stage only.
  int inexact_count() const { return inexact_count_; }
  void Reset() { inexact_count_ = 0; }

 private:
  void CollideConvex(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                     const Pose& X_WB, double margin, Manifold* out);
  // A is a mesh or a height field.
  void CollideSurface(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                      const Pose& X_WB, double margin, Manifold* out);

  LayerCollider layer_;
  ConvexCollider convex_;
  MeshSphereCollider mesh_sphere_;
  MeshConvexCollider mesh_convex_;
  MeshMeshCollider mesh_mesh_;
  std::vector<int> near_;  // scratch
  int inexact_count_ = 0;
};

}  // namespace voigt
