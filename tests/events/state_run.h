#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/events/event_run.h"

namespace voigt::testing {

// A run, and all changes of the states of its friction elements.
struct StateRun {
  EventRun run;
  std::vector<Transition> changes;

  std::map<std::uint64_t, std::vector<Transition>> ByElement() const {
    std::map<std::uint64_t, std::vector<Transition>> out;
    for (const Transition& change : changes) out[change.id].push_back(change);
    return out;
  }
};

inline StateRun RunStates(const Scene& scene) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  StateRun out;
  out.run.summary = Run(&simulator, nullptr, [&](double) {
    for (const Event& event : simulator.last_events()) out.run.events.push_back(event);
    for (const Transition& change : simulator.last_transitions()) out.changes.push_back(change);
  });
  out.run.end = simulator.state();
  EXPECT_EQ(out.run.summary.status, StepStatus::kOk) << Explain(out.run.summary.status);
  return out;
}

inline StateRun RunStates(const std::string& text) { return RunStates(ParseScene(text, "text")); }

inline std::string StateSettings(double until, double step = 0.05) {
  return fmt::format(
      "simulation: {{integrator: event-driven, formulation: working, until: {:.17g}, step: "
      "{:.17g}}}\n",
      until, step);
}

inline void ExpectChange(const Transition& change, Stiction from, Stiction to, double t,
                         double within) {
  EXPECT_EQ(ToString(change.from), ToString(from));
  EXPECT_EQ(ToString(change.to), ToString(to));
  EXPECT_NEAR(change.t, t, within) << ToString(from) << " to " << ToString(to);
}

}  // namespace voigt::testing
