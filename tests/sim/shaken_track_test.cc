// The example of a user's constraint with a gap that depends on time, damping that depends on the
// state and a force law, in a simulation; against integrations in the test and the energy of the
// law.

#include "examples/shaken_track.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "voigt/model/model_builder.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using examples::ShakenTrack;
using examples::ShakenTrackSettings;

constexpr double kCarMass = 0.5;

Simulator MakeCar(const ShakenTrackSettings& settings, const Vec3& velocity) {
  ModelBuilder builder;
  BodySpec car;
  car.name = "car";
  car.mass_source = MassSource::kExplicit;
  car.mass = {kCarMass, Vec3::Zero(), 0.01 * Mat3::Identity()};
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::kFree;
  joint.child = "car";
  builder.AddBody(car).AddJoint(joint);
  builder.spec().gravity = Vec3(0, 0, -9.81);
  builder.spec().user_constraints.push_back(std::make_shared<ShakenTrack>("car", settings));
  Model model = builder.Build();
  State state;
  state.q = model.NeutralCoordinates();
  state.v = VecX::Zero(model.nv());
  state.v.head<3>() = velocity;
  return Simulator(std::move(model), {}, state);
}

void RunCar(double time, double h, Simulator* simulator) {
  const long steps = std::lround(time / h);
  for (long i = 0; i < steps; ++i) ASSERT_EQ(simulator->Step(h), StepStatus::kOk);
  EXPECT_EQ(simulator->solver().not_solved, 0);
  EXPECT_EQ(simulator->audit().failed, 0);
}

// m z̈ = −m g − K (z − s) − B (ż − ṡ), B = B₀ (1 + |ż − ṡ|/v), by Runge and Kutta's method.
double IntegrateHeight(const ShakenTrackSettings& s, double time) {
  const auto acceleration = [&](double t, double z, double v) {
    const double gap = z - s.amplitude * std::sin(s.frequency * t);
    const double rate = v - s.amplitude * s.frequency * std::cos(s.frequency * t);
    const double damping = s.damping * (1 + std::fabs(rate) / s.grip_speed);
    return -9.81 - (s.stiffness * gap + damping * rate) / kCarMass;
  };
  const int steps = 200000;
  const double h = time / steps;
  double z = 0, v = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const double a1 = acceleration(t, z, v);
    const double v2 = v + h / 2 * a1, a2 = acceleration(t + h / 2, z + h / 2 * v, v2);
    const double v3 = v + h / 2 * a2, a3 = acceleration(t + h / 2, z + h / 2 * v2, v3);
    const double v4 = v + h * a3, a4 = acceleration(t + h, z + h * v3, v4);
    z += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return z;
}

TEST(ShakenTrack, CarFollowsSpringAndGrip) {
  ShakenTrackSettings settings;
  settings.force = 0;
  const double time = 0.5, exact = IntegrateHeight(settings, time);
  double errors[3];
  for (int k = 0; k < 3; ++k) {
    Simulator simulator = MakeCar(settings, Vec3::Zero());
    RunCar(time, 4e-4 / std::exp2(k), &simulator);
    errors[k] = simulator.state().q[2] - exact;
    printf("height %.6e m, off by %.2e\n", exact, errors[k]);
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.1);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.1);
  EXPECT_LT(std::fabs(errors[2]), 0.01 * settings.amplitude);
}

// Rigid, the car is where the track is, to the last digits.
TEST(ShakenTrack, RigidTrackIsFollowedExactly) {
  ShakenTrackSettings settings;
  settings.stiffness = kInfinity;
  settings.damping = 0;
  Simulator simulator = MakeCar(settings, Vec3(0, 0, settings.amplitude * settings.frequency));
  for (int i = 1; i <= 100; ++i) {
    RunCar(1e-2, 1e-2, &simulator);
    EXPECT_NEAR(simulator.state().q[2],
                settings.amplitude * std::sin(settings.frequency * 1e-2 * i), 1e-13);
  }
}

// ½ m v² + F l e^{−gap/l} stays: the car turns where all is in the magnet, and comes back as fast.
TEST(ShakenTrack, MagnetGivesBackWhatItTakes) {
  ShakenTrackSettings settings;
  settings.amplitude = 0;
  const double speed = 1.5, l = settings.length;
  const double potential = settings.force * l;
  const double turn =
      -l * std::log(0.5 * kCarMass * speed * speed / potential + std::exp(-settings.end / l));
  double errors[2][2];
  for (int k = 0; k < 2; ++k) {
    const double h = 2e-4 / std::exp2(k);
    Simulator simulator = MakeCar(settings, Vec3(speed, 0, 0));
    double farthest = 0;
    for (long i = 0; i < std::lround(1.4 / h); ++i) {
      ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
      farthest = std::max(farthest, simulator.state().q[0]);
    }
    EXPECT_EQ(simulator.audit().failed, 0);
    const double gap = settings.end - simulator.state().q[0];
    const double v =
        std::sqrt(speed * speed +
                  2 * potential * (std::exp(-settings.end / l) - std::exp(-gap / l)) / kCarMass);
    errors[k][0] = settings.end - farthest - turn;
    errors[k][1] = simulator.state().v[0] + v;
    printf("h = %.0e: turns %.2e m off %.4f m, comes back %.2e m/s slower\n", h, errors[k][0], turn,
           errors[k][1]);
  }
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(errors[0][i] / errors[1][i], 2, 0.15) << i;
  EXPECT_LT(std::fabs(errors[1][1]), 0.01 * speed);
}

}  // namespace
}  // namespace voigt
