#include "voigt/math/block_cholesky.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
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

// Positions in an order of low fill.
std::vector<int> OrderNodes(int count, std::span<const std::pair<int, int>> edges) {
  Eigen::SparseMatrix<double> graph(count, count);
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [i, j] : edges) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  for (int i = 0; i < count; ++i) entries.emplace_back(i, i, 1.0);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  std::vector<int> position(count);
  for (int i = 0; i < count; ++i) position[order.indices()[i]] = i;
  return position;
}

}  // namespace

void BlockCholesky::Order(std::span<const int> sizes, std::span<const std::pair<int, int>> edges) {
  const int count = static_cast<int>(sizes.size());
  position_ = OrderNodes(count, edges);
  columns_.assign(count, {});
  size_ = 0;
  for (int i = 0; i < count; ++i) {
    Column& column = columns_[position_[i]];
    column.node = i;
    column.width = sizes[i];
    column.start = size_;
    size_ += sizes[i];
  }
  FindStructure(edges);
  CalcCost();
}

// Panels one after the other.
void BlockCholesky::PlacePanels() {
  const int count = static_cast<int>(columns_.size());
  rows_.clear();
  int offset = 0;
  for (int j = 0; j < count; ++j) {
    Column& column = columns_[j];
    column.first_row = static_cast<int>(rows_.size());
    column.row_count = static_cast<int>(structure_[j].size());
    column.height = column.width;
    for (int i : structure_[j]) {
      rows_.push_back({i, column.height});
      column.height += columns_[i].width;
    }
    column.offset = offset;
    offset += column.height * column.width;
  }
  values_.assign(offset, 0);
  PlaceTargets();
}

// Which blocks of L are not zero: those of A, and those that eliminated columns bring in. A column
// passes its rows to the first of them.
void BlockCholesky::FindStructure(std::span<const std::pair<int, int>> edges) {
  const int count = static_cast<int>(columns_.size());
  structure_.assign(count, {});
  for (const auto& [a, b] : edges) {
    const int i = position_[a], j = position_[b];
    VOIGT_DCHECK(i != j);
    structure_[std::min(i, j)].push_back(std::max(i, j));
  }
  for (int j = 0; j < count; ++j) {
    std::vector<int>& rows = structure_[j];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) continue;
    std::vector<int>& heir = structure_[rows.front()];
    heir.insert(heir.end(), rows.begin() + 1, rows.end());
  }
}

void BlockCholesky::CalcCost() {
  cost_ = 0;
  for (size_t j = 0; j < columns_.size(); ++j) {
    const double width = columns_[j].width;
    double height = 0, squares = 0;  // of the rows below the diagonal
    for (int i : structure_[j]) {
      height += columns_[i].width;
      squares += double{1} * columns_[i].width * columns_[i].width;
    }
    cost_ += 0.5 * width * (width * (width + height) + height * height + squares);
  }
}

void BlockCholesky::PlaceTargets() {
  targets_.clear();
  for (Column& column : columns_) {
    column.first_target = static_cast<int>(targets_.size());
    for (int b = 0; b < column.row_count; ++b) {
      const RowBlock& row_b = rows_[column.first_row + b];
      for (int a = b; a < column.row_count; ++a) {
        const RowBlock& row_a = rows_[column.first_row + a];
        targets_.push_back(Find(columns_[row_a.column].node, columns_[row_b.column].node).offset);
      }
    }
  }
}

BlockCholesky::Place BlockCholesky::Find(int i, int j) const {
  const int a = position_[i], b = position_[j];
  const Column& column = columns_[std::min(a, b)];
  if (a == b) return {column.offset, column.height, false};
  const auto begin = rows_.begin() + column.first_row, end = begin + column.row_count;
  const auto found = std::lower_bound(
      begin, end, std::max(a, b), [](const RowBlock& row, int want) { return row.column < want; });
  VOIGT_DCHECK(found != end && found->column == std::max(a, b));
  return {column.offset + found->at, column.height, a < b};
}

void BlockCholesky::SetZero() { std::fill(values_.begin(), values_.end(), 0.0); }

bool BlockCholesky::Factor() {
  for (const Column& column : columns_) {
    double* const panel = values_.data() + column.offset;
    const bool has_rows = HasRows(column.width, column.height, panel);
    const int used = has_rows ? column.height : column.width;
    if (!FactorPanel(column.width, column.height, used, panel)) return false;
    if (!has_rows) continue;
    const int* target = targets_.data() + column.first_target;
    for (int b = 0; b < column.row_count; ++b) {
      const RowBlock& row_b = rows_[column.first_row + b];
      const Column& into = columns_[row_b.column];
      for (int a = b; a < column.row_count; ++a, ++target) {
        const RowBlock& row_a = rows_[column.first_row + a];
        internal::SubtractProduct(columns_[row_a.column].width, into.width, column.width,
                                  panel + row_a.at, column.height, panel + row_b.at, column.height,
                                  values_.data() + *target, into.height);
      }
    }
  }
  return true;
}

void BlockCholesky::Solve(double* x) const {
  // L y = x.
  for (const Column& column : columns_) {
    const double* const panel = values_.data() + column.offset;
    double* const x_j = x + column.start;
    SolveLower(column.width, panel, column.height, x_j);
    for (int r = 0; r < column.row_count; ++r) {
      const RowBlock& row = rows_[column.first_row + r];
      const Column& other = columns_[row.column];
      SubtractVector(other.width, column.width, panel + row.at, column.height, x_j,
                     x + other.start);
    }
  }
  // Lᵀ x = y.
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {
    const double* const panel = values_.data() + column->offset;
    double* const x_j = x + column->start;
    for (int r = 0; r < column->row_count; ++r) {
      const RowBlock& row = rows_[column->first_row + r];
      const Column& other = columns_[row.column];
      SubtractTransposedVector(other.width, column->width, panel + row.at, column->height,
                               x + other.start, x_j);
    }
    SolveLowerTransposed(column->width, panel, column->height, x_j);
  }
}

}  // namespace voigt
