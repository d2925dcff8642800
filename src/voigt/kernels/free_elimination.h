#pragma once

#include <Eigen/LU>
#include <vector>

#include "voigt/kernels/box_as_lcp.h"

namespace voigt {

// What to do about free variables F whose own block N_FF is singular: a largest set of rows R and
// columns C of it with N_RC regular (R = C where that is possible, as it always is for positive
// semidefinite N) can be eliminated; the others are to be split. Equations may be written with
// either sign; for those of split variables it matters to Lemke's method, which likes what is left
// of N after elimination to be skew there, as in optimality conditions. A row whose combination
// with others leaves nothing of N over but something of q contradicts them.
class FreeElimination {
 public:
  // False if the equations contradict each other, in which case y proves it (IsInfeasible).
  bool Analyze(const ComplementarityProblem& problem, const BoxAsLcp& reduced,
               std::vector<double>* y);

  // Free pairs to be split, those whose rows they take, and with which sign (BoxAsLcp::SplitFree).
  const std::vector<int>& columns() const { return columns_; }
  const std::vector<int>& rows() const { return rows_; }
  const std::vector<double>& signs() const { return signs_; }

 private:
  void ListKept(const std::vector<int>& split, std::vector<int>* kept) const;
  bool FactorKept();
  void ChooseSigns(const ComplementarityProblem& problem);
  bool FindContradiction(const ComplementarityProblem& problem, std::vector<double>* y);

  Eigen::FullPivLU<MatX> lu_;          // of N_FF
  Eigen::PartialPivLU<MatX> kept_lu_;  // of N_RC
  MatX block_, kept_block_;            // scaled as the pairs are
  VecX multipliers_, column_, image_;
  std::vector<int> free_, variables_;  // pairs, ascending; their variables
  std::vector<int> columns_, rows_;    // pairs
  std::vector<double> signs_, scales_, row_scales_;
  std::vector<int> kept_rows_, kept_columns_;  // R and C, by their places in free_
};

}  // namespace voigt
