#pragma once

#include "voigt/math/types.h"

namespace voigt::reproduce {

// ẍ + b ẋ + k x = 0 in steps of h [Drumwright 2019, §3].
struct Oscillator {
  double k = 0, b = 0, h = 0;  // 1/s², 1/s, s
};

enum class EulerScheme {
  kExplicit,      // eq. 9
  kSemiImplicit,  // eqs. 11 and 12: the old position and the new velocity
};

// One step of (x, v).
Vec2 StepOscillator(EulerScheme scheme, const Oscillator& o, const Vec2& y);

// The largest eigenvalue of a step, by size: above 1, the scheme is unstable.
double CalcSpectralRadius(EulerScheme scheme, const Oscillator& o);

}  // namespace voigt::reproduce
