// Scenes that once ended with more energy than they began with, or that took minutes.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/stability/energy_watch.h"
#include "tests/support/data.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

std::vector<std::string> ListScenes() {
  std::vector<std::string> files;
  const auto add = [&](const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
  };
  add(VOIGT_SOURCE_DIR "/tests/stability/scenes");
  if (testing::HasReferenceData()) add(VOIGT_TEST_DATA "/faults");
  std::sort(files.begin(), files.end());
  return files;
}

bool IsPassive(const Scene& scene) {
  const ModelSpec& spec = scene.model.spec();
  return scene.model.servos().empty() && spec.motors.empty() && scene.model.actuator_count() == 0;
}

class Faults : public ::testing::TestWithParam<std::string> {};

TEST_P(Faults, NeitherGainEnergyNorStall) {
  const Scene scene = LoadScene(GetParam());
  if (IsPassive(scene)) {
    const testing::EnergyWatch watch = testing::WatchEnergy(scene);
    EXPECT_EQ(watch.status, StepStatus::kOk) << Explain(watch.status);
    EXPECT_LE(watch.part(), 0.01) << watch.gain << " J of " << watch.scale << " J";
    EXPECT_LE(watch.seconds, 60);
    return;
  }
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_TRUE(summary.balance.IsExplained(0.01))
      << summary.balance.unexplained() << " J of " << summary.balance.scale << " J";
  EXPECT_LE(summary.wall_time, 60);
}

INSTANTIATE_TEST_SUITE_P(All, Faults, ::testing::ValuesIn(ListScenes()), [](const auto& entry) {
  const std::filesystem::path path = entry.param;
  return path.parent_path().stem().string() + "_" + path.stem().string();
});

// What rounding leaves between the last whole step and the end is no step, and a short last step
// that somebody asks for brings nothing in.
struct ShortStep {
  const char *scene, *step, *until;
};

class ShortSteps : public ::testing::TestWithParam<ShortStep> {};

TEST_P(ShortSteps, BringNothingIn) {
  const auto& [name, step, until] = GetParam();
  const Scene scene =
      testing::LoadNamedScene(name, {{"simulation.step", step}, {"simulation.until", until}});
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_LE(summary.balance.unexplained(), 5e-3 * summary.balance.scale);
  EXPECT_LE(summary.Drift(), 5e-3 * summary.balance.scale);
}

INSTANTIATE_TEST_SUITE_P(All, ShortSteps,
                         ::testing::Values(ShortStep{"slider_crank", "1e-5", "0.2"},
                                           ShortStep{"slider_crank", "1e-3", "1.0000001"},
                                           ShortStep{"slider_crank", "1e-3", "0.5000000001"},
                                           ShortStep{"andrews", "1e-7", "1e-3"}),
                         [](const auto& entry) { return "Case" + std::to_string(entry.index); });

}  // namespace
}  // namespace voigt
