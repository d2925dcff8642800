// Every scene of scenes/ loads, says what it is, and runs.

#include "tests/support/scenes.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "voigt/sim/run.h"

namespace voigt {
namespace {

std::vector<std::string> SceneFiles() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(VOIGT_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Scenes : public ::testing::TestWithParam<std::string> {};

// Large ones are run to their ends among the long tests.
std::vector<Override> ShortenedFor(const std::string& path) {
  const bool is_large = std::filesystem::path(path).stem() == "spheres_in_box";
  if (!is_large) return {};
  return {Override::Parse("simulation.until=0.1")};
}

TEST_P(Scenes, RunAndKeepTheirEnergyBalance) {
  const Scene scene = LoadScene(GetParam(), ShortenedFor(GetParam()));
  EXPECT_NE(scene.model.name(), GetParam()) << "give the scene a name";
  EXPECT_GT(scene.description.size(), 20u) << "give the scene a description";
  Simulator simulator = testing::MakeSimulator(scene);
  Recorder recorder(scene.settings.record_interval);
  const RunSummary summary = voigt::Run(&simulator, &recorder);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_GT(summary.steps, 0);
  EXPECT_EQ(summary.solver.not_solved, 0);
  EXPECT_EQ(summary.audit.failed, 0);
  // First-order integration at the scene's own step: a tenth of the energy in play at most.
  // Where all is at rest, what rounding makes of the energy.
  const double in_play = std::max({summary.peak_kinetic, std::abs(summary.constraint_work),
                                   1e-9 * std::abs(summary.end.Total())});
  EXPECT_LT(std::abs(summary.Drift()), 0.1 * in_play);
}

INSTANTIATE_TEST_SUITE_P(All, Scenes, ::testing::ValuesIn(SceneFiles()), [](const auto& entry) {
  return std::filesystem::path(entry.param).stem().string();
});

}  // namespace
}  // namespace voigt
