#pragma once

#include "voigt/math/tree_pattern.h"

namespace voigt {

// A = Lᵀ D L for a symmetric positive definite A with tree pattern [Featherstone 2008, §8.4].
// L is unit lower triangular with the same pattern as A: no fill-in. For a chain the cost is that
// of a dense factorisation, for a bushy tree it is close to linear.
class TreeFactor {
 public:
  TreeFactor() = default;
  explicit TreeFactor(const TreePattern& pattern);

  // Whether this has the size of such matrices.
  bool Fits(const TreePattern& pattern) const {
    return L_.size() == pattern.nonzeros() && D_inverse_.size() == pattern.size();
  }

  // Factors the packed matrix A. Returns -1, or the index of the first pivot that is not positive
  // (NaN included); the factor is then unusable.
  int Factor(const TreePattern& pattern, const VecX& A) {
    return FactorRange(pattern, A, 0, pattern.size());
  }

  // x ← A⁻¹ x, x ← L⁻ᵀ x, x ← L⁻¹ x.
  void Solve(const TreePattern& pattern, Eigen::Ref<VecX> x) const;
  void SolveLTransposed(const TreePattern& pattern, double* x) const {
    SolveLTransposedRange(pattern, 0, pattern.size(), x);
  }
  void SolveL(const TreePattern& pattern, double* x) const {
    SolveLRange(pattern, 0, pattern.size(), x);
  }

  // The same for the rows first … first + count − 1 alone. These must be whole trees, of which no
  // row depends on any other; A and x are still those of the whole pattern.
  int FactorRange(const TreePattern& pattern, const VecX& A, int first, int count);
  void SolveRange(const TreePattern& pattern, int first, int count, double* x) const;
  void SolveLTransposedRange(const TreePattern& pattern, int first, int count, double* x) const;
  void SolveLRange(const TreePattern& pattern, int first, int count, double* x) const;

  // Row k of L (root → k, without the unit diagonal), and 1/D.
  const double* row(const TreePattern& pattern, int k) const {
    return L_.data() + pattern.row_start(k);
  }
  const VecX& D_inverse() const { return D_inverse_; }

  // Of a free body (TreePattern::is_chain_of_six): whether L is the identity, and x ← A⁻¹ x for the
  // body's six numbers alone.
  bool is_diagonal(int root) const { return is_diagonal_[root]; }
  void SolveChainOfSix(const TreePattern& pattern, int root, double* x) const;

 private:
  int FactorTree(const TreePattern& pattern, const VecX& A, int first, int count);

  VecX L_;  // packed as TreePattern says; the place of the unit diagonal holds D
  VecX D_inverse_;
  std::vector<char> is_diagonal_;  // at the roots of free bodies
};

}  // namespace voigt
