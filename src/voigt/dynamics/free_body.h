#pragma once

#include "voigt/dynamics/kinematics.h"

// Bodies that are trees of their own on a free joint (Tree::is_free_body): most of what piles,
// stacks and drops consist of. What takes the tree algorithms several passes is known in closed
// form for them: with rates [v; ω], v along the axes of the inboard frame F and ω along those of
// the link L, and the link's inertia (m, h, I) in its own axes,
//
//   M = [ m 1, Aᵀ; A, I ],   A = [h]× R_FLᵀ,
//
// and flight without forces leaves nothing for a joint to pull together.
namespace voigt {

// All of kin that depends on q.
void UpdateFreePosition(const Tree& tree, const VecX& q, int body, Kinematics* kin);

// Row by row into the body's part of the packed mass matrix.
void WriteFreeMass(const Tree& tree, const Kinematics& kin, int body, double* M);

// kin->V and kin->c of the body.
void UpdateFreeVelocity(const Tree& tree, const VecX& v, int body, Kinematics* kin);

// The force [torque; force] at the link's origin that the body needs to go on with the rates that
// it has: [ω × I ω; ω × (ω × h)].
Vec6 CalcFreeBias(const Kinematics& kin, int body);

// The rates at which the centre of mass has the velocity v_com (world axes) and the body the spin
// omega (principal axes).
void SetFreeRates(const Tree& tree, const Kinematics& kin, int body, const Vec3& v_com,
                  const Vec3& omega, VecX* v);

}  // namespace voigt
