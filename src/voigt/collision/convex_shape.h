#pragma once

#include <optional>
#include <string>

#include "voigt/collision/polytope.h"
#include "voigt/math/pose.h"

namespace voigt {

// A convex shape as the general solver sees it: a core, and a radius by which the core is inflated.
// Spheres and capsules have a point and a segment as core, boxes and hulls themselves; cylinders
// and ellipsoids are cores of their own kind. Made once from a shape of the model.
struct ConvexShape {
  enum class Kind { kPolytope, kCylinder, kEllipsoid };

  Kind kind = Kind::kPolytope;
  Vec3 center = Vec3::Zero();  // of a hull in its frame; the rest is about it
  Polytope polytope;
  double rounding = 0;                 // m, added to a polytope
  double radius = 0, half_length = 0;  // of a cylinder along z
  Vec3 radii = Vec3::Zero();           // of an ellipsoid
  double reach = 0;                    // radius of a ball about the centre that holds the shape

  // The pose of the frame with its origin in the centre: however far a hull is from the origin of
  // its own frame, no digits are lost.
  Pose Place(const Pose& X_WG) const { return {X_WG.R, X_WG * center}; }
  // The point of the core farthest along a direction d ≠ 0 of any length. *id, before the call any
  // earlier result or 0, is then the vertex of a polytope, 0 for others.
  Vec3 FindSupport(const Vec3& d, int* id) const;
  // How far x is outside of the core, a lower bound of its distance; negative inside. For cylinders
  // and polytopes with volume.
  double CalcOutsideness(const Vec3& x) const;
};

// Nothing, with the reason in *defect, for shapes that are not convex and bounded, or not valid.
std::optional<ConvexShape> MakeConvexShape(const Shape& shape, std::string* defect);

// A point a of one core, b of another, and their difference w = a - b: a point of the Minkowski
// difference. All in the frame of the first.
struct MinkowskiPoint {
  Vec3 w = Vec3::Zero(), a = Vec3::Zero(), b = Vec3::Zero();
  int id_a = 0, id_b = 0;
};

// Two shapes with B placed in A's frame, origins in their centres: lengths stay those of the shapes
// however far from the world's origin they are.
struct ConvexPair {
  const ConvexShape* A = nullptr;
  const ConvexShape* B = nullptr;
  Pose X_WA, X_AB;
  double size = 0;        // of the larger shape, for tolerances
  double small_size = 0;  // of the smaller one

  ConvexPair(const ConvexShape& shape_A, const Pose& pose_A, const ConvexShape& shape_B,
             const Pose& pose_B);

  double rounding() const { return A->rounding + B->rounding; }
  // The point of A - B farthest along n; ids of `hint` as starts.
  MinkowskiPoint FindSupport(const Vec3& n, const MinkowskiPoint& hint = {}) const;
  // The gap of the cores along a unit vector n: min n·B - max n·A.
  double CalcGap(const Vec3& n) const;
};

}  // namespace voigt
