#include "voigt/sim/estimate_forces.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/model/maximal.h"
#include "voigt/steppers/adaptive.h"

namespace voigt {
namespace {

// Accelerations of all bodies in the rates of free joints, from those of a tree in motion.
VecX CalcMaximalAcceleration(const Model& model, const Kinematics& kin, const VecX& v_dot,
                             const Model& maximal) {
  std::vector<Vec6> A(model.nb());
  CalcAccelerations(model, kin, &v_dot, &A);
  VecX out = VecX::Zero(maximal.nv());
  for (int b = 1; b < model.nb(); ++b) {
    const Pose X_WB = CalcBodyPose(model, kin, b);
    const Vec6 a = CalcPointAcceleration(kin, A, b, X_WB.p);
    const int at = maximal.tree().v_start[*maximal.FindBody(model.body(b).name)];
    out.segment<3>(at) = a.tail<3>();
    out.segment<3>(at + 3) = X_WB.R.transpose() * a.head<3>();
  }
  return out;
}

// The forces of one constraint as a wrench [torque; force] on body b at p, in world axes.
Vec6 CalcWrench(const ForceEstimator& estimator, const Model& maximal,
                const std::string& constraint, int b, const Pose& X_WB, const Vec3& p) {
  Vec6 rates = Vec6::Zero();
  const VelocityProblem& problem = estimator.problem();
  for (const RowGroup& group : problem.groups) {
    if (estimator.constraints().list()[group.constraint]->name() != constraint) continue;
    for (int r = 0; r < group.row_count; ++r) {
      for (int k = 0; k < group.col_count; ++k) {
        const int dof = problem.cols_of(group)[k] - maximal.tree().v_start[b];
        if (dof < 0 || dof >= 6) continue;
        rates[dof] += problem.entries(group, r)[k] * estimator.lambda()[group.first_row + r];
      }
    }
  }
  const Vec3 force = rates.head<3>(), torque = X_WB.R * rates.tail<3>();
  Vec6 out;
  out << torque - (p - X_WB.p).cross(force), force;
  return out;
}

// What rigid joints transmit, from the motion of the bodies alone.
TEST(EstimateForces, AreTheReactionsOfADoublePendulum) {
  const Scene scene = testing::LoadNamedScene("double_pendulum");
  const Model& model = scene.model;
  const Model maximal = ToMaximal(model);
  State state = scene.initial;
  AdaptiveIntegrator integrator(model);
  EquationsOfMotion equations(model);
  ForceEstimator estimator(maximal);
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(integrator.AdvanceTo(0.3 * i, &state));
    VecX v_dot(model.nv());
    std::vector<Vec6> reactions;
    equations.CalcReactions(state.t, state.q, state.v, &reactions);
    equations.CalcAcceleration(state.t, state.q, state.v, &v_dot);
    const Kinematics& kin = equations.kinematics();
    ASSERT_TRUE(estimator.Update(ToMaximalState(model, state, maximal),
                                 CalcMaximalAcceleration(model, kin, v_dot, maximal)));
    EXPECT_LT(estimator.unexplained().cwiseAbs().maxCoeff(), 1e-9);
    for (int b = 1; b < model.nb(); ++b) {
      const Joint& joint = model.joint(b);
      const Pose X_WB = CalcBodyPose(model, kin, b), X_WM = X_WB * joint.X_CM;
      const int child = *maximal.FindBody(model.body(b).name);
      const Vec6 found =
          CalcWrench(estimator, maximal, "joint '" + joint.name + "'", child, X_WB, X_WM.p);
      Vec6 exact;
      exact << X_WM.R * reactions[b].head<3>(), X_WM.R * reactions[b].tail<3>();
      EXPECT_LT((found - exact).norm(), 1e-9 * exact.norm()) << joint.name << " at " << state.t;
    }
  }
}

// A frame that is held three times over: each of the equal rows carries a third.
TEST(EstimateForces, AreOfLeastNormWhereRowsRepeat) {
  const Scene scene = ParseScene(R"(
bodies:
  - {name: block, mass: 3, inertia: [1, 1, 1]}
joints:
  - {name: slide, type: prismatic, child: block, axis: [0, 0, 1]}
constraints:
  - {name: a, type: lock, joint: slide, at: 0}
  - {name: b, type: lock, joint: slide, at: 0, stiffness: 1e5}
  - {name: c, type: lock, joint: slide, at: 0, damping: 4, stiffness: 10}
)",
                                 "locks");
  ForceEstimator estimator(scene.model);
  ASSERT_TRUE(estimator.Update(scene.initial, VecX::Zero(1)));
  ASSERT_EQ(estimator.lambda().size(), 3);
  for (const double force : estimator.lambda()) EXPECT_NEAR(force, 9.81, 1e-6);
  EXPECT_NEAR(estimator.lambda().sum(), 3 * 9.81, 1e-11);
}

Scene BallOnGround(double gap) {
  return ParseScene(fmt::format(R"(
materials: {{default: {{friction: 0.5, stiffness: 1e5}}}}
world: {{geometry: [{{shape: half-space}}]}}
bodies:
  - name: ball
    mass: 2
    inertia: [0.2, 0.2, 0.2]
    geometry: [{{shape: sphere, radius: 0.5}}]
joints: [{{name: fly, type: free, child: ball}}]
initial: {{fly: {{position: [0, 0, {}]}}}}
)",
                                0.5 + gap),
                    "ball");
}

TEST(EstimateForces, OfContactsPushAndStayInTheirCones) {
  const Scene scene = BallOnGround(0);
  ForceEstimator estimator(scene.model);
  VecX v_dot = VecX::Zero(6);
  // Rolling: friction of 3 N accelerates the ball and turns it.
  v_dot[0] = 1.5;
  v_dot[4] = -3 * 0.5 / 0.2;
  ASSERT_TRUE(estimator.Update(scene.initial, v_dot));
  ASSERT_EQ(estimator.lambda().size(), 3);
  EXPECT_NEAR(estimator.lambda()[0], 2 * 9.81, 1e-10);
  EXPECT_NEAR(estimator.lambda().tail(2).norm(), 3, 1e-10);
  EXPECT_LT(estimator.unexplained().norm(), 1e-10);

  // The ground cannot pull, and friction cannot exceed its cone.
  v_dot.setZero();
  v_dot[2] = -12;
  ASSERT_TRUE(estimator.Update(scene.initial, v_dot));
  EXPECT_EQ(estimator.lambda(), VecX::Zero(3));
  EXPECT_NEAR(estimator.unexplained()[2], -12 + 9.81, 1e-10);
  v_dot[0] = 40;
  v_dot[2] = 0;
  ASSERT_TRUE(estimator.Update(scene.initial, v_dot));
  const VecX& lambda = estimator.lambda();
  EXPECT_NEAR(lambda.tail(2).norm(), 0.5 * lambda[0], 1e-9);
  EXPECT_GT(estimator.unexplained()[0], 1);
}

// Viscous friction follows from the rates, also where rounding leaves the contact open.
TEST(EstimateForces, OfDampersFollowTheRates) {
  for (const double gap : {0.0, 1e-12}) {
    const Scene scene = ParseScene(fmt::format(R"(
materials: {{default: {{friction: 0, viscous_friction: 4}}}}
world: {{geometry: [{{shape: half-space}}]}}
bodies:
  - name: ball
    mass: 2
    inertia: [0.2, 0.2, 0.2]
    geometry: [{{shape: sphere, radius: 0.5}}]
joints: [{{name: fly, type: free, child: ball}}]
initial: {{fly: {{position: [0, 0, {}], velocity: [3, 0, 0]}}}}
)",
                                               0.5 + gap),
                                   "ball");
    ForceEstimator estimator(scene.model);
    VecX v_dot = VecX::Zero(6);
    v_dot[0] = -6;  // −4 · 3 N on 2 kg
    v_dot[4] = 12 * 0.5 / 0.2;
    ASSERT_TRUE(estimator.Update(scene.initial, v_dot));
    ASSERT_EQ(estimator.lambda().size(), 3);
    EXPECT_NEAR(estimator.lambda()[0], 2 * 9.81, 1e-10);
    EXPECT_NEAR(estimator.lambda().tail(2).norm(), 12, 1e-10);
    EXPECT_LT(estimator.unexplained().norm(), 1e-9);
  }
}

TEST(EstimateForces, OfContactsThatAreOpenAreZero) {
  const Scene scene = BallOnGround(1e-4);
  ForceEstimator estimator(scene.model);
  ASSERT_TRUE(estimator.Update(scene.initial, VecX::Zero(6)));
  EXPECT_TRUE((estimator.lambda().array() == 0).all());
  EXPECT_NEAR(estimator.unexplained()[2], 9.81, 1e-12);
}

TEST(EstimateForces, NeedsFiniteNumbers) {
  const Scene scene = BallOnGround(0);
  ForceEstimator estimator(scene.model);
  EXPECT_FALSE(estimator.Update(scene.initial, VecX::Constant(6, kNaN)));
}

}  // namespace
}  // namespace voigt
