#pragma once

#include "voigt/kernels/kept_memory.h"

namespace voigt {

// x = argmin ‖J x − b‖² + λ ‖x‖² for a square J, any rank, and λ > 0; several λ and b for one J.
//
// The normal equations (JᵀJ + λ I) x = Jᵀ b take a third of the work of an orthogonal factor, but
// have the square of its condition: of the sixteen digits, they leave 16 − log₁₀ κ(J)² for x. Steps
// of Levenberg and Marquardt may be rough (the next one mends them), so six digits are enough, and
// Cholesky's factor tells when there are fewer: its diagonal then spreads by more than 1e5. Only
// then, which is near solutions with badly scaled or repeated rows, where λ is small as well, the
// stacked matrix [J; √λ I] is factored by reflections.
class DampedLeastSquares {
 public:
  // Keeps a copy of J and forms JᵀJ.
  void SetMatrix(const Eigen::Ref<const MatX>& J);

  // What JᵀJ has on its diagonal, at most: the square of the largest column of J.
  double largest_diagonal() const { return largest_diagonal_; }

  void Factor(double lambda);
  void Solve(const Eigen::Ref<const VecX>& b, Eigen::Ref<VecX> x);

  bool is_orthogonal() const { return is_orthogonal_; }  // of the last factor

 private:
  bool FactorNormal(double lambda);
  void FactorStacked(double lambda);

  int size_ = 0;
  double largest_diagonal_ = 0;
  bool is_orthogonal_ = false;
  KeptMatrix J_, JtJ_, L_;
  KeptMatrix Q_;  // reflections below and R on and above the diagonal, 2 size × size
  KeptVector R_diagonal_, reflection_scale_, stacked_;
};

}  // namespace voigt
