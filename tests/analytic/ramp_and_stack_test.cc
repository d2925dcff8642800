// A block on a ramp and a stack of spheres [Drumwright 2019, §6.4 and §6.5]: distances, forces, and
// what must not move. Distances are those of the scheme, in which a constant acceleration a leads
// to a T (T + h)/2.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

constexpr double kTilt = kPi / 12, kWeightPerMass = 9.8;

Simulator MakeRamp(const char* mu, const char* creep_damping = "1e8",
                   const char* friction = "coulomb") {
  return testing::MakeSimulator(
      testing::LoadNamedScene("ramp", {{"parameters.mu", mu},
                                       {"parameters.creep_damping", creep_damping},
                                       {"simulation.friction", friction}}));
}

void RunFor(double time, Simulator* simulator) {
  const long steps = std::lround(time / simulator->settings().step);
  for (long i = 0; i < steps; ++i) simulator->Step();
  EXPECT_EQ(simulator->status(), StepStatus::kOk);
  EXPECT_EQ(simulator->solver().not_solved, 0);
}

// Normal forces of the contacts that push, largest first.
std::vector<double> ReadNormalForces(const Simulator& simulator) {
  std::vector<double> out;
  for (const RowGroup& group : simulator.problem().groups) {
    const double gamma = simulator.solution().gamma[group.first_row];
    if (gamma > 0) out.push_back(gamma / simulator.problem().h);
  }
  std::sort(out.begin(), out.end(), std::greater<>());
  return out;
}

double DistanceAfterOneSecond(const char* mu) {
  Simulator simulator = MakeRamp(mu);
  RunFor(1, &simulator);
  return simulator.state().q[0];
}

TEST(Ramp, BlocksSlideAsFarAsCoulombSays) {
  EXPECT_NEAR(DistanceAfterOneSecond("0"), 1.28089545, 1e-7);
  EXPECT_NEAR(DistanceAfterOneSecond("0.125"), 0.68334964, 1e-7);
  EXPECT_NEAR(DistanceAfterOneSecond("0.25"), 0.08580382, 1e-7);
}

// With the cone a block that slides at v rides h μ v higher, less what its feet yield: Hertz's
// (N/K)^{2/3}. It climbs there at μ δ_k, where δ_k is the gain of speed in step k, and pays for the
// climb with friction: δ_k = h a − μ² (δ_k − δ_{k−1}).
TEST(Ramp, ConeLiftsABlockByItsSlip) {
  for (const char* mu_text : {"0.125", "0.25"}) {
    Simulator simulator = MakeRamp(mu_text, "1e8", "cone");
    const double mu = std::stod(mu_text), h = simulator.settings().step;
    RunFor(0.99, &simulator);
    const double before = simulator.state().q[0];
    RunFor(0.01, &simulator);
    const double gain = h * kWeightPerMass * (std::sin(kTilt) - mu * std::cos(kTilt));
    double delta = 0, speed = 0, distance = 0;
    for (int k = 0; k < 100; ++k) {
      delta = (gain + mu * mu * delta) / (1 + mu * mu);
      speed += delta;
      distance += h * speed;
    }
    const VecX& q = simulator.state().q;
    EXPECT_NEAR((q[0] - before) / h, speed, 1e-6) << mu;
    EXPECT_NEAR(q[0], distance, 1e-6) << mu;
    const double yield =
        std::pow(kWeightPerMass * std::cos(kTilt) / 4 / (4.0 / 3.0 * 1e10), 2.0 / 3.0);
    EXPECT_NEAR(q[2], h * mu * speed - yield, 1e-8) << mu;
    EXPECT_LT(simulator.audit().worst.law, 1e-12) << mu;
  }
}

// Four feet of 1e8 N s/m let a block creep at m g sin(tilt)/(4 B).
TEST(Ramp, BlockThatSticksCreepsAsItsDampersSay) {
  Simulator simulator = MakeRamp("0.375");
  RunFor(1, &simulator);
  const double start = simulator.state().q[0];
  EXPECT_LT(std::abs(start), 1.2e-8);
  RunFor(1, &simulator);
  EXPECT_NEAR(simulator.state().q[0] - start, kWeightPerMass * std::sin(kTilt) / 4e8, 1e-12);
}

// Friction at the feet, half a height below the centre, loads the front ones: N/4 ± μ N H/(4 L).
TEST(Ramp, FrictionLoadsTheFrontFeet) {
  Simulator simulator = MakeRamp("0.25");
  RunFor(1, &simulator);
  const std::vector<double> forces = ReadNormalForces(simulator);
  ASSERT_EQ(forces.size(), 4u);
  const double quarter = kWeightPerMass * std::cos(kTilt) / 4, share = 0.25 * 0.05 / 0.2;
  for (int i : {0, 1}) EXPECT_NEAR(forces[i], quarter * (1 + share), 1e-6);
  for (int i : {2, 3}) EXPECT_NEAR(forces[i], quarter * (1 - share), 1e-6);
  EXPECT_NEAR(forces[0], 2.514426, 2e-6);
  EXPECT_NEAR(forces[3], 2.218611, 2e-6);
}

// Friction bounded by the normal force of the step before, which a pass without friction stands in
// for where a foot is new: the block has the whole friction from its first step on, and is off only
// by what the loads of front and rear feet differ from that pass's.
TEST(Ramp, LaggedFrictionIsThatOfTheFirstStepOn) {
  const double mu = 0.125, a = kWeightPerMass * (std::sin(kTilt) - mu * std::cos(kTilt));
  Simulator simulator = MakeRamp("0.125", "1e8", "lagged");
  const double h = simulator.settings().step;
  RunFor(h, &simulator);
  EXPECT_NEAR(simulator.state().v[0] / h, a, 0.001 * a);
  RunFor(1 - h, &simulator);
  EXPECT_NEAR(simulator.state().q[0], DistanceAfterOneSecond("0.125"), 1e-5);
  EXPECT_EQ(simulator.audit().failed, 0);
}

// Two surfaces of 2e4 N/m along them make 1e4 N/m of each corner of a box: 2 N pull it by 2/4e4 m.
TEST(Ramp, BlockRestsWhereTangentialSpringsHoldIt) {
  Simulator simulator = testing::MakeSimulator(ParseScene(R"(
gravity: [2, 0, -9.81]
materials: {default: {friction: 0.5, tangential_stiffness: 2e4, tangential_damping: 100}}
world: {geometry: [{shape: half-space}]}
bodies: [{name: b, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [1, 1, 0.2]}]}]
joints: [{name: f, type: free, child: b}]
initial: {f: {position: [0, 0, 0.1]}}
simulation: {step: 1e-3, until: 1}
)",
                                                          "block"));
  RunFor(1, &simulator);
  EXPECT_NEAR(simulator.state().q[0], 5e-5, 1e-15);
  EXPECT_LT(simulator.state().v.norm(), 1e-13);
  EXPECT_EQ(simulator.audit().failed, 0);
}

TEST(LongRamp, BlockWithRigidTangentsDoesNotCreep) {
  Simulator simulator = MakeRamp("0.375", "inf");
  RunFor(1, &simulator);
  const Vec3 start = simulator.state().q.head<3>();
  RunFor(59, &simulator);
  EXPECT_LT((simulator.state().q.head<3>() - start).norm() / 59, 1e-12);
}

// Contact i carries the weight of all above it and yields by that over K.
class Stack : public ::testing::TestWithParam<int> {};

TEST_P(Stack, StandsAsHighAsItsSpringsLetIt) {
  const int n = GetParam();
  const double m = 1, g = 9.81, r = 0.5, gap = 0.1, K = 1e11;
  Simulator simulator = testing::MakeSimulator(
      testing::LoadNamedScene("sphere_stack", {{"parameters.n", std::to_string(n)}}));
  RunFor(5, &simulator);
  const State& state = simulator.state();
  const double z_top = r + gap + (n - 1) * (2 * r + gap) + state.q[7 * (n - 1) + 2];
  EXPECT_NEAR(z_top, (2 * n - 1) * r - m * g * n * (n + 1) / (2 * K), 1e-9);
  EXPECT_LT(state.v.cwiseAbs().maxCoeff(), 1e-10);
  const std::vector<double> forces = ReadNormalForces(simulator);
  ASSERT_EQ(forces.size(), static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) EXPECT_NEAR(forces[i], (n - i) * m * g, 1e-9 * n) << i;
}

INSTANTIATE_TEST_SUITE_P(Sizes, Stack, ::testing::Values(1, 2, 10, 100));

}  // namespace
}  // namespace voigt
