#pragma once

#include "voigt/kernels/boxed_pivoting.h"
#include "voigt/problem/acceleration_problem.h"

namespace voigt {

// Forces for given modes, where normal forces are those of one-sided rows: friction that slides is
// part of its normal row's force, F_n = G_n − μ d G_t, and friction that holds is bilateral. A
// boxed linear complementarity problem, by pivoting and proximal steps: rows that repeat each other
// share evenly.
class BoxedForces {
 public:
  // False if there is no solution, or none was found. Accelerations are judged relative to the
  // largest in the problem, or to `in_play` where that is more. `*lambda` is the guess, too.
  bool Solve(const AccelerationProblem& problem, double in_play, VecX* lambda);

 private:
  void Reduce(const AccelerationProblem& problem);

  std::vector<int> rows_;  // those that are left
  MatX A_, shifted_;
  VecX right_, lower_, upper_, z_, target_, rest_;
  BoxedPivoting pivoting_;
};

}  // namespace voigt
