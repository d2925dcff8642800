#pragma once

#include <string>

namespace CLI {
class App;
}

namespace voigt {

// The arguments of `voigt replay`.
struct ReplayOptions {
  std::string recording;
  std::string out;  // the page; empty: beside the recording
};

// Declares the command; parsing fills *options.
void AddReplayCommand(CLI::App* app, ReplayOptions* options);

// Writes the page; returns the exit code. Throws InputError for bad input.
int RunReplayCommand(const ReplayOptions& options);

}  // namespace voigt
