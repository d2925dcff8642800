#pragma once

#include "voigt/dynamics/kinematics.h"

namespace voigt {

// The articulated-body recursion [Featherstone 2008, §7.3]: what force is needed at a link to give
// it the acceleration A when everything outside it is free to respond, F = I_A A + p_A.
//
// Degrees of freedom are eliminated one by one, the outermost first, also within a joint, so no
// small matrices are inverted. For dof k, with I_A and p_A as they stand when its turn comes:
//   U = I_A S,   D = Sᵀ U + armature,   u = τ − Sᵀ p_A,   v̇ = (u − Uᵀ A′) / D,
// where A′ is the link's acceleration without dof k and those after it.
struct ArticulatedBody {
  explicit ArticulatedBody(const Model& model);

  // From UpdateArticulatedInertia: per dof, and per body what its joint passes inwards.
  std::vector<Vec6> U;
  VecX D;
  std::vector<Mat6> I_A;

  // Scratch, per body and per dof.
  std::vector<Vec6> p_A, A;
  VecX u;
};

// Which degrees of freedom move as prescribed: one flag per dof, or nullptr for none.
using PrescribedDofs = const std::vector<char>*;

// The part that depends on q alone: U and D. A prescribed dof is not free to respond, so it leaves
// I_A as it is.
void UpdateArticulatedInertia(const Model& model, const Kinematics& kin, PrescribedDofs prescribed,
                              ArticulatedBody* body);

// Forward dynamics: v̇ for joint forces τ and external forces F_ext (per body at its link's origin,
// nullptr for none), gravity included. Needs UpdateArticulatedInertia with prescribed = nullptr.
void CalcForwardDynamics(const Model& model, const Kinematics& kin, const VecX& tau,
                         const std::vector<Vec6>* F_ext, ArticulatedBody* body, VecX* v_dot);

// Hybrid dynamics [Jain & Rodriguez 1993; Featherstone 2008, §9.2]: where a dof is prescribed, v̇ is
// given and τ comes out; elsewhere τ is given and v̇ comes out. Both vectors are completed in place.
// Needs UpdateArticulatedInertia with the same flags.
void CalcHybridDynamics(const Model& model, const Kinematics& kin,
                        const std::vector<char>& prescribed, const std::vector<Vec6>* F_ext,
                        ArticulatedBody* body, VecX* tau, VecX* v_dot);

}  // namespace voigt
