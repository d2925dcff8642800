#include "apps/voigt/reproduce_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "apps/voigt/interrupt.h"
#include "reproduce/core/html_report.h"
#include "reproduce/core/runner.h"
#include "reproduce/core/text_report.h"
#include "voigt/base/errors.h"
#include "voigt/base/stopwatch.h"

namespace voigt {
namespace {

using reproduce::Experiment;
using reproduce::Library;
using reproduce::Outcome;

// A line on standard error: how many are done, and what runs. Silent when that is no terminal.
class ReproduceProgress {
 public:
  explicit ReproduceProgress(size_t count) : count_(count), on_terminal_(isatty(STDERR_FILENO)) {}

  void Start(size_t done, std::string_view name) {
    done_ = done;
    name_ = name;
    Draw();
  }
  // Between steps; draws ten times a second.
  void Tick() {
    if (on_terminal_ && stopwatch_.Seconds() > last_drawn_ + 0.1) Draw();
  }
  void Clear() {
    if (visible_) fmt::print(stderr, "\r{}\r", std::string(78, ' '));
    visible_ = false;
  }

 private:
  void Draw() {
    if (!on_terminal_) return;
    constexpr int kWidth = 24;
    const int filled = static_cast<int>(kWidth * done_ / count_);
    last_drawn_ = stopwatch_.Seconds();
    visible_ = true;
    fmt::print(stderr, "\r[{}{}] {} of {}  {:.0f} s  {:<28}", std::string(filled, '#'),
               std::string(kWidth - filled, '.'), done_, count_, last_drawn_, name_);
  }

  size_t count_, done_ = 0;
  std::string_view name_;
  bool on_terminal_, visible_ = false;
  double last_drawn_ = 0;
  Stopwatch stopwatch_;
};

// Opened before anything runs: nobody wants to wait for what cannot be written.
std::ofstream OpenReport(const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  if (!out) throw InputError({path.string(), 0, 0}, "--out", "cannot be written");
  return out;
}

void WriteReport(const std::string& text, const std::filesystem::path& path, std::ofstream* out) {
  *out << text;
  out->close();
  if (!*out) throw InputError({path.string(), 0, 0}, "--out", "cannot be written: disk full?");
  fmt::print(stderr, "report      {}\n", path.string());
}

int PrintNames(const Library& library, const std::vector<Experiment>& experiments) {
  for (const Experiment& each : experiments) {
    const reproduce::ExperimentData data = library.LoadData(std::string(each.name));
    fmt::print("{:<16} {}, {}: {}\n", data.name, data.paper, data.place, data.title);
  }
  return 0;
}

}  // namespace

void AddReproduceCommand(CLI::App* app, ReproduceOptions* options) {
  CLI::App* command =
      app->add_subcommand("reproduce", "Compute tables and figures of papers and compare them");
  command->add_option("names", options->names,
                      "Tables and figures, such as 000-table-2, or 000 for all of a paper; "
                      "without names all");
  command->add_option("--out", options->out, "Folder for reproduce.json and reproduce.html");
  command->add_option("--data", options->data,
                      "Folder with data files to compare with, instead of those built in");
  command
      ->add_option("--threads", options->threads,
                   "How many are computed at a time; those that measure time run alone")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_flag("--quick", options->quick, "Leave out what takes long");
  command->add_flag("--json", options->json, "Print JSON instead of the table");
  command->add_flag("--list", options->list, "Only list names");
}

int RunReproduceCommand(const ReproduceOptions& options) {
  const std::vector<Experiment> experiments = reproduce::SelectExperiments(options.names);
  const Library library(options.data);
  if (options.list) return PrintNames(library, experiments);
  // Before there are files: whoever sees them can end the run.
  const InterruptWatch interrupt;
  const std::filesystem::path folder = options.out;
  const std::filesystem::path json_path = folder / "reproduce.json";
  const std::filesystem::path html_path = folder / "reproduce.html";
  std::ofstream json, html;
  if (!options.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw InputError({options.out, 0, 0}, "--out", "is no folder, and cannot be made");
    json = OpenReport(json_path);
    html = OpenReport(html_path);
  }
  ReproduceProgress progress(experiments.size());
  reproduce::RunObserver observer;
  observer.started = [&](std::string_view name, size_t done) { progress.Start(done, name); };
  observer.tick = [&] { progress.Tick(); };
  observer.finished = [&](const Outcome& outcome) {
    progress.Clear();
    if (options.json) return;
    fmt::print("{}\n", reproduce::MakeText(outcome));
    std::fflush(stdout);
  };
  observer.is_stopped = [&] { return interrupt.signal() != 0; };
  const reproduce::TrialOptions how{options.quick, !options.out.empty()};
  const std::vector<Outcome> outcomes =
      reproduce::RunExperiments(experiments, library, how, options.threads, observer);
  progress.Clear();
  if (options.json) {
    fmt::print("{}", reproduce::MakeJson(outcomes));
  } else {
    fmt::print("{}", reproduce::MakeTotals(outcomes));
  }
  if (!options.out.empty()) {
    WriteReport(reproduce::MakeJson(outcomes), json_path, &json);
    WriteReport(reproduce::MakeHtml(outcomes), html_path, &html);
  }
  const size_t not_run = reproduce::CountNotRun(outcomes);
  if (not_run > 0) {
    fmt::print(stderr, "interrupted: {} of {} tables and figures were not run\n", not_run,
               outcomes.size());
  }
  if (!reproduce::IsGood(outcomes)) return 1;
  return not_run > 0 ? 128 + interrupt.signal() : 0;
}

}  // namespace voigt
