#include "voigt/kernels/anderson.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace voigt {

void Anderson::Reset(int size) {
  if (dx_.rows() != size) {
    dx_.resize(size, kDepth);
    df_.resize(size, kDepth);
    x_last_.resize(size);
    f_last_.resize(size);
    weighted_.resize(size);
  }
  next_ = 0;
  Forget();
}

void Anderson::Advance(const VecX& f, const VecX& scale, VecX* x) {
  if (has_last_) {
    dx_.col(next_) = *x - x_last_;
    df_.col(next_) = f - f_last_;
    next_ = (next_ + 1) % kDepth;
    count_ = std::min(count_ + 1, kDepth);
  }
  x_last_ = *x;
  f_last_ = f;
  has_last_ = true;
  *x += f;
  if (count_ == 0) return;

  // θ minimises ‖f − ΔF θ‖; columns are scaled to length one, and what is nearly dependent is
  // damped.
  Eigen::Matrix<double, kDepth, kDepth> A = Eigen::Matrix<double, kDepth, kDepth>::Identity();
  Eigen::Matrix<double, kDepth, 1> rhs = Eigen::Matrix<double, kDepth, 1>::Zero(), length;
  for (int i = 0; i < count_; ++i) {
    length[i] = df_.col(i).cwiseProduct(scale).norm();
    if (!(length[i] > 0)) return;
  }
  for (int i = 0; i < count_; ++i) {
    weighted_ = df_.col(i).cwiseProduct(scale.cwiseAbs2()) / length[i];
    rhs[i] = weighted_.dot(f);
    for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = weighted_.dot(df_.col(j)) / length[j];
    A(i, i) += 1e-13;
  }
  const Eigen::Matrix<double, kDepth, 1> theta = A.ldlt().solve(rhs);
  if (!theta.allFinite()) return;
  for (int i = 0; i < count_; ++i) *x -= (theta[i] / length[i]) * (dx_.col(i) + df_.col(i));
}

}  // namespace voigt
