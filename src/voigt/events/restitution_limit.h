#pragma once

#include <algorithm>
#include <cmath>

#include "voigt/math/extremes.h"
#include "voigt/math/types.h"

namespace voigt {

// Where restitution would leave more energy than `before`, v becomes that of the part of it which
// leaves as much: T along v_c + s (v − v_c) is quadratic, and all of that line is free of
// penetration. `calc` is T of a velocity. Returns whether anything was cut.
template <typename KineticEnergy>
bool LimitRestitution(double before, const VecX& v_compressed, KineticEnergy calc, VecX* v) {
  const double after = calc(*v);
  if (!(after > before * (1 + 1e-12))) return false;
  const VecX change = *v - v_compressed;
  const double at_start = calc(v_compressed), a = calc(change);
  const double b = after - at_start - a;  // T = at_start + b s + a s²
  const double c = Smaller(0, at_start - before);
  const double s = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
  *v = v_compressed + std::clamp(s, 0.0, 1.0) * change;
  return true;
}

}  // namespace voigt
