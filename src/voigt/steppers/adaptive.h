#pragma once

#include <memory>

#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/model/state.h"

namespace voigt {

// A reference integrator for trees without constraints: Runge–Kutta–Fehlberg 7(8) with error
// control (Boost.Odeint). It is as exact as double precision allows on smooth motion, and slow;
// other integrators are measured against it.
class AdaptiveIntegrator {
 public:
  struct Settings {
    double absolute_tolerance = 1e-13;
    double relative_tolerance = 1e-13;
  };

  explicit AdaptiveIntegrator(const Model& model) : AdaptiveIntegrator(model, Settings()) {}
  AdaptiveIntegrator(const Model& model, const Settings& settings);
  AdaptiveIntegrator(AdaptiveIntegrator&&) noexcept;
  ~AdaptiveIntegrator();

  // Advances the state to t_end exactly. Returns false where the error control cannot meet its
  // tolerance (the motion is singular or not finite); the state is then the last good one. Nothing
  // but the state decides the result: each call chooses its steps anew.
  bool AdvanceTo(double t_end, State* state);

  // The work of loads, dampers and drives since construction.
  double work() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace voigt
