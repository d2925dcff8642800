#include "voigt/dynamics/applied_loads.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// A random tree with one load on its last body.
Model MakeLoadedTree(testing::Random* random, const BodyLoad& load) {
  ModelSpec spec = testing::MakeRandomTree(random).spec();
  spec.body_loads = {load};
  spec.body_loads[0].body = spec.bodies.back().name;
  return ModelBuilder(spec).Build();
}

// The power of the joint forces must be that of the force at its moving point, world or body axes.
TEST(AppliedLoads, HaveThePowerOfTheirForceAndTorque) {
  for (int seed = 0; seed < 40; ++seed) {
    for (LoadFrame frame : {LoadFrame::kWorld, LoadFrame::kBody}) {
      testing::Random random(seed);
      BodyLoad load;
      load.frame = frame;
      load.point = testing::RandomVector(&random);
      load.force = {TimeFunction::Parse("1 + t"), -2.0, TimeFunction::Parse("sin(3 * t)")};
      load.torque = {0.5, TimeFunction::Parse("t^2"), 1.5};
      const Model model = MakeLoadedTree(&random, load);
      const State state = testing::MakeRandomState(model, &random);
      const int body = *model.FindBody(model.spec().bodies.back().name);
      Kinematics kin(model);
      UpdatePositions(model, state.q, &kin);
      UpdateVelocities(model, state.v, &kin);

      const double t = 0.8;
      AppliedLoads loads(model);
      loads.Update(model, kin, {}, t);
      const Pose X_WB = CalcBodyPose(model, kin, body);
      const Mat3 R = frame == LoadFrame::kWorld ? Mat3(Mat3::Identity()) : X_WB.R;
      const Vec3 force = R * Vec3(1 + t, -2, std::sin(3 * t)), torque = R * Vec3(0.5, t * t, 1.5);
      const Vec6 V = CalcPointVelocity(kin, body, X_WB * load.point);
      const double power = torque.dot(V.head<3>()) + force.dot(V.tail<3>());
      EXPECT_NEAR(loads.tau().dot(state.v), power, 1e-11 * (1 + std::abs(power)));
      EXPECT_NEAR(loads.F_ext()[body].dot(kin.V[body]), power, 1e-11 * (1 + std::abs(power)));
    }
  }
}

TEST(AppliedLoads, DoNotAddUpFromOneUpdateToTheNext) {
  testing::Random random(1);
  BodyLoad load;
  load.force = {1.0, 2.0, 3.0};
  const Model model = MakeLoadedTree(&random, load);
  Kinematics kin(model);
  UpdatePositions(model, testing::MakeRandomState(model, &random).q, &kin);
  AppliedLoads loads(model);
  loads.Update(model, kin, {}, 0);
  const VecX once = loads.tau();
  const std::vector<Vec6> F_once = loads.F_ext();
  loads.Update(model, kin, {}, 0);
  EXPECT_EQ(loads.tau(), once);
  EXPECT_EQ(loads.F_ext().back(), F_once.back());
}

}  // namespace
}  // namespace voigt
