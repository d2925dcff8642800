#pragma once

#include <array>
#include <cmath>

#include "voigt/math/types.h"

namespace voigt {

// Moments next to now, and what values there weigh in a rate of change.
struct MomentWeight {
  double step = 0;    // s
  double weight = 0;  // 1/s
};

// d/ds f(q ⊕ s v) at s = 0 by differences of order four; none for v = 0. Steps are a thousandth of
// a radian or of a metre: fourth powers of them are near rounding, and the relative error is about
// 1e-12.
inline std::array<MomentWeight, 4> MomentsAlong(const VecX& v) {
  const double fastest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  if (!(fastest > 0)) return {};
  const double e = 1e-3 / fastest;
  return {{{e, 8 / (12 * e)}, {-e, -8 / (12 * e)}, {2 * e, -1 / (12 * e)}, {-2 * e, 1 / (12 * e)}}};
}

// That rate from values at these moments, NaN where there is none, and the one at s = 0: of order
// four from all, else of order two from two, or of order one from one; zero from none.
inline double DifferentiateAlong(const std::array<MomentWeight, 4>& moments,
                                 const std::array<double, 4>& values, double here) {
  const auto has = [&](int k) { return !std::isnan(values[k]); };
  if (has(0) && has(1) && has(2) && has(3)) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += moments[k].weight * values[k];
    return sum;
  }
  for (int k : {0, 2}) {
    if (has(k) && has(k + 1)) return (values[k] - values[k + 1]) / (2 * moments[k].step);
  }
  for (int k : {0, 1}) {
    if (!has(k) || !has(k + 2)) continue;
    return (4 * values[k] - values[k + 2] - 3 * here) / (2 * moments[k].step);
  }
  for (int k = 0; k < 4; ++k) {
    if (has(k)) return (values[k] - here) / moments[k].step;
  }
  return 0;
}

}  // namespace voigt
