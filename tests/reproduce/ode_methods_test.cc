// The integrators that papers compare with: closed solutions, and the springs of the foundation
// beside equations of another form.

#include "reproduce/ode_methods.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reproduce/foundation_ode.h"
#include "tests/support/foundation.h"

namespace voigt::reproduce {
namespace {

// x'' = -x from (1, 0).
void Swing(double, const OdeState& y, OdeState* dy) { *dy = {y[1], -y[0]}; }

double SwingError(OdeMethod method, double tolerance) {
  const double until = 10;
  const OdeRun run = method(Swing, {1, 0}, until, {tolerance, tolerance, until, 1e-8});
  return std::hypot(run.y[0] - std::cos(until), run.y[1] + std::sin(until));
}

// The tolerance of a step is h^(p + 1) of its estimate. The explicit method goes on with a result
// that is better by an order, so that its errors go with the tolerance; those of the implicit one,
// of order 1, with the root of it.
TEST(OdeMethods, HaveTheirOrders) {
  const auto decades = [](OdeMethod method, double loose, double tight) {
    return std::log10(SwingError(method, loose) / SwingError(method, tight)) /
           std::log10(loose / tight);
  };
  EXPECT_NEAR(decades(IntegrateExplicitly, 1e-6, 1e-10), 1, 0.1);
  EXPECT_NEAR(decades(IntegrateImplicitly, 1e-5, 1e-8), 0.5, 0.05);
  EXPECT_LT(SwingError(IntegrateExplicitly, 1e-10), 1e-9);
  EXPECT_LT(SwingError(IntegrateImplicitly, 1e-8), 1e-2);
}

// y' = -1e6 (y - cos t) - sin t follows cos t; explicit steps cannot be longer than 3.3e-6.
TEST(OdeMethods, ImplicitOnesDoNotMindStiffness) {
  const OdeRate rate = [](double t, const OdeState& y, OdeState* dy) {
    *dy = {-1e6 * (y[0] - std::cos(t)) - std::sin(t)};
  };
  const OdeRun implicitly = IntegrateImplicitly(rate, {1.5}, 1, {1e-4, 1e-7, 0.1, 1e-8});
  EXPECT_NEAR(implicitly.y[0], std::cos(1), 1e-7);
  EXPECT_LT(implicitly.steps, 1000);
  EXPECT_LT(implicitly.jacobians, 5);
  const OdeRun explicitly = IntegrateExplicitly(rate, {1.5}, 1, {1e-4, 1e-7, 0.1, 1e-8});
  EXPECT_NEAR(explicitly.y[0], std::cos(1), 1e-4);
  EXPECT_GT(explicitly.steps, 250'000);
}

TEST(OdeMethods, StepsHaveALargest) {
  const OdeRate rest = [](double, const OdeState&, OdeState* dy) { *dy = {0}; };
  for (OdeMethod method : {IntegrateExplicitly, IntegrateImplicitly}) {
    EXPECT_GE(method(rest, {1}, 1, {1e-3, 1e-6, 0.01, 1e-8}).steps, 100);
    EXPECT_LT(method(rest, {1}, 1, {1e-3, 1e-6, 0.1, 1e-8}).steps, 50);
  }
}

// Rates beside those of equations in small states, with elements that press and others that do not.
TEST(FoundationEquation, HasTheRatesOfSmallStates) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> some(-1, 1);
  const FoundationEquation equation({10, "1e7", "50"});
  const testing::FoundationOde other({10, 1e7, 50});
  for (int trial = 0; trial < 100; ++trial) {
    const double t = some(random);
    const Vec3 e = 1e-4 * Vec3(some(random), some(random), some(random));
    const double z = 1e-5 * some(random), v = some(random);
    const double omega_x = some(random), omega_y = some(random);
    const testing::FoundationOde::State x = {z, e[0], e[1], e[2], v, omega_x, omega_y};
    testing::FoundationOde::State dx;
    other.CalcRate(t, x.data(), dx.data());
    const double e0 = std::sqrt(1 - e.squaredNorm());
    OdeState dy(13);
    equation.CalcRate(t, {0, 0, 0.5 + z, e0, e[0], e[1], e[2], 0, 0, v, omega_x, omega_y, 0}, &dy);
    // Forces of 1e7 N/m at 0.5 m have 1e-9 N of rounding.
    EXPECT_NEAR(dy[2], dx[0], 1e-15);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(dy[4 + i], dx[1 + i], 1e-15) << i;
    EXPECT_NEAR(dy[9], dx[4], 1e-8);
    EXPECT_NEAR(dy[10], dx[5], 1e-8);
    EXPECT_NEAR(dy[11], dx[6], 1e-8);
    // Nothing turns it about the world's z, nothing pushes it aside.
    for (int i : {0, 1, 7, 8, 12}) EXPECT_EQ(dy[i], 0) << i;
  }
}

TEST(FoundationEquation, EndsWhereSmallStatesDo) {
  const FoundationEquation equation({10, "1e7", "5"});
  const auto rate = [&](double t, const OdeState& y, OdeState* dy) { equation.CalcRate(t, y, dy); };
  const OdeRun run = IntegrateExplicitly(rate, equation.Start(), 0.3, {1e-10, 1e-14, 0.01, 1e-12});
  const testing::PoseVector other = testing::IntegrateFoundation({10, 1e7, 5}, 0.3, 1e-10);
  // Beside a depth of 8e-6 m.
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(run.y[i], other[i], 1e-11) << i;
}

}  // namespace
}  // namespace voigt::reproduce
