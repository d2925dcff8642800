#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace voigt {

// The arguments of `voigt view`.
struct ViewOptions {
  std::string scene;
  std::vector<std::string> overrides;
  int port = 0;
};

// Declares the command; parsing fills *options.
void AddViewCommand(CLI::App* app, ViewOptions* options);

// Serves the scene until it is interrupted; returns the exit code. Throws InputError for bad input.
int RunViewCommand(const ViewOptions& options);

}  // namespace voigt
