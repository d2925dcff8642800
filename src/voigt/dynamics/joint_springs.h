#pragma once

#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// The springs of the tree joints: potential ½ Σ k e², with e(q) the deflection of joint_motion.h
// and ė = A(q) v.
double CalcSpringEnergy(const Model& model, const VecX& q);

// tau −= Aᵀ K e: the negative gradient of the potential.
void AddSpringForces(const Model& model, const VecX& q, VecX* tau);

// Springs at the end of a step h, where the deflection is e + h A v₁ to first order: their force is
// −Aᵀ K (e + h A v₀) − h Aᵀ K A (v₁ − v₀). Adds the first part to tau and h² Aᵀ K A, which is
// positive semidefinite whatever the joint's type, to the packed matrix M.
void AddImplicitSprings(const Model& model, const VecX& q, const VecX& v0, double h, VecX* tau,
                        VecX* M);

// What the springs have gained in a step from q₀ to q₁ beyond the work that their forces,
// −Aᵀ K (e₀ + h A v₁), have done at the rates v, added to (*energy)[root] of the tree that each one
// is in, J.
void AddSpringSurplus(const Model& model, const VecX& q0, const VecX& q1, const VecX& v1,
                      const VecX& v, double h, std::vector<double>* energy);

}  // namespace voigt
