#pragma once

#include <string_view>
#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// A table or figure: its name is that of its data file.
struct Experiment {
  std::string_view name;
  void (*run)(Trial* trial);  // null where the program lacks what it needs
};

// All of them, paper by paper.
const std::vector<Experiment>& ListExperiments();

}  // namespace voigt::reproduce
