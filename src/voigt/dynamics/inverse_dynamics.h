#pragma once

#include "voigt/dynamics/kinematics.h"

namespace voigt {

// Arrays that the recursive Newton–Euler algorithm fills on its way, per body.
struct NewtonEulerScratch {
  NewtonEulerScratch() = default;
  explicit NewtonEulerScratch(const Model& model)
      : A(model.nb(), Vec6::Zero()), F(model.nb(), Vec6::Zero()) {}

  std::vector<Vec6> A;  // spatial acceleration, gravity included as -g of the world
  std::vector<Vec6> F;  // what the joint transmits to the link, at the link's origin
};

// Inverse dynamics: the joint forces τ that produce v̇ under gravity and external forces,
//   τ = M v̇ + c(q, v) − Jᵀ F_ext,
// by the recursive Newton–Euler algorithm [Featherstone 2008, §5.3].
//   v_dot   nullptr for v̇ = 0
//   F_ext   nullptr for none; per body a force [torque; force] at the link's origin
// Armature counts as inertia of the rates.
void CalcInverseDynamics(const Model& model, const Kinematics& kin, const VecX* v_dot,
                         const std::vector<Vec6>* F_ext, NewtonEulerScratch* scratch, VecX* tau);

// The bias c(q, v) = −(Coriolis, centrifugal, gyroscopic and gravity forces): inverse dynamics for
// v̇ = 0.
inline void CalcBias(const Model& model, const Kinematics& kin, NewtonEulerScratch* scratch,
                     VecX* bias) {
  CalcInverseDynamics(model, kin, nullptr, nullptr, scratch, bias);
}

// The part of the bias that comes from motion alone: Coriolis, centrifugal and gyroscopic terms.
void CalcInertialBias(const Model& model, const Kinematics& kin, NewtonEulerScratch* scratch,
                      VecX* tau);

}  // namespace voigt
