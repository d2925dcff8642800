#include "voigt/sim/run.h"

#include <algorithm>

#include "voigt/base/stopwatch.h"

namespace voigt {

RunSummary Run(Simulator* simulator, Recorder* recorder,
               const std::function<void(double)>& progress) {
  const SimulationSettings& settings = simulator->settings();
  const double t_start = simulator->state().t;
  RunSummary summary;
  summary.start = simulator->CalcEnergy();
  recorder->Offer(simulator);

  // Half a step of slack: the times of the steps carry rounding errors.
  const Stopwatch stopwatch;
  while (simulator->state().t < settings.until - 0.5 * settings.step) {
    if (simulator->Step() != StepStatus::kOk) break;
    recorder->Offer(simulator);
    if (progress) progress(simulator->state().t);
  }
  recorder->Keep(simulator);

  summary.wall_time = stopwatch.Seconds();
  summary.status = simulator->status();
  summary.steps = simulator->steps();
  summary.simulated_time = simulator->state().t - t_start;
  summary.end = simulator->CalcEnergy();
  summary.work = simulator->work();
  summary.spin_failures = simulator->spin_failures();
  for (const Sample& sample : recorder->samples()) {
    summary.peak_kinetic = std::max(summary.peak_kinetic, sample.energy.kinetic);
  }
  return summary;
}

}  // namespace voigt
