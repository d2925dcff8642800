#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace voigt {

// The arguments of `voigt reproduce`.
struct ReproduceOptions {
  std::vector<std::string> names;
  std::string out;   // folder for reproduce.json and reproduce.html; empty: none
  std::string data;  // folder of data files; empty: those built in
  int threads = 2;
  bool quick = false, json = false, list = false;
};

// Declares the command; parsing fills *options.
void AddReproduceCommand(CLI::App* app, ReproduceOptions* options);

// Runs it; returns the exit code: 1 if something does not match, 128 and the signal if it was
// interrupted. Throws InputError for bad input.
int RunReproduceCommand(const ReproduceOptions& options);

}  // namespace voigt
