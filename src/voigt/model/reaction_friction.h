#pragma once

#include <cmath>

namespace voigt {

// μ(v) = μ_k + (μ_s − μ_k) exp(−(v/v_d)²) of what slides with the speed v, smooth for integrators
// of high order; μ_k at once where v_d = 0. Of joints, guided points and contacts.
inline double CalcSlidingFriction(double mu_kinetic, double mu_static, double drop_speed,
                                  double speed) {
  if (mu_static == mu_kinetic || drop_speed == 0) return mu_kinetic;
  const double ratio = speed / drop_speed;
  return mu_kinetic + (mu_static - mu_kinetic) * std::exp(-ratio * ratio);
}

// Dry friction that comes from what a joint or a constraint transmits [Sherman]: up to μ N along
// the surface that slides, with N the size of the reaction across it.
//
// What is at rest holds up to μ_s N. What slides has μ(v) N.
struct ReactionFriction {
  double mu_kinetic = 0;  // μ_k
  double mu_static = 0;   // μ_s ≥ μ_k
  double drop_speed = 0;  // v_d, m/s; 0: at once
  double radius = 0;      // m, of a bearing: of joints that turn

  bool is_present() const { return mu_static > 0; }

  double CalcSliding(double speed) const {
    return CalcSlidingFriction(mu_kinetic, mu_static, drop_speed, speed);
  }
};

}  // namespace voigt
