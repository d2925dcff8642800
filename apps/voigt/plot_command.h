#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace voigt {

// The arguments of `voigt plot`.
struct PlotOptions {
  std::string recording, out;
  std::vector<std::string> coordinates, contacts;
};

// Declares the command; parsing fills *options.
void AddPlotCommand(CLI::App* app, PlotOptions* options);

// Runs it; returns the exit code. Throws InputError for bad input.
int RunPlotCommand(const PlotOptions& options);

}  // namespace voigt
