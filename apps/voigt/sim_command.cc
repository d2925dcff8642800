#include "apps/voigt/sim_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "apps/voigt/contact_log.h"
#include "apps/voigt/interrupt.h"
#include "apps/voigt/progress.h"
#include "apps/voigt/replay_log.h"
#include "apps/voigt/summary.h"
#include "voigt/io/recording_reader.h"
#include "voigt/io/recording_writer.h"
#include "voigt/plot/run_charts.h"
#include "voigt/problem/problem_file.h"
#include "voigt/sim/step_plan.h"
#include "voigt/voigt.h"

namespace voigt {
namespace {

constexpr char kProgram[] = "voigt " VOIGT_VERSION;

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
  add("formulation", options.formulation);
  add("friction", options.friction);
  add("threads", options.threads);
  add("coordinates", options.coordinates);
  if (!options.record_interval.empty()) {
    overrides.push_back({"simulation.record_interval", options.record_interval,
                         fmt::format("--record-interval {}", options.record_interval)});
  }
  return overrides;
}

// A scene to run, and what it was made from; `end` where a recorded run goes on.
struct SimJob {
  Scene scene;
  RecordingSource source;
  std::optional<RecordingEnd> end;
};

SimJob LoadJob(const SimOptions& options) {
  const FileRecord record;
  SimJob job{LoadScene(options.scene, CollectOverrides(options)), {}, {}};
  job.source = {options.scene, record.files(), CollectOverrides(options), kProgram};
  return job;
}

// A run goes on as it was: only its end may be another one, and the threads, which change no bit.
SimJob LoadRecordedJob(const SimOptions& options) {
  const std::vector<std::pair<const char*, bool>> others = {
      {"a scene", !options.scene.empty()},
      {"--step", !options.step.empty()},
      {"--integrator", !options.integrator.empty()},
      {"--formulation", !options.formulation.empty()},
      {"--friction", !options.friction.empty()},
      {"--coordinates", !options.coordinates.empty()},
      {"--set", !options.overrides.empty()},
      {"--record", !options.record.empty()},
      {"--record-interval", !options.record_interval.empty()}};
  ProblemList problems;
  for (const auto& [name, is_given] : others) {
    if (!is_given) continue;
    problems.Add(
        {options.resume, 0, 0}, "--resume",
        fmt::format("goes on with the recorded run and into its file: leave out {}", name));
  }
  problems.ThrowIfAny();
  const Recording recording(options.resume);
  RecordingSource source = recording.source();
  RecordingEnd end = recording.FindEnd();
  SimJob job{LoadRecordedScene(source, CollectOverrides(options)), std::move(source), {}};
  recording.CheckFits(job.scene.model);
  if (job.source.program != kProgram) {
    job.scene.notices.push_back(fmt::format("recorded by {}: {} may go on with other last digits",
                                            job.source.program, kProgram));
  }
  const SimulationSettings& settings = job.scene.settings;
  if (StepPlan(end.state.t, settings.until, settings.step).is_empty()) {
    job.scene.notices.push_back(fmt::format(
        "the recording reaches its end, t = {:.9g} s: --until sets a later one", end.state.t));
  }
  job.scene.initial = end.state;
  job.end = std::move(end);
  return job;
}

// Nothing if nothing is to be recorded.
std::unique_ptr<RecordingWriter> MakeWriter(const SimOptions& options, const SimJob& job,
                                            Simulator* simulator) {
  if (job.end) return std::make_unique<RecordingWriter>(options.resume, *job.end, simulator);
  if (options.record.empty()) return nullptr;
  return std::make_unique<RecordingWriter>(options.record, job.source, simulator);
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
  CLI::Option* scene =
      sim->add_option("scene", options->scene, "Scene (YAML) or robot (MJCF, URDF)");
  const auto add = [&](const char* name, std::string* value, const char* help) {
    sim->add_option(name, *value, help)->check(RejectEmpty);
  };
  add("--step", &options->step, "Step in s, instead of the scene's; 1/240 will do, too");
  add("--until", &options->until, "End time in s, instead of the scene's");
  add("--integrator", &options->integrator, "semi-implicit-euler, rk4, adaptive or event-driven");
  add("--formulation", &options->formulation,
      "Contact law and method: compliant, stabilized-lcp, mlcp-lemke … (voigt list)");
  add("--friction", &options->friction,
      "Friction of contacts in compliant: coulomb, lagged or cone");
  add("--threads", &options->threads,
      "Threads that share the work; the results are the same bit for bit");
  add("--coordinates", &options->coordinates,
      "minimal (of the joints) or maximal (poses of all bodies, joints as constraints)");
  sim->add_option("--set", options->overrides,
                  "Change any value of the scene: path=value, such as parameters.n=20 or "
                  "bodies.arm.mass=3; may be repeated")
      ->allow_extra_args(false);
  add("--plot", &options->plot, "Write motion, energy and coordinates to an SVG file");
  add("--contacts", &options->contacts,
      "Write the contacts that carry force to a CSV file: where, how deep, which forces");
  add("--replay", &options->replay, "Write a page that replays the run in a browser (HTML)");
  add("--dump-problem", &options->dump_problem,
      "Write the constraint problem of the last step to a file, for bug reports and solver tests");
  add("--record", &options->record,
      "Record the run in an HDF5 file that is whole at every moment (docs/recordings.md)");
  add("--record-interval", &options->record_interval,
      "Time in s between recorded moments, instead of the scene's; 0 records every step");
  add("--resume", &options->resume,
      "Go on with a recorded run, in its file; --until may set a later end");
  sim->add_flag("--json", options->json, "Print the summary as JSON");
  sim->callback([=] {
    if (scene->empty() && options->resume.empty()) throw CLI::RequiredError("scene");
  });
}

namespace {

// Why a run ended early, and where its last good state is.
void ExplainEnd(const SimOptions& options, const SimJob& job, const State& state,
                const RunSummary& summary) {
  const std::string& recorded = job.end ? options.resume : options.record;
  if (summary.status != StepStatus::kOk) {
    fmt::print(stderr, "{}: stopped at t = {:.9g} s: {}\n", job.source.scene, state.t,
               Explain(summary.status, summary.trouble));
    if (recorded.empty()) {
      fmt::print(stderr, "--record run.h5 keeps the last good state, and those before it\n");
    } else {
      fmt::print(stderr, "{} has the last good state\n", recorded);
    }
  } else if (!summary.IsAccurate(job.scene.settings)) {
    fmt::print(stderr, "{}: inaccurate: the notices say why\n", job.source.scene);
  } else if (summary.stopped) {
    fmt::print(stderr, "interrupted at t = {:.9g} s{}\n", state.t,
               recorded.empty() ? "" : "; voigt sim --resume " + recorded + " goes on");
  }
}

void WriteProblem(const SimOptions& options, const Simulator& simulator) {
  if (simulator.settings().integrator != Integrator::kSemiImplicitEuler || simulator.steps() == 0) {
    throw InputError({options.scene, 0, 0}, "--dump-problem",
                     "this run solved no constraint problem");
  }
  SaveProblem(simulator.problem(), options.dump_problem);
  if (!options.json) fmt::print("problem     {}\n", options.dump_problem);
}

}  // namespace

int RunSimCommand(const SimOptions& options) {
  const SimJob job = options.resume.empty() ? LoadJob(options) : LoadRecordedJob(options);
  Simulator simulator = MakeSimulator(job.scene);
  Recorder recorder(job.scene.settings.record_interval);
  std::ofstream plot = OpenPlot(options.plot, options.scene);
  ContactLog contacts(options.contacts, job.scene.settings.record_interval);
  const auto writer = MakeWriter(options, job, &simulator);

  ReplayLog replay(options.replay, job.scene);
  replay.Offer(&simulator);

  ProgressBar progress(simulator.state().t, job.scene.settings.until);
  const InterruptWatch interrupt;
  const RunSummary summary = Run(
      &simulator, plot.is_open() ? &recorder : nullptr,
      [&](double t) {
        progress.Update(t, simulator.contact_count());
        contacts.Offer(simulator);
        replay.Offer(&simulator);
        if (writer) writer->Offer(&simulator);
      },
      [&] { return interrupt.signal() != 0; });
  progress.Clear();
  if (writer) writer->Finish(&simulator);

  // The plot comes last: if it cannot be written, the rest is not lost.
  if (options.json) {
    PrintSummaryAsJson(job.scene, simulator.state(), summary);
  } else {
    PrintSummary(job.scene, summary);
  }
  ExplainEnd(options, job, simulator.state(), summary);
  if (writer && !options.json) {
    fmt::print("recording   {} ({} moments)\n", job.end ? options.resume : options.record,
               writer->rows());
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
  if (replay.is_open()) {
    replay.Write(job.scene, &simulator, summary);
    if (!options.json) fmt::print("replay      {}\n", options.replay);
  }
  if (!options.dump_problem.empty()) WriteProblem(options, simulator);
  if (summary.status != StepStatus::kOk) return 1;
  if (summary.stopped) return 128 + interrupt.signal();
  return summary.IsAccurate(job.scene.settings) ? 0 : 1;
}

}  // namespace voigt
