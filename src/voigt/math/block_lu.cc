#include "voigt/math/block_lu.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/math/number_pair.h"
#include "voigt/math/panel_product.h"
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

// L = A D⁻¹ in place of A, for `count` rows.
template <int width>
void MultiplyRows(int count, const Panel& D_inverse, double* A, int stride) {
  double D[width][width];
  for (int j = 0; j < width; ++j) {
    for (int k = 0; k < width; ++k) D[j][k] = D_inverse(k, j);
  }
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    NumberPair a[width];
    for (int k = 0; k < width; ++k) a[k] = LoadPair(A + i + k * stride);
    for (int j = 0; j < width; ++j) {
      NumberPair sum = a[0] * D[j][0];
      for (int k = 1; k < width; ++k) sum += a[k] * D[j][k];
      StorePair(sum, A + i + j * stride);
    }
  }
  if (i == count) return;
  double a[width];
  for (int k = 0; k < width; ++k) a[k] = A[i + k * stride];
  for (int j = 0; j < width; ++j) {
    double sum = a[0] * D[j][0];
    for (int k = 1; k < width; ++k) sum += a[k] * D[j][k];
    A[i + j * stride] = sum;
  }
}

// D⁻¹ in place of D, and L = A D⁻¹ below it, for a node's columns of a panel. False if D is
// singular.
bool EliminateNode(int width, int below, int stride, double* panel, VecX* row) {
  Panel D(panel, width, width, Eigen::OuterStride<>(stride));
  if (!Invert(&D)) return false;
  if (width == 6) {
    MultiplyRows<6>(below, D, panel + width, stride);
    return true;
  }
  Panel A(panel + width, below, width, Eigen::OuterStride<>(stride));
  for (int i = 0; i < below; ++i) {
    row->head(width).noalias() = D.transpose().lazyProduct(A.row(i).transpose());
    A.row(i) = row->head(width).transpose();
  }
  return true;
}

}  // namespace

void BlockLu::SetStructure(const BlockStructure& structure) {
  structure_ = &structure;
  lower_.resize(structure.value_count());
  upper_.resize(structure.value_count());
  int widest = 0;
  for (const auto& member : structure.members()) widest = std::max(widest, member.width);
  VOIGT_CHECK(widest <= kMaxWidth);
  x_j_.resize(widest);
  x_column_.resize(structure.max_height());
}

void BlockLu::SetZero() {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
}

bool BlockLu::Factor() {
  for (const Column& column : structure_->columns()) {
    if (!(column.is_wide ? FactorWideColumn(column) : FactorColumn(column))) return false;
  }
  return true;
}

bool BlockLu::FactorColumn(const Column& column) {
  const int width = column.width, height = column.height;
  double* const L = lower_.data() + column.offset;
  const double* const U = upper_.data() + column.offset;
  if (!EliminateNode(width, height - width, height, L, &x_j_)) return false;
  // What the column leaves to those after it.
  const int* target = structure_->targets().data() + column.first_target;
  const BlockStructure::RowBlock* const rows = structure_->rows().data() + column.first_row;
  for (int b = 0; b < column.row_count; ++b) {
    const int n = rows[b].width, stride = rows[b].stride;
    for (int a = b; a < column.row_count; ++a, ++target) {
      const int m = rows[a].width;
      internal::SubtractProduct(m, n, width, L + rows[a].at, height, U + rows[b].at, height,
                                lower_.data() + *target, stride);
      if (a == b) continue;
      internal::SubtractProduct(m, n, width, U + rows[a].at, height, L + rows[b].at, height,
                                upper_.data() + *target, stride);
    }
  }
  return true;
}

// Members one after the other, each after all that those before it leave to it. Blocks of upper()
// on the diagonal and all that lies above it are written, but not read by anybody.
bool BlockLu::FactorWideColumn(const Column& column) {
  const int height = column.height;
  double* const L = lower_.data() + column.offset;
  double* const U = upper_.data() + column.offset;
  for (int m = 0; m < column.member_count; ++m) {
    const auto& [node, width, start, index, at] = structure_->members()[column.first_member + m];
    const int diagonal = at + at * height, end = at + width;
    internal::SubtractPanelProduct(height - at, width, at, L + at, height, U + at, height,
                                   L + diagonal, height);
    internal::SubtractPanelProduct(height - end, width, at, U + end, height, L + at, height,
                                   U + diagonal + width, height);
    if (!EliminateNode(width, height - end, height, L + diagonal, &x_j_)) return false;
  }
  for (int u = 0; u < column.update_count; ++u) {
    const BlockStructure::Update& update = structure_->updates()[column.first_update + u];
    for (int p = 0; p < update.piece_count; ++p) {
      const BlockStructure::Piece& piece = structure_->pieces()[update.first_piece + p];
      const int into = update.into + piece.to;
      internal::SubtractPanelProduct(piece.rows, piece.cols, column.width, L + piece.at, height,
                                     U + update.at, height, lower_.data() + into, update.stride);
      internal::SubtractPanelProduct(piece.rows, piece.cols, column.width, U + piece.at, height,
                                     L + update.at, height, upper_.data() + into, update.stride);
    }
  }
  return true;
}

void BlockLu::Solve(double* x) const {
  const auto& columns = structure_->columns();
  for (const Column& column : columns) {
    if (column.is_wide) {
      SolveWideColumn(column, x);
      continue;
    }
    const Eigen::Map<const VecX> x_j(x + column.start, column.width);
    for (int r = 0; r < column.row_count; ++r) {
      const auto& row = structure_->rows()[column.first_row + r];
      Eigen::Map<VecX>(x + row.start, row.width).noalias() -=
          ConstPanel(lower_.data() + column.offset + row.at, row.width, column.width,
                     Eigen::OuterStride<>(column.height))
              .lazyProduct(x_j);
    }
  }
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    if (column->is_wide) {
      SolveUpperWideColumn(*column, x);
      continue;
    }
    Eigen::Map<VecX> x_j(x + column->start, column->width);
    for (int r = 0; r < column->row_count; ++r) {
      const auto& row = structure_->rows()[column->first_row + r];
      x_j.noalias() -= ConstPanel(upper_.data() + column->offset + row.at, row.width, column->width,
                                  Eigen::OuterStride<>(column->height))
                           .transpose()
                           .lazyProduct(Eigen::Map<const VecX>(x + row.start, row.width));
    }
    x_j_.head(column->width).noalias() =
        ConstPanel(lower_.data() + column->offset, column->width, column->width,
                   Eigen::OuterStride<>(column->height))
            .lazyProduct(x_j);
    x_j = x_j_.head(column->width);
  }
}

void BlockLu::SolveWideColumn(const Column& column, double* x) const {
  const int height = column.height;
  structure_->Gather(column, x, x_column_.data());
  for (int m = 0; m < column.member_count; ++m) {
    const auto& [node, width, start, index, at] = structure_->members()[column.first_member + m];
    const int end = at + width;
    internal::SubtractPanelVector(height - end, width,
                                  lower_.data() + column.offset + end + at * height, height,
                                  x_column_.data() + at, x_column_.data() + end);
  }
  structure_->Scatter(column, x_column_.data(), x);
}

void BlockLu::SolveUpperWideColumn(const Column& column, double* x) const {
  const int height = column.height;
  structure_->Gather(column, x, x_column_.data());
  for (int m = column.member_count - 1; m >= 0; --m) {
    const auto& [node, width, start, index, at] = structure_->members()[column.first_member + m];
    const int end = at + width;
    internal::SubtractTransposedPanelVector(height - end, width,
                                            upper_.data() + column.offset + end + at * height,
                                            height, x_column_.data() + end, x_column_.data() + at);
    x_j_.head(width).noalias() = ConstPanel(lower_.data() + column.offset + at + at * height, width,
                                            width, Eigen::OuterStride<>(height))
                                     .lazyProduct(x_column_.segment(at, width));
    x_column_.segment(at, width) = x_j_.head(width);
  }
  structure_->Scatter(column, x_column_.data(), x);
}

}  // namespace voigt
