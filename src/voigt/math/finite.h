#pragma once

namespace voigt {

// Whether all numbers are finite: 0 · x is zero for those, and no number for the others, which sums
// keep. Four of them need not wait for one another.
inline bool AllFinite(const double* x, int n) {
  double sums[4] = {};
  int i = 0;
  for (; i + 3 < n; i += 4) {
    for (int k = 0; k < 4; ++k) sums[k] += 0 * x[i + k];
  }
  for (; i < n; ++i) sums[0] += 0 * x[i];
  return sums[0] + sums[1] + sums[2] + sums[3] == 0;
}

}  // namespace voigt
