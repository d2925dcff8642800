// Experiments as a whole: names, data files and what becomes of numbers that are wrong.

#include "reproduce/core/runner.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "voigt/base/errors.h"
#include "voigt/io/yaml_value.h"

namespace voigt::reproduce {
namespace {

const Experiment& FindExperiment(std::string_view name) {
  for (const Experiment& each : ListExperiments()) {
    if (each.name == name) return each;
  }
  throw std::logic_error("no such experiment");
}

TEST(Experiments, HaveADataFileEach) {
  const Library library;
  for (const Experiment& each : ListExperiments()) {
    const ExperimentData data = library.LoadData(std::string(each.name));
    EXPECT_EQ(each.run == nullptr, !data.missing.empty()) << each.name;
    for (const Quantity& quantity : data.quantities) {
      for (const auto& claim : {quantity.paper, quantity.reference}) {
        if (claim) {
          EXPECT_FALSE(claim->from.empty()) << each.name << " " << quantity.name;
        }
      }
    }
  }
  EXPECT_EQ(ListDataFiles().size(), ListExperiments().size());
}

TEST(Experiments, AreSelectedByNameAndBeginning) {
  EXPECT_EQ(SelectExperiments({}).size(), ListExperiments().size());
  EXPECT_EQ(SelectExperiments({"000-figure-1"}).size(), 1u);
  EXPECT_GT(SelectExperiments({"000-figure"}).size(), 3u);
  // In the order of the list, each once.
  const auto some = SelectExperiments({"000-figure-2", "000-figure-1", "000-figure-1"});
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].name, "000-figure-1");
  EXPECT_THROW(SelectExperiments({"000-fig"}), InputError);
  EXPECT_THROW(SelectExperiments({"000-figure-1", ""}), InputError);
}

// The data file decides, not the code: one wrong digit of a reference, and the verdict is another.
TEST(Experiments, FailWhereADataFileIsWrong) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "voigt_reproduce_data";
  std::filesystem::create_directories(folder);
  const std::string file = "000-figure-3.yaml";
  const std::string text = ReadTextFile(VOIGT_SOURCE_DIR "/reproduce/data/" + file);
  const auto run = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos);
    changed.replace(at, from.size(), to);
    std::ofstream(folder / file) << changed;
    return RunExperiment(FindExperiment("000-figure-3"), Library(folder.string()), {});
  };
  EXPECT_EQ(run("0.99995000", "0.99995000").verdict, Verdict::kReproduced);
  const Outcome wrong_reference = run("0.99995000", "0.99995001");
  EXPECT_EQ(wrong_reference.verdict, Verdict::kNoMatch);
  EXPECT_FALSE(IsGood({wrong_reference}));
  EXPECT_EQ(run("below: 1,", "below: 0.5,").verdict, Verdict::kNoMatch);
  // A quantity that nobody computes.
  EXPECT_EQ(run("name: factor_1e-5", "name: other").verdict, Verdict::kNoMatch);
  std::filesystem::remove_all(folder);
}

TEST(Experiments, FindTheSameNumbersInAnyNumberOfThreads) {
  const std::vector<Experiment> some = SelectExperiments({"000-figure", "003", "004-figure-2"});
  std::vector<std::string> order;
  RunObserver observer;
  observer.finished = [&](const Outcome& outcome) { order.push_back(outcome.data.name); };
  const auto one = RunExperiments(some, Library(), {true, false}, 1, observer);
  const auto many = RunExperiments(some, Library(), {true, false}, 4, observer);
  ASSERT_EQ(one.size(), some.size());
  ASSERT_EQ(order.size(), 2 * some.size());
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(one[i].data.name, some[i].name);
    EXPECT_EQ(order[i], some[i].name);
    EXPECT_EQ(order[some.size() + i], some[i].name);
    EXPECT_NE(one[i].verdict, Verdict::kNoMatch) << some[i].name << one[i].error;
    EXPECT_EQ(one[i].verdict, many[i].verdict) << some[i].name;
    for (size_t k = 0; k < one[i].findings.size() && !one[i].data.is_timing; ++k) {
      EXPECT_EQ(one[i].findings[k].ours, many[i].findings[k].ours) << some[i].name;
    }
  }
}

// Experiments that run or wait when a run is ended have an outcome as well, and are told in order.
TEST(Experiments, EndEarlyWhereTheyAreStopped) {
  const std::vector<Experiment> some =
      SelectExperiments({"000-figure-1", "000-figure-2", "000-figure-9", "003-cart"});
  for (int threads : {1, 3}) {
    std::vector<std::string> order;
    bool is_stopped = false;
    RunObserver observer;
    observer.finished = [&](const Outcome& outcome) {
      order.push_back(outcome.data.name);
      is_stopped = true;
    };
    observer.is_stopped = [&] { return is_stopped; };
    const auto outcomes = RunExperiments(some, Library(), {true, false}, threads, observer);
    ASSERT_EQ(outcomes.size(), some.size());
    ASSERT_EQ(order.size(), some.size());
    for (size_t i = 0; i < some.size(); ++i) {
      EXPECT_EQ(outcomes[i].data.name, some[i].name);
      EXPECT_EQ(order[i], some[i].name);
      EXPECT_FALSE(outcomes[i].findings.empty());
    }
    EXPECT_NE(outcomes[0].verdict, Verdict::kNotRun);
    EXPECT_TRUE(IsGood(outcomes));
    if (threads > 1) continue;
    EXPECT_EQ(CountNotRun(outcomes), some.size() - 1);
    for (const Finding& finding : outcomes[1].findings) {
      EXPECT_EQ(finding.verdict, Verdict::kNotRun);
      EXPECT_FALSE(finding.ours.has_value());
    }
  }
}

// Not only between experiments: the steps of one ask, too.
TEST(Experiments, BreakOffWithinARun) {
  const Experiment endless{"000-figure-3", [](Trial* trial) {
                             const Scene scene = trial->LoadScene("sliding_sphere");
                             Simulator simulator = MakeSimulator(scene);
                             trial->Step(&simulator, 1e-3, 1e9);
                           }};
  int ticks = 0;
  RunObserver observer;
  observer.tick = [&] { ++ticks; };
  observer.is_stopped = [&] { return ticks >= 3; };
  const auto outcomes = RunExperiments({endless}, Library(), {}, 1, observer);
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].verdict, Verdict::kNotRun);
  EXPECT_EQ(ticks, 3);
}

TEST(Experiments, ThatBreakOffDoNotMatch) {
  const Experiment broken{"000-figure-3", [](Trial* trial) {
                            trial->Set("factor_1e-5", 0.9999500037496876);
                            throw std::runtime_error("no luck");
                          }};
  const Outcome outcome = RunExperiment(broken, Library(), {});
  EXPECT_EQ(outcome.verdict, Verdict::kNoMatch);
  EXPECT_EQ(outcome.error, "no luck");
}

}  // namespace
}  // namespace voigt::reproduce
