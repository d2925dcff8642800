// The same scenes in voigt and in other engines, one after the other in one run: time against
// error. docs/peers.md tells what is measured and how.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "bench/peers/csv_file.h"
#include "bench/peers/goals.h"
#include "bench/peers/page.h"
#include "bench/peers/table.h"

namespace voigt::peers {
namespace {

struct Options {
  std::vector<std::string> scenes, engines;
  std::vector<std::string> from;  // files to read instead of running
  int repeat = 3;
  bool quick = false, list = false;
  RunLimits limits;
  std::string out = "build/bench-peers";
};

bool Contains(const std::vector<std::string>& parts, const std::string& name) {
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
           return name.find(part) != std::string::npos;
         });
}

std::vector<Engine> ChooseEngines(const std::vector<std::string>& parts,
                                  std::vector<Engine> engines) {
  std::erase_if(engines, [&](const Engine& engine) {
    return engine.name != "voigt" && !Contains(parts, engine.name);
  });
  return engines;
}

// A part that is the name of a scene means that one alone.
void ChooseTrials(const std::vector<std::string>& parts, std::vector<Trial>* trials) {
  const auto is_name = [&](const std::string& part) {
    return std::any_of(trials->begin(), trials->end(),
                       [&](const Trial& trial) { return trial.scene.name == part; });
  };
  std::vector<std::string> names, others;
  for (const std::string& part : parts) (is_name(part) ? names : others).push_back(part);
  std::erase_if(*trials, [&](const Trial& trial) {
    const std::string& name = trial.scene.name;
    return !parts.empty() && std::find(names.begin(), names.end(), name) == names.end() &&
           (others.empty() || !Contains(others, name));
  });
}

// Writes lines where they survive whatever happens next.
class Output {
 public:
  explicit Output(const std::string& folder)
      : folder_((std::filesystem::create_directories(folder), folder)),
        csv_(folder + "/peers.csv"),
        text_(folder + "/peers.txt") {
    if (!csv_ || !text_) throw std::runtime_error("cannot write to " + folder);
    csv_ << CsvHeader() << std::flush;
  }
  void AddRow(const Result& result, const Row& row) { csv_ << CsvLine(result, row) << std::flush; }
  void Print(const std::string& text) {
    std::cout << text << std::flush;
    text_ << text << std::flush;
  }
  void WritePage(const std::string& html) const { std::ofstream(folder_ + "/peers.html") << html; }

 private:
  std::string folder_;
  std::ofstream csv_, text_;
};

// On one line where somebody looks, otherwise line by line.
void ShowProgress(const std::string& text) {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  std::cerr << (is_terminal ? fmt::format("{:<70}\r", text) : text + "\n") << std::flush;
}

// Repetitions go round by round, so that whatever else the machine does falls on all engines.
Result RunTrial(const Trial& trial, const std::vector<Engine>& all, const Options& options,
                Output* output) {
  constexpr double kOnce = 5;  // s: what takes longer runs once
  Result out{trial, {}};
  const std::vector<Engine> engines = ChooseEngines(trial.engines, all);
  for (const Engine& engine : engines) out.rows.push_back({engine.name, {}, {}, {}});
  std::vector<bool> is_done(engines.size());
  RunLimits limits = options.limits;
  limits.seconds *= trial.patience;
  for (int round = 0; round < options.repeat; ++round) {
    for (size_t k = 0; k < engines.size(); ++k) {
      if (is_done[k]) continue;
      ShowProgress(fmt::format("{}: {}, round {} of {}", trial.scene.name, engines[k].name,
                               round + 1, options.repeat));
      const Measurement m = RunApart(engines[k], trial, limits, round == 0);
      Row& row = out.rows[k];
      if (round == 0) {
        row.first = m;
        row.difference = DescribeDifference(trial.scene, m);
      }
      if (m.ran() && m.pace > 0) row.seconds.push_back(m.pace);
      is_done[k] = !m.ok() || m.pace * trial.scene.until > kOnce || round + 1 == options.repeat;
      if (is_done[k]) output->AddRow(out, row);
    }
  }
  return out;
}

std::vector<Result> RunTrials(const std::vector<Trial>& trials, const std::vector<Engine>& engines,
                              const Options& options, Output* output) {
  std::vector<Result> out;
  for (const Trial& trial : trials) {
    out.push_back(RunTrial(trial, engines, options, output));
    output->Print(FormatResult(out.back()));
  }
  return out;
}

// What was run before, perhaps in parts, or until it was killed.
std::vector<Result> ReadTrials(const std::vector<Trial>& trials, const std::vector<Engine>& engines,
                               const Options& options, Output* output) {
  const std::vector<Result> out = ReadCsvFiles(options.from, trials, engines);
  for (const Result& result : out) {
    for (const Row& row : result.rows) output->AddRow(result, row);
    output->Print(FormatResult(result));
  }
  return out;
}

int Run(const Options& options) {
  const std::vector<Engine> engines = ChooseEngines(options.engines, ListEngines());
  std::vector<Trial> trials = ListTrials(options.quick);
  ChooseTrials(options.scenes, &trials);
  if (trials.empty()) {
    std::cerr << "no scene has such a name; --list shows them\n";
    return 2;
  }
  if (options.list) {
    for (const Trial& trial : trials) fmt::print("{:<24}{}\n", trial.scene.name, trial.title);
    for (const Engine& engine : engines) fmt::print("[{}]\n  {}\n", engine.name, engine.settings);
    return 0;
  }
  Output output(options.out);
  output.Print(DescribeMachine() + "\n");
  for (const Engine& engine : engines) {
    output.Print(fmt::format("{}: {}\n", engine.name, engine.settings));
  }
  for (const std::string& package : ListMissingEngines()) {
    output.Print(package + " is not installed: that engine is missing from these tables.\n");
  }
  const std::vector<Result> results = options.from.empty()
                                          ? RunTrials(trials, engines, options, &output)
                                          : ReadTrials(trials, engines, options, &output);
  bool is_same = true;
  for (const Result& result : results) {
    for (const Row& row : result.rows) is_same &= row.difference.empty();
  }
  output.Print(FormatOverview(results));
  output.Print(FormatGoals(JudgeGoals(results)));
  output.WritePage(MakePage(results, engines));
  std::cerr << "Written: " << options.out << "/peers.{txt,csv,html}\n";
  if (!is_same) std::cerr << "Some engine did not have the scene that was described.\n";
  return is_same ? 0 : 1;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app{"The same scenes in voigt and in other engines"};
  app.add_option("--only", options.scenes, "scenes whose names contain one of these")
      ->delimiter(',');
  app.add_option("--engines", options.engines,
                 "engines whose names contain one of these; voigt always")
      ->delimiter(',');
  app.add_option("--repeat", options.repeat, "rounds; times are medians")
      ->check(CLI::PositiveNumber);
  app.add_option("--limit", options.limits.seconds,
                 "seconds of stepping after which a run is stopped")
      ->check(CLI::PositiveNumber);
  app.add_flag("--quick", options.quick, "shorter scenes, and none of the largest");
  app.add_flag("--list", options.list, "print scenes and engines, run nothing");
  app.add_option("--from", options.from, "run nothing: report what these CSV files hold")
      ->delimiter(',')
      ->check(CLI::ExistingFile);
  app.add_option("--out", options.out, "folder for peers.csv, peers.txt, peers.html");
  CLI11_PARSE(app, argc, argv);
  try {
    return Run(options);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace voigt::peers

int main(int argc, char** argv) { return voigt::peers::Main(argc, argv); }
