#pragma once

#include <string>
#include <vector>

#include "reproduce/core/runner.h"

namespace voigt::reproduce {

// One outcome as lines of a table for the terminal.
std::string MakeText(const Outcome& outcome);

// How many outcomes have which verdict, in one line.
std::string MakeTotals(const std::vector<Outcome>& outcomes);

// A list of objects, one for each outcome: name, paper, ours, reference (each with one member per
// quantity), verdict and more.
std::string MakeJson(const std::vector<Outcome>& outcomes);

// A number with the digits that readers need.
std::string NumberText(double value);

}  // namespace voigt::reproduce
