#include "reproduce/foundation_run.h"

#include <fmt/format.h>

#include "voigt/base/stopwatch.h"

namespace voigt::reproduce {

std::string FoundationCase::name() const {
  return fmt::format("{}N_{}_{}", load, per_side * per_side, E);
}

const std::vector<FoundationCase>& ListFoundationCases() {
  static const std::vector<FoundationCase> cases = {
      {10, "1e7", "5"},  {10, "1e11", "5"},  {30, "1e7", "5"},  {30, "1e11", "5"},
      {10, "1e7", "50"}, {10, "1e11", "50"}, {30, "1e7", "50"}, {30, "1e11", "50"}};
  return cases;
}

FoundationRun RunFoundation(const Trial& trial, const FoundationCase& c, double h,
                            const std::string& formulation) {
  const Scene scene = trial.LoadScene("foundation", {{"parameters.n", std::to_string(c.per_side)},
                                                     {"parameters.E", c.E},
                                                     {"parameters.load", c.load},
                                                     {"simulation.formulation", formulation}});
  Simulator simulator = MakeSimulator(scene);
  const Stopwatch stopwatch;
  trial.Step(&simulator, h, 1);
  return {simulator.state().q, stopwatch.Seconds()};
}

}  // namespace voigt::reproduce
