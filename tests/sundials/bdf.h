#pragma once

#include <functional>
#include <vector>

// Stiff ordinary differential equations by backward differentiation formulas, as SUNDIALS' CVODE
// integrates them [Hindmarsh et al. 2005]: variable step and order, Newton's method with a dense
// Jacobian from differences.
namespace voigt::testing {

using OdeRate = std::function<void(double t, const double* x, double* dx)>;

struct BdfSettings {
  double relative = 1e-6, absolute = 1e-6;  // tolerances
  int largest_order = 5;
  double largest_step = 0;  // s; 0: none
  double patience = 0;      // s of wall time, after which it gives up; 0: none
};

struct BdfRun {
  std::vector<double> x;  // where it came to
  bool finished = false;
  long steps = 0, evaluations = 0;  // the latter with those for Jacobians
};

// From x at t = 0 to `until`.
BdfRun IntegrateByBdf(const OdeRate& rate, const std::vector<double>& x, double until,
                      const BdfSettings& settings);

}  // namespace voigt::testing
