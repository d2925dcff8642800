#pragma once

#include <memory>

#include "voigt/math/pose.h"
#include "voigt/model/geometry.h"

namespace voigt::testing {

// What FCL says of two shapes of which one, at least, is a triangle mesh. To FCL a mesh is its
// triangles, without an inside.
class FclShape {
 public:
  // A mesh, a height field (its surface), a sphere, capsule, box, cylinder, ellipsoid, or hull.
  explicit FclShape(const Shape& shape);
  ~FclShape();

  // Whether they have a point in common.
  static bool Touch(const FclShape& A, const Pose& X_WA, const FclShape& B, const Pose& X_WB);

  // The distance of shapes that do not touch.
  static double CalcDistance(const FclShape& A, const Pose& X_WA, const FclShape& B,
                             const Pose& X_WB);

 private:
  struct Geometry;
  std::unique_ptr<Geometry> geometry_;
};

}  // namespace voigt::testing
