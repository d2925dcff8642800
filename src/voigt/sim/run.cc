#include "voigt/sim/run.h"

#include <algorithm>

#include "voigt/base/stopwatch.h"
#include "voigt/sim/step_plan.h"

namespace voigt {

bool RunSummary::IsAccurate(const SimulationSettings& settings) const {
  return balance.IsExplained(settings.max_unexplained) &&
         static_cast<double>(solver.inaccurate) <=
             settings.max_unsolved * static_cast<double>(steps);
}

RunSummary Run(Simulator* simulator, Recorder* recorder,
               const std::function<void(double)>& progress, const std::function<bool()>& stop) {
  const SimulationSettings& settings = simulator->settings();
  const double t_start = simulator->state().t;
  const double duration = std::max(settings.until - t_start, 0.0);
  const long steps_before = simulator->steps();
  const double work_before = simulator->work();
  const double constraint_work_before = simulator->constraint_work();
  const long spin_failures_before = simulator->spin_failures();
  const long inexact_before = simulator->inexact_contacts();
  RunSummary summary;
  summary.start = simulator->CalcEnergy();
  EnergyBalanceWatch balance(simulator);
  if (recorder != nullptr) recorder->Offer(simulator);

  const StepPlan plan(t_start, settings.until, settings.step);
  const Stopwatch stopwatch;
  simulator->SetStop(stop);
  double t_look = t_start;
  for (double k = 0; k < plan.whole || (k == plan.whole && plan.last > 0); ++k) {
    summary.stopped = stop && stop();
    if (summary.stopped) break;
    const StepStatus status = simulator->Step(k < plan.whole ? settings.step : plan.last);
    summary.stopped = status == StepStatus::kStopped;
    if (status != StepStatus::kOk) break;
    for (const Transition& transition : simulator->last_transitions()) {
      ++summary.transition_count;
      if (summary.transitions.size() < RunSummary::kMostTransitions) {
        summary.transitions.push_back(transition);
      }
    }
    for (const Event& event : simulator->last_events()) {
      const bool is_shown = summary.locks.size() < RunSummary::kMostLocks;
      if (event.kind == EventKind::kLock && is_shown) summary.locks.push_back(event);
    }
    if (recorder != nullptr) recorder->Offer(simulator);
    if (progress) progress(simulator->state().t);

    // A thousand looks at the energy are enough for its peak, and cost little.
    if (simulator->state().t - t_look < 1e-3 * duration) continue;
    t_look = simulator->state().t;
    balance.Look(simulator);
  }
  simulator->SetStop(nullptr);
  if (recorder != nullptr) recorder->Keep(simulator);

  summary.wall_time = stopwatch.Seconds();
  summary.status = simulator->status();
  summary.trouble = simulator->trouble();
  summary.steps = simulator->steps() - steps_before;
  summary.simulated_time = simulator->state().t - t_start;
  summary.end = simulator->CalcEnergy();
  if (summary.steps > 0) balance.Look(simulator);
  summary.balance = balance.Close(simulator);
  summary.peak_kinetic = balance.peak_kinetic();
  summary.work = simulator->work() - work_before;
  summary.constraint_work = simulator->constraint_work() - constraint_work_before;
  summary.solver = simulator->solver();
  summary.audit = simulator->audit();
  summary.moments = simulator->moments();
  summary.events = simulator->events();
  summary.contacts = simulator->contacts();
  summary.impacts = simulator->impacts();
  summary.cones = simulator->cones();
  simulator->ListGuides(&summary.guides);
  summary.prescribed_force = simulator->prescribed_force();
  simulator->CalcForces(&summary.forces);
  std::vector<ContactReport> contacts;
  simulator->ListContacts(&contacts);
  summary.contact_sums = SumContacts(simulator->model(), contacts);
  summary.spin_failures = simulator->spin_failures() - spin_failures_before;
  summary.inexact_contacts = simulator->inexact_contacts() - inexact_before;
  return summary;
}

}  // namespace voigt
