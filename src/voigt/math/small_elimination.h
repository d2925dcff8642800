#pragma once

#include <cmath>
#include <utility>

namespace voigt {

// [A | B] ← [· | A⁻¹ B] for a few rows, by Gauss's elimination with row pivots: what is left of A
// is of no use. Numbers that are not finite come out where A is singular.
template <int n, int m>
void EliminateRows(double (&rows)[n][m]) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(rows[i][k]) > std::abs(rows[pivot][k])) pivot = i;
    }
    if (pivot != k) std::swap(rows[pivot], rows[k]);
    const double inverse = 1 / rows[k][k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = rows[i][k] * inverse;
      for (int j = k + 1; j < m; ++j) rows[i][j] -= factor * rows[k][j];
    }
    for (int j = k + 1; j < m; ++j) rows[k][j] *= inverse;
  }
  for (int k = n - 1; k > 0; --k) {
    for (int i = 0; i < k; ++i) {
      const double factor = rows[i][k];
      for (int j = n; j < m; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
}

}  // namespace voigt
