#include "voigt/sim/constraint_kick.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(ConstraintKick, KeepsMomentum) {
  for (const char* coordinates : {"minimal", "maximal"}) {
    const Scene scene =
        ParseScene(kFloatingLoop, "floating_loop.yaml", {{"simulation.coordinates", coordinates}});
    Simulator simulator = testing::MakeSimulator(scene);
    const auto momentum = [&] {
      return CalcMomentum(simulator.model(), simulator.CalcKinematics(), Vec3::Zero());
    };
    const Vec6 start = momentum();
    for (int i = 0; i < 500; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_LT((momentum() - start).tail<3>().norm(), 1e-12 * start.tail<3>().norm()) << coordinates;
    EXPECT_LT((momentum() - start).head<3>().norm(), 1e-4 * start.head<3>().norm()) << coordinates;
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
