#include "reproduce/event_log.h"

#include <fmt/format.h>

#include <stdexcept>

namespace voigt::reproduce {

std::vector<double> EventLog::TimesOf(EventKind kind) const {
  std::vector<double> out;
  for (const Event& event : events) {
    if (event.kind == kind) out.push_back(event.t);
  }
  return out;
}

EventLog RunByEvents(const Trial& trial, const Scene& scene,
                     const std::function<void(const State&)>& after) {
  Simulator simulator = MakeSimulator(scene);
  EventLog out;
  trial.Step(&simulator, scene.settings.step, scene.settings.until, [&] {
    for (const Event& event : simulator.last_events()) out.events.push_back(event);
    for (const Transition& t : simulator.last_transitions()) out.transitions.push_back(t);
    if (after) after(simulator.state());
  });
  out.end = simulator.state();
  out.prescribed_force = simulator.prescribed_force();
  return out;
}

State AdvanceTo(const Scene& scene, double t) {
  Simulator simulator = MakeSimulator(scene);
  if (simulator.Step(t) != StepStatus::kOk) {
    throw std::runtime_error(
        fmt::format("{} failed: {}", scene.model.name(), Explain(simulator.status())));
  }
  return simulator.state();
}

}  // namespace voigt::reproduce
