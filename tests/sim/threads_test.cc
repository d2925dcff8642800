#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/allocation_counter.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

// A scene that is run with several numbers of threads, and for how long.
struct ThreadedRun {
  const char* scene;
  int steps;
  std::vector<Override> overrides;
};

using AuditBits = std::array<std::uint64_t, sizeof(Audit) / sizeof(std::uint64_t)>;

// All that a run leaves, as bits: state and audit of every step, and the sums over them.
struct RunBits {
  std::vector<std::vector<std::uint8_t>> states;
  std::vector<AuditBits> audits;
  AuditBits worst{};
  std::array<std::uint64_t, 2> work{};
  std::array<long, 7> counts{};
  int most_islands = 0;

  bool operator==(const RunBits&) const = default;
};

RunBits RunWithThreads(const ThreadedRun& run, int threads) {
  std::vector<Override> overrides = run.overrides;
  overrides.push_back({"simulation.threads", std::to_string(threads)});
  Simulator simulator = testing::MakeSimulator(testing::LoadNamedScene(run.scene, overrides));
  EXPECT_EQ(simulator.settings().threads, threads);
  RunBits out;
  for (int i = 0; i < run.steps; ++i) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk) << run.scene << " step " << i;
    out.states.push_back(simulator.state().Serialize());
    if (const Audit* audit = simulator.step_audit()) {
      out.audits.push_back(std::bit_cast<AuditBits>(*audit));
    }
    out.most_islands = std::max(out.most_islands, simulator.solution().stats.islands);
  }
  out.worst = std::bit_cast<AuditBits>(simulator.audit().worst);
  out.work = std::bit_cast<std::array<std::uint64_t, 2>>(
      std::array{simulator.work(), simulator.constraint_work()});
  const SolverTotals& solver = simulator.solver();
  out.counts = {solver.newton_iterations,    solver.factorizations,
                solver.friction_passes,      static_cast<long>(solver.hardest()),
                solver.not_solved,           simulator.contacts().sum,
                simulator.inexact_contacts()};
  return out;
}

const std::vector<Override> kFewSpheres = {
    {"parameters.nx", "4"}, {"parameters.ny", "4"}, {"parameters.layers", "4"}};

TEST(Threads, GiveTheSameBitsAsOne) {
  const std::vector<ThreadedRun> runs = {
      {"spheres_in_box", 80, kFewSpheres},
      {"dominoes", 60, {}},
      {"plank_wall", 6, {}},
      {"card_house", 40, {}},
      {"ball_in_bowl", 40, {}},
      {"box_on_ramp", 40, {}},
      {"box_stack", 40, {}},
      {"ladder", 40, {}},
      {"spinning_coin", 40, {}},
      {"gripper", 40, {}},
      {"dominoes", 10, {{"simulation.friction", "cone"}}},
      {"dominoes", 4, {{"parameters.n", "6"}, {"simulation.formulation", "stabilized-lcp"}}},
  };
  for (const ThreadedRun& run : runs) {
    const RunBits one = RunWithThreads(run, 1);
    EXPECT_FALSE(one.audits.empty()) << run.scene;
    for (int threads : {2, 5}) {
      const RunBits several = RunWithThreads(run, threads);
      EXPECT_EQ(several.states, one.states) << run.scene << ' ' << threads;
      EXPECT_EQ(several.audits, one.audits) << run.scene << ' ' << threads;
      EXPECT_EQ(several, one) << run.scene << ' ' << threads;
    }
  }
}

// On their way down, until most have landed.
TEST(LongThreads, GiveTheSameBitsToAThousandSpheres) {
  const ThreadedRun run{"spheres_in_box", 250, {}};
  EXPECT_EQ(RunWithThreads(run, 2), RunWithThreads(run, 1));
}

// Otherwise the test above would show nothing of the solver.
TEST(Threads, AreTriedWithManyIslandsAndWithOne) {
  EXPECT_EQ(RunWithThreads({"dominoes", 1, {}}, 2).most_islands, 30);
  EXPECT_EQ(RunWithThreads({"card_house", 1, {}}, 2).most_islands, 1);
}

TEST(Threads, StepsAllocateNothingOnceTheyAreWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  Simulator simulator = testing::MakeSimulator(testing::LoadNamedScene(
      "dominoes", {{"simulation.threads", "2"}, {"initial.0.angular_velocity", "[0, 0, 0]"}}));
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  };
  // Either thread may come to solve any part: it takes a while until each has seen all.
  const auto count = [&] {
    const long before = testing::CountAllocations();
    run(50);
    return testing::CountAllocations() - before;
  };
  run(50);
  long allocations = 1;
  for (int i = 0; i < 40 && allocations > 0; ++i) allocations = count();
  EXPECT_EQ(allocations, 0);
}

TEST(Threads, NumbersThatMakeNoSenseAreRefused) {
  for (const char* threads : {"0", "-1", "1.5", "257", "1e9", "1e300", "nan", "inf", "two"}) {
    try {
      testing::LoadNamedScene("dominoes", {{"simulation.threads", threads}});
      ADD_FAILURE() << threads;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("threads"), std::string::npos) << error.what();
    }
  }
  Scene scene = testing::LoadNamedScene("dominoes");
  EXPECT_EQ(scene.settings.threads, 1);
  for (int threads : {0, -4, kMaxThreads + 1}) {
    scene.settings.threads = threads;
    EXPECT_THROW(testing::MakeSimulator(scene), InputError) << threads;
  }
}

}  // namespace
}  // namespace voigt
