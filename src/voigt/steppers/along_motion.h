#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "voigt/math/types.h"

namespace voigt {

// Moments next to now, and what values there weigh in a rate of change.
struct MomentWeight {
  double step = 0;    // s
  double weight = 0;  // 1/s
};

inline constexpr double kAlong = 1e-3;  // rad or m

// d/ds f(q ⊕ s v) at s = 0 by differences of order four; none for v = 0. Steps are a thousandth of
// a radian or of a metre: fourth powers of them are near rounding, and the relative error is about
// 1e-12.
inline std::array<MomentWeight, 4> MomentsAlong(const VecX& v) {
  const double fastest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  if (!(fastest > 0)) return {};
  const double e = kAlong / fastest;
  return {{{e, 8 / (12 * e)}, {-e, -8 / (12 * e)}, {2 * e, -1 / (12 * e)}, {-2 * e, 1 / (12 * e)}}};
}

// Whether rates at these moments, a step of e or 2e away, and here are those of one smooth
// function: where not, a jump makes most of what they differ by, and is more than a part of all
// speeds.
inline bool IsSmoothAlong(double e, const std::array<double, 4>& rates, double here) {
  constexpr double kRough = 0.1, kSmall = 1e-9;
  double spread = 0;
  for (const double rate : rates) spread = std::max(spread, std::fabs(rate - here));
  const double fourth = rates[2] + rates[3] - 4 * (rates[0] + rates[1]) + 6 * here;
  return std::fabs(fourth) <= std::max(kRough * spread, kSmall * kAlong / e);
}

// Of order two from one side.
inline double DifferentiateAside(double step, double near, double far, double here) {
  return (4 * near - far - 3 * here) / (2 * step);
}

// That rate from values at these moments, NaN where there is none, and the one at s = 0: of order
// four from all, else of order two from two, or of order one from one; zero from none. Where a
// contact comes to an edge its rates jump: they are then taken from the smoother side.
inline double DifferentiateAlong(const std::array<MomentWeight, 4>& moments,
                                 const std::array<double, 4>& values, double here) {
  const auto has = [&](int k) { return !std::isnan(values[k]); };
  if (has(0) && has(1) && has(2) && has(3)) {
    if (!IsSmoothAlong(moments[0].step, values, here)) {
      const auto bend = [&](int k) { return std::fabs(values[k + 2] - 2 * values[k] + here); };
      const int k = bend(0) < bend(1) ? 0 : 1;
      return DifferentiateAside(moments[k].step, values[k], values[k + 2], here);
    }
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += moments[k].weight * values[k];
    return sum;
  }
  for (int k : {0, 2}) {
    if (has(k) && has(k + 1)) return (values[k] - values[k + 1]) / (2 * moments[k].step);
  }
  for (int k : {0, 1}) {
    if (!has(k) || !has(k + 2)) continue;
    return DifferentiateAside(moments[k].step, values[k], values[k + 2], here);
  }
  for (int k = 0; k < 4; ++k) {
    if (has(k)) return (values[k] - here) / moments[k].step;
  }
  return 0;
}

}  // namespace voigt
