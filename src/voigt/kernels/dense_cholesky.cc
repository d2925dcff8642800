#include "voigt/kernels/dense_cholesky.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

constexpr int kCholeskyPanel = 32;
// Products of this size find room on the stack for what Eigen packs.
constexpr int kCholeskyRows = 256, kCholeskyCols = 64;

// Columns [first, first + width), to which all panels before have been applied. `diagonal`: of A
// itself, in these columns.
bool FactorCholeskyPanel(DenseBlock* A, int first, int width, const double* diagonal,
                         double tolerance) {
  const int size = static_cast<int>(A->rows());
  for (int k = first; k < first + width; ++k) {
    double* __restrict column = A->col(k).data();
    for (int j = first; j < k; ++j) {
      const double* __restrict before = A->col(j).data();
      const double factor = before[k];
      for (int i = k; i < size; ++i) column[i] -= factor * before[i];
    }
    if (!(column[k] > tolerance * diagonal[k - first])) return false;
    const double inverse = 1 / std::sqrt(column[k]);
    for (int i = k; i < size; ++i) column[i] *= inverse;
  }
  return true;
}

}  // namespace

bool FactorCholesky(DenseBlock A, double tolerance) {
  const int size = static_cast<int>(A.rows());
  // Pivots of later panels are compared with the diagonal before anything was subtracted; it is
  // kept above the diagonal, where there is room, but for the first panel.
  double diagonal[kCholeskyPanel];
  for (int k = kCholeskyPanel; k < size; ++k) A(k % kCholeskyPanel, k) = A(k, k);
  for (int first = 0; first < size; first += kCholeskyPanel) {
    const int width = std::min(kCholeskyPanel, size - first), next = first + width;
    for (int k = first; k < next; ++k) {
      diagonal[k - first] = first == 0 ? A(k, k) : A(k % kCholeskyPanel, k);
    }
    if (!FactorCholeskyPanel(&A, first, width, diagonal, tolerance)) return false;
    for (int j = next; j < size; j += kCholeskyCols) {
      const int cols = std::min(kCholeskyCols, size - j);
      for (int i = j; i < size; i += kCholeskyRows) {
        const int rows = std::min(kCholeskyRows, size - i);
        A.block(i, j, rows, cols).noalias() -=
            A.block(i, first, rows, width) * A.block(j, first, cols, width).transpose();
      }
    }
  }
  return true;
}

void SolveCholesky(const DenseBlock& L, double* x) {
  Eigen::Map<VecX> solution(x, L.rows());
  L.triangularView<Eigen::Lower>().solveInPlace(solution);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(solution);
}

}  // namespace voigt
