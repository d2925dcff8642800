#include "reproduce/core/runner.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "voigt/base/errors.h"
#include "voigt/base/stopwatch.h"

namespace voigt::reproduce {
namespace {

bool IsNamed(const Experiment& experiment, const std::string& name) {
  return experiment.name == name || experiment.name.starts_with(name + "-");
}

// The outcome of an experiment that did not come to its end.
Outcome MakeNotRun(ExperimentData data) {
  Outcome out;
  out.verdict = Verdict::kNotRun;
  out.error = "interrupted";
  for (const Quantity& quantity : data.quantities) {
    out.findings.push_back({quantity, std::nullopt, Verdict::kNotRun, ""});
  }
  out.data = std::move(data);
  return out;
}

}  // namespace

std::vector<Experiment> SelectExperiments(const std::vector<std::string>& names) {
  const std::vector<Experiment>& all = ListExperiments();
  if (names.empty()) return all;
  ProblemList problems;
  for (const std::string& name : names) {
    const auto is_named = [&](const Experiment& each) { return IsNamed(each, name); };
    if (std::none_of(all.begin(), all.end(), is_named)) {
      problems.Add({}, "reproduce",
                   "'" + name + "', expected a table or figure such as " +
                       std::string(all.front().name) +
                       ", or 000 for all of a paper; voigt reproduce --list names all");
    }
  }
  problems.ThrowIfAny();
  std::vector<Experiment> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const Experiment& each) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return IsNamed(each, name); });
  });
  return out;
}

Outcome RunExperiment(const Experiment& experiment, const Library& library,
                      const TrialOptions& options, const std::function<void()>& tick) {
  Outcome out;
  out.data = library.LoadData(std::string(experiment.name));
  if (!out.data.missing.empty()) {
    out.verdict = Verdict::kNotAvailable;
    return out;
  }
  const Stopwatch stopwatch;
  Trial trial(out.data, library, options, tick);
  try {
    if (experiment.run != nullptr) experiment.run(&trial);
  } catch (const Interrupted&) {
    return MakeNotRun(std::move(out.data));
  } catch (const std::exception& error) {
    out.error = error.what();
  }
  out.wall_time = stopwatch.Seconds();
  out.findings = trial.JudgeAll();
  out.charts = trial.charts();
  out.replays = trial.replays();
  out.verdict = out.error.empty() ? Summarize(out.findings) : Verdict::kNoMatch;
  return out;
}

std::vector<Outcome> RunExperiments(const std::vector<Experiment>& experiments,
                                    const Library& library, const TrialOptions& options,
                                    int threads, const RunObserver& observer) {
  std::vector<size_t> together, alone;
  for (size_t i = 0; i < experiments.size(); ++i) {
    const bool is_timing = library.LoadData(std::string(experiments[i].name)).is_timing;
    (is_timing ? alone : together).push_back(i);
  }
  std::vector<std::optional<Outcome>> outcomes(experiments.size());
  std::mutex mutex;
  size_t done = 0, told = 0;
  const auto is_stopped = [&] { return observer.is_stopped && observer.is_stopped(); };
  const auto tick = [&] {
    const std::lock_guard lock(mutex);
    if (observer.tick) observer.tick();
    if (is_stopped()) throw Interrupted();
  };
  const auto run = [&](size_t i) {
    {
      const std::lock_guard lock(mutex);
      if (is_stopped()) return;
      if (observer.started) observer.started(experiments[i].name, done);
    }
    Outcome outcome = RunExperiment(experiments[i], library, options, tick);
    const std::lock_guard lock(mutex);
    outcomes[i] = std::move(outcome);
    ++done;
    while (told < outcomes.size() && outcomes[told]) {
      if (observer.finished) observer.finished(*outcomes[told]);
      ++told;
    }
  };
  std::atomic<size_t> next = 0;
  {
    std::vector<std::jthread> crew;
    for (int k = 0; k < threads; ++k) {
      crew.emplace_back([&] {
        for (size_t i = next++; i < together.size(); i = next++) run(together[i]);
      });
    }
  }
  for (size_t i : alone) run(i);
  std::vector<Outcome> out;
  for (size_t i = 0; i < experiments.size(); ++i) {
    if (!outcomes[i]) {
      outcomes[i] = MakeNotRun(library.LoadData(std::string(experiments[i].name)));
    }
    // Those behind the first that was not run have waited for it.
    if (i >= told && observer.finished) observer.finished(*outcomes[i]);
    out.push_back(std::move(*outcomes[i]));
  }
  return out;
}

size_t CountNotRun(const std::vector<Outcome>& outcomes) {
  return static_cast<size_t>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [](const Outcome& outcome) { return outcome.verdict == Verdict::kNotRun; }));
}

bool IsGood(const std::vector<Outcome>& outcomes) {
  return std::none_of(outcomes.begin(), outcomes.end(),
                      [](const Outcome& outcome) { return outcome.verdict == Verdict::kNoMatch; });
}

}  // namespace voigt::reproduce
