#pragma once

namespace voigt::testing {

// How many of n random samples to try. Code runs about ten times slower under sanitizers, which
// look for other things than wrong numbers: the first samples reach nearly all of it.
inline int SampleCount(int n) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (n + 9) / 10;
#else
  return n;
#endif
}

}  // namespace voigt::testing
