#pragma once

#include "voigt/math/extremes.h"

namespace voigt {

// The velocity that residuals of a problem are measured by, from the largest one that its rows have
// or ask for without impulses, and the largest that an impulse makes of its own row.
//
// What impulses make counts, for it is added up and leaves its rounding; they may well cancel one
// another, as in a heap whose weight runs through every contact. But where rows ask for what cannot
// be, they may cancel at any size, and would hide what they leave: a heavy body on a light one has
// impulses up to their ratio of masses, and beyond that they count no more.
struct VelocityScale {
  static constexpr double kSane = 1e6;

  double without_impulses = 0, of_impulses = 0;

  bool is_sane() const { return of_impulses <= kSane * without_impulses; }
  double value() const {
    return is_sane() ? Larger(without_impulses, of_impulses) : kSane * without_impulses;
  }
  // What the rounding of such impulses may hide of a residual.
  double hidden() const { return is_sane() ? 0 : 1e-16 * of_impulses; }
};

}  // namespace voigt
