#include "voigt/kernels/linear_fixed_point.h"

#include <cmath>

namespace voigt {

void LinearFixedPoint::Start(const VecX& c, int most) {
  if (static_cast<int>(basis_.size()) <= most) {
    basis_.resize(most + 1);
    triangle_.resize(most + 1, most);
    for (VecX* list : {&right_, &cosine_, &sine_, &shares_}) list->resize(most + 1);
  }
  count_ = 0;
  most_ = most;
  size_ = left_ = c.norm();
  right_[0] = size_;
  basis_[0] = c;
  is_over_ = most == 0 || !(size_ > 0) || !std::isfinite(size_);
  if (size_ > 0) basis_[0] /= size_;
}

void LinearFixedPoint::Add(const VecX& product) {
  constexpr int kPasses = 2;  // the second for what the first leaves to rounding
  VecX& next = basis_[count_ + 1];
  auto column = triangle_.col(count_);
  next = basis_[count_] - product;
  column.setZero();
  for (int pass = 0; pass < kPasses; ++pass) {
    for (int i = 0; i <= count_; ++i) {
      const double along = basis_[i].dot(next);
      column[i] += along;
      next -= along * basis_[i];
    }
  }
  const double rest = next.norm();
  for (int i = 0; i < count_; ++i) {
    const double a = column[i], b = column[i + 1];
    column[i] = cosine_[i] * a + sine_[i] * b;
    column[i + 1] = cosine_[i] * b - sine_[i] * a;
  }
  const double diagonal = std::hypot(column[count_], rest);
  if (!(diagonal > 0) || !std::isfinite(diagonal)) {
    is_over_ = true;
    return;
  }
  cosine_[count_] = column[count_] / diagonal;
  sine_[count_] = rest / diagonal;
  column[count_] = diagonal;
  right_[count_ + 1] = -sine_[count_] * right_[count_];
  right_[count_] *= cosine_[count_];
  left_ = std::abs(right_[count_ + 1]);
  ++count_;
  is_over_ = count_ == most_ || rest == 0;
  if (rest > 0) next /= rest;
}

void LinearFixedPoint::Finish(VecX* x) {
  if (count_ == 0) {
    *x = size_ * basis_[0];
    return;
  }
  x->setZero(basis_[0].size());
  for (int i = count_ - 1; i >= 0; --i) {
    double share = right_[i];
    for (int j = i + 1; j < count_; ++j) share -= triangle_(i, j) * shares_[j];
    shares_[i] = share / triangle_(i, i);
    *x += shares_[i] * basis_[i];
  }
}

}  // namespace voigt
