// Impacts at the times of closed solutions, whatever the interval between outputs is.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

EventRun DropBall(const std::string& e, const std::string& step) {
  return RunByEvents(testing::LoadNamedScene(
      "bouncing_ball",
      {{"parameters.e", e}, {"simulation.integrator", "event-driven"}, {"simulation.step", step}}));
}

// From 1 m: the first impact after t₀ = √(2 H/g), each bounce e times as long as the one before,
// all of them over after t₀ (1 + e)/(1 − e).
TEST(BouncingBall, HitsAndRestsAtTheTimesOfTheClosedSolution) {
  const double t0 = std::sqrt(2 / 9.81);
  for (double e : {0.8, 0.5, 0.1}) {
    const EventRun run = DropBall(std::to_string(e), "0.01");
    const std::vector<double> impacts = run.TimesOf(EventKind::kImpact);
    ASSERT_GT(impacts.size(), 5u);
    double t = t0, flight = 2 * e * t0;
    for (double impact : impacts) {
      EXPECT_NEAR(impact, t, 1e-10) << e;
      t += flight;
      flight *= e;
    }
    const std::vector<double> rests = run.TimesOf(EventKind::kRest);
    ASSERT_EQ(rests.size(), 1u);
    EXPECT_NEAR(rests[0], t0 * (1 + e) / (1 - e), 1e-10) << e;
    EXPECT_EQ(run.end.v.norm(), 0);
    EXPECT_NEAR(run.end.q[2], 0, 1e-12);
  }
}

// A fixed step in disguise would find as many events as it has steps, or lose some.
TEST(BouncingBall, HasTheSameEventsAtAnyOutputInterval) {
  const EventRun fine = DropBall("0.8", "0.002");
  for (const char* step : {"0.05", "0.37", "5"}) {
    const EventRun coarse = DropBall("0.8", step);
    EXPECT_LT(coarse.summary.steps, fine.summary.steps / 10);
    ASSERT_EQ(coarse.events.size(), fine.events.size()) << step;
    for (size_t i = 0; i < fine.events.size(); ++i) {
      EXPECT_EQ(coarse.events[i].kind, fine.events[i].kind);
      EXPECT_NEAR(coarse.events[i].t, fine.events[i].t, 1e-9) << step << ' ' << i;
    }
  }
}

TEST(BouncingBall, KeepsItsEnergyWithoutLoss) {
  const EventRun run = DropBall("1", "0.1");
  EXPECT_NEAR(run.summary.end.Total(), run.summary.start.Total(), 1e-10);
  EXPECT_EQ(run.summary.events.impacts, 6);  // at √(2/g) (1 + 2k) < 5 s
}

constexpr const char* kBallsOnARail = R"(
gravity: [0, 0, 0]
materials: {default: {friction: 0, restitution: 1}}
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
  - {name: b, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
  - {name: c, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
joints:
  - {name: x1, type: prismatic, child: a, axis: [1, 0, 0]}
  - {name: x2, type: prismatic, child: b, axis: [1, 0, 0]}
  - {name: x3, type: prismatic, child: c, axis: [1, 0, 0]}
)";

std::string BallsAt(double third) {
  return std::string(kBallsOnARail) +
         "initial: {x1: {q: -0.5, v: 1}, x2: 0, x3: " + std::to_string(third) +
         "}\nsimulation: {integrator: event-driven, until: 1, step: 0.25}\n";
}

// The second and third ball touch: their impacts are one, and Poisson's hypothesis for both at once
// gives −1/3, 2/3, 2/3.
TEST(SimultaneousImpacts, OfThreeBallsAreResolvedTogether) {
  const EventRun run = RunByEvents(BallsAt(0.2));
  ASSERT_EQ(run.summary.events.impacts, 1);
  EXPECT_EQ(run.summary.events.most_simultaneous, 2);
  EXPECT_NEAR(run.TimesOf(EventKind::kImpact)[0], 0.3, 1e-12);
  EXPECT_NEAR(run.end.v[0], -1.0 / 3, 1e-12);
  EXPECT_NEAR(run.end.v[1], 2.0 / 3, 1e-12);
  EXPECT_NEAR(run.end.v[2], 2.0 / 3, 1e-12);
}

// They do not: two impacts, one after the other, and the last ball takes all.
TEST(SimultaneousImpacts, AreNoneWhereThereIsAGap) {
  const EventRun run = RunByEvents(BallsAt(0.25));
  const std::vector<double> impacts = run.TimesOf(EventKind::kImpact);
  ASSERT_EQ(impacts.size(), 2u);
  EXPECT_NEAR(impacts[0], 0.3, 1e-12);
  EXPECT_NEAR(impacts[1], 0.35, 1e-12);
  EXPECT_NEAR((run.end.v - Vec3(0, 0, 1)).norm(), 0, 1e-12);
}

constexpr const char* kBlock = R"(
gravity: [0, 0, -10]
materials: {default: {friction: 0.5, restitution: 0.5}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies:
  - {name: block, mass: 2, inertia: [0.02, 0.02, 0.03], geometry: [{shape: box, size: [0.4, 0.2, 0.1]}]}
joints: [{name: free, type: free, child: block, frame: {position: [0, 0, 0.05]}}]
)";

// Four corners at once, and no turn.
TEST(SimultaneousImpacts, OfABlockThatFallsFlatBounceItFlat) {
  const EventRun run = RunByEvents(std::string(kBlock) + R"(
initial: {free: {position: [0, 0, 0.2]}}
simulation: {integrator: event-driven, until: 0.25, step: 0.25}
)");
  EXPECT_EQ(run.summary.events.impacts, 1);
  EXPECT_EQ(run.summary.events.most_simultaneous, 4);
  EXPECT_NEAR(run.TimesOf(EventKind::kImpact)[0], 0.2, 1e-12);
  EXPECT_NEAR(run.end.v[2], 1 - 10 * 0.05, 1e-11);
  EXPECT_NEAR(run.end.v.tail(3).norm(), 0, 1e-10);
}

// A ball that slips all through its impact: friction acts in compression and in restitution,
// μ (1 + e) m v_n in all.
TEST(Restitution, HasFrictionOfItsOwn) {
  for (const char* formulation : {"max-dissipation", "working"}) {
    SCOPED_TRACE(formulation);
    const EventRun run = RunByEvents(std::string(R"(
gravity: [0, 0, 0]
materials: {default: {friction: 0.1, restitution: 0.6}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies: [{name: ball, mass: 2, inertia: [0.008, 0.008, 0.008], geometry: [{shape: sphere, radius: 0.1}]}]
joints: [{name: free, type: free, child: ball, frame: {position: [0, 0, 0.1]}}]
initial: {free: {position: [0, 0, 0.5], velocity: [3, 4, -2]}}
simulation: {integrator: event-driven, until: 1, step: 1, formulation: )") +
                                     formulation + "}\n");
    const double slip = 0.1 * 1.6 * 2;  // along (−0.6, −0.8)
    EXPECT_NEAR(run.end.v[2], 1.2, 1e-11);
    EXPECT_NEAR(run.end.v[0], 3 - 0.6 * slip, 1e-11);
    EXPECT_NEAR(run.end.v[1], 4 - 0.8 * slip, 1e-11);
    // ω from the same impulse: I ω = r × F.
    EXPECT_NEAR(run.end.v[4], 0.6 * slip * 2 * 0.1 / 0.008, 1e-9);
    EXPECT_LE(run.summary.solver.hardest(), Attempt::kMethod);
  }
}

// The point mass on a rod of [Drumwright 2019, §5.4] with a rigid stop.
TEST(Limits, AreHitAtTheirTime) {
  const EventRun run = RunByEvents(R"(
bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: point}]
joints: [{name: pin, type: revolute, child: bob, axis: [0, -1, 0], limits: [0, inf]}]
initial: {pin: 90 deg}
simulation: {integrator: event-driven, until: 1, step: 0.1}
)");
  ASSERT_EQ(run.summary.events.impacts, 1);
  EXPECT_NEAR(run.TimesOf(EventKind::kImpact)[0], 0.591960486894059, 1e-11);
  EXPECT_NEAR(run.end.q[0], 0, 1e-14);
  EXPECT_NEAR(run.end.v[0], 0, 1e-15);
}

// A box tumbles on the floor. Energy is never added, nothing sinks in, momentum of the spin about
// the vertical aside: what impacts and friction took is all that is missing.
TEST(Impacts, OfATumblingBoxNeverAddEnergy) {
  for (const char* formulation : {"max-dissipation", "compliant", "mlcp-lemke", "working"}) {
    const Scene scene = ParseScene(std::string(kBlock) + fmt::format(R"(
initial: {{free: {{position: [0, 0, 0.3], rpy: [0.3, 0.6, 0.1], velocity: [1, 0.2, 0], angular_velocity: [3, 4, 1]}}}}
simulation: {{integrator: event-driven, until: 0.7, step: 0.02, formulation: {}}}
)",
                                                                     formulation),
                                   "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    double energy = simulator.CalcEnergy().Total();
    while (simulator.state().t < 0.7 - 1e-9) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk) << formulation;
      const double now = simulator.CalcEnergy().Total();
      EXPECT_LE(now, energy + 1e-9) << formulation << ' ' << simulator.state().t;
      energy = now;
    }
    EXPECT_GE(simulator.events().impacts, 3) << formulation;
    const double start = Simulator(scene.model, scene.settings, scene.initial).CalcEnergy().Total();
    EXPECT_NEAR(energy - start, simulator.constraint_work(), 1e-8) << formulation;
    EXPECT_LT(simulator.constraint_work(), -1) << formulation;
    // In flight forces are zero but for rounding, which is none of the audit's business.
    EXPECT_EQ(simulator.moments().failed, 0) << formulation;
  }
}

// With phase II cut short impacts are those of phase I: no friction, but a valid state.
TEST(Impacts, AreValidWherePhaseTwoIsCutShort) {
  const std::string scene = std::string(kBlock) + R"(
initial: {free: {position: [0, 0, 0.3], rpy: [0.3, 0.6, 0.1], velocity: [1, 0.2, 0]}}
simulation: {integrator: event-driven, until: 0.3, step: 0.1, max_iterations: 1}
)";
  const EventRun run = RunByEvents(scene);
  EXPECT_GT(run.summary.solver.not_solved, 0);
  EXPECT_GT(run.summary.events.impacts, 0);
  EXPECT_TRUE(run.end.IsFinite());
  EXPECT_LE(run.summary.end.Total(), run.summary.start.Total() + 1e-10);
}

}  // namespace
}  // namespace voigt
