#pragma once

#include "voigt/model/model.h"

namespace voigt {

// q ← q ⊕ h v on the manifold of configurations: quaternions move along the exponential map and
// stay of unit length.
void IntegratePositions(const Model& model, const VecX& v, double h, VecX* q);

// q̇ = N(q) v.
void CalcPositionRates(const Model& model, const VecX& q, const VecX& v, VecX* q_dot);

// Rescales all quaternions to unit length.
void NormalizePositions(const Model& model, VecX* q);

}  // namespace voigt
