#pragma once

#include <memory>
#include <optional>

#include "voigt/math/pose.h"
#include "voigt/model/geometry.h"

namespace voigt::testing {

// What FCL says of two shapes of which one, at least, is a triangle mesh. To FCL a mesh is its
// triangles, without an inside.
class FclShape {
 public:
  // A mesh, a height field (its surface), a sphere, capsule, box, cylinder, ellipsoid, hull, or
  // half-space.
  explicit FclShape(const Shape& shape);
  ~FclShape();

  // Whether they have a point in common.
  static bool Touch(const FclShape& A, const Pose& X_WA, const FclShape& B, const Pose& X_WB);

  // The distance of shapes that do not touch.
  static double CalcDistance(const FclShape& A, const Pose& X_WA, const FclShape& B,
                             const Pose& X_WB);

  // The deepest point of a mesh in a half-space, and their normal towards the mesh; none if they
  // do not touch.
  struct Depth {
    double depth = 0;
    Vec3 n_W = Vec3::Zero();
  };
  static std::optional<Depth> FindDepth(const FclShape& half_space, const Pose& X_WA,
                                        const FclShape& mesh, const Pose& X_WB);

 private:
  struct Geometry;
  std::unique_ptr<Geometry> geometry_;
};

}  // namespace voigt::testing
