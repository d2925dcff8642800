// Impacts one after the other, in rows of balls on a rail.

#include "voigt/sim/impact_sequence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/support/scenes.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

// Balls of radius 0.1 m along x.
struct BallRow {
  std::vector<double> mass, gap, speed;  // gap[i] is behind ball i
};

std::string MakeText(const BallRow& row, double e, const char* law, double step) {
  std::string text = fmt::format(
      "gravity: [0, 0, 0]\nmaterials: {{default: {{restitution: {:.17g}, friction: 0}}}}\n"
      "contact: {{restitution_speed: 1e-9}}\nbodies:\n",
      e);
  const size_t count = row.mass.size();
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format(
        "  - {{name: b{}, mass: {:.17g}, inertia: [1, 1, 1], geometry: [{{shape: sphere, radius: "
        "0.1}}]}}\n",
        i, row.mass[i]);
  }
  text += "joints:\n";
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format("  - {{name: x{}, type: prismatic, child: b{}, axis: [1, 0, 0]}}\n", i, i);
  }
  text += "initial:\n";
  double x = 0;
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format("  x{}: {{q: {:.17g}, v: {:.17g}}}\n", i, x, row.speed[i]);
    x += 0.2 + (i < row.gap.size() ? row.gap[i] : 0);
  }
  return text + fmt::format("simulation: {{step: {:.17g}, until: {:.17g}, restitution: {}}}\n",
                            step, step, law);
}

VecX SpeedsAfterAStep(const BallRow& row, double e, const char* law, double step) {
  Simulator simulator =
      testing::MakeSimulator(ParseScene(MakeText(row, e, law, step), "row of balls"));
  EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  return simulator.state().v;
}

// The same by impacts of two bodies, one after the other in time.
std::vector<double> StrikeByHand(BallRow row, double e, double h) {
  std::vector<double>& v = row.speed;
  double left = h;
  while (true) {
    int next = -1;
    double soonest = left;
    for (int i = 0; i + 1 < static_cast<int>(v.size()); ++i) {
      const double rate = v[i + 1] - v[i];
      if (rate < -1e-9 && row.gap[i] / -rate < soonest) {
        soonest = row.gap[i] / -rate;
        next = i;
      }
    }
    if (next < 0) return v;
    for (size_t i = 0; i + 1 < v.size(); ++i) row.gap[i] += soonest * (v[i + 1] - v[i]);
    left -= soonest;
    const double m0 = row.mass[next], m1 = row.mass[next + 1];
    const double impulse = (1 + e) * (v[next] - v[next + 1]) * m0 * m1 / (m0 + m1);
    v[next] -= impulse / m0;
    v[next + 1] += impulse / m1;
    row.gap[next] = 0;
  }
}

TEST(ImpactSequence, PassesMotionThroughBallsThatTouch) {
  for (int coming = 1; coming <= 4; ++coming) {
    BallRow row{std::vector<double>(5, 0.3), std::vector<double>(4, 0), std::vector<double>(5, 0)};
    for (int i = 0; i < coming; ++i) row.speed[i] = 1.5;
    const VecX v = SpeedsAfterAStep(row, 1, "sequence", 1e-3);
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(v[i], i >= 5 - coming ? 1.5 : 0, 1e-12) << coming;
  }
}

// Impacts at once are another law: all five move, the first one back.
TEST(ImpactSequence, DiffersFromImpactsAtOnce) {
  const BallRow row{std::vector<double>(5, 0.3), std::vector<double>(4, 0), {1, 0, 0, 0, 0}};
  for (const char* law : {"newton", "poisson"}) {
    const VecX v = SpeedsAfterAStep(row, 1, law, 1e-3);
    EXPECT_LT(v[0], -0.5) << law;
    for (int i = 1; i < 5; ++i) EXPECT_GT(v[i], 0.3) << law;
  }
}

TEST(ImpactSequence, KeepsTheEnergyOfBallsThatNearlyTouch) {
  const BallRow row{std::vector<double>(5, 0.3), std::vector<double>(4, 1e-4), {1, 0, 0, 0, 0}};
  EXPECT_NEAR(SpeedsAfterAStep(row, 1, "sequence", 1e-3).squaredNorm(), 1, 1e-12);
  EXPECT_LT(SpeedsAfterAStep(row, 1, "newton", 1e-3).squaredNorm(), 0.95);
}

// The first contact is dead, the second returns all: (1/4, 1/4, 1/2) by hand.
TEST(ImpactSequence, PassesOnWhatADeadContactGives) {
  const std::string text = R"(
gravity: [0, 0, 0]
materials: {putty: {friction: 0}, steel: {friction: 0}}
contact: {pairs: [{materials: [steel, steel], restitution: 1}, {materials: [putty, steel], restitution: 0}]}
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: putty}]}
  - {name: b, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: steel}]}
  - {name: c, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: steel}]}
joints:
  - {name: xa, type: prismatic, child: a, axis: [1, 0, 0]}
  - {name: xb, type: prismatic, child: b, axis: [1, 0, 0]}
  - {name: xc, type: prismatic, child: c, axis: [1, 0, 0]}
initial: {xa: {q: 0, v: 1}, xb: 0.2, xc: 0.4}
simulation: {step: 1e-3, until: 1e-3, restitution: sequence}
)";
  Simulator simulator = testing::MakeSimulator(ParseScene(text, "dead and live"));
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const VecX& v = simulator.state().v;
  EXPECT_NEAR(v[0], 0.25, 1e-9);
  EXPECT_NEAR(v[1], 0.25, 1e-9);
  EXPECT_NEAR(v[2], 0.5, 1e-9);
}

// In steps that are short beside the time between impacts, and with energy in those that are not.
TEST(ImpactSequence, IsThatOfTheBallsOneByOne) {
  std::mt19937 random(11);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int the_same = 0;
  for (int trial = 0; trial < 40; ++trial) {
    BallRow row;
    const int count = 2 + trial % 7;
    for (int i = 0; i < count; ++i) {
      row.mass.push_back(std::exp(draw(-2, 2)));
      row.speed.push_back(draw(-1, 1));
      if (i > 0) row.gap.push_back(draw(5e-3, 5e-2));
    }
    const double e = trial % 2 == 0 ? 1 : draw(0.3, 1), h = 2e-5, until = 0.1;
    Scene scene = ParseScene(MakeText(row, e, "sequence", h), "row of balls");
    scene.settings.until = until;
    const State end = testing::RunToEnd(scene);
    const std::vector<double> expected = StrikeByHand(row, e, until);
    double worst = 0;
    for (int i = 0; i < count; ++i) worst = std::max(worst, std::abs(end.v[i] - expected[i]));
    the_same += worst < 1e-9;

    const VecX masses = Eigen::Map<const VecX>(row.mass.data(), count);
    const VecX v0 = Eigen::Map<const VecX>(row.speed.data(), count);
    const VecX v1 = SpeedsAfterAStep(row, e, "sequence", 0.1);
    const double before = masses.dot(v0.cwiseAbs2()), after = masses.dot(v1.cwiseAbs2());
    EXPECT_NEAR(masses.dot(v1), masses.dot(v0), 1e-12 * masses.sum());
    if (e == 1) {
      EXPECT_NEAR(after, before, 1e-10 * before) << trial;
    }
    EXPECT_LE(after, before * (1 + 1e-10)) << trial;
  }
  // Two impacts within a step may come in another order.
  EXPECT_GE(the_same, 36);
}

// With one contact the laws are one.
TEST(ImpactSequence, IsNewtonsLawForOneContact) {
  std::vector<State> ends;
  for (const char* law : {"newton", "sequence"}) {
    const Scene scene = testing::LoadNamedScene(
        "bouncing_ball", {{"simulation.restitution", law}, {"simulation.until", "2"}});
    ends.push_back(testing::RunToEnd(scene));
  }
  EXPECT_LE((ends[0].q - ends[1].q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((ends[0].v - ends[1].v).lpNorm<Eigen::Infinity>(), 1e-9);
}

// A ball between two heavier ones that come: some π √(M/m) impacts with e = 1, and more with less.
TEST(ImpactSequence, EndsWhereBodiesArePressedTogether) {
  for (double heavy : {20.0, 1e5}) {
    const BallRow row{{heavy, 1, heavy}, {0, 0}, {1, 0, -1}};
    for (double e : {0.2, 0.9, 1.0}) {
      const VecX v = SpeedsAfterAStep(row, e, "sequence", 1e-3);
      const double energy = 0.5 * heavy * (v[0] * v[0] + v[2] * v[2]) + 0.5 * v[1] * v[1];
      EXPECT_LE(energy, heavy * (1 + 1e-9)) << heavy << " " << e;
      EXPECT_LE(v[0], v[1] + 1e-6) << heavy << " " << e;
      EXPECT_LE(v[1], v[2] + 1e-6) << heavy << " " << e;
      if (e == 1 && heavy == 20) {
        EXPECT_NEAR(energy, heavy, 1e-9);
      }
    }
  }
}

// Joints that close loops take part: the threads as rows.
TEST(ImpactSequence, TakesWhatIsHeldAlong) {
  const std::vector<Override> until = {{"simulation.until", "0.3"}};
  const State minimal = testing::RunToEnd(testing::LoadNamedScene("newtons_cradle", until));
  Scene scene = testing::LoadNamedScene(
      "newtons_cradle", {{"simulation.until", "0.3"}, {"simulation.coordinates", "maximal"}});
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_NEAR(summary.end.Total(), summary.start.Total(), 5e-3 * summary.peak_kinetic);
  // The last two swing, the others hang.
  EXPECT_GT(std::abs(minimal.v[4]), 0.1);
  EXPECT_NEAR(minimal.v[3], minimal.v[4], 1e-3);
  EXPECT_NEAR(minimal.v[0], 0, 0.01);  // restitution_speed
}

// The scene: as many leave as came, again and again.
TEST(NewtonsCradle, KeepsItsEnergyAndItsNumbers) {
  const Scene scene = testing::LoadNamedScene("newtons_cradle");
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kOk);
  EXPECT_NEAR(summary.end.Total(), summary.start.Total(), 2e-3 * summary.peak_kinetic);
  const VecX& q = simulator.state().q;
  EXPECT_NEAR(q[2], 0, 0.02);
}

}  // namespace
}  // namespace voigt
