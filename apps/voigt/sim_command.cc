#include "apps/voigt/sim_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "apps/voigt/contact_log.h"
#include "apps/voigt/progress.h"
#include "apps/voigt/summary.h"
#include "voigt/plot/run_charts.h"
#include "voigt/problem/problem_file.h"
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
  add("friction", options.friction);
  return overrides;
}

// Opened before the run: nobody wants to wait for one whose plot cannot be written.
std::ofstream OpenPlot(const std::string& path, const std::string& scene) {
  std::ofstream out;
  if (path.empty()) return out;
  // A plot that does not exist yet is not the scene; that is no error.
  std::error_code ignored;
  if (std::filesystem::equivalent(path, scene, ignored)) {
    throw InputError({path, 0, 0}, "--plot", "is the scene itself: choose another file");
  }
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

// What a model cannot do is found when it is about to move. Problems of no element in particular
// are at least those of this file.
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

// An empty text would pass for an option that was not given.
std::string RejectEmpty(const std::string& text) {
  return text.empty() ? "is empty, expected a value" : "";
}

}  // namespace

void AddSimCommand(CLI::App* app, SimOptions* options) {
  CLI::App* sim = app->add_subcommand("sim", "Simulate a scene or robot and print a summary");
  sim->add_option("scene", options->scene, "Scene (YAML) or robot (MJCF, URDF)")->required();
  const auto add = [&](const char* name, std::string* value, const char* help) {
    sim->add_option(name, *value, help)->check(RejectEmpty);
  };
  add("--step", &options->step, "Step in s, instead of the scene's; 1/240 will do, too");
  add("--until", &options->until, "End time in s, instead of the scene's");
  add("--integrator", &options->integrator, "semi-implicit-euler, rk4 or adaptive");
  add("--friction", &options->friction, "Friction of contacts: coulomb, lagged or cone");
  sim->add_option("--set", options->overrides,
                  "Change any value of the scene: path=value, such as parameters.n=20 or "
                  "bodies.arm.mass=3; may be repeated")
      ->allow_extra_args(false);
  add("--plot", &options->plot, "Write motion, energy and coordinates to an SVG file");
  add("--contacts", &options->contacts,
      "Write the contacts that carry force to a CSV file: where, how deep, which forces");
  add("--dump-problem", &options->dump_problem,
      "Write the constraint problem of the last step to a file, for bug reports and solver tests");
  sim->add_flag("--json", options->json, "Print the summary as JSON");
}

int RunSimCommand(const SimOptions& options) {
  const Scene scene = LoadScene(options.scene, CollectOverrides(options));
  Simulator simulator = MakeSimulator(scene);
  Recorder recorder(scene.settings.record_interval);
  std::ofstream plot = OpenPlot(options.plot, options.scene);

  ContactLog contacts(options.contacts, scene.settings.record_interval);

  ProgressBar progress(scene.settings.until);
  const RunSummary summary = Run(&simulator, plot.is_open() ? &recorder : nullptr, [&](double t) {
    progress.Update(t);
    contacts.Offer(simulator);
  });
  progress.Clear();

  // The plot comes last: if it cannot be written, the rest is not lost.
  if (options.json) {
    PrintSummaryAsJson(scene, simulator.state(), summary);
  } else {
    PrintSummary(scene, summary);
  }
  const bool failed = summary.status != StepStatus::kOk;
  if (failed) {
    fmt::print(stderr, "{}: stopped at t = {:.9g} s: {}\n", options.scene, simulator.state().t,
               Explain(summary.status));
  }
  if (plot.is_open()) {
    WritePlot(options.plot, simulator.model(), recorder, &plot);
    if (!options.json) fmt::print("plot        {}\n", options.plot);
  }
  if (contacts.is_open()) {
    contacts.Close();
    if (!options.json)
      fmt::print("contacts    {} ({} lines)\n", options.contacts, contacts.lines());
  }
  if (!options.dump_problem.empty()) {
    if (scene.settings.integrator != Integrator::kSemiImplicitEuler || simulator.steps() == 0) {
      throw InputError({options.scene, 0, 0}, "--dump-problem",
                       "this run solved no constraint problem");
    }
    SaveProblem(simulator.problem(), options.dump_problem);
    if (!options.json) fmt::print("problem     {}\n", options.dump_problem);
  }
  return failed ? 1 : 0;
}

}  // namespace voigt
