#pragma once

#include "voigt/math/tree_pattern.h"

namespace voigt {

// y ← A x for a packed symmetric matrix, on the trees of first … first + count − 1.
void MultiplyPacked(const TreePattern& pattern, const double* A, int first, int count,
                    const double* x, double* y);

// The same for all of it.
inline void MultiplyPacked(const TreePattern& pattern, const VecX& A, const VecX& x, VecX* y) {
  y->resize(pattern.size());
  MultiplyPacked(pattern, A.data(), 0, pattern.size(), x.data(), y->data());
}

}  // namespace voigt
