#pragma once

#include "voigt/sim/simulator.h"

namespace voigt {

// The books of a run, closed: E_end − E_start = Σ lines + integrator.
struct EnergyBalance {
  EnergyLines lines = {};           // Simulator::CalcEnergyLines; zero for other integrators
  double integrator = 0;            // J, what steps of finite length made or lost
  UnexplainedEnergy beyond_laws;    // Simulator::unexplained
  double integrator_gain = 0;       // J, the most that the integrator had made at any moment
  double t_integrator_gain = kNaN;  // s, when that grew most
  double scale = 0;  // J, the energy in play: the largest kinetic energy and the lines

  double unexplained() const { return beyond_laws.sum + integrator_gain; }
  bool IsExplained(double share) const { return unexplained() <= share * scale; }
};

// Follows a run, a thousand looks or so.
//
// A semi-implicit Euler step takes forces f at its start, where their potential is known at its
// end. For constant f the error of the energy is a function of the state, ½ h f · (v₀ − v): it
// grows in free fall, and a body that comes to rest gives it back. So it is left out of the
// integrator's gain, with gravity for f. Trees that are free have no such error (free_trees.h).
class EnergyBalanceWatch {
 public:
  explicit EnergyBalanceWatch(Simulator* simulator);

  void Look(Simulator* simulator);
  // After a last look.
  EnergyBalance Close(Simulator* simulator);

  double peak_kinetic() const { return peak_kinetic_; }

 private:
  double CalcEulerError(Simulator* simulator) const;
  static double CalcHeldEnergy(const Simulator& simulator);

  Energy start_;
  double work_at_start_ = 0, peak_kinetic_ = 0;
  EnergyLines lines_at_start_;
  UnexplainedEnergy unexplained_at_start_;
  double euler_at_start_ = 0;
  double last_ = 0, largest_rise_ = 0;
  double largest_together_ = 0;  // J, brought in by the integrator and by what only holds
  EnergyBalance balance_;
};

}  // namespace voigt
