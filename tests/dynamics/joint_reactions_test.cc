#include "voigt/dynamics/joint_reactions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_model.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// A pendulum on a pin: the reaction follows from the circular motion of its centre of mass.
TEST(JointReactions, OfAPendulumAreItsWeightAndCentripetalForce) {
  const double m = 2, l = 0.7, inertia = 0.3, g = 9.81, angle = 0.8, rate = 2.5;
  const Scene scene = ParseScene(R"(
bodies:
  - {name: bob, mass: 2, com: [0, 0, -0.7], inertia: [0.3, 0.3, 0.1]}
joints:
  - {name: pin, type: revolute, child: bob, axis: [0, 1, 0]}
)",
                                 "pendulum");
  EquationsOfMotion equations(scene.model);
  std::vector<Vec6> reactions;
  equations.CalcReactions(0, VecX::Constant(1, angle), VecX::Constant(1, rate), &reactions);
  // From the hanging position, angle turns z towards x: the bob moves towards -x.
  const double alpha = -m * g * l * std::sin(angle) / (inertia + m * l * l);
  const Vec3 radial(std::sin(angle), 0, std::cos(angle));  // from the bob to the pin
  const Vec3 tangential(-std::cos(angle), 0, std::sin(angle));
  const Vec3 expected =
      m * (l * rate * rate * radial + l * alpha * tangential) + m * g * Vec3::UnitZ();
  const Mat3 R_WM = equations.kinematics().X_WL[1].R;
  EXPECT_LT((R_WM * reactions[1].tail<3>() - expected).norm(), 1e-12 * expected.norm());
  // The pin is free about its axis, and the motion is planar.
  EXPECT_LT(reactions[1].head<3>().norm(), 1e-12);
}

// In any tree: the joint's share along its own axes is the joint force, and a body's momentum
// changes by all that acts on it.
TEST(JointReactions, BalanceEveryBodyOfATree) {
  for (int seed = 0; seed < 60; ++seed) {
    testing::Random random(seed);
    testing::RandomTreeOptions options;
    options.max_dofs = 25;
    const Model model = testing::MakeRandomTree(&random, options);
    const State state = testing::MakeRandomState(model, &random);
    EquationsOfMotion equations(model);
    std::vector<Vec6> reactions;
    equations.CalcReactions(0, state.q, state.v, &reactions);
    const Kinematics& kin = equations.kinematics();
    VecX v_dot(model.nv());
    equations.CalcAcceleration(0, state.q, state.v, &v_dot);
    std::vector<Vec6> A(model.nb());
    CalcAccelerations(model, kin, &v_dot, &A);

    // Forces on each body at the world's origin.
    std::vector<Vec6> sum(model.nb(), Vec6::Zero());
    double scale = 1;
    for (int b = 1; b < model.nb(); ++b) {
      const Joint& joint = model.joint(b);
      const Pose X_WM = CalcBodyPose(model, kin, joint.child) * joint.X_CM;
      Vec6 F;
      F << X_WM.R * reactions[b].head<3>(), X_WM.R * reactions[b].tail<3>();
      F = ShiftForce(F, X_WM.p);
      sum[joint.child] += F;
      sum[joint.parent] -= F;
      scale += F.norm();
    }
    for (int b = 1; b < model.nb(); ++b) {
      Vec6 weight = Vec6::Zero();
      weight.tail<3>() = kin.I[b].mass * model.gravity();
      weight = ShiftForce(weight, kin.X_WL[b].p + kin.I[b].h / kin.I[b].mass);
      const Vec6 needed = ShiftForce(
          Vec6(kin.I[b] * A[b] + CrossForce(kin.V[b], kin.I[b] * kin.V[b])), kin.X_WL[b].p);
      EXPECT_LT((sum[b] + weight - needed).norm(), 1e-11 * scale) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace voigt
