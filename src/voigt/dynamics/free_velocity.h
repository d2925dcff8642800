#pragma once

#include "voigt/dynamics/applied_loads.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/drive_forces.h"
#include "voigt/model/state.h"

namespace voigt {

// The work of forces that are no rows of constraints, J.
struct ForceWork {
  double loads = 0, servos = 0, actuators = 0, dampers = 0;
  double Total() const { return loads + servos + actuators + dampers; }
  ForceWork& operator+=(const ForceWork& other);
};

// The free velocity v*: where the forces of one step of length h take the rates at q₀ when no
// constraint acts. Inertia is not among these forces: MomentumTransport takes care of it once the
// bodies have moved.
//
// Forces that could make the step unstable are taken at its end. For springs K with deflection
// e(q₀) and ė = A v, dampers B and drives (K_s, B_s, offset o: for a servo with the target s(t₁)
// and the rate ṡ(t₁) it is K_s s + B_s ṡ),
//   M̂ (v* − v₀) = h [ τ + gravity − Aᵀ K (e + h A v₀) − B v₀ + o − K_s q₀ − (hK_s + B_s) v₀ ],
//   M̂ = M + h² (Aᵀ K A + K_s) + h (B + B_s),
// with τ the loads, a controller's included.
//
// Where State::synchronous says so, the last step has done a half of this kick already
// (CalcHalfKick), ½ M̂⁻¹ h (f − C v) from rates v of half a step before, with h C = M̂ − M. It is
// taken back, and the step starts from v = v₀ − w with (M + ½ h C) w = ½ h (f − C v₀); the whole
// kick is 2 w.
class FreeVelocity {
 public:
  explicit FreeVelocity(const Model& model);

  // `start` is up to date with state.q; actuators act with `drive` (actuation.h). Returns false if
  // M̂ is not positive definite; v* is then NaN.
  bool Update(const Model& model, const Configuration& start, const State& state, const VecX& drive,
              double h);

  const VecX& v_star() const { return v_star_; }
  // Of v₀, what the last step has made of a half of this kick; zero where it has not.
  const VecX& taken_back() const { return taken_back_; }

  // At the end of a step, at the time t with the coordinates q and rates v: the half of a kick of
  // the trees that `synchronous` marks at their roots. Returns the work of their loads and drives;
  // half_kick() is NaN where M̂ is not positive definite.
  ForceWork CalcHalfKick(const Model& model, const Configuration& end, const Inputs& inputs,
                         double t, double h, const std::vector<char>& synchronous, const VecX& q,
                         const VecX& v);
  const VecX& half_kick() const { return half_kick_; }

  // Those of the last Update.
  const AppliedLoads& loads() const { return loads_; }
  const DriveForces& drives() const { return drives_; }

  // M̂ (packed) and its factor, with the `start` of the last Update.
  const VecX& M(const Configuration& start) const { return is_implicit_ ? M_ : start.M(); }
  const TreeFactor& factor(const Configuration& start) const {
    return is_implicit_ ? factor_ : start.factor();
  }
  void Solve(const Model& model, const Configuration& start, VecX* x) const {
    factor(start).Solve(model.tree().pattern, *x);
  }

  // The work that loads, dampers and drives do in the step between the state's v₀ and v₁.
  ForceWork CalcWork(const Model& model, const VecX& q0, const VecX& v0, const VecX& v1, double h);

  // Forces of drives at the end of the step, per rate: q₁ = q₀ + h v₁ for the scalar coordinates
  // that they act on.
  void CalcDriveForces(const VecX& q0, const VecX& v1, double h, VecX* force) const;

 private:
  bool TakeBackHalf(const Model& model, const Configuration& start, const State& state, double h);
  bool AddImplicitForces(const Model& model, const Configuration& at, const VecX& q, const VecX& v,
                         double h, VecX* rhs, VecX* M, TreeFactor* factor);

  AppliedLoads loads_, loads_at_end_;
  DriveForces drives_;
  VecX M_, rhs_, v_star_, implicit_damping_;  // M_ is M̂, packed
  VecX taken_back_, time_back_;               // per rate: change of v₀, and ½ h or 0
  VecX way_, half_kick_, drive_force_;        // scratch
  VecX M_halves_;                             // of the halves of kicks, packed
  TreeFactor factor_, factor_of_halves_;
  bool is_implicit_ = false;  // any springs, dampers or feedback: M̂ differs from M
};

}  // namespace voigt
