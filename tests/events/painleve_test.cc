#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

// Painlevé's rod: 1 kg, 2 m, on its lower end, which goes ahead. With θ its angle with the floor
// and ω = θ̇, N = b/D with b = g − s ω² and D = 1 + 3 c² − 3 μ s c, and D = 0 where no accelerations
// are left beyond.
constexpr double kGravity = 9.81;

double CalcCriticalAngle(double mu) {
  return std::atan((3 * mu - std::sqrt(9 * mu * mu - 16)) / 2);
}

enum class RodEnd { kStops, kReleases, kJams };

struct RodMotion {
  double theta = 0, omega = 0, slip = 0, t = 0;
  RodEnd end = RodEnd::kJams;

  double D(double mu) const {
    const double c = std::cos(theta), s = std::sin(theta);
    return 1 + 3 * c * c - 3 * mu * s * c;
  }
  double b() const { return kGravity - std::sin(theta) * omega * omega; }
};

// Slides until it stops, lets go, or D = 0: by fixed steps of order four in σ with dt = D dσ, where
// nothing is singular, the last of them halved until they meet the end.
RodMotion SlideRod(double mu, double theta, double v) {
  using Rates = std::array<double, 4>;
  RodMotion now{.theta = theta, .slip = v};
  const auto calc = [mu](const RodMotion& x) -> Rates {
    const double c = std::cos(x.theta), s = std::sin(x.theta), D = x.D(mu);
    const double turning = 3 * x.b() * (mu * s - c);
    return {x.omega * D, turning, -mu * x.b() - s * turning - c * x.omega * x.omega * D, D};
  };
  const auto move = [](const RodMotion& x, const Rates& rates, double h) {
    return RodMotion{x.theta + h * rates[0], x.omega + h * rates[1], x.slip + h * rates[2],
                     x.t + h * rates[3]};
  };
  for (double h = 1e-3; h > 1e-13;) {
    const Rates k1 = calc(now), k2 = calc(move(now, k1, h / 2)), k3 = calc(move(now, k2, h / 2)),
                k4 = calc(move(now, k3, h));
    Rates mean;
    for (int i = 0; i < 4; ++i) mean[i] = (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6;
    const RodMotion next = move(now, mean, h);
    // D falls as exp(−σ) does, and has no root at a finite σ.
    constexpr double kNoneLeft = 1e-12;
    const bool stops = next.slip <= 0, releases = next.b() <= 0, jams = next.D(mu) < kNoneLeft;
    if (jams) return next;
    if (stops || releases) {
      now.end = stops ? RodEnd::kStops : RodEnd::kReleases;
      h /= 2;
    } else {
      now = next;
    }
  }
  return now;
}

Scene MakeRod(double mu, double theta, double v) {
  const auto text = [](double x) { return fmt::format("{:.17g}", x); };
  return testing::LoadNamedScene(
      "painleve_rod",
      {{"parameters.mu", text(mu)}, {"parameters.angle", text(theta)}, {"parameters.v", text(v)}});
}

struct Entry {
  double mu, below, v;  // below: the critical angle, degrees
};

class PainleveEntry : public ::testing::TestWithParam<Entry> {};

// Sliding into the region without accelerations: D and b vanish together, and b like D^α. Where α >
// 1 the rod lets go before that; where α < 1, N grows without bound, and there ω² = g/s. What slip
// is left then is stopped by an impulse through the end: about it, angular momentum is kept.
TEST_P(PainleveEntry, EndsWithAStopAReleaseOrALock) {
  const auto [mu, below, v] = GetParam();
  const double theta = CalcCriticalAngle(mu) - below * M_PI / 180;
  const RodMotion expected = SlideRod(mu, theta, v);
  const Scene scene = MakeRod(mu, theta, v);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  ASSERT_EQ(simulator.Step(expected.t + 1e-7), StepStatus::kOk);
  ASSERT_FALSE(simulator.last_events().empty());
  const Event first = simulator.last_events()[0];
  EXPECT_NEAR(first.t, expected.t, 1e-8);
  EXPECT_EQ(first.kind == EventKind::kLock, expected.end == RodEnd::kJams);
  EXPECT_EQ(simulator.events().locks, expected.end == RodEnd::kJams ? 1 : 0);
  EXPECT_LE(simulator.events().pieces, 5000);
  if (expected.end == RodEnd::kReleases) {
    EXPECT_EQ(first.kind, EventKind::kRelease);
  }
  if (expected.end == RodEnd::kJams) {
    const double s = std::sin(expected.theta), omega = expected.omega + 0.75 * s * expected.slip;
    EXPECT_NEAR(simulator.state().v[2], -omega, 1e-9 * omega);
    EXPECT_NEAR(simulator.state().v[0], s * omega, 1e-9 * omega);
  }
  EXPECT_EQ(voigt::Run(&simulator, nullptr).status, StepStatus::kOk);
  EXPECT_LE(simulator.events().pieces, 5000);
}

std::vector<Entry> ListEntries() {
  std::vector<Entry> out;
  for (double mu : {1.4, 1.6, 1.8, 2.0, 2.2, 2.5}) {
    for (double below : {1.0, 2.0, 4.0}) {
      for (double v : {5.0, 10.0, 20.0}) out.push_back({mu, below, v});
    }
  }
  out.push_back({3.0, 0.1, 3.0});  // falls flat with its end held
  return out;
}

INSTANTIATE_TEST_SUITE_P(Sweep, PainleveEntry, ::testing::ValuesIn(ListEntries()),
                         [](const auto& param) {
                           const Entry& entry = param.param;
                           return fmt::format("Friction{:.0f}Below{:.0f}Speed{:.0f}", 10 * entry.mu,
                                              entry.below, entry.v);
                         });

// Next to the limit, μ = 4/3 at tan θ = 2, the force is so large that the end stops in no time, or
// there is none: by whatever way, it stops, and what follows is the same.
TEST(PainleveLimit, IsPassedOnBothSides) {
  for (double off :
       {-1e-5, -1e-7, -3.3e-9, -1e-9, -1e-10, -3.3e-12, -1e-15, 0.0, 1e-12, 1e-9, 1e-5}) {
    const Scene scene = MakeRod(4.0 / 3 + off, std::atan(2), 3);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    ASSERT_EQ(simulator.Step(1e-5), StepStatus::kOk) << off;
    const long locks = simulator.events().locks;
    EXPECT_EQ(locks, off > -1e-8 ? 1 : 0) << off;
    const VecX& v = simulator.state().v;
    const double omega = 0.75 * 3 * 2 / std::sqrt(5.0);
    EXPECT_NEAR(v[2], -omega, 1e-3) << off;
    EXPECT_NEAR(v[0], 1.8, 1e-3) << off;
    EXPECT_NEAR(v[1], 0.9, 1e-3) << off;
    EXPECT_LE(simulator.events().pieces, 10000) << off;
  }
}

// A bead on an upright wire, on a link of 1 m whose other end is drawn away as it is told, faster
// than the bead falls. With X = sin b the link's part to the side, it pulls with
// m (ẋ²/cos³b − g)/(cos b − μ sin b): no more where tan b = 1/μ. What is prescribed does not stop.
TEST(PainleveBead, EndsWithItsNameWhereWhatMovesItIsPrescribed) {
  const double mu = 1, X = 0.5, speed = 5, h = std::sqrt(1 - X * X);
  const Scene scene = ParseScene(fmt::format(R"(
bodies:
  - {{name: slider, mass: 2, inertia: [1, 1, 1]}}
  - {{name: bead, mass: 1, inertia: [1, 1, 1]}}
joints:
  - {{name: draw, type: prismatic, axis: [1, 0, 0], child: slider, frame: {{position: [{0}, 0, 0]}}}}
  - {{name: free, type: free, child: bead, frame: {{position: [0, 0, {1:.17g}]}}}}
constraints:
  - {{name: wire, type: point-on-line, body: bead, direction: [0, 0, 1], friction: {{kinetic: {2}}}}}
  - {{name: link, type: distance, body: bead, on: slider, length: 1}}
drives: [{{type: prescribed, joint: draw, position: {3}*t}}]
initial: {{draw: {{v: {3}}}, free: {{velocity: [0, 0, {4:.17g}]}}}}
simulation: {{integrator: event-driven, formulation: working, step: 0.01, until: 0.1}}
)",
                                             X, h, mu, speed, -X * speed / h),
                                 "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kFrictionLocks);
  EXPECT_EQ(simulator.trouble(), "constraint 'wire'");
  EXPECT_EQ(simulator.events().locks, 0);
  EXPECT_LE(simulator.events().pieces, 10000);
  EXPECT_NEAR(simulator.state().t, (std::sqrt(0.5) - X) / speed, 0.01);
}

// A puck slides beside the rod, before or after it in the scene, and has no part in its lock-up,
// which is there at once (μ = 1.5 at tan θ = 2) or is slid into (μ = 2, 2° below the critical
// angle).
TEST(PainleveNames, AreThoseOfWhatLocks) {
  const std::string puck_body =
      "  - {name: puck, mass: 1, inertia: [1, 1, 1], geometry: [{shape: points, positions: [[0, 0, "
      "0]], material: ice}]}\n";
  const std::string rod_body =
      "  - {name: rod, mass: 1, inertia: [1/3, 1/3, 1e-3], geometry: [{shape: points, positions: "
      "[[0, 0, -1], [0, 0, 1]]}]}\n";
  const std::string puck_joint =
      "  - {name: flat, type: planar, child: puck, frame: {position: [0, 5, 0], rpy: [90 deg, 0, "
      "0]}, child_frame: {rpy: [90 deg, 0, 0]}}\n";
  const std::string rod_joint =
      "  - {name: plane, type: planar, child: rod, frame: {rpy: [90 deg, 0, 0]}, child_frame: "
      "{rpy: "
      "[90 deg, 0, 0]}}\n";
  for (const bool at_once : {true, false}) {
    const double mu = at_once ? 1.5 : 2;
    const double angle = at_once ? std::atan(2) : CalcCriticalAngle(mu) - kPi / 90;
    for (const bool puck_first : {true, false}) {
      SCOPED_TRACE(fmt::format("at once {}, puck first {}", at_once, puck_first));
      const std::string text = fmt::format(
          "materials: {{default: {{friction: {}}}, ice: {{friction: 0.1}}}}\n"
          "contact: {{friction_rule: minimum}}\n"
          "world: {{geometry: [{{name: floor, shape: half-space}}]}}\n"
          "bodies:\n{}{}joints:\n{}{}"
          "initial: {{flat: {{v: [5, 0, 0]}}, plane: {{q: [0, sin({:.17g}), 90 deg - {:.17g}], v: "
          "[{}, 0, 0]}}}}\n"
          "simulation: {{integrator: event-driven, formulation: working, step: 0.01, until: "
          "0.2}}\n",
          mu, puck_first ? puck_body : rod_body, puck_first ? rod_body : puck_body,
          puck_first ? puck_joint : rod_joint, puck_first ? rod_joint : puck_joint, angle, angle,
          at_once ? 3 : 10);
      const Scene scene = ParseScene(text, "text");
      const testing::EventRun run = testing::RunByEvents(scene);
      ASSERT_EQ(run.summary.locks.size(), 1u);
      EXPECT_EQ(run.summary.locks[0].t > 0, !at_once);
      EXPECT_EQ(FrictionNames(scene.model).Describe(scene.model, run.summary.locks[0].id),
                "the contact of floor and rod, point 0");
    }
  }
}

// Beyond Painlevé's limit the rod stops, tumbles over and breaks away again: no matter how normal
// forces are found.
TEST(Painleve, EndsTheSameByRepetitionOfNormalForces) {
  for (const char* mu : {"1.5", "1.6", "1.65", "1.7", "1.8"}) {
    SCOPED_TRACE(mu);
    const auto run = [&](const char* how) {
      return testing::RunByEvents(testing::LoadNamedScene(
          "painleve_rod", {{"parameters.mu", mu}, {"simulation.normal_forces", how}}));
    };
    const testing::EventRun a = run("newton"), b = run("fixed-point");
    EXPECT_GT(b.summary.events.fixed_point_iterations, 1000);
    ASSERT_EQ(a.TimesOf(EventKind::kSlip).size(), 1u);
    ASSERT_EQ(b.TimesOf(EventKind::kSlip).size(), 1u);
    EXPECT_NEAR(a.TimesOf(EventKind::kSlip)[0], b.TimesOf(EventKind::kSlip)[0], 1e-9);
    EXPECT_LT((a.end.q - b.end.q).norm(), 1e-8);
    EXPECT_EQ(b.summary.events.shared, 0);
  }
}

}  // namespace
}  // namespace voigt
