#pragma once

#include "voigt/collision/half_space.h"
#include "voigt/collision/manifold.h"
#include "voigt/collision/polytope.h"

namespace voigt {

// From a half-space to the vertices of a hull that are within `margin`; features are the vertices.
void CollideHalfSpaceHull(const Plane& plane, const Polytope& hull, const Pose& X_WB, double margin,
                          Manifold* out);

}  // namespace voigt
