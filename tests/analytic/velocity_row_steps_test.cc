// Constraints on velocities, points that are moved and cones that limit, in time steps of every
// formulation: closed solutions, and first order of what steps leave.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "tests/support/scenes.h"
#include "tests/support/velocity_row_scenes.h"

namespace voigt {
namespace {

class VelocityRowSteps : public ::testing::TestWithParam<const char*> {
 protected:
  // The state after `until` seconds; every step is solved and passes the audit.
  static State RunSteps(const std::string& text, double step, double until) {
    const std::string settings =
        fmt::format("simulation: {{formulation: {}, step: {}}}\n", GetParam(), step);
    Simulator simulator = testing::MakeSimulator(ParseScene(text + settings, "text"));
    for (long i = std::lround(until / step); i > 0; --i) {
      EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    }
    EXPECT_EQ(simulator.solver().not_solved, 0);
    EXPECT_EQ(simulator.audit().failed, 0);
    return simulator.state();
  }

  // What steps of h and h/2 miss of what is right.
  template <class Miss>
  static void ExpectFirstOrder(const std::string& text, double until, double most, Miss miss) {
    const double coarse = miss(RunSteps(text, 1e-3, until));
    const double fine = miss(RunSteps(text, 5e-4, until));
    EXPECT_LT(coarse, most);
    EXPECT_NEAR(coarse / fine, 2, 0.1) << coarse << ' ' << fine;
  }
};

TEST_P(VelocityRowSteps, SkateOnASlopeGoesAside) {
  ExpectFirstOrder(testing::kSkate, 2, 5e-3,
                   [](const State& end) { return (end.q - testing::SkateAfter(2)).norm(); });
}

// Semi-implicit steps are ½ a h t ahead of ½ a t².
TEST_P(VelocityRowSteps, BallRollsDownASlope) {
  const double h = 1e-3;
  const State end = RunSteps(testing::kRollingBall, h, 1);
  EXPECT_NEAR(end.q[0], 0.5 * testing::kRollingAcceleration * (1 + h), 1e-9);
  EXPECT_NEAR(end.q[2], 0.1, 1e-9);
}

TEST_P(VelocityRowSteps, SpeedsAddUpToWhatIsAskedFor) {
  const State end = RunSteps(testing::kTwoWheels, 1e-3, 2);
  EXPECT_LT((end.v - testing::TwoWheelsAfter(2)).cwiseAbs().maxCoeff(), 1e-9);
}

// A body that is led around by its middle.
TEST_P(VelocityRowSteps, PointIsWhereItIsMovedTo) {
  const State end = RunSteps(R"(
bodies: [{name: body, mass: 2, inertia: [0.1, 0.2, 0.25]}]
joints: [{name: free, type: free, child: body}]
constraints: [{type: prescribed-point, body: body, position: [cos(2 * t), sin(2 * t), 0.5 * t]}]
initial: {free: {position: [1, 0, 0], velocity: [0, 2, 0.5], angular_velocity: [0, 0, 1]}}
)",
                             1e-3, 1);
  EXPECT_NEAR(end.q[0], std::cos(2.0), 1e-5);
  EXPECT_NEAR(end.q[1], std::sin(2.0), 1e-5);
  EXPECT_NEAR(end.q[2], 0.5, 1e-9);
}

// A rod on a ball joint is drawn aside by 60° and may go 30°: there it lies, and turns no further.
TEST_P(VelocityRowSteps, ConeLimitHoldsARod) {
  const State end = RunSteps(R"(
gravity: [9.81 * sin(60 deg), 0, 9.81 * cos(60 deg)]
bodies: [{name: rod, mass: 1, com: [0, 0, 1], inertia: [0.02, 0.02, 0.01]}]
joints: [{name: ball, type: ball, child: rod, cone_limit: 30 deg}]
)",
                             1e-3, 2);
  const Eigen::Quaterniond turn(end.q[0], end.q[1], end.q[2], end.q[3]);
  const Vec3 axis = turn.toRotationMatrix().col(2);
  EXPECT_NEAR(std::atan2(axis.x(), axis.z()), kPi / 6, 1e-9);
  EXPECT_NEAR(axis.y(), 0, 1e-12);
  EXPECT_LT(end.v.norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Formulations, VelocityRowSteps,
                         ::testing::Values("compliant", "stabilized-lcp", "mlcp-lemke",
                                           "mlcp-fb-rlm", "mncp-rlm", "max-dissipation"),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace voigt
