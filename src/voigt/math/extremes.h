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

// The largest of `least` and value(0) … value(count − 1). Four are followed at a time, so that none
// waits for the one before.
template <typename Value>
double LargestValue(int count, double least, Value value) {
  double a = least, b = least, c = least, d = least;
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    a = Larger(a, value(i));
    b = Larger(b, value(i + 1));
    c = Larger(c, value(i + 2));
    d = Larger(d, value(i + 3));
  }
  for (; i < count; ++i) a = Larger(a, value(i));
  return Larger(Larger(a, b), Larger(c, d));
}

}  // namespace voigt
