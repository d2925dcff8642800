#include "reproduce/core/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "voigt/replay/replay_page.h"
#include "voigt/replay/replay_recorder.h"
#include "voigt/sim/run.h"

namespace voigt::reproduce {
namespace {

// A report holds many runs: fewer frames and bytes than a page of its own would have.
constexpr int kReplayFrames = 400;
constexpr size_t kReplayBytes = 1'500'000;

}  // namespace

const Quantity& Trial::Find(const std::string& quantity) const {
  for (const Quantity& each : data_.quantities) {
    if (each.name == quantity) return each;
  }
  throw std::logic_error(
      fmt::format("{}: no quantity '{}' in the data file", data_.name, quantity));
}

const std::vector<double>& Trial::Constants(const std::string& name) const {
  const auto found = data_.constants.find(name);
  if (found == data_.constants.end()) {
    throw std::runtime_error(fmt::format("{}: no constants '{}'", data_.name, name));
  }
  return found->second;
}

bool Trial::Wants(const std::string& quantity) const {
  return !(options_.is_quick && Find(quantity).is_slow);
}

void Trial::Set(const std::string& quantity, double ours) { ours_[Find(quantity).name] = ours; }

void Trial::Step(Simulator* simulator, double h, double until,
                 const std::function<void()>& after) const {
  // Steps of single bodies are too quick to ask after each.
  const bool is_large = simulator->model().nv() > 6;
  const long steps = std::lround((until - simulator->state().t) / h);
  for (long k = 0; k < steps; ++k) {
    if (simulator->Step(h) != StepStatus::kOk) {
      throw std::runtime_error(fmt::format("{} failed at {} s: {}", simulator->model().name(),
                                           simulator->state().t, Explain(simulator->status())));
    }
    if (after) after();
    if (k % 64 == 0 || is_large) Tick();
  }
}

void Trial::Show(const Scene& scene, const std::string& caption) {
  if (!options_.with_replays || ReplayTemplate().empty()) return;
  Simulator simulator = MakeSimulator(scene);
  const double interval = (scene.settings.until - scene.initial.t) / kReplayFrames;
  ReplayRecorder recorder(simulator.model(), std::max(interval, scene.settings.step));
  recorder.Keep(&simulator);
  Run(&simulator, nullptr, [&](double) {
    recorder.Offer(&simulator);
    Tick();
  });
  recorder.Keep(&simulator);
  const ReplayText text{scene.model.name(), scene.description, {}};
  replays_.push_back(
      {caption, MakeReplayRun(simulator.model(), text, recorder.frames(), kReplayBytes)});
}

std::vector<Finding> Trial::JudgeAll() const {
  std::vector<Finding> out;
  for (const Quantity& quantity : data_.quantities) {
    const auto found = ours_.find(quantity.name);
    const auto ours = found == ours_.end() ? std::nullopt : std::optional(found->second);
    out.push_back(Judge(quantity, ours, options_.is_quick));
  }
  return out;
}

Simulator MakeSimulator(const Scene& scene) {
  return Simulator(scene.model, scene.settings, scene.initial);
}

Curve MakeCurve(const std::string& name, int index, std::vector<Vec2> points) {
  Curve curve;
  curve.name = name;
  curve.color = ChartColor(index);
  curve.points = std::move(points);
  return curve;
}

}  // namespace voigt::reproduce
