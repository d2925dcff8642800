#pragma once

#include "voigt/dynamics/applied_loads.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/servo_forces.h"
#include "voigt/math/tree_factor.h"
#include "voigt/model/state.h"

namespace voigt {

// The free velocity v*: where one step of length h takes the rates when no constraint acts.
//
// Forces that could make the step unstable are taken at its end. For springs K with deflection
// e(q₀), dampers B and servos (K_s, B_s, target s(t₁), rate ṡ(t₁)), all diagonal,
//   M̂ (v* − v₀) = h [ τ − c(q₀, v₀) + g − K e − (hK + B) v₀
//                      + K_s (s − q₀) + B_s ṡ − (hK_s + B_s) v₀ ],
//   M̂ = M + h² (K + K_s) + h (B + B_s),
// with τ the loads, c the bias and g the implicit gyroscopic correction (gyroscopic.h). Any
// stiffness and damping is stable at any h.
class FreeVelocity {
 public:
  FreeVelocity() = default;
  explicit FreeVelocity(const Model& model);

  // Needs positions and velocities of `state` in kin. Returns false if M̂ is not positive definite
  // (a state or model that is not physical); v* is then NaN.
  bool Update(const Model& model, const Kinematics& kin, const State& state, double h);

  const VecX& v_star() const { return v_star_; }

  // M̂, packed, and its factor.
  const VecX& M() const { return M_; }
  const TreeFactor& factor() const { return factor_; }

  // The work that loads, dampers and servos do in the step, at the mean of v₀ and v₁.
  double CalcWork(const Model& model, const State& start, const VecX& v1, double h);

  // Joints whose spin was too fast for the implicit gyroscopic torque in the last Update.
  int gyroscopic_failures() const { return gyroscopic_failures_; }

 private:
  AppliedLoads loads_;
  ServoForces servos_;
  NewtonEulerScratch newton_euler_;
  CompositeInertia composite_;
  TreeFactor factor_;
  VecX M_, rhs_, bias_, v_star_, implicit_damping_;
  int gyroscopic_failures_ = 0;
};

}  // namespace voigt
