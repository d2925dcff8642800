#pragma once

#include "reproduce/foundation_run.h"
#include "reproduce/ode_methods.h"

namespace voigt::reproduce {

// The cube on its springs as an ordinary differential equation in the coordinates of the paper:
// place of the centre, quaternion, velocity and angular velocity in the world, 13 numbers.
class FoundationEquation {
 public:
  explicit FoundationEquation(const FoundationCase& c);

  OdeState Start() const;  // at rest, without deformation
  void CalcRate(double t, const OdeState& y, OdeState* dy) const;

 private:
  double K_, load_;
  Eigen::ArrayXd x_, y_;           // of the elements, in the cube
  mutable Eigen::ArrayXd lambda_;  // likewise
};

// By one of ode_methods.h, with the tolerances that MATLAB has by default and the paper's step as
// the largest.
OdeRun IntegrateFoundation(const Trial& trial, OdeMethod method, const FoundationCase& c,
                           double until);

}  // namespace voigt::reproduce
