#include "voigt/kernels/anderson.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace voigt {

void Anderson::Reset(int size, int compared) {
  if (compared < 0) compared = size;
  if (moves_.rows() != size || df_.rows() != compared) {
    df_.resize(compared, kDepth);
    moves_.resize(size, kDepth);
    last_.resize(size);
    for (VecX* f : {&f_, &f_last_}) f->resize(compared);
  }
  Forget();
}

void Anderson::Advance(const VecX& f, const VecX& scale, VecX* x) {
  f_ = f.head(f_.size()).cwiseProduct(scale.head(f_.size()));
  *x += f;
  Combine(x);
}

void Anderson::AdvanceFrom(const VecX& from, const VecX& scale, VecX* x) {
  const long n = f_.size();
  f_ = (x->head(n) - from.head(n)).cwiseProduct(scale.head(n));
  Combine(x);
}

// What the last point and step teach goes into the next column. x: where the step leads to.
void Anderson::Learn(const VecX& x) {
  df_.col(next_) = f_ - f_last_;
  moves_.col(next_) = x - last_;
  count_ = std::max(count_, next_ + 1);
  for (int i = 0; i < count_; ++i) {
    products_(i, next_) = products_(next_, i) = df_.col(i).dot(df_.col(next_));
  }
  next_ = (next_ + 1) % kDepth;
}

void Anderson::Combine(VecX* x) {
  if (has_last_) Learn(*x);
  last_ = *x;
  f_last_ = f_;
  has_last_ = true;
  if (count_ == 0) return;

  // θ minimises ‖f − ΔF θ‖; columns are scaled to length one, and what is nearly dependent is
  // damped.
  using Vector = Eigen::Matrix<double, kDepth, 1>;
  Eigen::Matrix<double, kDepth, kDepth> A = Eigen::Matrix<double, kDepth, kDepth>::Identity();
  Vector rhs = Vector::Zero(), length = Vector::Ones();
  for (int i = 0; i < count_; ++i) {
    length[i] = std::sqrt(products_(i, i));
    if (!(length[i] > 0)) return;
  }
  for (int i = 0; i < count_; ++i) {
    rhs[i] = df_.col(i).dot(f_) / length[i];
    for (int j = 0; j < count_; ++j) A(i, j) = products_(i, j) / (length[i] * length[j]);
    A(i, i) += 1e-13;
  }
  const Vector theta = A.ldlt().solve(rhs).cwiseQuotient(length);
  if (!theta.allFinite()) return;
  x->noalias() -= moves_.leftCols(count_) * theta.head(count_);
}

}  // namespace voigt
