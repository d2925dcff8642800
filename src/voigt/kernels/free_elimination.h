#pragma once

#include <Eigen/LU>
#include <vector>

#include "voigt/kernels/box_as_lcp.h"

namespace voigt {

// What to do about free variables F whose own block N_FF is singular: a largest set of rows R and
// columns C of it with N_RC regular (R = C where that is possible, as it always is for positive
// semidefinite N) can be eliminated; the others are to be split. A row whose combination with
// others leaves nothing of N over but something of q contradicts them.
class FreeElimination {
 public:
  // False if the equations contradict each other, in which case y proves it (IsInfeasible).
  bool Analyze(const ComplementarityProblem& problem, const BoxAsLcp& reduced,
               std::vector<double>* y);

  // Free pairs to be split, and those whose rows they take (BoxAsLcp::SplitFree).
  const std::vector<int>& columns() const { return columns_; }
  const std::vector<int>& rows() const { return rows_; }

 private:
  bool IsRegular(const std::vector<int>& excluded);
  bool FindContradiction(const ComplementarityProblem& problem, std::vector<double>* y);

  Eigen::FullPivLU<MatX> lu_;
  Eigen::PartialPivLU<MatX> principal_;
  MatX block_, part_;
  VecX multipliers_;
  std::vector<int> free_, variables_, columns_, rows_;  // pairs; their variables; pairs
  std::vector<int> kept_;
};

}  // namespace voigt
