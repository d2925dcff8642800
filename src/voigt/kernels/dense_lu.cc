#include "voigt/kernels/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace voigt {
namespace {

constexpr int kPanel = 32;
// Products of this size find room on the stack for what Eigen packs.
constexpr int kChunk = 256;

// Columns [first, first + width) below row `first`; rows change places over the whole width of A.
double FactorPanel(DenseBlock* A, int first, int width, int* swaps) {
  const int size = static_cast<int>(A->rows());
  double smallest = kInfinity;
  for (int k = first; k < first + width; ++k) {
    double* column = A->col(k).data();
    int pivot = k;
    for (int i = k + 1; i < size; ++i) {
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    }
    swaps[k] = pivot;
    smallest = std::min(smallest, std::abs(column[pivot]));
    if (column[pivot] == 0) return 0;
    if (pivot != k) {
      for (int j = 0; j < size; ++j) std::swap((*A)(k, j), (*A)(pivot, j));
    }
    const double inverse = 1 / column[k];
    for (int i = k + 1; i < size; ++i) column[i] *= inverse;
    for (int j = k + 1; j < first + width; ++j) {
      double* __restrict other = A->col(j).data();
      const double* __restrict multipliers = column;
      const double factor = other[k];
      if (factor == 0) continue;
      for (int i = k + 1; i < size; ++i) other[i] -= factor * multipliers[i];
    }
  }
  return smallest;
}

// The rows of the panel in the columns right of it, then what is left of those columns.
void UpdateRest(DenseBlock* A, int first, int width) {
  const int size = static_cast<int>(A->rows()), next = first + width;
  for (int j = next; j < size; ++j) {
    double* __restrict column = A->col(j).data();
    for (int k = first; k < next; ++k) {
      const double factor = column[k];
      const double* __restrict multipliers = A->col(k).data();
      for (int i = k + 1; i < next; ++i) column[i] -= factor * multipliers[i];
    }
  }
  for (int j = next; j < size; j += kChunk) {
    const int cols = std::min(kChunk, size - j);
    for (int i = next; i < size; i += kChunk) {
      const int rows = std::min(kChunk, size - i);
      A->block(i, j, rows, cols).noalias() -=
          A->block(i, first, rows, width) * A->block(first, j, width, cols);
    }
  }
}

}  // namespace

double FactorLu(DenseBlock A, int* swaps) {
  const int size = static_cast<int>(A.rows());
  double smallest = kInfinity, largest = 0;
  for (int j = 0; j < size; ++j) largest = std::max(largest, A.col(j).lpNorm<Eigen::Infinity>());
  for (int first = 0; first < size; first += kPanel) {
    const int width = std::min(kPanel, size - first);
    smallest = std::min(smallest, FactorPanel(&A, first, width, swaps));
    if (!(smallest > 0)) return 0;
    UpdateRest(&A, first, width);
  }
  return size == 0 ? 1 : smallest / largest;
}

void SolveLu(const DenseBlock& LU, const int* swaps, double* x) {
  const int size = static_cast<int>(LU.rows());
  for (int k = 0; k < size; ++k) std::swap(x[k], x[swaps[k]]);
  Eigen::Map<VecX> solution(x, size);
  LU.triangularView<Eigen::UnitLower>().solveInPlace(solution);
  LU.triangularView<Eigen::Upper>().solveInPlace(solution);
}

}  // namespace voigt
