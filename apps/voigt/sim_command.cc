#include "apps/voigt/sim_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>

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
  if (options.step) overrides.push_back({"simulation.step", fmt::format("{}", *options.step)});
  if (options.until) overrides.push_back({"simulation.until", fmt::format("{}", *options.until)});
  if (!options.integrator.empty()) {
    overrides.push_back({"simulation.integrator", options.integrator});
  }
  return overrides;
}

void WritePlot(const std::string& path, const Model& model, const Recorder& recorder) {
  std::ofstream out(path, std::ios::binary);
  out << ChartsToSvg(model.name(), MakeRunCharts(model, recorder.samples()));
  out.close();
  if (!out) throw InputError({path, 0, 0}, "--plot", "cannot be written");
}

}  // namespace

void AddSimCommand(CLI::App* app, SimOptions* options) {
  CLI::App* sim = app->add_subcommand("sim", "Simulate a scene and print a summary");
  sim->add_option("scene", options->scene, "Scene file (YAML)")->required();
  sim->add_option("--step", options->step, "Step in s, instead of the scene's");
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
  Simulator simulator(scene.model, scene.settings, scene.initial);
  Recorder recorder(scene.settings.record_interval);

  ProgressBar progress(scene.settings.until);
  const RunSummary summary = Run(&simulator, &recorder, [&](double t) { progress.Update(t); });
  progress.Clear();

  if (!options.plot.empty()) WritePlot(options.plot, simulator.model(), recorder);
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
