#pragma once

namespace voigt::internal {

// C −= A Bᵀ for a C of m × n and an inner size of k; all stored by columns. Sizes that are known at
// compile time let the compiler keep a column of C in registers.
template <int m_fixed, int n_fixed, int k_fixed>
inline void SubtractProduct(int m_, int n_, int k_, const double* A, int lda, const double* B,
                            int ldb, double* __restrict C, int ldc) {
  const int m = m_fixed > 0 ? m_fixed : m_;
  const int n = n_fixed > 0 ? n_fixed : n_;
  const int k = k_fixed > 0 ? k_fixed : k_;
  for (int j = 0; j < n; ++j) {
    double* const C_j = C + j * ldc;
    for (int p = 0; p < k; ++p) {
      const double b = B[j + p * ldb];
      const double* const A_p = A + p * lda;
      for (int i = 0; i < m; ++i) C_j[i] -= A_p[i] * b;
    }
  }
}

inline void SubtractProduct(int m, int n, int k, const double* A, int lda, const double* B, int ldb,
                            double* C, int ldc) {
  if (m == 6 && n == 6 && k == 6) return SubtractProduct<6, 6, 6>(m, n, k, A, lda, B, ldb, C, ldc);
  if (m == 3 && n == 3 && k == 3) return SubtractProduct<3, 3, 3>(m, n, k, A, lda, B, ldb, C, ldc);
  if (m == 1 && n == 1 && k == 1) return SubtractProduct<1, 1, 1>(m, n, k, A, lda, B, ldb, C, ldc);
  SubtractProduct<0, 0, 0>(m, n, k, A, lda, B, ldb, C, ldc);
}

}  // namespace voigt::internal
