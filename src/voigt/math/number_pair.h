#pragma once

#include <cstdint>
#include <cstring>

namespace voigt {

// Two numbers that lie side by side, as machines take them at once. Where loops over rows have a
// few columns inside, compilers that are left alone pair numbers of different rows, which lie
// apart: products with rows of six take a third less time in pairs of columns.
using NumberPair = double __attribute__((vector_size(16)));

inline NumberPair LoadPair(const double* from) {
  NumberPair out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

inline void StorePair(NumberPair x, double* to) { std::memcpy(to, &x, sizeof x); }

inline double Sum(NumberPair x) { return x[0] + x[1]; }

// |x|: all bits but the first.
inline NumberPair Size(NumberPair x) {
  using Bits = std::int64_t __attribute__((vector_size(16)));
  return reinterpret_cast<NumberPair>(reinterpret_cast<Bits>(x) & INT64_MAX);
}

}  // namespace voigt
