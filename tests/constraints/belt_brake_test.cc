// The example of a friction element written by a user: a belt brake, against T₂ = T₁ exp(μφ).

#include <gtest/gtest.h>

#include <cmath>

#include "examples/belt_brake_model.h"
#include "tests/constraints/row_checks.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using examples::BeltBrake;
using examples::BeltBrakeModel;
using testing::Random;

SimulationSettings MakeBeltSettings(Integrator integrator, FormulationKind kind) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.formulation.kind = kind;
  settings.step = 1e-3;
  return settings;
}

Simulator MakeBelt(const BeltBrakeModel& brake, Integrator integrator, FormulationKind kind) {
  return Simulator(brake.Build(), MakeBeltSettings(integrator, kind), brake.MakeState());
}

// Position and velocity errors belong together, wherever the lever is.
TEST(BeltBrake, HasARowThatIsTheExactDerivative) {
  const Model model = BeltBrakeModel().Build();
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    State state = testing::MakeRandomState(model, &random);
    state.q[1] *= 0.1;
    EXPECT_LT(testing::CalcDerivativeError(model, ConstraintSet(model).list(), state, &random),
              1e-9);
  }
}

// The wrap and the length of a belt whose ends are anywhere below, by the angles of its tangents.
TEST(BeltBrake, LiesOnTheDrumBetweenItsTangents) {
  const BeltBrake::Path half({-0.2, 0, -0.7}, {0.2, 0, -0.4}, Vec3::Zero(), 0.2);
  EXPECT_NEAR(half.wrap, kPi, 1e-15);
  EXPECT_NEAR(half.length, 0.7 + 0.4 + 0.2 * kPi, 1e-15);
  EXPECT_NEAR((half.d - Vec3(0, 0, -1)).norm(), 0, 1e-15);
  // Spread by 30° on each side.
  const double c = std::cos(kPi / 6), s = 0.5;
  const Vec3 left(-0.2 * c - s, 0, 0.2 * s - c), right(0.2 * c + s, 0, 0.2 * s - c);
  const BeltBrake::Path spread(left, right, Vec3::Zero(), 0.2);
  EXPECT_NEAR(spread.wrap, kPi - kPi / 3, 1e-15);
  EXPECT_NEAR(spread.length, 2 + 0.2 * spread.wrap, 1e-15);
}

struct BeltCase {
  Integrator integrator;
  FormulationKind kind;
};

std::vector<BeltCase> ListBeltCases() {
  std::vector<BeltCase> out = {{Integrator::kEventDriven, FormulationKind::kWorking}};
  for (FormulationKind kind : ListFormulationKinds()) {
    // Its friction is a little soft.
    if (kind == FormulationKind::kCompliantQcqp) continue;
    out.push_back({Integrator::kSemiImplicitEuler, kind});
  }
  return out;
}

// Torques within a thousandth of T₁ R (1 − e^(−μφ)) and T₁ R (e^(μφ) − 1).
TEST(BeltBrake, HoldsUpToTheFormulaInBothSenses) {
  for (const BeltCase& run : ListBeltCases()) {
    SCOPED_TRACE(std::string(ToString(run.kind)));
    for (double mu : {0.1, 0.5}) {
      for (double sense : {1.0, -1.0}) {
        BeltBrakeModel brake;
        brake.mu = mu;
        brake.can_slacken = mu > 0.3;
        const double most = brake.CalcLargestTorque(sense);
        for (double part : {0.5, 0.999, 1.001, 1.5}) {
          brake.torque = sense * part * most;
          Simulator simulator = MakeBelt(brake, run.integrator, run.kind);
          for (int k = 0; k < 10; ++k) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
          const double v = std::max(part - 1, 0.0) * most / brake.inertia * 0.01;
          EXPECT_NEAR(simulator.state().v[0], sense * v, 1e-9 * (1 + v)) << part;
          EXPECT_NEAR(simulator.state().v[1], 0, 1e-9);
        }
      }
    }
  }
}

// A drum that turns is stopped by the same torque, and stays.
TEST(BeltBrake, StopsTheDrumAtItsTime) {
  for (double sense : {1.0, -1.0}) {
    BeltBrakeModel brake;
    brake.torque = 0;
    brake.speed = 20 * sense;
    brake.can_slacken = sense < 0;
    const double stop = brake.inertia * 20 / brake.CalcLargestTorque(sense);
    Simulator exact = MakeBelt(brake, Integrator::kEventDriven, FormulationKind::kWorking);
    ASSERT_EQ(exact.Step(2 * stop), StepStatus::kOk);
    ASSERT_EQ(exact.last_events().size(), 1u);
    EXPECT_NEAR(exact.last_events()[0].t, stop, 1e-10);
    EXPECT_NEAR(exact.state().q[0], 0.5 * 20 * sense * stop, 1e-9);

    Simulator stepped =
        MakeBelt(brake, Integrator::kSemiImplicitEuler, FormulationKind::kCompliant);
    while (stepped.state().t < 2 * stop) ASSERT_EQ(stepped.Step(), StepStatus::kOk);
    EXPECT_NEAR(stepped.state().q[0], 0.5 * 20 * sense * stop, 0.6 * 20 * 1e-3);
    EXPECT_NEAR(stepped.state().v[0], 0, 1e-12);
    EXPECT_EQ(stepped.solver().not_solved, 0);
    EXPECT_EQ(stepped.audit().failed, 0);
  }
}

// A belt that is let go: the drum turns on as fast as it does then.
TEST(BeltBrake, GoesSlack) {
  for (double sense : {1.0, -1.0}) {
    BeltBrakeModel brake;
    brake.torque = 0;
    brake.speed = 50 * sense;
    brake.can_slacken = true;
    brake.upward = TimeFunction::Parse("t < 0.1 ? -50 : 20");
    const double left = 50 - 0.1 * brake.CalcLargestTorque(sense) / brake.inertia;
    Simulator exact = MakeBelt(brake, Integrator::kEventDriven, FormulationKind::kWorking);
    ASSERT_EQ(exact.Step(0.15), StepStatus::kOk);
    EXPECT_NEAR(exact.state().v[0], left * sense, 1e-9);
    EXPECT_GT(std::fabs(exact.state().v[1]), 1);
    EXPECT_EQ(exact.events().releases, 1);
    for (FormulationKind kind : ListFormulationKinds()) {
      SCOPED_TRACE(std::string(ToString(kind)));
      Simulator stepped = MakeBelt(brake, Integrator::kSemiImplicitEuler, kind);
      while (stepped.state().t < 0.15 - 1e-9) ASSERT_EQ(stepped.Step(), StepStatus::kOk);
      EXPECT_NEAR(stepped.state().v[0], left * sense, 0.02 * left);
      EXPECT_NEAR(stepped.state().v[1] / exact.state().v[1], 1, 0.05);
    }
  }
}

// The axle carries both ends: T₁ + T₂ = T₁ (1 + e^(∓μφ)) while it slips.
TEST(BeltBrake, PullsTheAxleWithBothEnds) {
  for (double sense : {1.0, -1.0}) {
    BeltBrakeModel brake;
    brake.torque = 0;
    brake.speed = 100 * sense;
    Simulator simulator =
        MakeBelt(brake, Integrator::kSemiImplicitEuler, FormulationKind::kCompliant);
    for (int k = 0; k < 5; ++k) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    Reactions reactions;
    simulator.CalcReactions(&reactions);
    const int drum = *simulator.model().FindBody("drum");
    // z of M is y of the world: the size is that of the force in any axes.
    const double force = reactions.joints[drum].tail<3>().norm();
    EXPECT_NEAR(force, brake.CalcT1() * (1 + std::exp(-sense * brake.mu * kPi)), 1e-7);
  }
}

}  // namespace
}  // namespace voigt
