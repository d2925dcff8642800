#include "voigt/kernels/basis_factor.h"

#include <algorithm>

namespace voigt {

DenseBlock BasisFactor::Core() {
  return DenseBlock(Z_.data(), core_, core_, Eigen::OuterStride<>(rows_));
}

void BasisFactor::Begin(int rows, const std::vector<int>& positions) {
  rows_ = rows;
  core_ = static_cast<int>(positions.size());
  order_ = positions;
  for (int i = 0, k = 0; i < rows; ++i) {
    if (k < core_ && positions[k] == i) {
      ++k;
    } else {
      order_.push_back(i);
    }
  }
  swaps_.resize(core_);
  Z_.resize(static_cast<size_t>(rows) * core_);
  scratch_.resize(rows);
  eta_positions_.clear();
  etas_.clear();
  eta_work_ = 0;
}

void BasisFactor::SetColumn(int k, const double* entries) {
  double* column = Z_.data() + static_cast<size_t>(rows_) * k;
  for (int i = 0; i < rows_; ++i) column[i] = entries[order_[i]];
}

double BasisFactor::Factor() { return FactorLu(Core(), swaps_.data()); }

void BasisFactor::Solve(double* x) {
  if (core_ > 0) {
    for (int i = 0; i < rows_; ++i) scratch_[i] = x[order_[i]];
    SolveLu(Core(), swaps_.data(), scratch_.data());
    const int rest = rows_ - core_;
    if (rest > 0) {
      const DenseBlock Z2(Z_.data() + core_, rest, core_, Eigen::OuterStride<>(rows_));
      Eigen::Map<VecX>(scratch_.data() + core_, rest).noalias() -=
          Z2 * Eigen::Map<const VecX>(scratch_.data(), core_);
    }
    for (int i = 0; i < rows_; ++i) x[order_[i]] = scratch_[i];
  }
  const double* alpha = etas_.data();
  for (const int position : eta_positions_) {
    if (x[position] != 0) {
      const double step = x[position] / alpha[position];
      for (int i = 0; i < rows_; ++i) x[i] -= step * alpha[i];
      x[position] = step;
      eta_work_ += rows_;
    }
    alpha += rows_;
  }
}

bool BasisFactor::IsWorn() const {
  const size_t count = eta_positions_.size();
  if (count < kMinEtas) return false;
  if (count >= kMaxEtas) return true;
  // The core may have grown by a column in each exchange. Some thousand multiplications' worth is
  // spent on small things.
  const double core = std::min(core_ + static_cast<int>(count), rows_);
  return eta_work_ > core * core * core / 3 + core * rows_ + 3000;
}

void BasisFactor::Exchange(int position, const double* alpha) {
  eta_positions_.push_back(position);
  etas_.insert(etas_.end(), alpha, alpha + rows_);
}

}  // namespace voigt
