#include "voigt/math/block_cholesky.h"

#include <algorithm>
#include <cmath>

#include "voigt/math/panel_product.h"
#include "voigt/math/subtract_product.h"

namespace voigt {
namespace {

// The panel [D; P] ← [L; P L⁻ᵀ] with D = L Lᵀ: the usual column-by-column elimination of a panel of
// `width` columns, of which `rows` rows are not zero. The diagonal of L is stored inverted: it is
// only ever divided by. False if a pivot is not positive.
template <int fixed>
bool FactorPanel(int width_, int height, int rows, double* panel) {
  const int width = fixed > 0 ? fixed : width_;
  for (int j = 0; j < width; ++j) {
    double* const column = panel + j * height;
    const double pivot = column[j];
    if (!(pivot > 0)) return false;
    const double inverse = 1 / std::sqrt(pivot);
    column[j] = inverse;
    for (int i = j + 1; i < rows; ++i) column[i] *= inverse;
    for (int k = j + 1; k < width; ++k) {
      double* const __restrict other = panel + k * height;
      const double factor = column[k];
      for (int i = k; i < rows; ++i) other[i] -= factor * column[i];
    }
  }
  return true;
}

// The same column by column from the left, for sizes known at compile time: each column stays in
// registers until it is done. Columns begin with whole pairs of numbers; what lies above the
// diagonal is not read by anybody.
template <int width, int rows>
bool FactorFixedPanel(int height, double* panel) {
#pragma GCC unroll 6
  for (int j = 0; j < width; ++j) {
    double* const __restrict column = panel + j * height;
    const int first = j / 2 * 2;
    double sum[rows];
#pragma GCC unroll 12
    for (int i = first; i < rows; ++i) sum[i] = column[i];
#pragma GCC unroll 6
    for (int p = 0; p < j; ++p) {
      const double* const L_p = panel + p * height;
      const double factor = L_p[j];
#pragma GCC unroll 12
      for (int i = first; i < rows; ++i) sum[i] -= L_p[i] * factor;
    }
    const double pivot = sum[j];
    if (!(pivot > 0)) return false;
    const double inverse = 1 / std::sqrt(pivot);
#pragma GCC unroll 12
    for (int i = first; i < rows; ++i) column[i] = sum[i] * inverse;
    column[j] = inverse;
  }
  return true;
}

bool FactorPanel(int width, int height, int rows, double* panel) {
  if (width == 6 && rows == 6) return FactorFixedPanel<6, 6>(height, panel);
  if (width == 6 && rows == 12) return FactorFixedPanel<6, 12>(height, panel);
  return width == 6 ? FactorPanel<6>(width, height, rows, panel)
                    : FactorPanel<0>(width, height, rows, panel);
}

// Whether anything lies below the triangle of a panel: contacts that are near but do not touch
// couple nothing.
bool HasRows(int width, int height, const double* panel) {
  for (int j = 0; j < width; ++j) {
    const double* const column = panel + j * height;
    if (std::any_of(column + width, column + height, [](double x) { return x != 0; })) return true;
  }
  return false;
}

// x ← L⁻¹ x and x ← L⁻ᵀ x for the triangle at the top of a panel.
template <int fixed>
void SolveLower(int width_, const double* panel, int height, double* __restrict x) {
  const int width = fixed > 0 ? fixed : width_;
  for (int k = 0; k < width; ++k) {
    const double* const L_k = panel + k * height;
    const double x_k = x[k] *= L_k[k];
    for (int i = k + 1; i < width; ++i) x[i] -= L_k[i] * x_k;
  }
}

template <int fixed>
void SolveLowerTransposed(int width_, const double* panel, int height, double* __restrict x) {
  const int width = fixed > 0 ? fixed : width_;
  for (int k = width - 1; k >= 0; --k) {
    const double* const L_k = panel + k * height;
    double sum = x[k];
    for (int i = k + 1; i < width; ++i) sum -= L_k[i] * x[i];
    x[k] = sum * L_k[k];
  }
}

void SolveLower(int width, const double* panel, int height, double* x) {
  width == 6 ? SolveLower<6>(width, panel, height, x) : SolveLower<0>(width, panel, height, x);
}

void SolveLowerTransposed(int width, const double* panel, int height, double* x) {
  width == 6 ? SolveLowerTransposed<6>(width, panel, height, x)
             : SolveLowerTransposed<0>(width, panel, height, x);
}

// y −= A x and y −= Aᵀ x for an A of m × n, stored by columns.
template <int m_fixed, int n_fixed>
void SubtractVector(int m_, int n_, const double* A, int lda, const double* x,
                    double* __restrict y) {
  const int m = m_fixed > 0 ? m_fixed : m_, n = n_fixed > 0 ? n_fixed : n_;
  for (int k = 0; k < n; ++k) {
    const double x_k = x[k];
    for (int i = 0; i < m; ++i) y[i] -= A[i + k * lda] * x_k;
  }
}

template <int m_fixed, int n_fixed>
void SubtractTransposedVector(int m_, int n_, const double* A, int lda, const double* x,
                              double* __restrict y) {
  const int m = m_fixed > 0 ? m_fixed : m_, n = n_fixed > 0 ? n_fixed : n_;
  for (int k = 0; k < n; ++k) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += A[i + k * lda] * x[i];
    y[k] -= sum;
  }
}

void SubtractVector(int m, int n, const double* A, int lda, const double* x, double* y) {
  m == 6 && n == 6 ? SubtractVector<6, 6>(m, n, A, lda, x, y)
                   : SubtractVector<0, 0>(m, n, A, lda, x, y);
}

void SubtractTransposedVector(int m, int n, const double* A, int lda, const double* x, double* y) {
  m == 6 && n == 6 ? SubtractTransposedVector<6, 6>(m, n, A, lda, x, y)
                   : SubtractTransposedVector<0, 0>(m, n, A, lda, x, y);
}

}  // namespace

void BlockCholesky::SetZero() {
  values_.assign(structure_.value_count(), 0.0);
  x_column_.resize(structure_.max_height());
}

bool BlockCholesky::Factor() {
  for (const Column& column : structure_.columns()) {
    if (!(column.is_wide ? FactorWideColumn(column) : FactorColumn(column))) return false;
  }
  return true;
}

bool BlockCholesky::FactorColumn(const Column& column) {
  double* const panel = values_.data() + column.offset;
  const bool has_rows = HasRows(column.width, column.height, panel);
  const int used = has_rows ? column.height : column.width;
  if (!FactorPanel(column.width, column.height, used, panel)) return false;
  if (!has_rows) return true;
  const int* target = structure_.targets().data() + column.first_target;
  const BlockStructure::RowBlock* const rows = structure_.rows().data() + column.first_row;
  for (int b = 0; b < column.row_count; ++b) {
    for (int a = b; a < column.row_count; ++a, ++target) {
      internal::SubtractProduct(rows[a].width, rows[b].width, column.width, panel + rows[a].at,
                                column.height, panel + rows[b].at, column.height,
                                values_.data() + *target, rows[b].stride);
    }
  }
  return true;
}

// Members one after the other, each after all that those before it leave to it; what lies above
// the diagonal is not read by anybody.
bool BlockCholesky::FactorWideColumn(const Column& column) {
  const int height = column.height;
  double* const panel = values_.data() + column.offset;
  for (int m = 0; m < column.member_count; ++m) {
    const auto& [node, width, start, index, at] = structure_.members()[column.first_member + m];
    double* const diagonal = panel + at + at * height;
    internal::SubtractPanelProduct(height - at, width, at, panel + at, height, panel + at, height,
                                   diagonal, height);
    if (!FactorPanel(width, height, height - at, diagonal)) return false;
  }
  if (!HasRows(column.width, height, panel)) return true;
  for (int u = 0; u < column.update_count; ++u) {
    const BlockStructure::Update& update = structure_.updates()[column.first_update + u];
    for (int p = 0; p < update.piece_count; ++p) {
      const BlockStructure::Piece& piece = structure_.pieces()[update.first_piece + p];
      internal::SubtractPanelProduct(piece.rows, piece.cols, column.width, panel + piece.at, height,
                                     panel + update.at, height,
                                     values_.data() + update.into + piece.to, update.stride);
    }
  }
  return true;
}

void BlockCholesky::Solve(double* x) const {
  const auto& columns = structure_.columns();
  // L y = x.
  for (const Column& column : columns) {
    if (column.is_wide) {
      SolveWideColumn(column, x);
      continue;
    }
    const double* const panel = values_.data() + column.offset;
    double* const x_j = x + column.start;
    SolveLower(column.width, panel, column.height, x_j);
    for (int r = 0; r < column.row_count; ++r) {
      const BlockStructure::RowBlock& row = structure_.rows()[column.first_row + r];
      SubtractVector(row.width, column.width, panel + row.at, column.height, x_j, x + row.start);
    }
  }
  // Lᵀ x = y.
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    if (column->is_wide) {
      SolveTransposedWideColumn(*column, x);
      continue;
    }
    const double* const panel = values_.data() + column->offset;
    double* const x_j = x + column->start;
    for (int r = 0; r < column->row_count; ++r) {
      const BlockStructure::RowBlock& row = structure_.rows()[column->first_row + r];
      SubtractTransposedVector(row.width, column->width, panel + row.at, column->height,
                               x + row.start, x_j);
    }
    SolveLowerTransposed(column->width, panel, column->height, x_j);
  }
}

void BlockCholesky::SolveWideColumn(const Column& column, double* x) const {
  const double* const panel = values_.data() + column.offset;
  structure_.Gather(column, x, x_column_.data());
  for (int m = 0; m < column.member_count; ++m) {
    const auto& [node, width, start, index, at] = structure_.members()[column.first_member + m];
    const double* const diagonal = panel + at + at * column.height;
    double* const x_m = x_column_.data() + at;
    SolveLower(width, diagonal, column.height, x_m);
    internal::SubtractPanelVector(column.height - at - width, width, diagonal + width,
                                  column.height, x_m, x_m + width);
  }
  structure_.Scatter(column, x_column_.data(), x);
}

void BlockCholesky::SolveTransposedWideColumn(const Column& column, double* x) const {
  const double* const panel = values_.data() + column.offset;
  structure_.Gather(column, x, x_column_.data());
  for (int m = column.member_count - 1; m >= 0; --m) {
    const auto& [node, width, start, index, at] = structure_.members()[column.first_member + m];
    const double* const diagonal = panel + at + at * column.height;
    double* const x_m = x_column_.data() + at;
    internal::SubtractTransposedPanelVector(column.height - at - width, width, diagonal + width,
                                            column.height, x_m + width, x_m);
    SolveLowerTransposed(width, diagonal, column.height, x_m);
  }
  structure_.Scatter(column, x_column_.data(), x);
}

}  // namespace voigt
