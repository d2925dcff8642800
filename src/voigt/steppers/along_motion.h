#pragma once

#include <array>

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

}  // namespace voigt
