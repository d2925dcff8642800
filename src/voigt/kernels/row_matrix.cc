#include "voigt/kernels/row_matrix.h"

#include <algorithm>
#include <cmath>

namespace voigt {

void RowMatrix::Reset(const ConvexProgram& program, std::span<const int> blocks,
                      std::span<const DofRange> ranges) {
  constexpr int kMostRows = 48;
  constexpr double kMostOfSize = 0.75;  // more rows, and M + Gᵀ P G is cheaper
  has_W_ = is_factored_ = false;
  blocks_ = blocks;
  ranges_ = ranges;
  int size = 0, rows = 0;
  for (const DofRange& range : ranges) size += range.count;
  for (int i : blocks) rows += program.blocks[i].row_count;
  applies_ = rows <= kMostRows && rows <= kMostOfSize * size;
  if (!applies_) return;
  rows_.clear();
  ForEachRow(program, blocks, [&](int r) { rows_.push_back(r); });
}

// W = Xᵀ X with X = D^{-1/2} L⁻ᵀ Gᵀ.
void RowMatrix::CalcW(const ConvexProgram& program) {
  int size = 0;
  for (const DofRange& range : ranges_) size += range.count;
  const int count = static_cast<int>(rows_.size());
  half_.resize(size, count);
  x_.resize(program.nv());
  int column = 0;
  for (int i : blocks_) {
    const ConvexBlock& block = program.blocks[i];
    const auto cols = program.cols_of(block);
    for (int r = 0; r < block.row_count; ++r, ++column) {
      const double* const G = program.entries(block, r);
      int at = 0;
      for (const DofRange& range : ranges_) {
        std::fill_n(x_.data() + range.first, range.count, 0.0);
      }
      for (int c = 0; c < block.col_count; ++c) x_[cols[c]] = G[c];
      for (const DofRange& range : ranges_) {
        program.factor->SolveLTransposedRange(*program.pattern, range.first, range.count,
                                              x_.data());
        for (int k = range.first; k < range.first + range.count; ++k) half_(at++, column) = x_[k];
      }
    }
  }
  int at = 0;
  for (const DofRange& range : ranges_) {
    for (int k = range.first; k < range.first + range.count; ++k) {
      half_.row(at++) *= std::sqrt(program.factor->D_inverse()[k]);
    }
  }
  W_.resize(count, count);
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b <= a; ++b) W_(a, b) = W_(b, a) = half_.col(a).dot(half_.col(b));
  }
}

bool RowMatrix::Factor(const ConvexProgram& program, std::span<const double> P,
                       std::span<const int> P_start) {
  if (!has_W_) CalcW(program);
  has_W_ = true;
  is_factored_ = false;
  const int count = static_cast<int>(rows_.size());
  A_.setIdentity(count, count);
  int first = 0;
  for (int i : blocks_) {
    const ConvexBlock& block = program.blocks[i];
    const int n = block.row_count;
    const double* const P_i = P.data() + P_start[i];
    const bool is_full = IsCoupled(block.set);
    for (int c = 0; c < count; ++c) {
      for (int r = 0; r < n; ++r) {
        double sum = 0;
        for (int s = is_full ? 0 : r; s < (is_full ? n : r + 1); ++s) {
          sum += P_i[is_full ? r * n + s : r] * W_(first + s, c);
        }
        A_(first + r, c) += sum;
      }
    }
    first += n;
  }
  if (!A_.allFinite()) return false;
  lu_.compute(A_);
  is_factored_ = true;
  return true;
}

void RowMatrix::Solve(double* r) const {
  const int count = static_cast<int>(rows_.size());
  r_.resize(count);
  for (int i = 0; i < count; ++i) r_[i] = r[rows_[i]];
  z_.noalias() = lu_.solve(r_);
  for (int i = 0; i < count; ++i) r[rows_[i]] = z_[i];
}

}  // namespace voigt
