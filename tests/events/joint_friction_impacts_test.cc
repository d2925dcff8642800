// Impacts with the friction of joints: against momentum balances by hand.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "tests/events/falling_chain.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// A ball of 1 kg strikes, at 2 m/s along its direction of flight, a slider that is free along x.
// The common normal of the two spheres is at an angle to the slider's way. `guide` is what holds
// it.
struct SliderStrike {
  double angle = 0, mu = 0, restitution = 0, mass = 3;
  bool by_wire = false;  // a point on a line in place of a prismatic joint
};

constexpr double kBallSpeed = 2;

std::string MakeSliderStrike(const SliderStrike& strike) {
  const double c = std::cos(strike.angle), s = std::sin(strike.angle);
  const std::string joint =
      strike.by_wire ? "{name: rail, type: free, child: slider}"
                     : fmt::format(
                           "{{name: rail, type: prismatic, axis: [1, 0, 0], child: slider, "
                           "friction: {{kinetic: {}}}}}",
                           strike.mu);
  const std::string wire =
      strike.by_wire
          ? fmt::format(
                "constraints: [{{name: wire, type: point-on-line, body: slider, direction: "
                "[1, 0, 0], friction: {{kinetic: {}}}}}]\n",
                strike.mu)
          : "";
  return fmt::format(R"(
gravity: [0, 0, 0]
materials: {{default: {{friction: 0, restitution: {0}}}}}
bodies:
  - {{name: slider, mass: {1}, inertia: [1, 1, 1], geometry: [{{shape: sphere, radius: 0.1}}]}}
  - {{name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{{shape: sphere, radius: 0.1}}]}}
joints:
  - {2}
  - {{name: fly, type: free, child: ball}}
initial:
  fly: {{position: [{3:.17g}, 0, {4:.17g}], velocity: [{5:.17g}, 0, {6:.17g}]}}
)",
                     strike.restitution, strike.mass, joint, -0.3 * c, 0.3 * s, kBallSpeed * c,
                     -kBallSpeed * s) +
         wire +
         "simulation: {integrator: event-driven, formulation: working, until: 0.2, step: 0.05}\n";
}

// The impulse J of the whole impact, and the slider's speed after it. While it slides, friction is
// μ J sin(angle) against it: m u = J (cos − μ sin); the ball's speed along the normal is w − J.
void SolveSliderStrike(const SliderStrike& strike, double* u, double* rebound) {
  const double c = std::cos(strike.angle), s = std::sin(strike.angle);
  const double along = std::max(c - strike.mu * s, 0.0);  // zero: it jams
  const double J = (1 + strike.restitution) * kBallSpeed / (1 + c * along / strike.mass);
  *u = J * along / strike.mass;
  *rebound = kBallSpeed - J;
}

TEST(JointFrictionImpacts, StruckSliderKeepsWhatFrictionLeaves) {
  for (const bool by_wire : {false, true}) {
    for (const double mu : {0.0, 0.2, 0.5, 2.0}) {
      for (const double e : {0.0, 0.6, 1.0}) {
        for (const double angle : {0.0, 0.4, 1.0}) {
          const SliderStrike strike{angle, mu, e, 3, by_wire};
          SCOPED_TRACE(::testing::Message() << (by_wire ? "wire" : "rail") << ", mu " << mu
                                            << ", e " << e << ", angle " << angle);
          const EventRun run = RunByEvents(MakeSliderStrike(strike));
          double u = 0, rebound = 0;
          SolveSliderStrike(strike, &u, &rebound);
          EXPECT_EQ(run.summary.events.impacts, 1);
          EXPECT_EQ(run.summary.events.without_joint_friction, 0);
          // The slider's rate along x, and the ball's along the normal.
          const VecX& v = run.end.v;
          const int ball = by_wire ? 6 : 1;
          EXPECT_NEAR(v[0], u, 1e-10);
          const Vec3 n(std::cos(angle), 0, -std::sin(angle));
          EXPECT_NEAR(v.segment<3>(ball).dot(n), rebound, 1e-10);
          EXPECT_NEAR(run.summary.Drift(), 0, 1e-10);
        }
      }
    }
  }
}

// A rod of 2 kg and 1 m that hangs from a bearing of radius 0.2 m is struck across at a distance s
// below it. I ω = J s − μ R |m d ω − J|, with d to its middle; the ball has w − J/M.
TEST(JointFrictionImpacts, StruckPendulumIsBrakedByItsBearing) {
  constexpr double kMass = 2, kMiddle = 0.5, kRadius = 0.2, kBall = 0.5;
  constexpr double kInertia = kMass * (1.0 / 12 + kMiddle * kMiddle);
  for (const double mu : {0.0, 0.3, 0.8}) {
    for (const double s : {0.3, 0.9}) {
      for (const double e : {0.0, 0.5}) {
        SCOPED_TRACE(::testing::Message() << "mu " << mu << ", s " << s << ", e " << e);
        const EventRun run = RunByEvents(fmt::format(
            R"(
gravity: [0, 0, 0]
materials: {{default: {{friction: 0, restitution: {0}}}}}
bodies:
  - name: rod
    mass: 2
    com: [0, 0, -0.5]
    inertia: [{1:.17g}, {1:.17g}, 0.01]
    geometry: [{{shape: sphere, radius: 0.05, position: [0, 0, {2}]}}]
  - {{name: ball, mass: 0.5, inertia: [1, 1, 1], geometry: [{{shape: sphere, radius: 0.05}}]}}
joints:
  - {{name: pin, type: revolute, axis: [0, 1, 0], child: rod, friction: {{kinetic: {3}, radius: 0.2}}}}
  - {{name: fly, type: free, child: ball}}
initial:
  fly: {{position: [0.2, 0, {2}], velocity: [-1, 0, 0]}}
simulation: {{integrator: event-driven, formulation: working, until: 0.1000001, step: 0.1000001}}
)",
            e, kMass / 12, -s, mu));
        // Towards −x below the bearing is a positive angle about y. With ω = k J: the sign of what
        // the bearing feels, m d k − 1, is that of its reaction.
        double k = 0;
        for (const double sign : {-1.0, 1.0}) {
          const double with =
              (s + sign * mu * kRadius) / (kInertia + sign * mu * kRadius * kMass * kMiddle);
          if (sign * (kMass * kMiddle * with - 1) >= 0) k = with;
        }
        k = std::max(k, 0.0);
        const double J = (1 + e) * 1 / (1 / kBall + k * s);
        ASSERT_EQ(run.summary.events.impacts, 1);
        // 1e-7 s after the impact.
        EXPECT_NEAR(std::fabs(run.end.v[0]), k * J, 1e-6 * (1 + k * J));
        EXPECT_NEAR(run.end.v[1], -1 + J / kBall, 1e-6);
      }
    }
  }
}

// A uniform rod of 1 kg and 2 m that strikes the floor with its lower end, at an angle of 60° and
// with μ = 0.5.
std::string MakeRodStrike(double sense, const char* far_body, const char* far_joint) {
  return fmt::format(R"(
gravity: [0, 0, 0]
materials: {{default: {{friction: 0.5}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies:
  - {{name: rod, mass: 1, inertia: [1 / 3, 1 / 3, 1e-3], geometry: [{{shape: points, positions: [[0, 0, -1], [0, 0, 1]]}}]}}
{1}
joints:
  - {{name: plane, type: planar, child: rod, frame: {{rpy: [90 deg, 0, 0]}}, child_frame: {{rpy: [90 deg, 0, 0]}}}}
{2}
initial: {{plane: {{q: [0, sin(60 deg) + 0.01, {0} * 30 deg], v: [{0}, -1, 0]}}}}
simulation: {{integrator: event-driven, formulation: working, step: 0.0101, until: 0.0101}}
)",
                     sense, far_body, far_joint);
}

// The law of impacts is that of the formulation, whether or not joints rub somewhere. The tip
// slides on all through the impact: with r from the middle of the rod to it, 1 m/s of approach are
// stopped by x_n (1 + 3 r_x² − 3 μ r_x r_z) = 1 and x_t = μ x_n.
TEST(WorkingImpacts, RodHasCoulombsFriction) {
  const char* const far_body = "  - {name: far, mass: 1, inertia: [1, 1, 1]}";
  const char* const far_joint =
      "  - {name: slide, type: prismatic, axis: [0, 1, 0], child: far, frame: {position: [50, 50, "
      "50]}, friction: {kinetic: 0.1}}";
  for (const bool rubs : {false, true}) {
    for (const double sense : {1.0, -1.0}) {
      const EventRun run =
          RunByEvents(MakeRodStrike(sense, rubs ? far_body : "", rubs ? far_joint : ""));
      EXPECT_EQ(run.summary.events.impacts, 1);
      EXPECT_LE(run.summary.solver.hardest(), Attempt::kMethod);
      const double r_x = 0.5, r_z = std::sqrt(0.75), mu = 0.5;
      const double x_n = 1 / (1 + 3 * r_x * r_x - 3 * mu * r_x * r_z);
      EXPECT_NEAR(run.end.v[1], -1 + x_n, 1e-9) << rubs;
      EXPECT_NEAR(run.end.v[0], sense * (1 - mu * x_n), 1e-9) << rubs;
      EXPECT_NEAR(run.summary.Drift(), 0, 1e-12);
    }
  }
}

// Bearings whose friction has a longer lever than their links leave impulses with their law none:
// those of maximum dissipation, without it, take their place, which is counted. They take energy.
TEST(WorkingImpacts, WithoutASolutionAreThoseOfMaximumDissipation) {
  const std::string chain = testing::MakeFallingChain(
      "friction: 3.59, restitution: 0.3", "q: [0, 2.06, 1.32], v: [-2.44, -0.61, -0.84]",
      {{8.432, 0.0075},
       {0.125, 0.0053, 1.83, 0.22, 0.3, 4.24},
       {1.152, 0.0053, 2.4, 0.16, 0.08, 3.85}},
      1, 0.02);
  const Scene scene = ParseScene(chain, "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  double energy = simulator.CalcEnergy().Total();
  const RunSummary summary = voigt::Run(&simulator, nullptr, [&](double) {
    const double now = simulator.CalcEnergy().Total();
    EXPECT_LT(now, energy + 1e-9);
    energy = now;
  });
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_GE(summary.events.without_joint_friction, 1);
  EXPECT_EQ(summary.solver.by(Attempt::kOtherWays).count, summary.events.without_joint_friction);
  EXPECT_LT(std::fabs(summary.Drift()), 1e-8);
}

}  // namespace
}  // namespace voigt
