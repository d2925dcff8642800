#include "voigt/kernels/anderson.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace voigt {

void Anderson::Reset(int size) {
  if (df_.rows() != size) {
    df_.resize(size, kDepth);
    moves_.resize(size, kDepth);
    x_last_.resize(size);
    f_last_.resize(size);
    weighted_.resize(size);
  }
  Forget();
}

// What the last point and step teach goes into the next column.
void Anderson::Learn(const VecX& f, const VecX& scale, const VecX& x) {
  df_.col(next_) = (f - f_last_).cwiseProduct(scale);
  moves_.col(next_) = (x - x_last_) + (f - f_last_);
  count_ = std::max(count_, next_ + 1);
  for (int i = 0; i < count_; ++i) {
    products_(i, next_) = products_(next_, i) = df_.col(i).dot(df_.col(next_));
  }
  next_ = (next_ + 1) % kDepth;
}

void Anderson::Advance(const VecX& f, const VecX& scale, VecX* x) {
  if (has_last_) Learn(f, scale, *x);
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
    length[i] = std::sqrt(products_(i, i));
    if (!(length[i] > 0)) return;
  }
  weighted_ = f.cwiseProduct(scale);
  for (int i = 0; i < count_; ++i) {
    rhs[i] = df_.col(i).dot(weighted_) / length[i];
    for (int j = 0; j < count_; ++j) A(i, j) = products_(i, j) / (length[i] * length[j]);
    A(i, i) += 1e-13;
  }
  const Eigen::Matrix<double, kDepth, 1> theta = A.ldlt().solve(rhs);
  if (!theta.allFinite()) return;
  for (int i = 0; i < count_; ++i) *x -= (theta[i] / length[i]) * moves_.col(i);
}

}  // namespace voigt
