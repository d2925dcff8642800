// Planar pendulums against their own equations of motion, written down independently.

#include <gtest/gtest.h>

#include <array>
#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

using testing::LoadNamedScene;
using testing::MakeSimulator;

// A rod about its end, released from the horizontal: the time to the bottom is a quarter period,
// K(sin 45°) √(2l/3g).
TEST(Pendulum, TakesAQuarterPeriodToTheBottom) {
  const Scene scene = LoadNamedScene("pendulum", {{"simulation.integrator", "adaptive"}});
  const Body& rod = scene.model.body(1);
  const double l = -rod.mass.com[2];
  const double inertia = rod.mass.inertia(1, 1) + rod.mass.mass * l * l;
  const double quarter =
      boost::math::ellint_1(std::sin(kPi / 4)) * std::sqrt(inertia / (rod.mass.mass * 9.81 * l));
  AdaptiveIntegrator integrator(scene.model);
  State state = scene.initial;
  ASSERT_TRUE(integrator.AdvanceTo(quarter, &state));
  EXPECT_NEAR(state.q[0], 0, 1e-11);
  EXPECT_NEAR(std::abs(state.v[0]), std::sqrt(2 * rod.mass.mass * 9.81 * l / inertia), 1e-11);
}

// Lagrange's equations of two rods in absolute angles from the downward vertical.
struct DoublePendulum {
  double m1 = 1.0, m2 = 0.7, c1 = 0.5, c2 = 0.4, l1 = 1.0, i1 = 0.09, i2 = 0.04, g = 9.81;

  std::array<double, 4> Rates(const std::array<double, 4>& y) const {
    const auto [a, b, va, vb] = y;
    const double A = i1 + m1 * c1 * c1 + m2 * l1 * l1, B = m2 * l1 * c2 * std::cos(a - b),
                 C = i2 + m2 * c2 * c2;
    const double s = m2 * l1 * c2 * std::sin(a - b);
    const double f = -s * vb * vb - (m1 * c1 + m2 * l1) * g * std::sin(a);
    const double h = s * va * va - m2 * c2 * g * std::sin(b);
    const double det = A * C - B * B;
    return {va, vb, (C * f - B * h) / det, (A * h - B * f) / det};
  }

  std::array<double, 4> Advance(std::array<double, 4> y, double dt) const {
    const auto along = [&](const std::array<double, 4>& k, double s) {
      std::array<double, 4> out;
      for (int i = 0; i < 4; ++i) out[i] = y[i] + s * k[i];
      return out;
    };
    const auto k1 = Rates(y), k2 = Rates(along(k1, dt / 2)), k3 = Rates(along(k2, dt / 2)),
               k4 = Rates(along(k3, dt));
    for (int i = 0; i < 4; ++i) y[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return y;
  }
};

TEST(DoublePendulum, AgreesWithLagrangesEquations) {
  const Scene scene = LoadNamedScene("double_pendulum");
  AdaptiveIntegrator integrator(scene.model);
  State state = scene.initial;
  const double a0 = 120 * kPi / 180, b0 = 130 * kPi / 180;
  std::array<double, 4> y = {a0, b0, 0, 0};
  const DoublePendulum pendulum;
  for (int i = 1; i <= 20; ++i) {
    for (int k = 0; k < 1000; ++k) y = pendulum.Advance(y, 1e-4);
    ASSERT_TRUE(integrator.AdvanceTo(0.1 * i, &state));
    // Errors grow exponentially in this motion; two seconds leave this much.
    EXPECT_NEAR(state.q[0], y[0], 1e-9) << "t = " << state.t;
    EXPECT_NEAR(state.q[0] + state.q[1], y[1], 1e-9) << "t = " << state.t;
    EXPECT_NEAR(state.v[0], y[2], 1e-8) << "t = " << state.t;
  }
}

}  // namespace
}  // namespace voigt
