#pragma once

#include <cmath>

namespace voigt {

// The larger and the smaller of two numbers in one instruction, for loops over many rows: std::fmax
// is a call on x86-64, and what std::max does has no instruction on aarch64. Where b is no number,
// it is a.
inline double Larger(double a, double b) {
#ifdef __aarch64__
  return std::fmax(a, b);
#else
  return a < b ? b : a;
#endif
}

inline double Smaller(double a, double b) {
#ifdef __aarch64__
  return std::fmin(a, b);
#else
  return b < a ? b : a;
#endif
}

}  // namespace voigt
