#pragma once

#include "voigt/collision/convex_shape.h"
#include "voigt/collision/half_space.h"
#include "voigt/collision/manifold.h"

namespace voigt {

// From a half-space to the vertices of a hull (or box) that are within `margin`; features are the
// vertices.
void CollideHalfSpaceHull(const Plane& plane, const ConvexShape& hull, const Pose& X_WB,
                          double margin, Manifold* out);

}  // namespace voigt
