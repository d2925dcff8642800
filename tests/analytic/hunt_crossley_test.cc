// A bounce by the law of Hunt & Crossley, λ = K d^{3/2} (1 + a' d'), a' = 3a/2, without gravity.
//
// m v dv/(1 + a' v) = −K d^{3/2} dd with v = d' is the same on the way in and out between equal
// depths, so that the speed v₁ after a bounce of v₀ follows from
//   F(v₀) = F(−v₁),   F(v) = v/a' − ln(1 + a' v)/a'²,
// whatever K and m are [Hunt & Crossley 1975]; and an integration in the test by the classical
// method of Runge and Kutta shows the whole motion.

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

constexpr double kDissipation = 0.5, kMass = 1, kRadius = 0.1, kSpeedIn = 0.2;
// Both surfaces are of one material: E* = E/(2 (1 − ν²)), and K = (4/3) E* √r.
const double kHertz = 4.0 / 3.0 * 1e7 / (2 * (1 - 0.09)) * std::sqrt(kRadius);

double ReboundByFormula(double v0) {
  const double a = 1.5 * kDissipation;
  const auto F = [&](double v) { return v / a - std::log1p(a * v) / (a * a); };
  double low = 0, high = v0;
  for (int i = 0; i < 200; ++i) {
    const double v1 = 0.5 * (low + high);
    (F(-v1) < F(v0) ? low : high) = v1;
  }
  return low;
}

struct Depth {
  double d, v;
};

// Depth and its rate at time t after the touch with kSpeedIn.
Depth IntegrateDepth(double t, int steps) {
  const auto acceleration = [](double d, double v) {
    if (!(d > 0)) return 0.0;
    return -std::max(0.0, kHertz * std::pow(d, 1.5) * (1 + 1.5 * kDissipation * v)) / kMass;
  };
  Depth y{0, kSpeedIn};
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const double v1 = y.v, a1 = acceleration(y.d, y.v);
    const double v2 = y.v + h / 2 * a1, a2 = acceleration(y.d + h / 2 * v1, v2);
    const double v3 = y.v + h / 2 * a2, a3 = acceleration(y.d + h / 2 * v2, v3);
    const double v4 = y.v + h * a3, a4 = acceleration(y.d + h * v3, v4);
    y.d += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    y.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return y;
}

// A ball that touches the floor at t = 0; depth and rate at `time` in steps of h.
Depth SimulateDepth(double time, double h) {
  const Scene scene = ParseScene(R"(
gravity: [0, 0, 0]
materials:
  default: {youngs_modulus: 1e7, poisson_ratio: 0.3, law: hunt_crossley, dissipation: 0.5, friction: 0}
world: {geometry: [{shape: half-space}]}
bodies: [{name: b, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}]
joints: [{name: f, type: free, child: b}]
initial: {f: {position: [0, 0, 0.1], velocity: [0, 0, -0.2]}}
)",
                                 "bounce");
  Simulator simulator = testing::MakeSimulator(scene);
  const long steps = std::lround(time / h);
  for (long i = 0; i < steps; ++i) simulator.Step(h);
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
  return {0.1 - simulator.state().q[2], -simulator.state().v[2]};
}

TEST(HuntCrossley, FormulaAndIntegrationAgreeOnTheRebound) {
  EXPECT_NEAR(-IntegrateDepth(0.05, 400000).v, ReboundByFormula(kSpeedIn), 1e-9);
  // Small losses: e = 1 − a v₀ [Hunt & Crossley 1975].
  EXPECT_NEAR(ReboundByFormula(1e-3) / 1e-3, 1 - kDissipation * 1e-3, 1e-6);
}

// Within the bounce, where the force is largest, and after it: first order, ratio 2.
TEST(HuntCrossley, BounceTendsToTheExactOne) {
  const double during = 6e-3, after = 0.05;
  const Depth exact = IntegrateDepth(during, 100000);
  ASSERT_GT(exact.d, 1e-4);
  const double rebound = ReboundByFormula(kSpeedIn);
  double errors[3][3];
  for (int k = 0; k < 3; ++k) {
    const double h = 4e-5 / std::exp2(k);
    const Depth mid = SimulateDepth(during, h);
    errors[k][0] = mid.d - exact.d;
    errors[k][1] = mid.v - exact.v;
    errors[k][2] = -SimulateDepth(after, h).v - rebound;
    printf("h = %.0e: depth off by %.3e m, rate by %.3e, rebound by %.3e m/s of %.5f\n", h,
           errors[k][0], errors[k][1], errors[k][2], rebound);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(errors[0][i] / errors[1][i], 2, 0.1) << i;
    EXPECT_NEAR(errors[1][i] / errors[2][i], 2, 0.1) << i;
  }
  EXPECT_LT(std::fabs(errors[2][2]), 0.005 * rebound);
}

}  // namespace
}  // namespace voigt
