#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/core/trial.h"
#include "reproduce/experiments.h"

namespace voigt::reproduce {

// What became of an experiment.
struct Outcome {
  ExperimentData data;
  std::vector<Finding> findings;
  std::vector<Chart> charts;
  std::vector<Replay> replays;
  Verdict verdict = Verdict::kNoMatch;
  std::string error;     // why it broke off; empty: it did not
  double wall_time = 0;  // s
};

// The experiments with these names, in the order of ListExperiments. A name is that of one of them,
// or the beginning of several up to a '-': 000, 000-figure. All of them if none is given. Throws
// InputError for names that are none.
std::vector<Experiment> SelectExperiments(const std::vector<std::string>& names);

// Runs one. What goes wrong within it is its outcome, and not an exception; a bad data file throws
// InputError. If tick() throws Interrupted, it was not run.
Outcome RunExperiment(const Experiment& experiment, const Library& library,
                      const TrialOptions& options, const std::function<void()>& tick = nullptr);

// Who wants to know how far a run of several is. Called by one thread at a time.
struct RunObserver {
  std::function<void(std::string_view name, size_t done)> started;
  std::function<void()> tick;                    // now and then
  std::function<void(const Outcome&)> finished;  // in the order of the experiments
  // Whether to end early, asked now and then: what is running breaks off, what waits is not run.
  std::function<bool()> is_stopped;
};

// Runs several experiments, `threads` at a time; those that measure time alone, after the others.
// Numbers do not depend on `threads`. All data files are read first: bad ones throw InputError
// before anything runs. There is an outcome for every experiment, whether it was run or not.
std::vector<Outcome> RunExperiments(const std::vector<Experiment>& experiments,
                                    const Library& library, const TrialOptions& options,
                                    int threads, const RunObserver& observer);

// How many were not run, as somebody ended the run before them.
size_t CountNotRun(const std::vector<Outcome>& outcomes);

// Whether all is as it should be: nothing that does not match.
bool IsGood(const std::vector<Outcome>& outcomes);

}  // namespace voigt::reproduce
