#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// The functions of time that drive a model. Steps of an integrator whose estimate of errors sees
// nothing of them alone, as that of Fehlberg's method of order 7(8), which compares moments at the
// two ends of a step, are to end where a function has a kink or jump, and to be no longer than the
// method follows.
class DrivingFunctions {
 public:
  explicit DrivingFunctions(const Model& model);

  static constexpr double kShortestFollowed = 1e-7;  // s: shorter steps follow anything

  // The first moment in (t0, t1] at which another piece of one of them begins, or infinity.
  double FindPieceEnd(double t0, double t1) const { return voigt::FindPieceEnd(pieces_, t0, t1); }

  // Where a step that is to end at such a moment ends: just before it, so that no stage is on what
  // follows.
  static double CalcEnd(double t) {
    return t - 4 * std::numeric_limits<double>::epsilon() * std::fabs(t);
  }
  // When to evaluate forces where a step from t begins: just after t, as "t > 1 ? 3 : 0" asks for.
  double CalcStart(double t) const {
    return pieces_.empty() ? t : std::nextafter(t, std::numeric_limits<double>::infinity());
  }

  // How far a step of h from t is off the impulses of forces that are functions of time and off the
  // ways that follow from them, over what it may be. It looks at 49 moments: a pulse between two of
  // them is missed.
  double CalcMissed(double t, double h) const;

 private:
  std::vector<CompiledTimeFunction> pieces_;  // of all functions, those that have kinks
  std::vector<CompiledTimeFunction> forces_;  // loads, targets of servos, inputs, that vary
};

// How long a step of an order of eight may be beside one of h that has missed so much, over what it
// may.
inline double FollowingStep(double h, double missed) {
  return h * std::clamp(0.9 * std::pow(missed, -0.125), 0.1, 9.0);
}

}  // namespace voigt
