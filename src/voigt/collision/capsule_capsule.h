#pragma once

#include "voigt/collision/manifold.h"
#include "voigt/model/geometry.h"

namespace voigt {

// From capsule A to capsule B: the point where the two axes (the segments that the capsules are
// drawn around) are nearest, feature 0.
//
// Axes within about 6° of parallel that run side by side touch at both ends of the stretch they
// share, features 1 and 2 in the direction of A's z: each is an end of one axis and the nearest
// point of the other. The nearest point is left out there unless it is nearer than both, where the
// axes cross.
//
// Axes that meet are pushed apart along their common normal; axes that coincide, along A's x.
//
// Radius: 1/√((κ₁ + κ₁')(κ₂ + κ₂')) as for spheres (sphere_solids.h), with the half-sphere where an
// end touches; √(r_A r_B)/sin θ where two sides cross at angle θ, which grows no further below 6°.
void CollideCapsuleCapsule(const Capsule& A, const Pose& X_WA, const Capsule& B, const Pose& X_WB,
                           double margin, Manifold* out);

}  // namespace voigt
