#pragma once

#include <bit>
#include <cstdint>

namespace voigt {

// Whether a packed triangle of six rows is zero beside its diagonal, as the mass matrices of free
// bodies are whose own frame is that of their principal axes. To ask costs less than half of what
// products with the zeros do.
inline bool IsDiagonalOfSix(const double* triangle) {
  std::uint64_t bits = 0;
#pragma GCC unroll 6
  for (int k = 1; k < 6; ++k) {
#pragma GCC unroll 6
    for (int j = 0; j < k; ++j) {
      bits |= std::bit_cast<std::uint64_t>(triangle[k * (k + 1) / 2 + j]);
    }
  }
  return bits << 1 == 0;  // of either sign
}

}  // namespace voigt
