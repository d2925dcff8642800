#pragma once

#include <fmt/format.h>

#include "reproduce/core/trial.h"
#include "reproduce/spring_schemes.h"

namespace voigt::reproduce {

// scenes/spring_mass_damper.yaml with the figures of an oscillator.
inline Scene LoadSpringScene(const Trial& trial, const Oscillator& o, double until) {
  return trial.LoadScene("spring_mass_damper",
                         {{"parameters.k", fmt::format("{:.17g}", o.k)},
                          {"parameters.b", fmt::format("{:.17g}", o.b)},
                          {"simulation.step", fmt::format("{:.17g}", o.h)},
                          {"simulation.record_interval", "0"},
                          {"simulation.until", fmt::format("{:.17g}", until)}});
}

// The same by voigt, from x = 1 at rest: x over time.
inline std::vector<Vec2> RunSpringScene(const Trial& trial, const Oscillator& o, double until) {
  const Scene scene = LoadSpringScene(trial, o, until);
  Simulator simulator = MakeSimulator(scene);
  std::vector<Vec2> out = {Vec2(0, simulator.state().q[0])};
  trial.Step(&simulator, o.h, until,
             [&] { out.emplace_back(simulator.state().t, simulator.state().q[0]); });
  return out;
}

}  // namespace voigt::reproduce
