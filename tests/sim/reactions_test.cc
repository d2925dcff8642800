#include "voigt/sim/reactions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/dynamics/equations_of_motion.h"

namespace voigt {
namespace {

// Forces [torque; force] on all bodies at the world's origin.
struct BodyForces {
  explicit BodyForces(const Model& model) : sum(model.nb(), Vec6::Zero()) {}

  void AddPair(int body_A, int body_B, const Vec3& p_W, const Vec3& torque, const Vec3& force) {
    Vec6 F;
    F << torque, force;
    sum[body_B] += ShiftForce(F, p_W);
    sum[body_A] -= ShiftForce(F, p_W);
    scale += F.norm();
  }

  std::vector<Vec6> sum;
  double scale = 1;
};

void AddReaction(const Model& model, const Kinematics& kin, const Joint& joint, const Vec6& F,
                 BodyForces* forces) {
  const Pose X_WM = CalcBodyPose(model, kin, joint.child) * joint.X_CM;
  forces->AddPair(joint.parent, joint.child, X_WM.p, X_WM.R * F.head<3>(), X_WM.R * F.tail<3>());
}

// Angular momentum about the centre of mass and momentum.
Vec6 CalcMomentumOf(const Kinematics& kin, int b) {
  Vec6 out;
  out << kin.I[b].CentralMatrix() * kin.V[b].head<3>(), (kin.I[b] * kin.V[b]).tail<3>();
  return out;
}

// Every body changes its momenta by what its joints, contacts and weight do, as they are reported.
void ExpectNewton(const Scene& scene, int steps, double tolerance) {
  Simulator simulator = testing::MakeSimulator(scene);
  const Model& model = simulator.model();
  Reactions reactions;
  std::vector<ContactReport> contacts;
  for (int i = 0; i < steps; ++i) {
    const Kinematics before = simulator.CalcKinematics();
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (i % 10 != 9) continue;
    const Kinematics& after = simulator.CalcKinematics();
    simulator.CalcReactions(&reactions);
    simulator.ListContacts(&contacts);
    BodyForces forces(model);
    for (int b = 1; b < model.nb(); ++b) {
      AddReaction(model, before, model.joint(b), reactions.joints[b], &forces);
    }
    for (size_t l = 0; l < model.loops().size(); ++l) {
      AddReaction(model, before, model.loops()[l], reactions.loops[l], &forces);
    }
    for (const ContactReport& contact : contacts) {
      forces.AddPair(contact.body_A, contact.body_B, contact.p_W, contact.friction_torque_W,
                     contact.normal_force * contact.n_W + contact.friction_force_W);
    }
    for (int b = 1; b < model.nb(); ++b) {
      const SpatialInertia& I = before.I[b];
      if (I.mass == 0) continue;
      const Vec3 com = before.X_WL[b].p + I.h / I.mass;
      Vec6 sum = ShiftForce(forces.sum[b], -com);
      sum.tail<3>() += I.mass * model.gravity();
      const Vec6 rate =
          (CalcMomentumOf(after, b) - CalcMomentumOf(before, b)) / simulator.settings().step;
      ASSERT_LT((sum - rate).norm(), tolerance * forces.scale)
          << scene.file << " step " << i << ", body " << model.body(b).name;
    }
  }
}

TEST(Reactions, ObeyNewtonsLawForEveryBody) {
  ExpectNewton(testing::LoadNamedScene("double_pendulum"), 100, 1e-12);
  ExpectNewton(testing::LoadNamedScene("n_four_bar"), 60, 1e-9);
  ExpectNewton(testing::LoadNamedScene("slider_crank"), 60, 1e-9);
  ExpectNewton(testing::LoadNamedScene("humanoid"), 300, 1e-9);
  ExpectNewton(testing::LoadNamedScene("box_stack"), 40, 1e-9);
  ExpectNewton(
      testing::LoadNamedScene("box_on_ramp", {Override::Parse("materials={default: {friction: 0.1, "
                                                              "viscous_friction: 3}}")}),
      60, 1e-9);
}

// Those of the equations of motion half-way through the step, as the step gets shorter.
TEST(Reactions, TendToThoseOfTheEquationsOfMotion) {
  const Scene scene = testing::LoadNamedScene("double_pendulum");
  EquationsOfMotion equations(scene.model);
  double last = kInfinity;
  for (double h : {4e-4, 2e-4, 1e-4}) {
    SimulationSettings settings = scene.settings;
    settings.step = h;
    Simulator simulator(scene.model, settings, scene.initial);
    while (simulator.state().t < 0.15 - h / 2) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    Reactions reactions;
    simulator.CalcReactions(&reactions);
    std::vector<Vec6> expected;
    const State& state = simulator.state();
    equations.CalcReactions(state.t, state.q, state.v, &expected);
    double error = 0, size = 0;
    for (int b = 1; b < scene.model.nb(); ++b) {
      error = std::max(error, (reactions.joints[b] - expected[b]).norm());
      size = std::max(size, expected[b].norm());
    }
    EXPECT_GT(size, 1);
    EXPECT_LT(error, 40 * h * size);
    EXPECT_LT(error, 0.6 * last);
    last = error;
  }
}

// A beam on two pins, with a weight at a third of its length: 2/3 and 1/3 of it, on tree and loop.
TEST(Reactions, OfABeamOnTwoSupportsShareItsLoad) {
  const Scene scene = ParseScene(R"(
bodies: [{name: beam, mass: 3, com: [1, 0, 0], inertia: [0.1, 1, 1]}]
joints:
  - {name: left, type: revolute, child: beam, axis: [0, 1, 0]}
  - {name: right, type: free, child: beam, tree: loop}
constraints: [{type: point-in-plane, body: beam, point: [3, 0, 0], normal: [0, 0, 1]}]
)",
                                 "beam");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  Reactions reactions;
  simulator.CalcReactions(&reactions);
  // Frame M has z along the axis: its y or x axis is up.
  EXPECT_NEAR(reactions.joints[1].tail<3>().norm(), 3 * 9.81 * 2 / 3, 1e-9);
  EXPECT_LT(reactions.joints[1].head<3>().norm(), 1e-9);
  EXPECT_LT(reactions.loops[0].norm(), 1e-12);
}

TEST(Reactions, OfALoopJointAreItsShare) {
  const Scene scene = ParseScene(R"(
bodies: [{name: beam, mass: 3, com: [1, 0, 0], inertia: [0.1, 1, 1]}]
joints:
  - {name: left, type: revolute, child: beam, axis: [0, 1, 0]}
  - {name: right, type: cylindrical, child: beam, axis: [1, 0, 0], tree: loop,
     frame: {position: [3, 0, 0]}, child_frame: {position: [3, 0, 0]}}
)",
                                 "beam");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  Reactions reactions;
  simulator.CalcReactions(&reactions);
  // Both hold up the weight, and their moments about the left end balance it.
  const Kinematics& kin = simulator.CalcKinematics();
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  const auto add = [&](const Joint& joint, const Vec6& F) {
    const Pose X_WM = CalcBodyPose(simulator.model(), kin, joint.child) * joint.X_CM;
    force += X_WM.R * F.tail<3>();
    moment += X_WM.R * F.head<3>() + X_WM.p.cross(X_WM.R * F.tail<3>());
  };
  add(simulator.model().joint(1), reactions.joints[1]);
  add(simulator.model().loops()[0], reactions.loops[0]);
  EXPECT_LT((force - Vec3(0, 0, 3 * 9.81)).norm(), 1e-9);
  EXPECT_LT((moment - Vec3(0, -3 * 9.81, 0)).norm(), 1e-9);
  EXPECT_GT(reactions.loops[0].norm(), 1);
}

TEST(Reactions, ThereAreNoneBeforeTheFirstStep) {
  Simulator simulator = testing::MakeSimulator(testing::LoadNamedScene("double_pendulum"));
  Reactions reactions;
  reactions.joints.resize(3);
  simulator.CalcReactions(&reactions);
  EXPECT_TRUE(reactions.joints.empty());
}

}  // namespace
}  // namespace voigt
