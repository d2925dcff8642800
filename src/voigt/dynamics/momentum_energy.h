#pragma once

#include "voigt/dynamics/kinematics.h"

namespace voigt {

Vec3 CalcCenterOfMass(const Model& model, const Kinematics& kin);

// [L; p]: angular momentum about the point p_W and linear momentum, world axes. Armature, which
// belongs to no body, is not counted.
Vec6 CalcMomentum(const Model& model, const Kinematics& kin, const Vec3& p_W);

// ½ vᵀ M v, armature included.
double CalcKineticEnergy(const Model& model, const Kinematics& kin, const VecX& v);

// Of gravity: zero with every centre of mass at the world's origin.
double CalcGravityEnergy(const Model& model, const Kinematics& kin);

}  // namespace voigt
