#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace voigt {

// The arguments of `voigt sim`.
struct SimOptions {
  std::string scene;
  // Values of the scene's `simulation` section, as text; empty where not given.
  std::string step, until, integrator, formulation, friction, coordinates, record_interval;
  std::vector<std::string> overrides;
  std::string plot, contacts, replay, dump_problem;
  std::string record, resume;  // recordings
  bool json = false;
};

// Declares the command; parsing fills *options.
void AddSimCommand(CLI::App* app, SimOptions* options);

// Runs it; returns the exit code: 0 fine, 1 the simulation failed, 128 + n ended by signal n after
// a whole step (130 for Ctrl-C). Throws InputError for bad input.
int RunSimCommand(const SimOptions& options);

}  // namespace voigt
