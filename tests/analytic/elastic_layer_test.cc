// Elastic layers on shapes in motion, beside Winkler's springs in closed form.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/sim/contact_report.h"

namespace voigt {
namespace {

using testing::MakeSimulator;

// A rubber block of 0.4 x 0.2 x 0.1 m and 8 kg on something, under gravity of 10 m/s².
constexpr double kArea = 0.08, kWeight = 80;
constexpr double kLength = 0.4, kWidth = 0.2;
constexpr double kModulus = 1e6 / 0.05;  // pressure per depth, N/m³

std::string BlockScene(const std::string& ground, const std::string& more = "",
                       const std::string& position = "[0, 0, 0.0501]",
                       const std::string& layer = "resolution: 0.02, depth: 0.05, damping: 1e4") {
  return fmt::format(R"(
gravity: [0, 0, -10]
materials:
  rubber: {{youngs_modulus: 1e6, friction: 0.5}}
  steel: {{friction: 0.5}}
world:
  geometry:
    - {{{}, material: steel}}
bodies:
  - name: block
    geometry:
      - {{shape: box, size: [0.4, 0.2, 0.1], density: 1000, material: rubber, foundation: {{{}}}}}
joints:
  - {{name: free, type: free, child: block}}
initial:
  free: {{position: {}}}
simulation: {{step: 0.001, until: 1}}
{})",
                     ground, layer, position, more);
}

constexpr const char* kTable = "shape: box, size: [2, 2, 1], position: [0, 0, -0.5]";

std::vector<ContactReport> ComeToRest(Simulator* simulator, int steps = 1000) {
  for (int i = 0; i < steps; ++i) simulator->Step();
  EXPECT_EQ(simulator->status(), StepStatus::kOk);
  EXPECT_LT(simulator->state().v.norm(), 1e-9);
  std::vector<ContactReport> contacts;
  simulator->ListContacts(&contacts);
  std::erase_if(contacts, [](const ContactReport& c) { return c.normal_force == 0; });
  return contacts;
}

TEST(ElasticLayer, FlatBlockSinksByItsWeightOverItsArea) {
  const std::string hull =
      "shape: hull, points: [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, -1]]";
  for (const std::string& ground : {std::string(kTable), hull, std::string("shape: half-space")}) {
    SCOPED_TRACE(ground);
    Simulator simulator = MakeSimulator(ParseScene(BlockScene(ground), "s"));
    const auto contacts = ComeToRest(&simulator);
    EXPECT_EQ(contacts.size(), 200u);
    const double depth = kWeight / (kModulus * kArea), pressure = kWeight / kArea;
    EXPECT_NEAR(simulator.state().q[2], 0.05 - depth, 1e-6 * depth);
    for (const ContactReport& contact : contacts) {
      EXPECT_NEAR(contact.depth, depth, 1e-6 * depth);
      EXPECT_NEAR(contact.pressure, pressure, 1e-6 * pressure);
      EXPECT_NEAR(contact.area, kArea / 200, 1e-15);
      EXPECT_EQ(contact.law, NormalLaw::kLinear);
      EXPECT_NEAR(contact.stiffness, kModulus * kArea / 200, 1e-9 * contact.stiffness);
    }
  }
}

TEST(ElasticLayer, TwoLayersAreSpringsInSeries) {
  const std::string table =
      std::string(kTable) + ", foundation: {resolution: 0.5, stiffness: 1e7, damping: 0}";
  Simulator simulator = MakeSimulator(ParseScene(BlockScene(table), "s"));
  const auto contacts = ComeToRest(&simulator);
  ASSERT_EQ(contacts.size(), 200u);
  const double depth = kWeight / kArea * (1 / kModulus + 1 / 1e7);
  EXPECT_NEAR(simulator.state().q[2], 0.05 - depth, 1e-6 * depth);
}

// p = F/A + M x/I, with the second moment of elements that are points.
TEST(ElasticLayer, MomentTiltsThePressureLinearly) {
  const double load = 40, arm = 0.03, total = kWeight + load;
  const std::string more =
      "loads: [{name: l, body: block, point: [0.03, 0, 0.05], force: [0, 0, -40]}]\n";
  Simulator simulator = MakeSimulator(ParseScene(BlockScene(kTable, more), "s"));
  const auto contacts = ComeToRest(&simulator);
  ASSERT_EQ(contacts.size(), 200u);
  const double I = kWidth * std::pow(kLength, 3) / 12 * (1 - 1.0 / 400);
  for (const ContactReport& contact : contacts) {
    const double expected = total / kArea + load * arm / I * contact.p_W[0];
    // Lever arms lean with the block, by its tilt of 6e-5.
    EXPECT_NEAR(contact.pressure, expected, 2e-4 * expected);
  }
}

// Beyond the middle third the far side lifts, and the rest has a triangle of pressure: it is
// 3 (L/2 - e) long, and its peak is 2 F/(that length and the width).
TEST(ElasticLayer, LiftsOffWhereNothingHoldsIt) {
  const double load = 400, total = kWeight + load, e = load * 0.15 / total;
  const std::string more =
      "loads: [{name: l, body: block, point: [0.15, 0, 0.05], force: [0, 0, -400]}]\n";
  const std::string layer = "resolution: 0.005, depth: 0.05, damping: 2e5";
  Simulator simulator =
      MakeSimulator(ParseScene(BlockScene(kTable, more, "[0, 0, 0.0501]", layer), "s"));
  const auto contacts = ComeToRest(&simulator, 400);
  const double length = 3 * (kLength / 2 - e), slope = 2 * total / (kWidth * length * length);
  double force = 0;
  for (const ContactReport& contact : contacts) {
    const double x = contact.p_W[0] - (kLength / 2 - length);
    EXPECT_NEAR(contact.pressure, std::max(0.0, slope * x), 0.01 * slope * length);
    force += contact.normal_force;
  }
  EXPECT_NEAR(force, total, 1e-6 * total);
  EXPECT_NEAR(contacts.size(), 40 * length / 0.005, 80);
}

// A mesh of many triangles is a table like any other; a block that comes down on its edge falls
// flat, and then stands as the flat one does.
TEST(ElasticLayer, TiltedBlockFallsFlatOnAMesh) {
  std::string mesh = "shape: mesh, vertices: [";
  for (int k = 0; k < 8; ++k) {
    mesh += fmt::format("[{}, {}, {}], ", k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 0 : -1);
  }
  mesh +=
      "], triangles: [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], "
      "[2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]";
  const std::string pose = "[0, 0, 0.2], rpy: [0.1, 0.3, 0.2]";
  Simulator simulator = MakeSimulator(ParseScene(BlockScene(mesh, "", pose), "s"));
  const auto contacts = ComeToRest(&simulator, 1500);
  ASSERT_EQ(contacts.size(), 200u);
  for (const ContactReport& contact : contacts) {
    EXPECT_NEAR(contact.pressure, kWeight / kArea, 1e-5 * kWeight / kArea);
  }
}

// Energy of motion and height.
double MechanicalEnergy(Simulator* simulator) { return simulator->CalcEnergy().Total(); }

// Without friction and damping an egg that bounces and tumbles on its layer keeps its energy, but
// for what the step loses, which goes with the step; it never has more than at the start.
TEST(ElasticLayer, BouncesKeepTheirEnergyAsStepsBecomeShort) {
  const std::string scene = R"(
gravity: [0, 0, -10]
materials:
  default: {friction: 0}
world: {geometry: [{shape: half-space}]}
bodies:
  - name: egg
    geometry:
      - shape: ellipsoid
        radii: [0.1, 0.12, 0.2]
        density: 1000
        foundation: {elements: 600, stiffness: 2e6}
joints: [{name: free, type: free, child: egg}]
initial:
  free: {position: [0, 0, 0.4], rpy: [0.5, 0.7, 0], angular_velocity: [1, 2, 3]}
simulation: {step: 0.001, until: 1}
)";
  std::vector<double> lost;
  for (double h : {4e-4, 2e-4, 1e-4}) {
    Simulator simulator = MakeSimulator(ParseScene(scene, "s"));
    const double start = MechanicalEnergy(&simulator);
    double kinetic = 0;
    bool has_touched = false;
    while (simulator.state().t < 0.5) {
      ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
      has_touched |= !simulator.state().contacts.empty();
      kinetic = std::max(kinetic, simulator.CalcEnergy().kinetic);
      EXPECT_LT(MechanicalEnergy(&simulator), start + 1e-3 * kinetic);
    }
    ASSERT_TRUE(has_touched);
    ASSERT_TRUE(simulator.state().contacts.empty());  // in flight again
    lost.push_back((start - MechanicalEnergy(&simulator)) / kinetic);
    EXPECT_GT(lost.back(), 0);
  }
  EXPECT_LT(lost.back(), 0.05);
  EXPECT_NEAR(lost[0] / lost[1], 2, 0.3);
  EXPECT_NEAR(lost[1] / lost[2], 2, 0.3);
}

// The shaft carries its weight and the load, and pressure along it is linear about its middle: its
// first moment is that of the load.
TEST(ElasticLayer, ShaftInACradleCarriesItsLoadAndMoment) {
  Simulator simulator = MakeSimulator(testing::LoadNamedScene("shaft_in_cradle"));
  for (int i = 0; i < 300; ++i) simulator.Step();
  ASSERT_EQ(simulator.status(), StepStatus::kOk);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  int pressed = 0;
  double widest = 0;
  for (const ContactReport& contact : contacts) {
    const Vec3 f = contact.normal_force * contact.n_W + contact.friction_force_W;
    force += f;
    moment += (contact.p_W - simulator.state().q.head<3>()).cross(f);
    if (contact.normal_force == 0) continue;
    ++pressed;
    widest = std::max(widest, std::abs(contact.p_W[0]));
  }
  const double weight = simulator.model().body(1).mass.mass * 9.81;
  EXPECT_NEAR(force[2], 2000 + weight, 1e-3 * 2000);
  EXPECT_NEAR(moment[0], 20, 0.02);
  // Conforming: an arc of more than a radian on either side, not a line.
  EXPECT_GT(widest, 0.05 * std::sin(1.0));
  EXPECT_GT(pressed, 200);
}

}  // namespace
}  // namespace voigt
