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
  ExpectNewton(testing::LoadNamedScene("double_pendulum", {{"simulation.kick", "whole"}}), 100,
               1e-12);
  ExpectNewton(testing::LoadNamedScene("n_four_bar"), 60, 1e-9);
  ExpectNewton(testing::LoadNamedScene("slider_crank"), 60, 1e-9);
  ExpectNewton(testing::LoadNamedScene("humanoid"), 300, 1e-9);
  ExpectNewton(testing::LoadNamedScene("box_stack"), 40, 1e-9);
  ExpectNewton(
      testing::LoadNamedScene("box_on_ramp", {Override::Parse("materials={default: {friction: 0.1, "
                                                              "viscous_friction: 3}}")}),
      60, 1e-9);
}

// Where nothing but joints holds, reactions are those of the moment: what they and weight do to the
// momentum of a body over a step is the mean of both its ends, but for a part of O(h²).
TEST(Reactions, OfFreeTreesAreOfSecondOrder) {
  const Scene scene = testing::LoadNamedScene("double_pendulum");
  const Model& model = scene.model;
  const auto forces_of = [&](Simulator* simulator) {
    Reactions reactions;
    simulator->CalcReactions(&reactions);
    BodyForces forces(model);
    for (int b = 1; b < model.nb(); ++b) {
      AddReaction(model, simulator->CalcKinematics(), model.joint(b), reactions.joints[b], &forces);
    }
    std::vector<Vec3> out(model.nb());
    for (int b = 1; b < model.nb(); ++b) {
      out[b] = forces.sum[b].tail<3>() + model.body(b).mass.mass * model.gravity();
    }
    return out;
  };
  const auto worst_at = [&](double h) {
    SimulationSettings settings = scene.settings;
    settings.step = h;
    Simulator simulator(model, settings, scene.initial);
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    double worst = 0;
    while (simulator.state().t < 0.5 - h / 2) {
      const std::vector<Vec3> force = forces_of(&simulator);
      const Kinematics before = simulator.CalcKinematics();
      EXPECT_EQ(simulator.Step(), StepStatus::kOk);
      const std::vector<Vec3> next = forces_of(&simulator);
      const Kinematics& after = simulator.CalcKinematics();
      for (int b = 1; b < model.nb(); ++b) {
        const Vec6 rate = (CalcMomentumOf(after, b) - CalcMomentumOf(before, b)) / h;
        const Vec3 mean = 0.5 * (force[b] + next[b]);
        worst = std::max(worst, (mean - rate.tail<3>()).norm() / (1 + mean.norm()));
      }
    }
    return worst;
  };
  const double coarse = worst_at(2e-3), fine = worst_at(1e-3);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
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
