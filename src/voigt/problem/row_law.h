#pragma once

#include "voigt/problem/velocity_problem.h"

// How stiffness and damping of a constraint become R, v̂ and ∂v̂/∂φ of a row in a step of length h.
namespace voigt {

// Stiffness and damping of a constraint; rigid unless somebody says otherwise.
struct Compliance {
  double stiffness = kInfinity;  // K: N/m, N m/rad
  double damping = 0;            // B: N s/m, N m s/rad

  bool is_rigid() const { return stiffness == kInfinity; }
  bool is_absent() const { return stiffness == 0 && damping == 0; }
};

// A spring and damper taken at the end of the step. Rigid rows come from K = ∞: R = 0, v̂ = −φ/h.
// K = 0 < B is a damper: R = 1/(hB), v̂ = 0. A row without K and B has no meaning: drop it.
void SetSpring(const Compliance& compliance, double h, Row* row);

// The same for a row that only pushes: before touch (φ > 0) damping does not act, v̂ = −φ/h; a rigid
// row that is violated recovers at no more than `recovery_speed`.
void SetUnilateralSpring(const Compliance& compliance, double h, double recovery_speed, Row* row,
                         double stabilization = 1);

// A rigid row restores the part s of its gap in one step, v̂ = −s φ/h: it keeps τ = h (1/s − 1) as
// the time of stabilisation [Anitescu, Miller & Hart 2003, eq. 2.8].
void SetStabilization(double s, double h, Row* row);

// The same for many rows alike: what they share is worked out once.
class UnilateralSpring {
 public:
  UnilateralSpring() = default;
  // `stabilization`: of a rigid row that is violated, which part of φ < 0 one step restores, 0 … 1.
  UnilateralSpring(const Compliance& compliance, double h, double recovery_speed,
                   double stabilization = 1);

  // By the gap of the row.
  void Set(Row* row) const {
    row->c = c_;
    row->tau = tau_;
    row->R = R_;
    if (row->phi > 0) {
      row->v_hat = slope_apart_ * row->phi;
      row->v_hat_slope = slope_apart_;
    } else if (is_rigid_ && -row->phi > (h_ + tau_) * recovery_speed_) {
      row->tau = -row->phi / recovery_speed_ - h_;
      row->v_hat = recovery_speed_;
      row->v_hat_slope = 0;
    } else {
      row->v_hat = slope_ * row->phi;
      row->v_hat_slope = slope_;
    }
  }

 private:
  double c_ = 0, tau_ = 0, R_ = 0, slope_ = 0;  // of a row in touch
  double h_ = 0, slope_apart_ = 0, recovery_speed_ = 0;
  bool is_rigid_ = true;
};

// A row about velocity alone, with damping B (∞: rigid): u = G v₁ + φ_t + γ/(hB) − target.
void SetVelocityRow(double target, double damping, double h, Row* row);

}  // namespace voigt
