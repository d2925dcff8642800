// Single bodies with known motions: torque-free rotation by Jacobi's elliptic functions, the steady
// precession of a top, and bodies that spin faster than the step can follow.

#include <gtest/gtest.h>

#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/dynamics/momentum_energy.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::LoadNamedScene;
using testing::MakeSimulator;

// Euler's equations for moments I1 > I2 > I3 and 2 E I2 > L², started with ω2 = 0
// [Landau & Lifshitz, Mechanics, §37].
Vec3 TorqueFreeSpin(const Vec3& I, double omega1, double omega3, double t) {
  const double E2 = I[0] * omega1 * omega1 + I[2] * omega3 * omega3;  // twice the energy
  const double L2 = std::pow(I[0] * omega1, 2) + std::pow(I[2] * omega3, 2);
  // The largest axis is the one the momentum circles when L² > 2 E I2.
  const double tau = t * std::sqrt((I[0] - I[1]) * (L2 - E2 * I[2]) / I.prod());
  const double k = std::sqrt((I[1] - I[2]) * (E2 * I[0] - L2) / ((I[0] - I[1]) * (L2 - E2 * I[2])));
  double cn, dn;
  const double sn = boost::math::jacobi_elliptic(k, tau, &cn, &dn);
  const double amplitude2 = std::sqrt((E2 * I[0] - L2) / (I[1] * (I[0] - I[1])));
  return {omega1 * dn, amplitude2 * sn, omega3 * cn};
}

TEST(TorqueFreeBody, FollowsJacobisEllipticFunctions) {
  const Vec3 I(3, 2, 1);
  const double omega1 = 2.0, omega3 = 1.0;
  const Scene scene = ParseScene(R"(
gravity: [0, 0, 0]
bodies: [{name: body, mass: 1, inertia: [3, 2, 1]}]
joints: [{name: fly, type: free, child: body}]
initial: {fly: {angular_velocity: [2, 0, 1]}}
simulation: {step: 0.25, until: 10, integrator: adaptive}
)",
                                 "scene");
  Simulator simulator = MakeSimulator(scene);
  Kinematics kin(scene.model);
  UpdatePositions(scene.model, scene.initial.q, &kin);
  UpdateVelocities(scene.model, scene.initial.v, &kin);
  const Vec6 momentum = CalcMomentum(scene.model, kin, Vec3::Zero());
  double largest = 0;
  while (simulator.state().t < 10) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const Vec3 expected = TorqueFreeSpin(I, omega1, omega3, simulator.state().t);
    // The sign of ω2 depends on the handedness of the axes: ω̇2 = (I3 − I1) ω3 ω1 / I2 < 0 at first.
    const Vec3 omega = simulator.state().v.tail<3>().cwiseProduct(Vec3(1, -1, 1));
    EXPECT_LT((omega - expected).norm(), 1e-10);
    largest = std::max(largest, std::abs(expected[1]));
    UpdatePositions(scene.model, simulator.state().q, &kin);
    UpdateVelocities(scene.model, simulator.state().v, &kin);
    EXPECT_LT((CalcMomentum(scene.model, kin, Vec3::Zero()) - momentum).norm(), 1e-10);
  }
  EXPECT_GT(largest, 0.5) << "the motion is too tame to tell anything";
}

TEST(SpinningTop, PrecessesSteadily) {
  // The top turns by 0.04 rad in a step of 1e-4 s: Runge-Kutta is good for six digits.
  for (const auto& [integrator, tolerance] : {std::pair{"rk4", 1e-6}, {"adaptive", 1e-9}}) {
    const Scene scene = LoadNamedScene(
        "spinning_top", {{"simulation.integrator", integrator}, {"simulation.until", "2"}});
    Simulator simulator = MakeSimulator(scene);
    const double tilt = 25 * kPi / 180, precession = 2.0;
    double worst = 0;
    while (simulator.state().t < 2 - 1e-9) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      const Vec3 axis = QuaternionToMatrix(simulator.state().q).col(2);
      const double angle = precession * simulator.state().t;
      const Vec3 expected(std::sin(tilt) * std::cos(angle), std::sin(tilt) * std::sin(angle),
                          std::cos(tilt));
      worst = std::max(worst, (axis - expected).norm());
    }
    EXPECT_LT(worst, tolerance) << integrator;
  }
}

// The axis leaves the cone by an amount that goes with the square of the step.
TEST(SpinningTop, TimeSteppingApproachesSteadyPrecession) {
  const auto deviation = [](double step) {
    const Scene scene = LoadNamedScene(
        "spinning_top", {{"simulation.step", std::to_string(step)}, {"simulation.until", "0.5"}});
    Simulator simulator = MakeSimulator(scene);
    double worst = 0;
    while (simulator.state().t < 0.5 - 1e-9) {
      EXPECT_EQ(simulator.Step(), StepStatus::kOk);
      const Vec3 axis = QuaternionToMatrix(simulator.state().q).col(2);
      worst = std::max(worst, std::abs(axis[2] - std::cos(25 * kPi / 180)));
    }
    return worst;
  };
  const double coarse = deviation(1e-4), fine = deviation(5e-5);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
}

// Box and coin at 50 rad/s with steps of up to 2.5 radians: the energy never grows, in any
// direction of spin, with the body's frame at its centre of mass or on its rim.
TEST(FastSpin, NeverGainsEnergy) {
  for (const char* name : {"tumbling_box", "tumbling_coin"}) {
    for (const char* step : {"0.001", "0.01", "0.05"}) {
      for (int direction = 0; direction < 6; ++direction) {
        Scene scene = LoadNamedScene(name, {{"simulation.step", step}, {"simulation.until", "20"}});
        const Vec3 axes[] = {{1, 0.001, 0}, {0, 1, 0.001}, {0.001, 0, 1},
                             {1, 1, 0},     {0.3, 0.6, 1}, {1, -0.2, 0.4}};
        scene.initial.v.tail<3>() = 50 * axes[direction].normalized();
        Simulator simulator = MakeSimulator(scene);
        const double start = simulator.CalcEnergy().kinetic;
        double last = start;
        const double tolerance = 1e-13 * start;  // rounding of one step
        while (simulator.state().t < 20) {
          ASSERT_EQ(simulator.Step(), StepStatus::kOk);
          const double energy = simulator.CalcEnergy().kinetic;
          ASSERT_LE(energy, last + tolerance) << name << " step " << step << " axis " << direction
                                              << " at t = " << simulator.state().t;
          last = energy;
        }
        EXPECT_LE(last, start * (1 + 1e-11)) << name << " step " << step;
        EXPECT_GE(last, start * (1 - 1e-9)) << "and it need not lose any";
        EXPECT_EQ(simulator.spin_failures(), 0);
      }
    }
  }
}

// The largest change of angular momentum about the origin, relative to its length.
double LargestTurnOfMomentum(const char* name, double step, double until, const Vec3& components) {
  const Scene scene = LoadNamedScene(name, {{"simulation.step", std::to_string(step)},
                                            {"simulation.integrator", "semi-implicit-euler"}});
  Simulator simulator = MakeSimulator(scene);
  Kinematics kin(scene.model);
  const auto momentum = [&] {
    UpdatePositions(scene.model, simulator.state().q, &kin);
    UpdateVelocities(scene.model, simulator.state().v, &kin);
    return Vec3(CalcMomentum(scene.model, kin, Vec3::Zero()).head<3>());
  };
  const Vec3 start = momentum();
  double worst = 0;
  while (simulator.state().t < until) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    worst = std::max(worst, components.cwiseProduct(momentum() - start).norm());
  }
  return worst / start.norm();
}

// Its length is kept exactly (spin_test.cc); its direction to second order in the step.
TEST(TorqueFreeBody, KeepsItsAngularMomentumToSecondOrderInTimeStepping) {
  for (const char* name : {"tumbling_box", "tumbling_coin"}) {
    const double coarse = LargestTurnOfMomentum(name, 1e-3, 2, Vec3::Ones());
    const double fine = LargestTurnOfMomentum(name, 5e-4, 2, Vec3::Ones());
    EXPECT_LT(coarse, 2e-3) << name;
    EXPECT_NEAR(coarse / fine, 4, 0.2) << name;
  }
}

// Gravity has no moment about the vertical through the tip.
TEST(SpinningTop, KeepsItsMomentumAboutTheVerticalInTimeStepping) {
  const double coarse = LargestTurnOfMomentum("spinning_top", 1e-4, 0.5, Vec3::UnitZ());
  const double fine = LargestTurnOfMomentum("spinning_top", 5e-5, 0.5, Vec3::UnitZ());
  EXPECT_LT(coarse, 1e-3);
  EXPECT_GT(coarse / fine, 3.8) << "second order or better";
}

// A body that tumbles about its centre of mass must keep that centre on a straight line, wherever
// its frame sits.
TEST(FastSpin, KeepsTheCentreOfMassOnAStraightLine) {
  Scene scene =
      LoadNamedScene("tumbling_coin", {{"simulation.step", "0.05"}, {"simulation.until", "5"}});
  scene.initial.v.head<3>() = Vec3(0.3, -0.2, 0.1);
  Simulator simulator = MakeSimulator(scene);
  Kinematics kin(scene.model);
  const auto momentum = [&] {
    UpdatePositions(scene.model, simulator.state().q, &kin);
    UpdateVelocities(scene.model, simulator.state().v, &kin);
    return Vec3(CalcMomentum(scene.model, kin, Vec3::Zero()).tail<3>());
  };
  const Vec3 start = momentum();
  while (simulator.state().t < 5) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_LT((momentum() - start).norm(), 1e-12 * start.norm());
  }
}

TEST(StiffServo, StaysBoundedAtAStepFarBeyondTheExplicitLimit) {
  // 1e6 N m/rad on 0.01 kg m²: ω = 1e4 rad/s, h ω = 100.
  for (const char* step : {"0.001", "0.01", "0.1"}) {
    const Scene scene =
        LoadNamedScene("stiff_servo", {{"simulation.step", step}, {"simulation.until", "5"}});
    Simulator simulator = MakeSimulator(scene);
    for (int i = 0; simulator.state().t < 5; ++i) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      EXPECT_LT(std::abs(simulator.state().q[0]), 1.0 + 1e-12);
      if (i < 5) continue;
      const double target = 0.5 * std::sin(2 * kPi * simulator.state().t);
      EXPECT_NEAR(simulator.state().q[0], target, 1e-5);
    }
  }
}

}  // namespace
}  // namespace voigt
