#pragma once

#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// Vectors and matrices (by columns) that keep their memory when they become smaller, for work whose
// size changes from one call to the next: Eigen's own give theirs back at every change of size.
class KeptVector {
 public:
  void Resize(int size) { data_.resize(static_cast<size_t>(size)); }
  Eigen::Map<VecX> get() { return {data_.data(), static_cast<Eigen::Index>(data_.size())}; }
  Eigen::Map<const VecX> get() const {
    return {data_.data(), static_cast<Eigen::Index>(data_.size())};
  }

 private:
  std::vector<double> data_;
};

class KeptMatrix {
 public:
  void Resize(int rows, int cols) {
    rows_ = rows;
    cols_ = cols;
    data_.resize(static_cast<size_t>(rows) * static_cast<size_t>(cols));
  }
  Eigen::Map<MatX> get() { return {data_.data(), rows_, cols_}; }
  Eigen::Map<const MatX> get() const { return {data_.data(), rows_, cols_}; }

 private:
  std::vector<double> data_;
  int rows_ = 0, cols_ = 0;
};

}  // namespace voigt
