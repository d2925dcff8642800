#pragma once

#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/model/state.h"

namespace voigt {

// The classical Runge–Kutta method of order 4 for trees without constraints. The work of loads,
// dampers and drives is integrated along with the state.
class RungeKutta4 {
 public:
  explicit RungeKutta4(const Model& model);

  // Advances the state by h; returns the work done on it.
  double Step(double h, State* state);

 private:
  struct Rates {
    VecX q_dot, v_dot;
    double power = 0;
  };
  void CalcRates(double t, const VecX& q, const VecX& v, Rates* rates);

  EquationsOfMotion equations_;
  Rates k1_, k2_, k3_, k4_;
  VecX q_, v_;
};

}  // namespace voigt
