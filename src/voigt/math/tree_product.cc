#include "voigt/math/tree_product.h"

#include <algorithm>

#include "voigt/math/packed_six.h"

namespace voigt {
namespace {

void MultiplyTree(const TreePattern& pattern, const double* A, int first, int end, const double* x,
                  double* y) {
  std::fill(y + first, y + end, 0.0);
  for (int k = first; k < end; ++k) {
    const double* const A_k = A + pattern.row_start(k);
    const int* const path = pattern.path(k);
    const int depth = pattern.depth(k);
    double sum = A_k[depth] * x[k];
    for (int d = 0; d < depth; ++d) {
      sum += A_k[d] * x[path[d]];
      y[path[d]] += A_k[d] * x[k];
    }
    y[k] += sum;
  }
}

void MultiplyDiagonalOfSix(const double* A, const double* x, double* __restrict y) {
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) y[k] = A[k * (k + 3) / 2] * x[k];
}

void MultiplySix(const double* A, const double* x, double* __restrict y) {
  double sum[6] = {};
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    const double* const A_k = A + k * (k + 1) / 2;
#pragma GCC unroll 6
    for (int j = 0; j < k; ++j) {
      sum[k] += A_k[j] * x[j];
      sum[j] += A_k[j] * x[k];
    }
    sum[k] += A_k[k] * x[k];
  }
  std::copy(sum, sum + 6, y);
}

}  // namespace

void MultiplyPacked(const TreePattern& pattern, const double* A, int first, int count,
                    const double* x, double* y) {
  for (int root = first; root < first + count;) {
    const int end = pattern.tree_end(root);
    if (pattern.is_chain_of_six(root)) {
      const double* const A_root = A + pattern.row_start(root);
      IsDiagonalOfSix(A_root) ? MultiplyDiagonalOfSix(A_root, x + root, y + root)
                              : MultiplySix(A_root, x + root, y + root);
    } else {
      MultiplyTree(pattern, A, root, end, x, y);
    }
    root = end;
  }
}

}  // namespace voigt
