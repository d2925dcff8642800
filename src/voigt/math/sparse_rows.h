#pragma once

#include <algorithm>
#include <cmath>

#include "voigt/math/extremes.h"
#include "voigt/math/number_pair.h"

namespace voigt {

// Products with a block of dense rows that reach a few columns of long vectors. Blocks on one or
// two free bodies have six or twelve columns: those are gathered once, and the loops over them have
// fixed length.
namespace internal {

template <int n>
struct Gathered {
  NumberPair of[n / 2];

  Gathered(const int* cols, const double* v) {
    for (int k = 0; k < n / 2; ++k) of[k] = NumberPair{v[cols[2 * k]], v[cols[2 * k + 1]]};
  }
};

template <int n>
void MultiplyRows(const double* A, int rows, const int* cols, const double* v, double* y) {
  const Gathered<n> v_cols(cols, v);
  for (int r = 0; r < rows; ++r, A += n) {
    NumberPair sum = LoadPair(A) * v_cols.of[0];
    for (int k = 1; k < n / 2; ++k) sum += LoadPair(A + 2 * k) * v_cols.of[k];
    y[r] = Sum(sum);
  }
}

template <int n>
void AddTransposedRows(const double* A, int rows, const int* cols, const double* y, double* x) {
  NumberPair x_cols[n / 2] = {};
  for (int r = 0; r < rows; ++r, A += n) {
    for (int k = 0; k < n / 2; ++k) x_cols[k] += LoadPair(A + 2 * k) * y[r];
  }
  for (int k = 0; k < n; ++k) x[cols[k]] += x_cols[k / 2][k % 2];
}

template <int n>
double LargestSum(const double* A, int rows, const int* cols, const double* v) {
  const Gathered<n> v_cols(cols, v);
  double largest = 0;
  for (int r = 0; r < rows; ++r, A += n) {
    NumberPair sum = Size(LoadPair(A) * v_cols.of[0]);
    for (int k = 1; k < n / 2; ++k) sum += Size(LoadPair(A + 2 * k) * v_cols.of[k]);
    largest = Larger(largest, Sum(sum));
  }
  return largest;
}

}  // namespace internal

// y = A v[cols], A of rows × n numbers, row by row.
inline void MultiplyRows(const double* A, int rows, const int* cols, int n, const double* v,
                         double* y) {
  if (n == 6) return internal::MultiplyRows<6>(A, rows, cols, v, y);
  if (n == 12) return internal::MultiplyRows<12>(A, rows, cols, v, y);
  for (int r = 0; r < rows; ++r, A += n) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += A[k] * v[cols[k]];
    y[r] = sum;
  }
}

// The largest over the rows of Σ_k |A_rk v_k|: what a product is made of, before its parts cancel.
inline double LargestSum(const double* A, int rows, const int* cols, int n, const double* v) {
  if (n == 6) return internal::LargestSum<6>(A, rows, cols, v);
  if (n == 12) return internal::LargestSum<12>(A, rows, cols, v);
  double largest = 0;
  for (int r = 0; r < rows; ++r, A += n) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += std::abs(A[k] * v[cols[k]]);
    largest = std::max(largest, sum);
  }
  return largest;
}

// x[cols] += Aᵀ y.
inline void AddTransposedRows(const double* A, int rows, const int* cols, int n, const double* y,
                              double* x) {
  // Most rows of most problems push on nothing.
  if (std::all_of(y, y + rows, [](double y_r) { return y_r == 0; })) return;
  if (n == 6) return internal::AddTransposedRows<6>(A, rows, cols, y, x);
  if (n == 12) return internal::AddTransposedRows<12>(A, rows, cols, y, x);
  for (int r = 0; r < rows; ++r, A += n) {
    if (y[r] == 0) continue;
    for (int k = 0; k < n; ++k) x[cols[k]] += A[k] * y[r];
  }
}

}  // namespace voigt
