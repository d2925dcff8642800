#pragma once

#include <functional>
#include <string>

#include "voigt/sim/energy_balance.h"
#include "voigt/sim/recorder.h"
#include "voigt/sim/simulator.h"

namespace voigt {

// What a run came to.
struct RunSummary {
  StepStatus status = StepStatus::kOk;
  std::string trouble;  // where it failed, if that is known: Simulator::trouble
  long steps = 0;
  double simulated_time = 0;  // s
  double wall_time = 0;       // s
  Energy start, end;
  double work = 0;             // of loads, dampers and drives
  double constraint_work = 0;  // of constraints and contacts
  double peak_kinetic = 0;     // the largest kinetic energy at a thousand moments of the run
  EnergyBalance balance;       // where the energy came from and went, looked at as often
  long spin_failures = 0;
  long inexact_contacts = 0;  // pairs of shapes, summed over steps
  SolverTotals solver;
  AuditTotals audit;
  AuditTotals moments;  // Simulator::moments
  EventTotals events;   // of the integrator event-driven
  // Changes of what friction does (Simulator::last_transitions): the first of them, and how many
  // there were in all.
  std::vector<Transition> transitions;
  long transition_count = 0;
  // The first impulses that resolved what friction had locked (EventKind::kLock); events has how
  // many there were.
  std::vector<Event> locks;
  static constexpr size_t kMostLocks = 20;
  static constexpr size_t kMostTransitions = 1000;
  ContactTotals contacts;
  ImpactTotals impacts;
  ConeTotals cones;
  std::vector<GuideReport> guides;  // at the end: Simulator::ListGuides
  VecX prescribed_force;            // at the end, per rate: Simulator::prescribed_force
  ForceReport forces;               // at the end: Simulator::CalcForces
  ContactSums contact_sums;         // at the end
  bool stopped = false;             // by `stop`, before the end

  double RealTimeFactor() const { return simulated_time / wall_time; }

  // Energy that no force explains: what the integrator made or lost.
  double Drift() const {
    const auto of_bodies = [](const Energy& energy) { return energy.Total() - energy.InRows(); };
    return of_bodies(end) - of_bodies(start) - work - constraint_work;
  }

  // Nothing came from nowhere, and nearly all steps were solved: what the settings allow.
  bool IsAccurate(const SimulationSettings& settings) const;
};

// Runs until settings().until, the last step shortened to end there, or until a step fails. The
// recorder, if any, gets the first, every due and the last state; progress(t), if given, is called
// after each step; stop(), if given, ends the run where it returns true, and is asked within long
// steps, too (Simulator::SetStop).
RunSummary Run(Simulator* simulator, Recorder* recorder,
               const std::function<void(double)>& progress = nullptr,
               const std::function<bool()>& stop = nullptr);

}  // namespace voigt
