#include "tests/support/one_dof.h"

#include <array>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

namespace voigt::testing {
namespace {

namespace odeint = boost::numeric::odeint;

// Fourth order: with this step, rounding and truncation both leave about 1e-12.
double Derivative(const std::function<double(double)>& f, double x) {
  constexpr double d = 1e-3;
  return (8 * (f(x + d) - f(x - d)) - (f(x + 2 * d) - f(x - 2 * d))) / (12 * d);
}

}  // namespace

OneDofMotion Advance(const OneDof& system, const OneDofMotion& start, double t) {
  using Vector = std::array<double, 2>;
  Vector y = {start.q, start.v};
  const auto rate = [&](const Vector& at, Vector& out, double) {
    const auto [q, v] = at;
    const double force =
        -0.5 * Derivative(system.inertia, q) * v * v - Derivative(system.potential, q);
    out = {v, force / system.inertia(q)};
  };
  const auto stepper =
      odeint::make_controlled(1e-12, 1e-12, odeint::runge_kutta_fehlberg78<Vector>());
  odeint::integrate_adaptive(stepper, rate, y, 0.0, t, 1e-3 * t);
  return {y[0], y[1]};
}

}  // namespace voigt::testing
