#pragma once

#include <vector>

#include "voigt/audit/law_residual.h"
#include "voigt/problem/dependent_rows.h"

namespace voigt {

// No impulse removes what dependent rigid rows contradict each other by, so it is no fault of any;
// as long as it is no more than their gaps explain. Keeps its memory.
class Contradiction {
 public:
  struct Parts {
    double law = kNaN;         // the largest residual without it, relative
    double contradiction = 0;  // the largest contradiction, relative
  };

  // `law`: after Calc with impulses of this problem; `value` is what that returned.
  Parts SetApart(const VelocityProblem& problem, const LawResidual& law, double value);

 private:
  DependentRows dependent_;
  std::vector<int> all_groups_;
  VecX contradiction_, rest_;
};

}  // namespace voigt
