#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "voigt/io/scene.h"
#include "voigt/sim/run.h"

namespace voigt::testing {

// A run by the integrator event-driven, and all that happened in it.
struct EventRun {
  RunSummary summary;
  State end;
  std::vector<Event> events;

  std::vector<double> TimesOf(EventKind kind) const {
    std::vector<double> out;
    for (const Event& event : events) {
      if (event.kind == kind) out.push_back(event.t);
    }
    return out;
  }
};

// Of a scene that is run so, by the formulation `working`.
inline std::string EventSettings(double until, double step) {
  return fmt::format(
      "simulation: {{integrator: event-driven, formulation: working, until: {}, step: {}}}\n",
      until, step);
}

inline EventRun RunByEvents(const Scene& scene) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  EventRun out;
  out.summary = Run(&simulator, nullptr, [&](double) {
    for (const Event& event : simulator.last_events()) out.events.push_back(event);
  });
  out.end = simulator.state();
  EXPECT_EQ(out.summary.status, StepStatus::kOk) << Explain(out.summary.status);
  return out;
}

inline EventRun RunByEvents(const std::string& text) {
  return RunByEvents(ParseScene(text, "text"));
}

}  // namespace voigt::testing
