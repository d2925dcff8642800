#pragma once

#include <functional>

namespace voigt::testing {

// A mechanism with one degree of freedom, written down by hand as a reference: T = ½ m(q) q̇² and
// V(q) say everything about its motion.
struct OneDof {
  std::function<double(double)> inertia;    // m(q)
  std::function<double(double)> potential;  // V(q)
};

struct OneDofMotion {
  double q = 0, v = 0;
};

// Where m(q) q̈ + ½ m'(q) q̇² + V'(q) = 0 leads in the time t, to about nine digits.
OneDofMotion Advance(const OneDof& system, const OneDofMotion& start, double t);

}  // namespace voigt::testing
