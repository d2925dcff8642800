#pragma once

#include "voigt/collision/manifold.h"
#include "voigt/model/geometry.h"

namespace voigt {

// From capsule A to box B: the point where the capsule's axis (the segment that it is drawn around)
// is nearest to the box, feature 0.
//
// Along a face or an edge of the box, the capsule touches at both ends of the stretch of its axis
// that is beside it, features 1 and 2 in the direction of A's z. Each of them is what a sphere
// there would meet. The nearest point is left out then unless it is nearer than both.
//
// An axis that cuts through the box is pushed out the shortest way: through a face, or across an
// edge.
//
// Radius: that of the capsule on a face, as for half-spaces; infinite on edges and corners.
void CollideCapsuleBox(const Capsule& A, const Pose& X_WA, const Box& B, const Pose& X_WB,
                       double margin, Manifold* out);

}  // namespace voigt
