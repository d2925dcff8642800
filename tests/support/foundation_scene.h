#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/foundation.h"
#include "tests/support/scenes.h"

namespace voigt::testing {

// scenes/foundation.yaml with the figures of a case.
inline Scene LoadFoundationScene(const FoundationCase& c, const std::vector<Override>& more = {}) {
  std::vector<Override> overrides = {{"parameters.n", std::to_string(c.per_side)},
                                     {"parameters.E", std::to_string(c.E)},
                                     {"parameters.load", std::to_string(c.load)}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return LoadNamedScene("foundation", overrides);
}

// Its pose after one second.
inline PoseVector RunFoundationScene(const FoundationCase& c, double h) {
  const Scene scene = LoadFoundationScene(c);
  Simulator simulator = MakeSimulator(scene);
  const long steps = std::lround(1 / h);
  for (long i = 0; i < steps; ++i) simulator.Step(h);
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  return simulator.state().q;
}

}  // namespace voigt::testing
