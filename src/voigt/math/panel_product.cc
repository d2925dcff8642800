#include "voigt/math/panel_product.h"

#include <array>
#include <cstring>

#include "voigt/math/number_pair.h"

namespace voigt::internal {
namespace {

using FourNumbers = double __attribute__((vector_size(32)));
using EightNumbers = double __attribute__((vector_size(64)));

// What follows is inlined into functions for one kind of machine each, which decides on the
// instructions.
#define VOIGT_INLINE inline __attribute__((always_inline))

// A tile of some vectors of rows × cols columns. The sums stay in registers for the whole of the
// inner loop, while the tile of C is fetched.
template <typename Vector, int vectors, int cols>
VOIGT_INLINE void SubtractTile(int k, const double* A, int lda, const double* B, int ldb, double* C,
                               int ldc) {
  constexpr int size = sizeof(Vector) / sizeof(double);
  Vector sums[cols][vectors];
#pragma GCC unroll 6
  for (int c = 0; c < cols; ++c) {
#pragma GCC unroll 3
    for (int i = 0; i < vectors; ++i) {
      sums[c][i] = Vector{};
      __builtin_prefetch(C + c * ldc + i * size, 1);
    }
  }
  for (int p = 0; p < k; ++p, A += lda, B += ldb) {
    Vector a[vectors];
#pragma GCC unroll 3
    for (int i = 0; i < vectors; ++i) std::memcpy(&a[i], A + i * size, sizeof(Vector));
#pragma GCC unroll 6
    for (int c = 0; c < cols; ++c) {
#pragma GCC unroll 3
      for (int i = 0; i < vectors; ++i) sums[c][i] += a[i] * B[c];
    }
  }
#pragma GCC unroll 6
  for (int c = 0; c < cols; ++c) {
#pragma GCC unroll 3
    for (int i = 0; i < vectors; ++i) {
      Vector x;
      std::memcpy(&x, C + c * ldc + i * size, sizeof(Vector));
      x -= sums[c][i];
      std::memcpy(C + c * ldc + i * size, &x, sizeof(Vector));
    }
  }
}

// Rows of up to this many columns are copied where they meet many tiles: side by side they do not
// straddle lines of the cache.
constexpr int kMaxCopied = 64;

// Strips of tiles, from row *i on while there are rows enough.
template <typename Vector, int vectors, int cols>
VOIGT_INLINE void SubtractStrips(int m, int n, int k, const double* A, int lda, const double* B,
                                 int ldb, double* C, int ldc, int* i) {
  constexpr int rows = vectors * sizeof(Vector) / sizeof(double);
  alignas(64) double copy[rows * kMaxCopied];
  const bool is_copied = n >= 4 * cols && k <= kMaxCopied;
  for (; *i + rows <= m; *i += rows) {
    const double* A_i = A + *i;
    int stride = lda;
    if (is_copied) {
      for (int p = 0; p < k; ++p) {
        std::memcpy(copy + p * rows, A_i + p * lda, rows * sizeof(double));
      }
      A_i = copy;
      stride = rows;
    }
    int j = 0;
    for (; j + cols <= n; j += cols) {
      SubtractTile<Vector, vectors, cols>(k, A_i, stride, B + j, ldb, C + *i + j * ldc, ldc);
    }
    for (; j < n; ++j) {
      SubtractTile<Vector, vectors, 1>(k, A_i, stride, B + j, ldb, C + *i + j * ldc, ldc);
    }
  }
}

// Three columns suit nodes of six, and nine sums the sixteen registers that every x86-64 has.
void SubtractPlain(int m, int n, int k, const double* A, int lda, const double* B, int ldb,
                   double* C, int ldc) {
  int i = 0;
  SubtractStrips<NumberPair, 3, 3>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<NumberPair, 1, 3>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<double, 1, 3>(m, n, k, A, lda, B, ldb, C, ldc, &i);
}

#ifdef __x86_64__

__attribute__((target("avx"))) void SubtractByFour(int m, int n, int k, const double* A, int lda,
                                                   const double* B, int ldb, double* C, int ldc) {
  int i = 0;
  SubtractStrips<FourNumbers, 3, 3>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<FourNumbers, 1, 3>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<NumberPair, 1, 3>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<double, 1, 3>(m, n, k, A, lda, B, ldb, C, ldc, &i);
}

// With thirty-two registers.
__attribute__((target("avx512f"))) void SubtractByEight(int m, int n, int k, const double* A,
                                                        int lda, const double* B, int ldb,
                                                        double* C, int ldc) {
  int i = 0;
  SubtractStrips<EightNumbers, 3, 6>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<EightNumbers, 1, 6>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<FourNumbers, 1, 6>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<NumberPair, 1, 6>(m, n, k, A, lda, B, ldb, C, ldc, &i);
  SubtractStrips<double, 1, 6>(m, n, k, A, lda, B, ldb, C, ldc, &i);
}

#endif

#undef VOIGT_INLINE

struct Products {
  Products() {
    all[count++] = SubtractPlain;
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx")) all[count++] = SubtractByFour;
    if (__builtin_cpu_supports("avx512f")) all[count++] = SubtractByEight;
#endif
  }
  std::array<PanelProduct, 3> all{};
  int count = 0;
};

}  // namespace

std::span<const PanelProduct> PanelProducts() {
  static const Products products;
  return std::span(products.all).first(products.count);
}

void SubtractPanelProduct(int m, int n, int k, const double* A, int lda, const double* B, int ldb,
                          double* C, int ldc) {
  static const PanelProduct best = PanelProducts().back();
  best(m, n, k, A, lda, B, ldb, C, ldc);
}

void SubtractPanelVector(int m, int n, const double* A, int lda, const double* x,
                         double* __restrict y) {
  int k = 0;
  for (; k + 3 <= n; k += 3, A += 3 * lda) {
    const double x_0 = x[k], x_1 = x[k + 1], x_2 = x[k + 2];
    for (int i = 0; i < m; ++i) {
      y[i] -= A[i] * x_0 + A[i + lda] * x_1 + A[i + 2 * lda] * x_2;
    }
  }
  for (; k < n; ++k, A += lda) {
    for (int i = 0; i < m; ++i) y[i] -= A[i] * x[k];
  }
}

void SubtractTransposedPanelVector(int m, int n, const double* A, int lda, const double* x,
                                   double* y) {
  int k = 0;
  for (; k + 3 <= n; k += 3, A += 3 * lda) {
    NumberPair sums[3] = {{0, 0}, {0, 0}, {0, 0}};
    int i = 0;
    for (; i + 2 <= m; i += 2) {
      const NumberPair x_i = LoadPair(x + i);
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c) sums[c] += LoadPair(A + i + c * lda) * x_i;
    }
    for (int c = 0; c < 3; ++c) {
      y[k + c] -= i < m ? Sum(sums[c]) + A[i + c * lda] * x[i] : Sum(sums[c]);
    }
  }
  for (; k < n; ++k, A += lda) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += A[i] * x[i];
    y[k] -= sum;
  }
}

}  // namespace voigt::internal
