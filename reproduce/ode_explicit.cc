#include <algorithm>
#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "reproduce/ode_methods.h"

namespace voigt::reproduce {
namespace odeint = boost::numeric::odeint;

OdeRun IntegrateExplicitly(const OdeRate& rate, const OdeState& start, double until,
                           const OdeSettings& settings) {
  using Method = odeint::runge_kutta_dopri5<OdeState>;
  using Checker =
      odeint::default_error_checker<double, odeint::range_algebra, odeint::default_operations>;
  // Errors beside states alone: Odeint would add what a step changes, MATLAB does not.
  odeint::controlled_runge_kutta<Method, Checker> stepper(
      Checker(settings.absolute, settings.relative, 1, 0));
  OdeRun out;
  out.y = start;
  const auto count = [&](const OdeState& y, OdeState& dy, double t) {
    ++out.evaluations;
    rate(t, y, &dy);
  };
  double t = 0, h = std::min(1e-6, settings.largest_step);
  while (t < until) {
    h = std::min({h, settings.largest_step, until - t});
    const bool is_good = stepper.try_step(count, out.y, t, h) == odeint::success;
    ++(is_good ? out.steps : out.rejected);
  }
  return out;
}

}  // namespace voigt::reproduce
