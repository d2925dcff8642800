// The voigt program. Exit codes: 0 fine, 1 the simulation failed or its output could not be
// written, 2 bad input, 128 + n ended by signal n after a whole step.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "apps/voigt/check_command.h"
#include "apps/voigt/list_command.h"
#include "apps/voigt/plot_command.h"
#include "apps/voigt/replay_command.h"
#include "apps/voigt/reproduce_command.h"
#include "apps/voigt/sim_command.h"
#include "apps/voigt/view_command.h"
#include "voigt/base/errors.h"

namespace {

constexpr int kFailed = 1, kBadInput = 2;

// A word of the command line and what it does; returns the exit code.
struct Command {
  std::string name;
  std::function<int()> run;
};

int RunGiven(const CLI::App& app, const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (app.got_subcommand(command.name)) return command.run();
  }
  return kBadInput;  // out of reach: one of them is required
}

bool IsUnknownCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const auto known = app.get_subcommands([](const CLI::App*) { return true; });
  return std::none_of(known.begin(), known.end(),
                      [&](const CLI::App* command) { return command->get_name() == argv[1]; });
}

int Run(int argc, char** argv) {
  CLI::App app{"voigt: rigid multibody simulation with joints, contact and friction"};
  app.set_version_flag("--version", VOIGT_VERSION);
  app.require_subcommand(1);
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    const std::string what = IsUnknownCommand(app, argc, argv)
                                 ? fmt::format(
                                       "'{}', expected a command: sim, check, plot, "
                                       "replay, view, list or reproduce",
                                       argv[1])
                                 : error.what();
    return fmt::format("{}\nTry: voigt sim scenes/chain.yaml, or voigt --help.\n", what);
  });
  voigt::SimOptions sim;
  voigt::AddSimCommand(&app, &sim);
  voigt::CheckOptions check;
  voigt::AddCheckCommand(&app, &check);
  voigt::ListOptions list;
  voigt::AddListCommand(&app, &list);
  voigt::ReplayOptions replay;
  voigt::AddReplayCommand(&app, &replay);
  voigt::ViewOptions view;
  voigt::AddViewCommand(&app, &view);
  voigt::PlotOptions plot;
  voigt::AddPlotCommand(&app, &plot);
  voigt::ReproduceOptions reproduce;
  voigt::AddReproduceCommand(&app, &reproduce);
  const std::vector<Command> commands = {
      {"sim", [&] { return voigt::RunSimCommand(sim); }},
      {"check", [&] { return voigt::RunCheckCommand(check); }},
      {"plot", [&] { return voigt::RunPlotCommand(plot); }},
      {"list", [&] { return voigt::RunListCommand(list); }},
      {"replay", [&] { return voigt::RunReplayCommand(replay); }},
      {"view", [&] { return voigt::RunViewCommand(view); }},
      {"reproduce", [&] { return voigt::RunReproduceCommand(reproduce); }},
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are no errors; everything else is bad input.
    return app.exit(error) == 0 ? 0 : kBadInput;
  }
  try {
    return RunGiven(app, commands);
  } catch (const voigt::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    const size_t count = error.problems().size();
    if (count > 1) fmt::print(stderr, "{} problems\n", count);
    return kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "voigt: {}\n", error.what());
    return kFailed;
  }
}

// That a disk is full shows only when the last of the output leaves its buffer.
bool FlushOutput() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace

int main(int argc, char** argv) {
  const int code = Run(argc, argv);
  if (FlushOutput()) return code;
  fmt::print(stderr, "voigt: standard output cannot be written: is the disk full?\n");
  return code == 0 ? kFailed : code;
}
