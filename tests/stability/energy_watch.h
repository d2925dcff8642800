#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>

#include "tests/support/scenes.h"
#include "voigt/sim/energy_balance.h"
#include "voigt/sim/step_plan.h"

namespace voigt::testing {

// How far a run rises above the energy that it started with, where nothing brings energy in but
// shapes that overlap: what soft ones held at the start, and what letting them out takes. Springs
// of contacts count. Bodies that something holds have the rates of half a step before: their energy
// may be off by what gravity does in that time, and what is less than that is no gain.
struct EnergyWatch {
  StepStatus status = StepStatus::kOk;
  double gain = 0;     // J, the most that the energy was above that of the start
  double scale = 0;    // J, what is in play: the largest kinetic energy and the range of the rest
  double seconds = 0;  // of the processor: other programs of the machine do not count
  long steps = 0, not_solved = 0;
  double unexplained = 0;  // as the books of the run have it, in parts of their energy in play

  double part() const { return gain > 0 ? gain / scale : 0; }
};

// ½ h g · p of all that is not free (sim/free_trees.h), J.
inline double CalcLag(Simulator* simulator) {
  const Kinematics& kin = simulator->CalcKinematics();
  const Model& model = simulator->model();
  const std::vector<char>& synchronous = simulator->state().synchronous;
  double lag = 0;
  for (int b = 1; b < model.nb(); ++b) {
    const bool is_free = !synchronous.empty() && synchronous[model.tree().root[b]] != 0;
    if (!is_free) lag += model.gravity().dot((kin.I[b] * kin.V[b]).tail<3>());
  }
  return 0.5 * simulator->settings().step * lag;
}

inline EnergyWatch WatchEnergy(const Scene& scene) {
  const std::clock_t start = std::clock();
  Simulator simulator = MakeSimulator(scene);
  EnergyWatch watch;
  EnergyBalanceWatch books(&simulator);
  const double E0 = simulator.CalcEnergy().Total() + std::max(0.0, CalcLag(&simulator));
  double kinetic = 0, lowest = kInfinity, highest = -kInfinity;
  const StepPlan plan(simulator.state().t, scene.settings.until, scene.settings.step);
  while (simulator.steps() < plan.whole && watch.status == StepStatus::kOk) {
    watch.status = simulator.Step();
    const Energy energy = simulator.CalcEnergy();
    const double potential = energy.gravity + energy.spring;
    kinetic = std::max(kinetic, energy.kinetic);
    lowest = std::min(lowest, potential);
    highest = std::max(highest, potential);
    const EnergyLines lines = simulator.CalcEnergyLines();
    const double let_out = lines[static_cast<size_t>(EnergyLine::kOverlap)] +
                           lines[static_cast<size_t>(EnergyLine::kRecovery)];
    const double gain = energy.Total() + std::min(0.0, CalcLag(&simulator)) - E0 - let_out;
    if (!(gain <= watch.gain)) watch.gain = gain;
    books.Look(&simulator);
  }
  const EnergyBalance balance = books.Close(&simulator);
  watch.unexplained = balance.unexplained() / balance.scale;
  if (simulator.steps() > 0) watch.scale = kinetic + highest - lowest;
  watch.steps = simulator.steps();
  watch.not_solved = simulator.solver().not_solved;
  watch.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return watch;
}

}  // namespace voigt::testing
