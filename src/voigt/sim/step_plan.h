#pragma once

#include <algorithm>
#include <cmath>

namespace voigt {

// The steps from t to `until`: whole ones, and what is left for a shorter last one. They are
// counted where they begin: a sum of n times is off by up to n/2 of its last bits in the end, and
// what rounding leaves of a step is none.
struct StepPlan {
  StepPlan(double t, double until, double step) {
    constexpr double kLeast = 1e-6, kMost = 1e-3;  // of a step
    const double count = std::max(until - t, 0.0) / step, all = until / step;
    const double rounding = std::clamp(1e-16 * all * all, kLeast, kMost);
    whole = std::floor(count + rounding);
    const double part = count - whole;
    last = part > rounding ? part * step : 0;
  }

  bool is_empty() const { return whole == 0 && last == 0; }

  double whole = 0;  // how many
  double last = 0;   // s
};

}  // namespace voigt
