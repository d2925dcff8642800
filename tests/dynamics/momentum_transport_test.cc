#include "voigt/dynamics/momentum_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_model.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/momentum_energy.h"
#include "voigt/model/model_builder.h"
#include "voigt/sim/energy.h"
#include "voigt/sim/step.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

using testing::MakeRandomState;
using testing::MakeRandomTree;
using testing::Random;

// Inertial motion over h from (q, v): the rates at the end.
struct Flight {
  Flight(const Model& model, const State& state, double h)
      : start(model), end(model), transport(model), q1(state.q) {
    EXPECT_TRUE(start.Update(model, state.q));
    start.SetRates(model, state.v);
    energy_before = CalcKineticEnergy(model, start.kin(), state.v);
    momentum_before = CalcMomentum(model, start.kin(), Vec3::Zero());
    IntegratePositions(model, state.v, h, &q1);
    EXPECT_TRUE(end.Update(model, q1));
    transport.Update(model, state.v, h, start, &end);
    end.SetRates(model, transport.v());
    energy_after = CalcKineticEnergy(model, end.kin(), transport.v());
    momentum_after = CalcMomentum(model, end.kin(), Vec3::Zero());
  }

  Configuration start, end;
  MomentumTransport transport;
  VecX q1;
  double energy_before, energy_after;
  Vec6 momentum_before, momentum_after;
};

Model RandomTree(Random* random, int seed, bool floating = false) {
  testing::RandomTreeOptions options;
  options.with_springs = seed % 2 == 0 && !floating;  // armature too
  options.floating_base = floating;
  options.branching = 0.4;
  return MakeRandomTree(random, options);
}

TEST(MomentumTransport, NeverAddsEnergyAtAnyStep) {
  for (int seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Model model = RandomTree(&random, seed);
    State state = MakeRandomState(model, &random);
    state.v *= std::pow(10, testing::Uniform(&random, -1, 2));
    for (double h : {1e-4, 1e-3, 1e-2, 0.1}) {
      const Flight flight(model, state, h);
      EXPECT_LE(flight.energy_after, flight.energy_before * (1 + 1e-12)) << seed << ' ' << h;
    }
    // Steps of hundreds of radians and metres: lever arms of that length cost some digits.
    const Flight flight(model, state, 1.0);
    EXPECT_LE(flight.energy_after, flight.energy_before * (1 + 1e-9)) << seed;
  }
}

// The largest energy of scenes/arm.yaml in two seconds, relative to its fall: with `step` and by
// the same step whose inertia is a force, v₁ = v₀ + h v̇(q₀, v₀).
double LargestGain(double h, double seconds, bool inertia_is_a_force) {
  const Scene scene = testing::LoadNamedScene("arm");
  const Model& model = scene.model;
  State state = scene.initial;
  EquationsOfMotion equations(model);
  StepWorkspace workspace(model);
  Kinematics kin(model);
  VecX v_dot(model.nv());
  const double start = CalcEnergy(model, state, &kin).Total();
  double gain = 0, fall = 0;
  while (state.t < seconds) {
    if (inertia_is_a_force) {
      equations.CalcAcceleration(state.t, state.q, state.v, &v_dot);
      state.v += h * v_dot;
      IntegratePositions(model, state.v, h, &state.q);
      state.t += h;
    } else {
      EXPECT_EQ(Step(model, h, &state, &workspace), StepStatus::kOk);
    }
    if (!state.IsFinite()) return kInfinity;
    const Energy energy = CalcEnergy(model, state, &kin);
    gain = std::max(gain, energy.Total() - start);
    fall = std::max(fall, std::abs(energy.gravity));
  }
  return gain / fall;
}

TEST(MomentumTransport, KeepsAnArmTogetherThatForcesOfInertiaTearApart) {
  EXPECT_EQ(LargestGain(1e-3, 5, true), kInfinity);
  EXPECT_LT(LargestGain(1e-3, 5, false), 0.05);
}

TEST(MomentumTransport, ConservesEnergyWhereStepsAreSmall) {
  for (int seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Model model = RandomTree(&random, seed);
    const State state = MakeRandomState(model, &random);
    for (double h : {1e-4, 1e-3}) {
      const Flight flight(model, state, h);
      EXPECT_NEAR(flight.energy_after / flight.energy_before, 1, 1e-12) << seed << ' ' << h;
    }
  }
}

// (v₁′ − v₁)/h tends to the acceleration without forces, −M⁻¹ c, with first order.
TEST(MomentumTransport, IsConsistentWithCoriolisAndGyroscopicForces) {
  for (int seed = 0; seed < 100; ++seed) {
    Random random(seed);
    ModelSpec spec = RandomTree(&random, seed).spec();
    spec.gravity.setZero();
    const Model model = ModelBuilder(spec).Build();
    const State state = MakeRandomState(model, &random);
    Kinematics kin(model);
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);
    NewtonEulerScratch scratch(model);
    VecX v_dot(model.nv());
    CalcBias(model, kin, &scratch, &v_dot);
    Configuration here(model);
    ASSERT_TRUE(here.Update(model, state.q));
    v_dot = -v_dot;
    here.factor().Solve(model.tree().pattern, v_dot);
    const auto error = [&](double h) {
      const Flight flight(model, state, h);
      return ((flight.transport.v() - state.v) / h - v_dot).norm();
    };
    const double coarse = error(1e-5), fine = error(5e-6);
    if (coarse < 1e-7 * v_dot.norm()) continue;  // nothing but rounding
    EXPECT_NEAR(coarse / fine, 2, 0.2) << "seed " << seed;
  }
}

TEST(MomentumTransport, ConservesTheLinearMomentumOfFloatingTreesExactly) {
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Model model = RandomTree(&random, seed, /*floating=*/true);
    const State state = MakeRandomState(model, &random);
    for (double h : {1e-3, 1e-2, 0.1}) {
      const Flight flight(model, state, h);
      const Vec3 change = (flight.momentum_after - flight.momentum_before).tail<3>();
      const double scale = std::sqrt(2 * flight.energy_before * model.TotalMass());
      EXPECT_LT(change.norm(), 1e-11 * scale) << "seed " << seed << " h " << h;
    }
  }
}

TEST(MomentumTransport, ConservesTheAngularMomentumOfFloatingTreesToSecondOrder) {
  double sum_coarse = 0, sum_fine = 0;
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Model model = RandomTree(&random, seed, /*floating=*/true);
    const State state = MakeRandomState(model, &random);
    const auto change = [&](double h) {
      const Flight flight(model, state, h);
      return (flight.momentum_after - flight.momentum_before).head<3>().norm();
    };
    sum_coarse += change(2e-4);
    sum_fine += change(1e-4);
  }
  EXPECT_GT(std::log2(sum_coarse / sum_fine), 1.9);
}

// Two mechanisms in one model move as each would alone.
TEST(MomentumTransport, KeepsTreesApart) {
  const auto load = [](const std::string& second) {
    return ParseScene(
        R"(
gravity: [0, 0, 0]
bodies:
  - {name: a, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.05]}
  - {name: b, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.05]}
)" +
            std::string(second.empty()
                            ? ""
                            : "  - {name: c, mass: 3, com: [1, 0, 0], inertia: [1, 2, 3]}") +
            R"(
joints:
  - {name: ja, type: ball, child: a}
  - {name: jb, type: ball, parent: a, child: b, frame: {position: [0, 0, -1]}}
)" + second,
        "scene");
  };
  Scene alone = load("");
  Scene both = load("  - {name: jc, type: ball, child: c}\n");
  alone.initial.v << 1, 20, 3, 4, -15, 6;
  both.initial.v << alone.initial.v, 30, 20, 10;
  const Flight a(alone.model, alone.initial, 0.02), b(both.model, both.initial, 0.02);
  EXPECT_EQ(a.transport.v(), b.transport.v().head<6>());
}

}  // namespace
}  // namespace voigt
