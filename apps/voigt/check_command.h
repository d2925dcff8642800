#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace voigt {

// The arguments of `voigt check`.
struct CheckOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool strict = false;
  bool json = false;
};

// Declares the command; parsing fills *options.
void AddCheckCommand(CLI::App* app, CheckOptions* options);

// Runs it; returns the exit code. Throws InputError for bad input.
int RunCheckCommand(const CheckOptions& options);

}  // namespace voigt
