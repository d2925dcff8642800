#include "voigt/math/block_lu.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/math/subtract_product.h"

namespace voigt {
namespace {

using Panel = Eigen::Map<MatX, 0, Eigen::OuterStride<>>;
using ConstPanel = Eigen::Map<const MatX, 0, Eigen::OuterStride<>>;

// A⁻¹ in place of A, by Gauss–Jordan elimination with exchanges of rows. False if A is singular.
bool Invert(Panel* A_) {
  Panel& A = *A_;
  const int n = static_cast<int>(A.rows());
  int exchanged[BlockLu::kMaxWidth];
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(A(i, k)) > std::abs(A(p, k))) p = i;
    }
    exchanged[k] = p;
    if (p != k) A.row(p).swap(A.row(k));
    const double pivot = A(k, k);
    if (!(std::abs(pivot) > 0)) return false;
    A(k, k) = 1;
    A.row(k) /= pivot;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A(i, k);
      A(i, k) = 0;
      A.row(i) -= factor * A.row(k);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    if (exchanged[k] != k) A.col(exchanged[k]).swap(A.col(k));
  }
  return true;
}

}  // namespace

void BlockLu::SetStructure(const BlockCholesky& structure) {
  structure_ = &structure;
  lower_.resize(structure.value_count());
  upper_.resize(structure.value_count());
  int widest = 0;
  for (const auto& column : structure.columns()) widest = std::max(widest, column.width);
  VOIGT_CHECK(widest <= kMaxWidth);
  x_j_.resize(widest);
}

void BlockLu::SetZero() {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
}

bool BlockLu::Factor() {
  const auto& columns = structure_->columns();
  const auto& rows = structure_->rows();
  for (const auto& column : columns) {
    const int width = column.width, height = column.height, below = height - width;
    double* const L = lower_.data() + column.offset;
    double* const U = upper_.data() + column.offset;
    // D⁻¹ in place of D, and L = A D⁻¹ below it, row by row.
    Panel D(L, width, width, Eigen::OuterStride<>(height));
    if (!Invert(&D)) return false;
    Panel A(L + width, below, width, Eigen::OuterStride<>(height));
    for (int i = 0; i < below; ++i) {
      x_j_.head(width).noalias() = D.transpose().lazyProduct(A.row(i).transpose());
      A.row(i) = x_j_.head(width).transpose();
    }
    // What the column leaves to those after it.
    const int* target = structure_->targets().data() + column.first_target;
    for (int b = 0; b < column.row_count; ++b) {
      const auto& row_b = rows[column.first_row + b];
      const int n = columns[row_b.column].width, stride = columns[row_b.column].height;
      for (int a = b; a < column.row_count; ++a, ++target) {
        const auto& row_a = rows[column.first_row + a];
        const int m = columns[row_a.column].width;
        internal::SubtractProduct(m, n, width, L + row_a.at, height, U + row_b.at, height,
                                  lower_.data() + *target, stride);
        if (a == b) continue;
        internal::SubtractProduct(m, n, width, U + row_a.at, height, L + row_b.at, height,
                                  upper_.data() + *target, stride);
      }
    }
  }
  return true;
}

void BlockLu::Solve(double* x) const {
  const auto& columns = structure_->columns();
  const auto& rows = structure_->rows();
  for (const auto& column : columns) {
    const Eigen::Map<const VecX> x_j(x + column.start, column.width);
    for (int r = 0; r < column.row_count; ++r) {
      const auto& row = rows[column.first_row + r];
      const auto& other = columns[row.column];
      Eigen::Map<VecX>(x + other.start, other.width).noalias() -=
          ConstPanel(lower_.data() + column.offset + row.at, other.width, column.width,
                     Eigen::OuterStride<>(column.height))
              .lazyProduct(x_j);
    }
  }
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    Eigen::Map<VecX> x_j(x + column->start, column->width);
    for (int r = 0; r < column->row_count; ++r) {
      const auto& row = rows[column->first_row + r];
      const auto& other = columns[row.column];
      x_j.noalias() -= ConstPanel(upper_.data() + column->offset + row.at, other.width,
                                  column->width, Eigen::OuterStride<>(column->height))
                           .transpose()
                           .lazyProduct(Eigen::Map<const VecX>(x + other.start, other.width));
    }
    x_j_.head(column->width).noalias() =
        ConstPanel(lower_.data() + column->offset, column->width, column->width,
                   Eigen::OuterStride<>(column->height))
            .lazyProduct(x_j);
    x_j = x_j_.head(column->width);
  }
}

}  // namespace voigt
