#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// A run by the integrator event-driven: what happened when.
struct EventLog {
  std::vector<Event> events;
  std::vector<Transition> transitions;
  State end;
  VecX prescribed_force;

  std::vector<double> TimesOf(EventKind kind) const;
};

// Steps of the scene; after(state), if given, is called after each.
EventLog RunByEvents(const Trial& trial, const Scene& scene,
                     const std::function<void(const State&)>& after = nullptr);

// The state of a scene at one time, reached in one step: as exact as the integrator.
State AdvanceTo(const Scene& scene, double t);

}  // namespace voigt::reproduce
