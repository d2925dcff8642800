// Nothing makes energy: random scenes that only lose it, at steps, masses and proportions that
// nobody would choose.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/stability/energy_watch.h"
#include "tests/support/random_passive_scene.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

using testing::EnergyWatch;
using testing::PassiveKind;
using testing::PassiveScene;

// Of the energy in play.
constexpr double kMostGain = 0.01;  // of nearly all scenes
// Of the energy in play by the books: what is more, a user is told of (max_unexplained).
constexpr double kTold = 0.01;
// Of any. Chains that close loops, at steps in which they whip round by radians, are the hardest:
// of two in a hundred the limit comes too late, mostly in maximal coordinates or with springs.
double MostOfAny(PassiveKind kind) { return kind == PassiveKind::kLoop ? 0.4 : 0.1; }
constexpr int kOneIn = 25;
constexpr double kMostSeconds = 60;

// With VOIGT_KEEP_SCENES set to a folder, scenes that fail are written there.
void Keep(const PassiveScene& scene, const std::string& name) {
  const char* const folder = std::getenv("VOIGT_KEEP_SCENES");
  if (folder == nullptr) return;
  std::ofstream(fmt::format("{}/{}.yaml", folder, name)) << scene.text;
}

// How many runs were refused on their way, with a reason, and how many gained more than they
// should.
struct Exceptions {
  int refused = 0, gained = 0;
};

void Try(int seed, PassiveKind kind, const std::string& formulation, Exceptions* exceptions) {
  const PassiveScene passive = testing::MakePassiveScene(seed, kind, formulation);
  const std::string name = fmt::format("{}-{}-{}", static_cast<int>(kind), formulation, seed);
  SCOPED_TRACE(passive.description);
  const EnergyWatch watch = testing::WatchEnergy(ParseScene(passive.text, name));
  const bool is_refused =
      watch.status == StepStatus::kConstraintsFailed || watch.status == StepStatus::kTooLong;
  const bool gained = !(watch.part() <= kMostGain);
  if (is_refused || gained || watch.seconds > kMostSeconds) Keep(passive, name);
  exceptions->refused += is_refused;
  exceptions->gained += gained;
  if (!is_refused) {
    EXPECT_EQ(watch.status, StepStatus::kOk) << Explain(watch.status);
    // Where shapes are let out of one another, what that takes stands under several lines.
    if (gained && kind != PassiveKind::kSolids) {
      EXPECT_GT(watch.unexplained, kTold) << watch.part() << " came from nowhere";
    }
  }
  EXPECT_LE(watch.part(), MostOfAny(kind))
      << watch.gain << " J above the start of a scene with " << watch.scale << " J in play";
  EXPECT_LE(watch.seconds, kMostSeconds);
}

// Nearly none gains more than a percent, or is refused.
void ExpectNoGains(int first, int count, PassiveKind kind) {
  Exceptions exceptions;
  for (int seed = first; seed < first + count; ++seed) Try(seed, kind, "compliant", &exceptions);
  ::testing::Test::RecordProperty("refused", exceptions.refused);
  ::testing::Test::RecordProperty("gained", exceptions.gained);
  EXPECT_LE(kOneIn * exceptions.refused, count);
  EXPECT_LE(kOneIn * exceptions.gained, count);
}

class PassiveScenes : public ::testing::TestWithParam<PassiveKind> {};

TEST_P(PassiveScenes, GainNoEnergy) { ExpectNoGains(0, testing::SampleCount(100), GetParam()); }

TEST_P(PassiveScenes, GainNoEnergyByOtherFormulations) {
  int seed = 1000;
  Exceptions exceptions;
  for (const char* formulation : {"stabilized-lcp", "mlcp-lemke", "mncp-plm", "max-dissipation"}) {
    for (int i = 0; i < 10; ++i) Try(seed++, GetParam(), formulation, &exceptions);
  }
  EXPECT_LE(exceptions.refused + exceptions.gained, 4);
}

// Joints with springs are soft rows in maximal coordinates: what inertia makes of such trees is
// taken back like that of others. (40 % and 1.3 % were gained. The second one whips its joints
// apart by a hundred times their length, and may be refused.)
TEST(PassiveScenesOnSprings, GainNoEnergyInMaximalCoordinates) {
  for (int seed : {10135, 10327}) {
    Exceptions exceptions;
    Try(seed, PassiveKind::kTree, "compliant", &exceptions);
    EXPECT_EQ(exceptions.gained, 0) << seed;
    EXPECT_LE(exceptions.refused, seed == 10327) << seed;
  }
}

// Joints without and with stiff springs in one tree, which swings slowly in long steps: what
// inertia makes of its stiff parts is seen, since no lag between rates and places hides it. (8 to
// 21 % were gained while rates of trees with springs were those of the middle of steps.)
TEST(PassiveScenesOnSprings, GainNoEnergyWhereTheySwingSlowly) {
  for (int seed : {10146, 10255, 10449}) {
    Exceptions exceptions;
    Try(seed, PassiveKind::kTree, "compliant", &exceptions);
    EXPECT_EQ(exceptions.gained + exceptions.refused, 0) << seed;
  }
}

// A nanogram between kilograms on springs of 5.5e10 N/m^{3/2}: what cannot be solved is refused as
// that, where paths of bodies were not finite.
TEST(PassiveScenesRefused, AreNotThoseThatAreNotFinite) {
  const PassiveScene passive = testing::MakePassiveScene(10478, PassiveKind::kSolids, "compliant");
  Simulator simulator = testing::MakeSimulator(ParseScene(passive.text, "nanogram"));
  while (simulator.state().t < 2 && simulator.Step() == StepStatus::kOk) {
  }
  const StepStatus status = simulator.status();
  EXPECT_TRUE(status == StepStatus::kOk || status == StepStatus::kConstraintsFailed)
      << Explain(status);
  EXPECT_TRUE(simulator.state().IsFinite());
}

// Steps in parts count once: no run has more unsolved steps than steps.
TEST(PassiveScenesInParts, CountStepsThatAreNotSolvedOnce) {
  const PassiveScene passive = testing::MakePassiveScene(10478, PassiveKind::kSolids, "compliant");
  Simulator simulator = testing::MakeSimulator(ParseScene(passive.text, "parts"));
  while (simulator.steps() < 30 && simulator.Step() == StepStatus::kOk) {
    ASSERT_LE(simulator.solver().not_solved, simulator.steps());
  }
  EXPECT_GT(simulator.solver().shortened, 0);
}

class LongPassiveScenes : public PassiveScenes {};

TEST_P(LongPassiveScenes, GainNoEnergy) { ExpectNoGains(10000, 3300, GetParam()); }

std::string NameOf(const ::testing::TestParamInfo<PassiveKind>& info) {
  switch (info.param) {
    case PassiveKind::kSolids:
      return "Solids";
    case PassiveKind::kTree:
      return "Trees";
    case PassiveKind::kLoop:
      return "Loops";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Of, PassiveScenes,
                         ::testing::Values(PassiveKind::kSolids, PassiveKind::kTree,
                                           PassiveKind::kLoop),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(LongOf, LongPassiveScenes,
                         ::testing::Values(PassiveKind::kSolids, PassiveKind::kTree,
                                           PassiveKind::kLoop),
                         NameOf);

}  // namespace
}  // namespace voigt
