#pragma once

#include <vector>

#include "voigt/kernels/dense_lu.h"

namespace voigt {

// Solves with a square basis B most of whose columns may be columns of the identity, and one column
// of which changes at a time, as pivoting methods need it.
//
// B is factored as [Z₁ 0; Z₂ I] with its other columns Z first and rows in a suitable order: an LU
// factor of Z₁ alone, as large as there are such columns. Each exchange of a column adds one
// elementary matrix (product form): B ← B E with E the identity but for one column.
class BasisFactor {
 public:
  // Starts a factor: columns of the identity at all positions but those of `positions` (ascending),
  // whose columns are to be written in full with SetColumn, k-th column for k-th position.
  void Begin(int rows, const std::vector<int>& positions);
  void SetColumn(int k, const double* entries);
  // The smallest pivot relative to the largest entry: B is singular to working precision where this
  // is tiny, and not to be used where it is zero.
  double Factor();

  // x ← B⁻¹ x. In: by rows; out: by positions.
  void Solve(double* x);

  // Column `position` of B becomes a, with alpha = B⁻¹ a.
  void Exchange(int position, const double* alpha);

  // Whether the elementary matrices have by now cost as much as factoring anew would. Or there are
  // so many that the loss of digits begins to matter.
  bool IsWorn() const;

 private:
  static constexpr size_t kMinEtas = 8, kMaxEtas = 150;

  DenseBlock Core();

  int rows_ = 0, core_ = 0;
  std::vector<int> order_;  // rows: those of Z₁, then the others
  std::vector<int> swaps_;
  std::vector<double> Z_;  // rows_ × core_, rows in that order; the top becomes its LU factor
  std::vector<double> scratch_;
  std::vector<int> eta_positions_;
  std::vector<double> etas_;  // alpha of each exchange
  double eta_work_ = 0;       // multiplications
};

}  // namespace voigt
