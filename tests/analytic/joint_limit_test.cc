// A pendulum against a stop of 1e12 N m/rad [Drumwright 2019, §5.4]. Reference values are those of
// the scheme itself, computed independently; the exact bounce is elastic.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/one_dof.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

using testing::LoadNamedScene;
using testing::MakeSimulator;

double AngleAfterOneSecond(double h, const char* K = "1e12") {
  const Scene scene = LoadNamedScene("joint_limit", {{"parameters.K", K}});
  SimulationSettings settings = scene.settings;
  settings.step = h;
  Simulator simulator(scene.model, settings, scene.initial);
  const long steps = std::lround(1 / h);
  for (long i = 0; i < steps; ++i) simulator.Step();
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  return simulator.state().q[0];
}

TEST(JointLimit, BouncesAsTheImplicitSchemeDoes) {
  EXPECT_NEAR(AngleAfterOneSecond(1e-5), 0.00738743, 1e-8);
}

TEST(LongJointLimit, BouncesAsTheImplicitSchemeDoesAtSmallSteps) {
  EXPECT_NEAR(AngleAfterOneSecond(1e-6), 0.33932342, 1e-7);
  EXPECT_NEAR(AngleAfterOneSecond(1e-7), 1.18875331, 1e-6);
}

// 1e8 steps: at a hundredth of a radian of the stop's own vibration, the bounce becomes elastic at
// nearly first order.
TEST(LongJointLimit, NearsTheElasticBounceAtTheFinestStep) {
  const double elastic = 1.405021658781;
  const double finest = AngleAfterOneSecond(1e-8);
  EXPECT_NEAR(finest, 1.38161994, 1e-6);
  EXPECT_NEAR(std::log10((elastic - 1.18875331) / (elastic - finest)), 0.97, 0.01);
}

// When the falling pendulum meets the stop, and how fast.
constexpr double kHitTime = 0.591960486894059, kHitRate = -4.42944691807002;  // s, rad/s

struct Bounce {
  double rate = 0;  // with which it leaves the stop
  double time = 0;  // since it met it
};

// From a little before the stop until it is left: the only time in which the step matters. The
// phase, from 0 to 1, tells when within a step it is met.
Bounce BounceOff(double h, double phase) {
  const double before = (10 + phase) * h;
  Scene scene = LoadNamedScene("joint_limit");
  scene.initial.q[0] = -before * kHitRate;
  scene.initial.v[0] = kHitRate;
  Simulator simulator = MakeSimulator(scene);
  while (simulator.state().v[0] < 0 || simulator.state().q[0] < 0) {
    if (simulator.Step(h) != StepStatus::kOk) return {};
  }
  const double rate = simulator.state().v[0];
  return {rate, simulator.state().t - before - simulator.state().q[0] / rate};
}

// The scheme in one line of arithmetic: gravity, and the stop where the step would end beyond it.
struct ScalarPendulum {
  double q = 0, v = 0;

  void Step(double h) {
    constexpr double K = 1e12;
    v -= h * 9.81 * std::sin(q);
    if (q + h * v < 0) v = (v - h * K * q) / (1 + h * h * K);
    q += h * v;
  }
};

TEST(JointLimit, GivesBackTheSpeedThatItsStepCanSee) {
  const auto expected = [](double h, double phase) {
    ScalarPendulum pendulum{-(10 + phase) * h * kHitRate, kHitRate};
    while (pendulum.v < 0 || pendulum.q < 0) pendulum.Step(h);
    return pendulum.v / -kHitRate;
  };
  for (double phase : {0.05, 0.25, 0.45, 0.65, 0.85}) {
    for (double h : {1e-5, 1e-6, 1e-7, 1e-8}) {
      EXPECT_NEAR(BounceOff(h, phase).rate / -kHitRate, expected(h, phase), 1e-9) << h << phase;
    }
    // Known figures; the phase matters by the second power of hω.
    EXPECT_NEAR(expected(1e-6, phase), 0.25, 1e-5) << phase;
    EXPECT_NEAR(expected(1e-7, phase), 0.85428, 2e-3) << phase;
    EXPECT_NEAR(expected(1e-8, phase), 0.98442, 2e-5) << phase;
  }
}

// At 1e-8 s the stop is left as the exact one is to a few per cent: half a period of its spring.
TEST(JointLimit, LeavesTheStopAfterHalfAPeriod) {
  EXPECT_NEAR(BounceOff(1e-8, 0).time, 3.1415926536e-6, 2e-8);
}

// Before and after the bounce, a pendulum whose motion is known: the whole second at 1e-8 s without
// its 1e8 steps.
TEST(JointLimit, ReachesTheAngleOfTheFinestStep) {
  testing::OneDof pendulum;
  pendulum.inertia = [](double) { return 1.0; };
  pendulum.potential = [](double q) { return -9.81 * std::cos(q); };
  const testing::OneDofMotion hit = Advance(pendulum, {kPi / 2, 0}, kHitTime);
  EXPECT_NEAR(hit.q, 0, 1e-9);
  EXPECT_NEAR(hit.v, kHitRate, 1e-9);
  const Bounce bounce = BounceOff(1e-8, 0.5);
  const double left = 1 - kHitTime - bounce.time;
  EXPECT_NEAR(Advance(pendulum, {0, bounce.rate}, left).q, 1.38161994, 2e-5);
}

// With 1e6 N m/rad the contact lasts long enough for ordinary steps.
TEST(JointLimit, IsOfFirstOrderWhereTheStepResolvesTheContact) {
  const double exact = 1.39932691220;
  const double coarse = exact - AngleAfterOneSecond(1e-4, "1e6");
  const double fine = exact - AngleAfterOneSecond(1e-5, "1e6");
  EXPECT_NEAR(coarse, 0.213, 5e-4);
  EXPECT_NEAR(fine, 2.33e-2, 5e-5);
}

}  // namespace
}  // namespace voigt
