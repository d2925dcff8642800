// Stiff joints in absolute coordinates [Drumwright 2019, §4.4]: how far the pin opens, at which
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

// The table of the printed scheme, over one second.
TEST(CompliantPendulum, WithThePrintedCurvatureOpensThePinMore) {
  const Override printed{"simulation.curvature", "printed"};
  EXPECT_NEAR(Swing(0.1, 1, {printed}).deviation, 1.3078e-1, 5e-6);
  EXPECT_NEAR(Swing(0.01, 1, {printed}).deviation, 8.9612e-4, 5e-9);
  EXPECT_NEAR(Swing(0.001, 1, {printed}).deviation, 8.9186e-6, 5e-11);
}

// In a joint as stiff as this one, both ways to take the curvature are the same.
TEST(CompliantPendulum, PredictorIsLikePrintedForStiffJoints) {
  const PendulumRun printed = Swing(0.01, 1, {{"simulation.curvature", "printed"}});
  const PendulumRun predictor = Swing(0.01, 1, {{"simulation.curvature", "predictor"}});
  EXPECT_NEAR(printed.deviation, predictor.deviation, 1e-9);
  EXPECT_NEAR(printed.theta, predictor.theta, 1e-9);
}

// When a run of at most 100 s has a hundred joules more than it began with, or ends in infinity.
double TimeOfBlowUp(double h, const char* curvature) {
  const Scene scene = LoadNamedScene("absolute_pendulum", {{"simulation.step", std::to_string(h)},
                                                           {"simulation.curvature", curvature}});
  Simulator simulator = MakeSimulator(scene);
  while (simulator.state().t < 100) {
    if (simulator.Step() != StepStatus::kOk) return simulator.state().t;
    if (!(simulator.CalcEnergy().Total() < 100)) return simulator.state().t;
  }
  return kInfinity;
}

TEST(CompliantPendulum, BlowsUpWithCurvatureAndNotWithout) {
  for (const char* curvature : {"printed", "predictor"}) {
    EXPECT_LT(TimeOfBlowUp(0.05, curvature), 20) << curvature;
    EXPECT_LT(TimeOfBlowUp(0.1, curvature), 4) << curvature;
    EXPECT_LT(TimeOfBlowUp(0.2, curvature), 4) << curvature;
  }
  for (const double h : {0.05, 0.1, 0.2}) EXPECT_EQ(TimeOfBlowUp(h, "none"), kInfinity);
}

// In steps that keep the energy to half a percent: of longer ones with rigid joints SurplusLimit
// takes back what they make.
TEST(CompliantPendulum, RigidIsTheLimitOfStiff) {
  const PendulumRun stiff = Swing(0.002, 1);
  const PendulumRun rigid = Swing(0.002, 1, {{"parameters.K", "inf"}, {"parameters.B", "0"}});
  EXPECT_NEAR(stiff.deviation, rigid.deviation, 1e-11);
  EXPECT_NEAR(stiff.theta, rigid.theta, 1e-11);
}

}  // namespace
}  // namespace voigt
