#pragma once

#include <functional>
#include <vector>

// The integrators that papers compare with, MATLAB's by their published methods.
namespace voigt::reproduce {

using OdeState = std::vector<double>;
// dy/dt at t; dy has its size already.
using OdeRate = std::function<void(double t, const OdeState& y, OdeState* dy)>;

struct OdeSettings {
  double relative = 1e-3, absolute = 1e-6;  // tolerances, as MATLAB has them by default
  double largest_step = 0.1;                // s
  double difference = 1e-8;                 // by which states are moved for Jacobians
};

struct OdeRun {
  OdeState y;  // where it came to
  long steps = 0, rejected = 0;
  long evaluations = 0;  // of rates, with those for Jacobians
  long jacobians = 0;
};

using OdeMethod = OdeRun (*)(const OdeRate& rate, const OdeState& start, double until,
                             const OdeSettings& settings);

// Explicit, order 5 with an estimate of order 4 [Dormand & Prince 1980]: the method of ode45.
OdeRun IntegrateExplicitly(const OdeRate& rate, const OdeState& start, double until,
                           const OdeSettings& settings);

// Implicit, order 1: numerical differentiation formula in steps that are kept for a while, Newton's
// method with a Jacobian from differences that is kept as long as it serves [Shampine & Reichelt
// 1997]: ode15s with MaxOrder 1. Throws std::runtime_error if steps become too small.
OdeRun IntegrateImplicitly(const OdeRate& rate, const OdeState& start, double until,
                           const OdeSettings& settings);

}  // namespace voigt::reproduce
