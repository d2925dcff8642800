#include "reproduce/core/runner.h"

#include <algorithm>
#include <exception>

#include "voigt/base/errors.h"
#include "voigt/base/stopwatch.h"

namespace voigt::reproduce {
namespace {

bool IsNamed(const Experiment& experiment, const std::string& name) {
  return experiment.name == name || experiment.name.starts_with(name + "-");
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

bool IsGood(const std::vector<Outcome>& outcomes) {
  return std::none_of(outcomes.begin(), outcomes.end(),
                      [](const Outcome& outcome) { return outcome.verdict == Verdict::kNoMatch; });
}

}  // namespace voigt::reproduce
