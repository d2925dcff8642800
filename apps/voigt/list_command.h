#pragma once

#include <string>

namespace CLI {
class App;
}

namespace voigt {

// The arguments of `voigt list`.
struct ListOptions {
  std::string folder;  // of scenes; empty: scenes/ in the working directory, if there is one
  bool json = false;
};

// Declares the command; parsing fills *options.
void AddListCommand(CLI::App* app, ListOptions* options);

// Runs it; returns the exit code. Throws InputError for bad input.
int RunListCommand(const ListOptions& options);

}  // namespace voigt
