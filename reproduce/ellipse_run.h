#pragma once

#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// An ellipse dropped on a table [Anitescu, Miller & Hart 2003, figures 1 and 2].
struct EllipseRun {
  std::vector<Vec2> depth;       // the infeasibility I(q) over time, m
  std::vector<double> z, angle;  // of its centre and its long axis, after each step
  double largest = 0, last = 0;  // of the depths
  double C1 = 0;                 // the largest of (I_l − (1 − s) I_{l−1})/(h ‖v_l‖)²
};

inline constexpr double kEllipseA = 4, kEllipseB = 2;  // half axes, m

// `s`: the part of a depth that a step takes away, the paper's gamma. Contacts act before they
// touch, or only where shapes overlap already.
EllipseRun RunEllipse(const Trial& trial, double s, double h, bool is_predictive);

}  // namespace voigt::reproduce
