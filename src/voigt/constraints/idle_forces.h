#pragma once

#include <Eigen/LU>
#include <vector>

#include "voigt/math/types.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Where rows repeat each other, forces Z z on them move nothing: Gᵀ Z = 0. Rows and columns that
// are as many as in the call before take no memory anew.
class IdleForces {
 public:
  // A basis Z of those on some rows of a problem, in ascending order; rows × none where each of
  // them holds something of its own. `is_known`: per rate, those that no force moves; or empty.
  const MatX& Calc(const VelocityProblem& problem, const std::vector<int>& rows,
                   const std::vector<char>& is_known);

 private:
  void GatherColumns(const VelocityProblem& problem, const std::vector<int>& rows,
                     const std::vector<char>& is_known);

  Eigen::FullPivLU<MatX> factor_;
  std::vector<int> cols_;  // rates that the rows move
  MatX G_T_, Z_, basis_;
};

}  // namespace voigt
