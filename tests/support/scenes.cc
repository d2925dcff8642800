#include "tests/support/scenes.h"

#include <gtest/gtest.h>

#include "voigt/sim/run.h"

namespace voigt::testing {

State RunToEnd(const Scene& scene) {
  Simulator simulator = MakeSimulator(scene);
  Recorder recorder(1e9);
  const RunSummary summary = Run(&simulator, &recorder);
  EXPECT_EQ(summary.status, StepStatus::kOk) << scene.file;
  return simulator.state();
}

}  // namespace voigt::testing
