#include "apps/voigt/sim_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <utility>

#include "apps/voigt/progress.h"
#include "apps/voigt/summary.h"
#include "voigt/plot/run_charts.h"
#include "voigt/voigt.h"

namespace voigt {
namespace {

// Options of the command line are overrides of the scene like any other, and checked like them.
std::vector<Override> CollectOverrides(const SimOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(Override::Parse(text));
  const auto add = [&](const char* key, const std::string& value) {
    if (value.empty()) return;
    overrides.push_back(
        {fmt::format("simulation.{}", key), value, fmt::format("--{} {}", key, value)});
  };
  add("step", options.step);
  add("until", options.until);
  add("integrator", options.integrator);
  return overrides;
}

// Opened before the run: nobody wants to wait for one whose plot cannot be written.
std::ofstream OpenPlot(const std::string& path) {
  std::ofstream out;
  if (path.empty()) return out;
  out.open(path, std::ios::binary);
  if (!out) throw InputError({path, 0, 0}, "--plot", "cannot be written: does the folder exist?");
  return out;
}

void WritePlot(const std::string& path, const Model& model, const Recorder& recorder,
               std::ofstream* out) {
  *out << ChartsToSvg(model.name(), MakeRunCharts(model, recorder.samples()));
  out->close();
  if (!*out) throw InputError({path, 0, 0}, "--plot", "cannot be written: is the disk full?");
}

// What a model cannot do is found when it is about to move; by then only the file is known.
Simulator MakeSimulator(const Scene& scene) {
  try {
    return Simulator(scene.model, scene.settings, scene.initial);
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.where.file.empty()) problem.where.file = scene.file;
    }
    throw InputError(std::move(problems));
  }
}

}  // namespace

void AddSimCommand(CLI::App* app, SimOptions* options) {
  CLI::App* sim = app->add_subcommand("sim", "Simulate a scene and print a summary");
  sim->add_option("scene", options->scene, "Scene file (YAML)")->required();
  sim->add_option("--step", options->step, "Step in s, instead of the scene's; 1/240 will do, too");
  sim->add_option("--until", options->until, "End time in s, instead of the scene's");
  sim->add_option("--integrator", options->integrator, "semi-implicit-euler, rk4 or adaptive");
  sim->add_option("--set", options->overrides,
                  "Change any value of the scene: path=value, such as parameters.n=20 or "
                  "bodies.arm.mass=3; may be repeated")
      ->allow_extra_args(false);
  sim->add_option("--plot", options->plot, "Write motion, energy and coordinates to an SVG file");
  sim->add_flag("--json", options->json, "Print the summary as JSON");
}

int RunSimCommand(const SimOptions& options) {
  const Scene scene = LoadScene(options.scene, CollectOverrides(options));
  Simulator simulator = MakeSimulator(scene);
  Recorder recorder(scene.settings.record_interval);
  std::ofstream plot = OpenPlot(options.plot);

  ProgressBar progress(scene.settings.until);
  const RunSummary summary = Run(&simulator, &recorder, [&](double t) { progress.Update(t); });
  progress.Clear();

  if (plot.is_open()) WritePlot(options.plot, simulator.model(), recorder, &plot);
  if (options.json) {
    PrintSummaryAsJson(scene, simulator.state(), summary);
  } else {
    PrintSummary(scene, summary);
    if (!options.plot.empty()) fmt::print("plot        {}\n", options.plot);
  }
  if (summary.status == StepStatus::kOk) return 0;
  fmt::print(stderr, "{}: stopped at t = {:.9g} s: {}\n", options.scene, simulator.state().t,
             Explain(summary.status));
  return 1;
}

}  // namespace voigt
