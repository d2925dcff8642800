#pragma once

#include <string>
#include <vector>

#include "bench/peers/table.h"

namespace voigt::peers {

// What voigt is meant to reach beside the others, and what the run says.
struct Goal {
  std::string text;
  bool met = false;
  int checked = 0;                  // comparisons that could be made; without any, nothing is said
  std::vector<std::string> misses;  // where not, with the figures
};

std::vector<Goal> JudgeGoals(const std::vector<Result>& results);

std::string FormatGoals(const std::vector<Goal>& goals);

// "2026-11-16, x86_64, …": processor, cores, compiler.
std::string DescribeMachine();

}  // namespace voigt::peers
