#include "tests/support/dropping_friction.h"

#include <array>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>

namespace voigt::testing {
namespace {

namespace odeint = boost::numeric::odeint;
using Motion = std::array<double, 2>;  // x, v

double CalcMu(double drop_speed, double v) {
  return 0.3 + 0.2 * std::exp(-(v / drop_speed) * (v / drop_speed));
}

void AdvanceDrag(double drop_speed, double t, double end, Motion* y) {
  const auto rate = [&](const Motion& at, Motion& out, double now) {
    out = {at[1], 50 * (0.1 * now - at[0]) - 10 * CalcMu(drop_speed, at[1])};
  };
  const auto stepper =
      odeint::make_controlled(1e-14, 1e-13, odeint::runge_kutta_fehlberg78<Motion>());
  odeint::integrate_adaptive(stepper, rate, *y, t, end, 0.1 * (end - t));
}

}  // namespace

DragStop SolveDrag(double drop_speed) {
  Motion y = {0, 0};
  double t = 1;
  for (double h = 1e-3; h > 1e-14;) {
    Motion next = y;
    AdvanceDrag(drop_speed, t, t + h, &next);
    if (next[1] < 0) {
      h /= 2;
      continue;
    }
    y = next;
    t += h;
  }
  return {t, y[0]};
}

DragStop SolveThrow(double drop_speed, double v0, double v1) {
  DragStop out;
  const int count = 20000;
  for (int k = 0; k <= count; ++k) {
    const double v = v1 + (v0 - v1) * k / count;
    const double weight = (k == 0 || k == count ? 1 : k % 2 == 1 ? 4 : 2) * (v0 - v1) / count / 3;
    out.t += weight / (10 * CalcMu(drop_speed, v));
    out.x += weight * v / (10 * CalcMu(drop_speed, v));
  }
  return out;
}

}  // namespace voigt::testing
