// The order of each integrator, measured against the adaptive reference on scenes with every kind
// of joint and force.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/steppers/adaptive.h"

namespace voigt {
namespace {

using testing::LoadNamedScene;
using testing::RunToEnd;

Scene Load(const std::string& name, const std::string& integrator, double step, double until,
           const std::string& kick = "halves") {
  return testing::WithoutConstraints(
      LoadNamedScene(name, {{"simulation.integrator", integrator},
                            {"simulation.kick", kick},
                            {"simulation.step", fmt::format("{}", step)},
                            {"simulation.until", fmt::format("{}", until)}}));
}

double Distance(const State& a, const State& b) {
  return std::sqrt((a.q - b.q).squaredNorm() + (a.v - b.v).squaredNorm());
}

// log₂ of the ratio of errors when the step is halved.
double MeasureOrder(const std::string& name, const std::string& integrator, double step,
                    double until, const std::string& kick = "halves") {
  const State reference = RunToEnd(Load(name, "adaptive", until, until, kick));
  const double coarse = Distance(RunToEnd(Load(name, integrator, step, until, kick)), reference);
  const double fine = Distance(RunToEnd(Load(name, integrator, step / 2, until, kick)), reference);
  EXPECT_GT(fine, 1e-12) << name << ": the errors are too small to tell an order";
  return std::log2(coarse / fine);
}

TEST(Convergence, SemiImplicitEulerIsOfOrderOneWithSpringsAndDampers) {
  for (const char* name : {"joint_zoo", "humanoid"}) {
    EXPECT_NEAR(MeasureOrder(name, "semi-implicit-euler", 2e-5, 0.2), 1, 0.02) << name;
  }
}

TEST(Convergence, SemiImplicitEulerIsOfOrderTwoWithoutThem) {
  for (const char* name :
       {"double_pendulum", "spinning_top", "arm", "tumbling_box", "tumbling_coin"}) {
    EXPECT_NEAR(MeasureOrder(name, "semi-implicit-euler", 1e-4, 0.2), 2, 0.02) << name;
  }
}

TEST(Convergence, WholeKicksAreOfOrderOne) {
  for (const char* name : {"double_pendulum", "spinning_top", "arm"}) {
    EXPECT_NEAR(MeasureOrder(name, "semi-implicit-euler", 2e-5, 0.2, "whole"), 1, 0.02) << name;
  }
}

TEST(Convergence, RungeKuttaIsOfOrderFour) {
  EXPECT_NEAR(MeasureOrder("double_pendulum", "rk4", 0.01, 0.4), 4, 0.15);
  EXPECT_NEAR(MeasureOrder("joint_zoo", "rk4", 0.0025, 0.4), 4, 0.15);
  EXPECT_NEAR(MeasureOrder("tumbling_box", "rk4", 0.001, 0.2), 4, 0.15);
  EXPECT_NEAR(MeasureOrder("tumbling_coin", "rk4", 0.001, 0.2), 4, 0.15);
  EXPECT_NEAR(MeasureOrder("spinning_top", "rk4", 0.0005, 0.1), 4, 0.15);
  EXPECT_NEAR(MeasureOrder("arm", "rk4", 0.0025, 0.2), 4, 0.15);
  EXPECT_NEAR(MeasureOrder("humanoid", "rk4", 4e-4, 0.2), 4, 0.15);
}

TEST(Convergence, AdaptiveReferenceAgreesWithFineRungeKutta) {
  for (const char* name : {"double_pendulum", "joint_zoo", "arm"}) {
    const State reference = RunToEnd(Load(name, "adaptive", 0.5, 0.5));
    const State fine = RunToEnd(Load(name, "rk4", 1e-4, 0.5));
    EXPECT_LT(Distance(fine, reference), 1e-9) << name;
  }
}

// It chooses its steps by the tolerance, so its errors follow the tolerance: three
// powers of ten of one are about three of the other.
TEST(Convergence, AdaptiveErrorsFollowTheTolerance) {
  for (const char* name : {"double_pendulum", "arm"}) {
    const Scene scene = LoadNamedScene(name);
    const auto end = [&](double tolerance) {
      State state = scene.initial;
      AdaptiveIntegrator integrator(scene.model, {tolerance, tolerance});
      EXPECT_TRUE(integrator.AdvanceTo(0.5, &state));
      return state;
    };
    const State reference = end(1e-14);
    const double coarse = Distance(end(1e-5), reference), fine = Distance(end(1e-8), reference);
    EXPECT_LT(fine, 1e-6) << name;
    EXPECT_NEAR(std::log10(coarse / fine), 3, 1.2) << name << ' ' << coarse << ' ' << fine;
  }
}

}  // namespace
}  // namespace voigt
