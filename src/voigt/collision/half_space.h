#pragma once

#include "voigt/collision/contact.h"
#include "voigt/math/pose.h"

namespace voigt {

// The face of a half-space in the world: a point of it and its normal, which points outwards.
struct Plane {
  Vec3 p_W = Vec3::Zero();
  Vec3 n_W = Vec3::UnitZ();
};

// Products of rotations are orthonormal to a few units in the last place; the normal is made so to
// the last.
inline Plane MakePlane(const Pose& X_WG) { return {X_WG.p, X_WG.R.col(2).normalized()}; }

}  // namespace voigt
