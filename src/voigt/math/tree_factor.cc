#include "voigt/math/tree_factor.h"

#include <algorithm>

#include "voigt/base/check.h"
#include "voigt/math/packed_six.h"

namespace voigt {
namespace {

// Rows of one run are eliminated together, so that an ancestor's row is read and written once for
// the whole block. Four rows keep the multipliers in registers; two and six are slower.
constexpr int kBlock = 4;

// y[0..count) -= Σⱼ a[j] x[j][0..count)
template <int n>
void SubtractRows(const double* a, const double* const* x, int count, double* __restrict y) {
  for (int d = 0; d < count; ++d) {
    double sum = a[0] * x[0][d];
    for (int j = 1; j < n; ++j) sum += a[j] * x[j][d];
    y[d] -= sum;
  }
}

void SubtractRows(int n, const double* a, const double* const* x, int count, double* y) {
  switch (n) {
    case 1:
      return SubtractRows<1>(a, x, count, y);
    case 2:
      return SubtractRows<2>(a, x, count, y);
    case 3:
      return SubtractRows<3>(a, x, count, y);
    default:
      return SubtractRows<kBlock>(a, x, count, y);
  }
}

// Scenes have thousands of free bodies: all loops for their triangles have fixed length, and what
// they work on stays in registers.
constexpr int Triangle(int k) { return k * (k + 1) / 2; }

int FactorSix(const double* A, bool is_diagonal, int root, double* L, double* D_inverse) {
  double a[Triangle(6)];
  std::copy(A, A + Triangle(6), a);
  if (is_diagonal) {
    for (int k = 5; k >= 0; --k) {
      if (!(a[Triangle(k) + k] > 0)) return root + k;
      D_inverse[k] = 1 / a[Triangle(k) + k];
    }
    std::copy(a, a + Triangle(6), L);
    return -1;
  }
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    double* const row = a + Triangle(k);
    if (!(row[k] > 0)) return root + k;
    const double inverse = 1 / row[k];
    D_inverse[k] = inverse;
#pragma GCC unroll 6
    for (int i = 0; i < k; ++i) {
      const double factor = row[i] * inverse;
#pragma GCC unroll 6
      for (int j = 0; j <= i; ++j) a[Triangle(i) + j] -= factor * row[j];
    }
#pragma GCC unroll 6
    for (int i = 0; i < k; ++i) row[i] *= inverse;
  }
  std::copy(a, a + Triangle(6), L);
  return -1;
}

void SolveSix(const double* L, const double* D_inverse, double* x) {
  double y[6];
  std::copy(x, x + 6, y);
#pragma GCC unroll 6
  for (int k = 5; k > 0; --k) {
#pragma GCC unroll 6
    for (int j = 0; j < k; ++j) y[j] -= L[Triangle(k) + j] * y[k];
  }
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) y[k] *= D_inverse[k];
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
#pragma GCC unroll 6
    for (int k = j + 1; k < 6; ++k) y[k] -= L[Triangle(k) + j] * y[j];
  }
  std::copy(y, y + 6, x);
}

}  // namespace

TreeFactor::TreeFactor(const TreePattern& pattern)
    : L_(pattern.nonzeros()), D_inverse_(pattern.size()), is_diagonal_(pattern.size(), 0) {}

int TreeFactor::FactorRange(const TreePattern& pattern, const VecX& A, int first, int count) {
  VOIGT_DCHECK(A.size() == pattern.nonzeros() && D_inverse_.size() == pattern.size());
  // Like the rows of a tree, trees are done from the last to the first.
  for (int end = first + count; end > first;) {
    const int root = pattern.path(end - 1)[0];
    const int start = pattern.row_start(root);
    int failed = -1;
    if (pattern.is_chain_of_six(root)) {
      is_diagonal_[root] = IsDiagonalOfSix(A.data() + start);
      failed = FactorSix(A.data() + start, is_diagonal_[root], root, L_.data() + start,
                         D_inverse_.data() + root);
    } else {
      failed = FactorTree(pattern, A, root, end - root);
    }
    if (failed >= 0) return failed;
    end = root;
  }
  return -1;
}

int TreeFactor::FactorTree(const TreePattern& pattern, const VecX& A, int begin, int count) {
  const int end = begin + count - 1;
  const int start = pattern.row_start(begin);
  const int size = pattern.row_start(end) + pattern.depth(end) + 1 - start;
  L_.segment(start, size) = A.segment(start, size);
  double* const L = L_.data();
  const auto row_of = [&](int k) { return L + pattern.row_start(k); };

  for (int last = end; last >= begin;) {
    const int first = std::max(pattern.run_start(last), last - kBlock + 1);

    // Eliminate inside the block, from its last row to its first.
    for (int k = last; k >= first; --k) {
      double* const row = row_of(k);
      const double pivot = row[pattern.depth(k)];
      if (!(pivot > 0)) return k;
      D_inverse_[k] = 1 / pivot;
      for (int i = k - 1; i >= first; --i) {
        const double a = row[pattern.depth(i)] * D_inverse_[k];
        const double* const x[] = {row};
        SubtractRows<1>(&a, x, pattern.depth(i) + 1, row_of(i));
      }
    }

    // Update the rows of all ancestors above the block, each once.
    const int block = last - first + 1;
    const double* rows[kBlock];
    for (int j = 0; j < block; ++j) rows[j] = row_of(first + j);
    const int above = pattern.depth(first);
    const int* path = pattern.path(first);
    for (int d = 0; d < above; ++d) {
      double a[kBlock];
      for (int j = 0; j < block; ++j) a[j] = rows[j][d] * D_inverse_[first + j];
      SubtractRows(block, a, rows, d + 1, row_of(path[d]));
    }

    // Scale the block's rows to unit diagonal.
    for (int k = first; k <= last; ++k) {
      double* const row = row_of(k);
      for (int d = 0; d < pattern.depth(k); ++d) row[d] *= D_inverse_[k];
    }
    last = first - 1;
  }
  return -1;
}

void TreeFactor::SolveLTransposedRange(const TreePattern& pattern, int first, int count,
                                       double* x) const {
  for (int k = first + count - 1; k >= first; --k) {
    const double* const L_k = row(pattern, k);
    const double x_k = x[k];
    // The ancestors of k, run by run from k upwards.
    for (int end = k, i = k - 1; end >= 0; i = end) {
      const int start = pattern.run_start(end);
      const double* const L_run = L_k + pattern.depth(start) - start;
      for (int j = start; j <= i; ++j) x[j] -= L_run[j] * x_k;
      end = pattern.parent(start);
    }
  }
}

void TreeFactor::SolveLRange(const TreePattern& pattern, int first, int count, double* x) const {
  for (int k = first; k < first + count; ++k) {
    const double* const L_k = row(pattern, k);
    const int* const path = pattern.path(k);
    const int depth = pattern.depth(k);
    // Two sums, so that additions need not wait for one another.
    double even = 0, odd = 0;
    int d = 0;
    for (; d + 1 < depth; d += 2) {
      even += L_k[d] * x[path[d]];
      odd += L_k[d + 1] * x[path[d + 1]];
    }
    if (d < depth) even += L_k[d] * x[path[d]];
    x[k] -= even + odd;
  }
}

void TreeFactor::Solve(const TreePattern& pattern, Eigen::Ref<VecX> x) const {
  VOIGT_DCHECK(x.size() == pattern.size());
  SolveRange(pattern, 0, pattern.size(), x.data());
}

void TreeFactor::SolveChainOfSix(const TreePattern& pattern, int root, double* x) const {
  const double* const D_inverse = D_inverse_.data() + root;
  if (!is_diagonal_[root]) return SolveSix(row(pattern, root), D_inverse, x);
  for (int k = 0; k < 6; ++k) x[k] *= D_inverse[k];
}

void TreeFactor::SolveRange(const TreePattern& pattern, int first, int count, double* x) const {
  for (int root = first; root < first + count;) {
    const int end = pattern.tree_end(root);
    if (pattern.is_chain_of_six(root)) {
      SolveChainOfSix(pattern, root, x + root);
    } else {
      SolveLTransposedRange(pattern, root, end - root, x);
      for (int k = root; k < end; ++k) x[k] *= D_inverse_[k];
      SolveLRange(pattern, root, end - root, x);
    }
    root = end;
  }
}

}  // namespace voigt
