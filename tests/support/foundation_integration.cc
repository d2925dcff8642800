#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <functional>

#include "tests/support/foundation.h"
#include "voigt/base/stopwatch.h"

// Odeint copies steppers before their scratch memory has been filled.
#pragma GCC diagnostic ignored "-Wuninitialized"

namespace voigt::testing {
namespace {

namespace odeint = boost::numeric::odeint;
using State = FoundationOde::State;

template <typename Stepper>
ExplicitRun Integrate(const FoundationOde& ode, double until, const ExplicitSettings& settings) {
  auto stepper = odeint::make_controlled<Stepper>(settings.absolute, settings.relative);
  const Deadline deadline(settings.patience);
  ExplicitRun out;
  double t = 0, h = 1e-2 / FoundationOde::NaturalUnits(ode.foundation()).rate;
  while (t < until && (out.steps % 64 != 0 || !deadline.HasPassed())) {
    h = std::min(h, until - t);
    out.steps += stepper.try_step(std::cref(ode), out.x, t, h) == odeint::success;
  }
  out.finished = t >= until;
  return out;
}

}  // namespace

ExplicitRun IntegrateExplicitly(const FoundationOde& ode, double until,
                                const ExplicitSettings& settings) {
  return settings.order == 5
             ? Integrate<odeint::runge_kutta_dopri5<State>>(ode, until, settings)
             : Integrate<odeint::runge_kutta_fehlberg78<State>>(ode, until, settings);
}

PoseVector IntegrateFoundation(const FoundationCase& c, double until, double tolerance) {
  const FoundationOde ode(c, FoundationOde::NaturalUnits(c));
  return ode.PoseOf(IntegrateExplicitly(ode, until, {8, tolerance, tolerance, 0}).x.data());
}

}  // namespace voigt::testing
