#include "voigt/problem/solution.h"

namespace voigt {

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
