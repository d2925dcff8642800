#include "voigt/sim/constraint_kick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/support/scenes.h"
#include "voigt/dynamics/momentum_energy.h"

namespace voigt {
namespace {

Scene SpinningFourBars(const char* speed, const char* step, const char* coordinates,
                       const char* formulation) {
  return testing::LoadNamedScene("n_four_bar", {{"gravity", "[0, 0, 0]"},
                                                {"parameters.speed", speed},
                                                {"simulation.step", step},
                                                {"simulation.coordinates", coordinates},
                                                {"simulation.formulation", formulation}});
}

// Part of the kinetic energy that is gone after half a second; nothing but inertia acts.
double LossOf(const Scene& scene) {
  Simulator simulator = testing::MakeSimulator(scene);
  const double start = simulator.CalcEnergy().kinetic;
  while (simulator.state().t < 0.5 - 1e-9) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  return 1 - simulator.CalcEnergy().kinetic / start;
}

TEST(ConstraintKick, LetsLoopsKeepTheirEnergyToSecondOrder) {
  for (const char* coordinates : {"minimal", "maximal"}) {
    for (const char* formulation : {"compliant", "mncp-plm", "stabilized-lcp"}) {
      const double coarse = LossOf(SpinningFourBars("-6", "2e-3", coordinates, formulation));
      const double fine = LossOf(SpinningFourBars("-6", "1e-3", coordinates, formulation));
      EXPECT_LT(std::abs(coarse), 1e-4) << coordinates << " " << formulation;
      EXPECT_GT(coarse / fine, 3.5) << coordinates << " " << formulation << " " << coarse;
    }
  }
}

// Up to six radians in a step: kicks are shortened to a sixteenth of the energy, which is there
// between steps, and the loops only slow down.
TEST(ConstraintKick, AddsNoEnergyInLongSteps) {
  for (const char* coordinates : {"minimal", "maximal"}) {
    for (const char* speed : {"-20", "-60", "-120"}) {
      const Scene scene = SpinningFourBars(speed, "0.05", coordinates, "compliant");
      Simulator simulator = testing::MakeSimulator(scene);
      const double start = simulator.CalcEnergy().kinetic;
      for (int i = 0; i < 400; ++i) {
        ASSERT_EQ(simulator.Step(), StepStatus::kOk);
        ASSERT_LT(simulator.CalcEnergy().kinetic, 1.07 * start) << coordinates << " " << speed;
      }
      EXPECT_LT(simulator.CalcEnergy().kinetic, start) << coordinates << " " << speed;
    }
  }
}

// Four rods with pins at their ends, afloat.
constexpr char kFloatingLoop[] = R"(
gravity: [0, 0, 0]
bodies:
  - {repeat: {i: 4}, name: "rod${i}", mass: "1 + ${i}", com: [0.5, 0, 0], inertia: [1e-3, 0.1, 0.1]}
joints:
  - {name: fly, type: free, child: rod0}
  - {name: pin1, type: revolute, parent: rod0, child: rod1, axis: [0, 0, 1], frame: {position: [1, 0, 0]}}
  - {name: pin2, type: revolute, parent: rod1, child: rod2, axis: [0, 0, 1], frame: {position: [1, 0, 0]}}
  - {name: pin3, type: revolute, parent: rod2, child: rod3, axis: [0, 0, 1], frame: {position: [1, 0, 0]}}
  - {name: closing, type: revolute, parent: rod3, child: rod0, axis: [0, 0, 1], frame: {position: [1, 0, 0]}, tree: loop}
initial:
  fly: {velocity: [0.3, -0.2, 0.1], angular_velocity: [1, 2, 3]}
  pin1: {q: 80 deg, v: 5}
  pin2: {q: 100 deg, v: -5}
  pin3: {q: 80 deg, v: 5}
simulation: {step: 1e-3, until: 1}
)";

Scene LoadFloatingLoop(const char* coordinates) {
  return ParseScene(kFloatingLoop, "floating_loop.yaml", {{"simulation.coordinates", coordinates}});
}

// How much linear and angular momentum half a second changes, relative.
std::pair<double, double> MomentumLostBy(const Scene& scene, double h) {
  Simulator simulator = testing::MakeSimulator(scene);
  const auto momentum = [&] {
    return CalcMomentum(simulator.model(), simulator.CalcKinematics(), Vec3::Zero());
  };
  const Vec6 start = momentum();
  for (long i = 0; i < std::lround(0.5 / h); ++i) EXPECT_EQ(simulator.Step(h), StepStatus::kOk);
  const Vec6 change = momentum() - start;
  return {change.tail<3>().norm() / start.tail<3>().norm(),
          change.head<3>().norm() / start.head<3>().norm()};
}

// Linear momentum stays to rounding. Angular momentum does so in all that acts at q₀, the kick
// included (below); what it loses is lost on the way from q₀ to q₁, where the joints of trees are
// read at both ends (momentum_transport.h): to second order in the step.
TEST(ConstraintKick, KeepsMomentum) {
  for (const char* coordinates : {"minimal", "maximal"}) {
    const Scene scene = LoadFloatingLoop(coordinates);
    const auto [linear, angular] = MomentumLostBy(scene, 1e-3);
    const auto [fine_linear, fine_angular] = MomentumLostBy(scene, 5e-4);
    printf("%s: linear %.1e and %.1e, angular %.2e and %.2e\n", coordinates, linear, fine_linear,
           angular, fine_angular);
    EXPECT_LT(linear, 1e-12) << coordinates;
    EXPECT_LT(fine_linear, 1e-12) << coordinates;
    EXPECT_LT(angular, 1e-5) << coordinates;
    EXPECT_NEAR(angular / fine_angular, 4, 0.1) << coordinates;
  }
}

// The balance of a whole step at q₀, kick included: M (v − v*) = Gᵀ γ for what the motion goes on
// with and all impulses that are reported, no momentum of the floating loop from the kick, and its
// energy is the work of its impulses.
TEST(ConstraintKick, IsInTheBalanceOfTheStep) {
  for (const char* coordinates : {"minimal", "maximal"}) {
    const Scene scene = LoadFloatingLoop(coordinates);
    const Model& model = scene.model;
    StepWorkspace ws(model);
    State state = scene.initial;
    double largest = 0;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(Step(model, 1e-3, &state, &ws), StepStatus::kOk);
      Configuration& at = ws.end;  // where the step came from
      const VecX v1 = ws.solution.v1, v = ws.kick.v();
      const MatX M = ws.problem.pattern->ToDense(*ws.problem.M);
      VecX impulse = VecX::Zero(model.nv());
      ws.problem.AddTransposed(ws.gamma, &impulse);
      const VecX carried = M * (v - ws.problem.v_star);
      EXPECT_LT((carried - impulse).norm(), 1e-12 * (M * v).norm()) << coordinates << " " << i;

      const auto momentum = [&](const VecX& rates) {
        at.SetRates(model, rates);
        return CalcMomentum(model, at.kin(), Vec3::Zero());
      };
      const Vec6 before = momentum(v1), after = momentum(v);
      EXPECT_LT((after - before).norm(), 1e-12 * before.norm()) << coordinates << " " << i;
      largest = std::max(largest, (v - v1).norm() / v1.norm());

      VecX of_kick = VecX::Zero(model.nv());
      ws.problem.AddTransposed(ws.kick.gamma(), &of_kick);
      const double energy = 0.5 * v.dot(M * v) - 0.5 * v1.dot(M * v1);
      EXPECT_NEAR(energy, 0.5 * of_kick.dot(v + v1), 1e-13 * v1.dot(M * v1))
          << coordinates << " " << i;
    }
    EXPECT_GT(largest, 1e-4) << "no kick";
  }
}

// A rod that turns about its end: the pin carries m ω² r, half of it as a kick.
TEST(ConstraintKick, IsPartOfTheForcesThatAreReported) {
  const Scene scene = ParseScene(R"(
gravity: [0, 0, 0]
bodies: [{name: rod, mass: 2, com: [0.5, 0, 0], inertia: [1e-3, 0.2, 0.2]}]
joints:
  - {name: fly, type: free, child: rod}
  - {name: pin, type: revolute, child: rod, axis: [0, 0, 1], tree: loop}
initial: {fly: {angular_velocity: [0, 0, 5]}}
simulation: {step: 1e-3, until: 1}
)",
                                 "rod.yaml");
  Simulator simulator = testing::MakeSimulator(scene);
  Reactions reactions;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  simulator.CalcReactions(&reactions);
  EXPECT_NEAR(reactions.loops[0].tail<3>().norm(), 2 * 25 * 0.5, 1e-3);
}

}  // namespace
}  // namespace voigt
