#pragma once

#include "voigt/model/model.h"

namespace voigt {

// The springs of the tree joints: potential ½ Σ k e², with e the deflection of joint_motion.h.
double CalcSpringEnergy(const Model& model, const VecX& q);

// tau += the springs' joint forces, the negative gradient of the potential.
void AddSpringForces(const Model& model, const VecX& q, VecX* tau);

}  // namespace voigt
