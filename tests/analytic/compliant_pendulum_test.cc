// Stiff joints in absolute coordinates [Drumwright 2019, §6.2]: how far the pin opens, at which
// order, and that nothing blows up.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::LoadNamedScene;
using testing::MakeSimulator;

struct PendulumRun {
  double deviation = 0;  // largest distance of the pin from its place, m
  double energy = -1e9;  // largest energy, J; it starts with 0
  double theta = 0;      // at the end, rad below level
};

PendulumRun Swing(double h, double until, const std::vector<Override>& more = {}) {
  std::vector<Override> overrides = more;
  overrides.push_back({"simulation.step", std::to_string(h)});
  const Scene scene = LoadNamedScene("absolute_pendulum", overrides);
  Simulator simulator = MakeSimulator(scene);
  PendulumRun out;
  const long steps = std::lround(until / h);
  for (long i = 0; i < steps; ++i) {
    if (simulator.Step() != StepStatus::kOk) {
      ADD_FAILURE() << Explain(simulator.status());
      break;
    }
    const VecX& q = simulator.state().q;
    const Mat3 R = QuaternionToMatrix(q.segment<4>(3));
    const Vec3 pin = q.head<3>() - R.col(0);
    out.deviation = std::max(out.deviation, pin.norm());
    out.energy = std::max(out.energy, simulator.CalcEnergy().Total());
    out.theta = std::atan2(-q[2], q[0]);
  }
  EXPECT_EQ(simulator.solver().not_solved, 0);
  return out;
}

TEST(CompliantPendulum, OpensThePinByHalfTheSquareOfTheStep) {
  EXPECT_NEAR(Swing(0.1, 1).deviation, 7.6992e-2, 5e-7);
  EXPECT_NEAR(Swing(0.01, 1).deviation, 8.9040e-4, 5e-9);
  EXPECT_NEAR(Swing(0.001, 1).deviation, 8.9180e-6, 5e-11);
  EXPECT_NEAR(Swing(0.0001, 1).deviation, 8.9182e-8, 5e-13);
}

TEST(CompliantPendulum, IsOfSecondOrderInTheJointAndOfFirstInTheMotion) {
  const PendulumRun coarse = Swing(0.002, 1), fine = Swing(0.0002, 1), reference = Swing(2e-5, 1);
  EXPECT_NEAR(std::log10(coarse.deviation / fine.deviation), 2, 0.01);
  const double order =
      std::log10(std::abs(coarse.theta - reference.theta) / std::abs(fine.theta - reference.theta));
  EXPECT_NEAR(order, 1, 0.1);
}

// With the curvature terms of the printed scheme this blows up within seconds.
TEST(CompliantPendulum, StaysBoundedForLongTimesAtLongSteps) {
  const PendulumRun run = Swing(0.2, 100);
  EXPECT_LT(run.deviation, 0.24);
  EXPECT_LT(run.energy, 0.44);
}

TEST(CompliantPendulum, RigidIsTheLimitOfStiff) {
  const PendulumRun stiff = Swing(0.01, 1);
  const PendulumRun rigid = Swing(0.01, 1, {{"parameters.K", "inf"}, {"parameters.B", "0"}});
  EXPECT_NEAR(stiff.deviation, rigid.deviation, 1e-11);
  EXPECT_NEAR(stiff.theta, rigid.theta, 1e-11);
}

}  // namespace
}  // namespace voigt
