#include "reproduce/spring_schemes.h"

#include <Eigen/Eigenvalues>

namespace voigt::reproduce {

Vec2 StepOscillator(EulerScheme scheme, const Oscillator& o, const Vec2& y) {
  const double x = y[0], v = y[1];
  if (scheme == EulerScheme::kExplicit) return {x + o.h * v, v - o.h * (o.b * v + o.k * x)};
  const double v1 = (v - o.h * o.k * x) / (1 + o.h * o.b);
  return {x + o.h * v1, v1};
}

double CalcSpectralRadius(EulerScheme scheme, const Oscillator& o) {
  Eigen::Matrix2d A;
  A.col(0) = StepOscillator(scheme, o, Vec2(1, 0));
  A.col(1) = StepOscillator(scheme, o, Vec2(0, 1));
  return A.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace voigt::reproduce
