#pragma once

#include <cmath>

namespace voigt {

// Dry friction that comes from what a joint or a constraint transmits [Sherman]: up to μ N along
// the surface that slides, with N the size of the reaction across it.
//
// What is at rest holds up to μ_s N. What slides with the speed v has
// μ(v) = μ_k + (μ_s − μ_k) exp(−(v/v_d)²), smooth for integrators of high order.
struct ReactionFriction {
  double mu_kinetic = 0;  // μ_k
  double mu_static = 0;   // μ_s ≥ μ_k
  double drop_speed = 0;  // v_d, m/s; 0: at once
  double radius = 0;      // m, of a bearing: of joints that turn

  bool is_present() const { return mu_static > 0; }

  double CalcSliding(double speed) const {
    if (mu_static == mu_kinetic || drop_speed == 0) return mu_kinetic;
    const double ratio = speed / drop_speed;
    return mu_kinetic + (mu_static - mu_kinetic) * std::exp(-ratio * ratio);
  }
};

}  // namespace voigt
