// Every scene of scenes/ loads, says what it is, and runs.

#include "tests/support/scenes.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/golden.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

std::vector<std::string> SceneFiles() {
  std::vector<std::string> files;
  for (const std::string& name : testing::ListNamedScenes()) {
    files.push_back(std::string(VOIGT_SOURCE_DIR) + "/scenes/" + name + ".yaml");
  }
  return files;
}

class Scenes : public ::testing::TestWithParam<std::string> {};

// Large ones are run to their ends among the long tests. The pendulum of many links and engines
// that rattle are chaotic: after the first impacts machines that round differently part ways.
std::vector<Override> ShortenedFor(const std::string& path) {
  const std::filesystem::path scene = std::filesystem::path(path).stem();
  if (scene == "spheres_in_box") return {Override::Parse("simulation.until=0.1")};
  if (scene == "engine_one_cylinder") return {Override::Parse("simulation.until=0.01")};
  if (scene == "engine_four_cylinders") return {Override::Parse("simulation.until=0.002")};
  if (scene == "twelve_link_pendulum") return {Override::Parse("simulation.until=0.6")};
  return {};
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
  testing::ExpectGolden(std::filesystem::path(GetParam()).stem(), &simulator);
}

// Other readings of friction, for a fifth of a second.
TEST_P(Scenes, EndAsBeforeWithOtherFriction) {
  Scene scene = LoadScene(GetParam(), ShortenedFor(GetParam()));
  scene.settings.until = std::min(scene.settings.until, 0.2);
  if (std::filesystem::path(GetParam()).stem() == "spheres_in_box") scene.settings.until = 0.02;
  for (FrictionMode friction : {FrictionMode::kLagged, FrictionMode::kCone}) {
    scene.settings.formulation.kind = FormulationKind::kCompliant;
    scene.settings.formulation.compliant.friction = friction;
    if (scene.settings.integrator != Integrator::kSemiImplicitEuler) return;  // no contacts
    Simulator simulator = testing::MakeSimulator(scene);
    EXPECT_EQ(voigt::Run(&simulator, nullptr).status, StepStatus::kOk);
    const std::string stem = std::filesystem::path(GetParam()).stem();
    testing::ExpectGolden(stem + " " + std::string(ToString(friction)), &simulator);
  }
}

// One build, one machine: what a run does follows from its state alone, to the last bit.
TEST_P(Scenes, GiveTheSameBitsFromACopiedState) {
  Scene scene = LoadScene(GetParam(), ShortenedFor(GetParam()));
  const int steps = std::filesystem::path(GetParam()).stem() == "spheres_in_box" ? 2 : 20;
  const auto advance = [&](State state) {
    Simulator simulator(scene.model, scene.settings, std::move(state));
    for (int i = 0; i < steps; ++i) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    return simulator.state();
  };
  Simulator whole(scene.model, scene.settings, scene.initial);
  for (int i = 0; i < 2 * steps; ++i) ASSERT_EQ(whole.Step(), StepStatus::kOk);
  EXPECT_EQ(advance(advance(scene.initial)).Serialize(), whole.state().Serialize());
}

INSTANTIATE_TEST_SUITE_P(All, Scenes, ::testing::ValuesIn(SceneFiles()), [](const auto& entry) {
  return std::filesystem::path(entry.param).stem().string();
});

}  // namespace
}  // namespace voigt
