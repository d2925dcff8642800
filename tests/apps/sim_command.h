#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/apps/json.h"
#include "tests/apps/program.h"
#include "voigt/voigt.h"

namespace voigt::testing {

// voigt sim, beside a scene arm.yaml.
class SimCommand : public ProgramTest {
 protected:
  SimCommand() { Write("arm.yaml", kArm); }

  // The JSON of a run that ends well.
  Json RunJson(const std::string& arguments) const {
    const ProgramResult result = Run("sim " + arguments + " --json");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return ParseJson(result.out);
  }

  // The same run through the library.
  static Simulator RunInLibrary(const Scene& scene, RunSummary* summary = nullptr) {
    Simulator simulator(scene.model, scene.settings, scene.initial);
    Recorder recorder(scene.settings.record_interval);
    const RunSummary done = voigt::Run(&simulator, &recorder);
    if (summary != nullptr) *summary = done;
    return simulator;
  }

  static void ExpectSameNumbers(const Json& list, const VecX& expected) {
    ASSERT_EQ(list.items.size(), static_cast<size_t>(expected.size()));
    for (size_t i = 0; i < list.items.size(); ++i) EXPECT_EQ(list.items[i].number, expected[i]);
  }

  static constexpr char kArm[] = R"(name: Arm
parameters: {m: 2}
bodies:
  - {name: upper, mass: m, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.1]}
  - {name: lower, mass: 1, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.05]}
joints:
  - {name: shoulder, type: ball, child: upper, damping: 0.1}
  - name: elbow
    type: revolute
    parent: upper
    child: lower
    frame: {position: [0, 0, -1]}
    axis: [0, 1, 0]
    spring: {stiffness: 3}
initial:
  shoulder: {rpy: [1, 0.5, 0], angular_velocity: [0, 1, 2]}
  elbow: 0.4
simulation: {step: 1e-3, until: 0.25}
)";
};

}  // namespace voigt::testing
