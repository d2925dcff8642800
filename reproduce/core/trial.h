#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reproduce/core/library.h"
#include "reproduce/core/verdict.h"
#include "voigt/plot/chart.h"
#include "voigt/sim/simulator.h"

namespace voigt::reproduce {

// A run that the report shows in motion: what a page of the browser needs besides the viewer.
struct Replay {
  std::string caption;
  std::string run;  // voigt/replay/replay_page.h: MakeReplayRun
};

struct TrialOptions {
  bool is_quick = false;
  bool with_replays = false;
};

// Thrown out of an experiment whose run is to end early: what it found so far is nothing.
struct Interrupted {};

// One experiment on its way: what it may use, and what it found. Quantities have the names of the
// data file; every one of it must be set, but for slow ones if Wants says so.
class Trial {
 public:
  // Both must outlive the trial. tick(), if given, is called now and then while simulations run; it
  // may throw Interrupted.
  Trial(const ExperimentData& data, const Library& library, const TrialOptions& options,
        std::function<void()> tick = nullptr)
      : data_(data), library_(library), options_(options), tick_(std::move(tick)) {}

  bool is_quick() const { return options_.is_quick; }
  // Constants of the data file.
  const std::vector<double>& Constants(const std::string& name) const;
  // Whether to compute a quantity: --quick leaves slow ones out.
  bool Wants(const std::string& quantity) const;
  void Set(const std::string& quantity, double ours);

  Scene LoadScene(const std::string& name, const std::vector<Override>& overrides = {}) const {
    return library_.LoadScene(name, overrides);
  }

  // Steps of h until `until`; after(), if given, is called after each. Throws std::runtime_error if
  // a step fails: numbers of a run that failed are compared with nothing.
  void Step(Simulator* simulator, double h, double until,
            const std::function<void()>& after = nullptr) const;

  // For loops that are not Step's: several times a second at least, so that a run can be ended.
  void Tick() const {
    if (tick_) tick_();
  }

  void Add(Chart chart) { charts_.push_back(std::move(chart)); }

  // Runs a scene to its end for the report; does nothing where there is none.
  void Show(const Scene& scene, const std::string& caption);

  // Compares all that was set.
  std::vector<Finding> JudgeAll() const;
  const std::vector<Chart>& charts() const { return charts_; }
  const std::vector<Replay>& replays() const { return replays_; }

 private:
  const Quantity& Find(const std::string& quantity) const;

  const ExperimentData& data_;
  const Library& library_;
  TrialOptions options_;
  std::function<void()> tick_;
  std::map<std::string, double> ours_;
  std::vector<Chart> charts_;
  std::vector<Replay> replays_;
};

Simulator MakeSimulator(const Scene& scene);

// A curve of a chart, in the index-th colour.
Curve MakeCurve(const std::string& name, int index, std::vector<Vec2> points = {});

}  // namespace voigt::reproduce
