// A minute of tumbling for hundreds of random bodies with random frames, spins up to 200 rad/s and
// steps up to 50 ms: energy never grows by more than rounding, momentum stays.

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/momentum_energy.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

TEST(LongSpin, KeepsEnergyAndMomentumForAMinute) {
  testing::Random random(17);
  for (int i = 0; i < 300; ++i) {
    ModelBuilder builder;
    builder.spec().gravity = Vec3::Zero();
    BodySpec body;
    body.name = "body";
    body.mass_source = MassSource::kExplicit;
    body.mass = testing::RandomMass(&random);
    builder.AddBody(body);
    JointSpec fly;
    fly.name = "fly";
    fly.type = JointType::kFree;
    fly.child = "body";
    fly.X_PF = testing::RandomPose(&random);
    fly.X_CM = testing::RandomPose(&random);
    builder.AddJoint(fly);
    const Model model = builder.Build();
    State state = testing::MakeRandomState(model, &random);
    state.v.tail<3>() = testing::RandomVector(&random, 115);
    SimulationSettings settings;
    settings.step = testing::Uniform(&random, 1e-3, 0.05);
    Simulator simulator(model, settings, state);
    Kinematics kin(model);
    const auto linear_momentum = [&] {
      UpdatePositions(model, simulator.state().q, &kin);
      UpdateVelocities(model, simulator.state().v, &kin);
      return Vec3(CalcMomentum(model, kin, Vec3::Zero()).tail<3>());
    };
    const Vec3 momentum = linear_momentum();
    const double start = simulator.CalcEnergy().kinetic;
    const double momentum_scale = momentum.norm() + model.TotalMass() * 100;
    while (simulator.state().t < 60) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      ASSERT_LT(simulator.CalcEnergy().kinetic, start * (1 + 1e-9));
    }
    EXPECT_GT(simulator.CalcEnergy().kinetic, start * (1 - 1e-9));
    EXPECT_LT((linear_momentum() - momentum).norm(), 1e-9 * momentum_scale);
    EXPECT_EQ(simulator.spin_failures(), 0);
  }
}

}  // namespace
}  // namespace voigt
