#include "voigt/audit/contradiction.h"

#include <cmath>
#include <numeric>

namespace voigt {

Contradiction::Parts Contradiction::SetApart(const VelocityProblem& problem, const LawResidual& law,
                                             double value) {
  Parts out{value, 0};
  all_groups_.resize(problem.groups.size());
  std::iota(all_groups_.begin(), all_groups_.end(), 0);
  if (dependent_.Find(problem, all_groups_) == 0) return out;
  contradiction_.setZero(problem.row_count());
  dependent_.CalcContradiction(law.u(), &contradiction_);
  if (!dependent_.IsExplained(contradiction_, law.scale(), problem.h)) return out;
  rest_ = law.rows();
  dependent_.ForEachRow([&](int i) { rest_[i] = std::fabs(law.u()[i] - contradiction_[i]); });
  out.law = rest_.maxCoeff() / law.scale();
  out.contradiction = contradiction_.cwiseAbs().maxCoeff() / law.scale();
  return out;
}

}  // namespace voigt
