#include "voigt/dynamics/joint_springs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_model.h"
#include "voigt/model/model_builder.h"
#include "voigt/sim/energy.h"
#include "voigt/sim/step.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

TEST(JointSprings, ForcesAreTheNegativeGradientOfTheEnergy) {
  for (int seed = 0; seed < 60; ++seed) {
    testing::Random random(seed);
    testing::RandomTreeOptions options;
    options.with_springs = true;
    options.max_dofs = 25;
    const Model model = testing::MakeRandomTree(&random, options);
    const State state = testing::MakeRandomState(model, &random);
    VecX force = VecX::Zero(model.nv());
    AddSpringForces(model, state.q, &force);
    const double s = 1e-6;
    for (int k = 0; k < model.nv(); ++k) {
      const auto energy_at = [&](double step) {
        VecX q = state.q;
        IntegratePositions(model, VecX::Unit(model.nv(), k), step, &q);
        return CalcSpringEnergy(model, q);
      };
      const double gradient = (energy_at(s) - energy_at(-s)) / (2 * s);
      EXPECT_NEAR(force[k], -gradient, 1e-7 * (1 + force.norm())) << "seed " << seed;
    }
  }
}

// The force at the end of a step along v₁ agrees with the implicit one to second order in h.
TEST(JointSprings, ImplicitForcesAreThoseAtTheEndOfTheStep) {
  for (int seed = 0; seed < 40; ++seed) {
    testing::Random random(seed);
    testing::RandomTreeOptions options;
    options.with_springs = true;
    options.max_dofs = 25;
    const Model model = testing::MakeRandomTree(&random, options);
    const State state = testing::MakeRandomState(model, &random);
    const VecX v1 = testing::MakeRandomState(model, &random).v;
    // The second derivative of e is missing in the implicit force; close to rest it vanishes.
    VecX q = model.tree().rest;
    IntegratePositions(model, state.v, 1e-4, &q);
    const double h = 1e-4;
    VecX implicit = VecX::Zero(model.nv());
    VecX M = VecX::Zero(model.tree().pattern.nonzeros());
    AddImplicitSprings(model, q, state.v, h, &implicit, &M);
    implicit -= model.tree().pattern.ToDense(M) * (v1 - state.v) / h;
    VecX q1 = q, at_end = VecX::Zero(model.nv());
    IntegratePositions(model, v1, h, &q1);
    AddSpringForces(model, q1, &at_end);
    EXPECT_LT((implicit - at_end).norm(), 1e-3 * at_end.norm()) << "seed " << seed;
  }
}

// A body on a ball joint whose springs differ by six powers of ten, far from rest: no step makes
// energy.
TEST(JointSprings, UnequalSpringsOfABallNeverAddEnergy) {
  testing::Random random(5);
  for (int i = 0; i < 60; ++i) {
    ModelBuilder builder;
    builder.spec().gravity.setZero();
    BodySpec body;
    body.name = "body";
    body.mass_source = MassSource::kExplicit;
    body.mass = {1.0, testing::RandomVector(&random, 0.1), Vec3(0.02, 0.03, 0.04).asDiagonal()};
    JointSpec ball;
    ball.name = "ball";
    ball.type = JointType::kBall;
    ball.child = "body";
    for (int k = 0; k < 3; ++k) {
      ball.stiffness.push_back(std::pow(10, testing::Uniform(&random, 0, 6)));
    }
    const Model model = builder.AddBody(body).AddJoint(ball).Build();
    State state;
    state.q = model.NeutralCoordinates();
    state.v = VecX::Zero(model.nv());
    IntegratePositions(model, testing::RandomVector(&random, 1).normalized(),
                       testing::Uniform(&random, 0, 3), &state.q);
    Kinematics kin(model);
    StepWorkspace workspace(model);
    double energy = CalcEnergy(model, state, &kin).Total();
    const double start = energy;
    const double h = std::pow(10, testing::Uniform(&random, -3, -1));
    for (int step = 0; step < 500; ++step) {
      ASSERT_EQ(Step(model, h, &state, &workspace), StepStatus::kOk);
      energy = std::max(energy, CalcEnergy(model, state, &kin).Total());
    }
    EXPECT_LE(energy, start * (1 + 1e-12)) << "case " << i << ", h = " << h;
  }
}

}  // namespace
}  // namespace voigt
