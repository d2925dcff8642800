#pragma once

#include "voigt/dynamics/mass_matrix.h"

namespace voigt {

// tau += the joint forces of gravity. The weight of all that hangs on a joint acts at its common
// centre of mass, so the composite inertias of the mass matrix tell everything.
void AddGravityForces(const Model& model, const Kinematics& kin, const CompositeInertia& composite,
                      VecX* tau);

}  // namespace voigt
