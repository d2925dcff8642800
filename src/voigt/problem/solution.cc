#include "voigt/problem/solution.h"

#include <algorithm>

namespace voigt {

SolveStats& SolveStats::operator+=(const SolveStats& other) {
  islands = std::max(islands, other.islands);
  for (auto member :
       {&SolveStats::newton_iterations, &SolveStats::factorizations, &SolveStats::sweeps,
        &SolveStats::friction_passes, &SolveStats::dependent_directions, &SolveStats::inflated}) {
    this->*member += other.*member;
  }
  solved_by = std::max(solved_by, other.solved_by);
  return *this;
}

std::string_view ToString(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved:
      return "solved";
    case SolveStatus::kRedundant:
      return "redundant";
    case SolveStatus::kInaccurate:
      return "inaccurate";
    case SolveStatus::kIterationLimit:
      return "iteration limit";
    case SolveStatus::kTimeLimit:
      return "time limit";
    case SolveStatus::kNoFixedPoint:
      return "friction did not settle";
    case SolveStatus::kRay:
      return "ended on a ray";
    case SolveStatus::kFailed:
      return "failed";
  }
  return "";
}

}  // namespace voigt
