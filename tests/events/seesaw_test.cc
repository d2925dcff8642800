// A cube that a tipping plank carries on four corners, more than its friction needs: what forces
// are there, and when it begins to slide.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/support/scenes.h"
#include "voigt/sim/friction_element.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

constexpr double kSeesawFriction = 0.6;

Scene LoadSeesaw(FormulationKind kind, double until) {
  Scene scene = testing::LoadNamedScene("seesaw");
  scene.settings.formulation.kind = kind;
  scene.settings.until = until;
  return scene;
}

// What the plank does to the cube, all corners together.
struct CubeForces {
  double N = 0;
  Vec3 friction = Vec3::Zero();
  // How far friction in proportion to N is from what is listed, as forces and as moments.
  double difference = 0;
  double worst = 0;  // ‖λ_t‖/(μ λ_n) of a corner

  double part() const { return friction.norm() / (kSeesawFriction * N); }
};

CubeForces SumCube(const Simulator& simulator) {
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  const int cube = *simulator.model().FindBody("cube"),
            plank = *simulator.model().FindBody("plank");
  std::erase_if(contacts, [&](const ContactReport& c) {
    return std::min(c.body_A, c.body_B) != std::min(cube, plank) ||
           std::max(c.body_A, c.body_B) != std::max(cube, plank) || !(c.normal_force > 0);
  });
  CubeForces out;
  Vec3 moment = Vec3::Zero();
  for (const ContactReport& c : contacts) {
    out.N += c.normal_force;
    out.friction += c.friction_force_W;
    moment += c.p_W.cross(c.friction_force_W);
    out.worst = std::max(out.worst, c.friction_force_W.norm() / (kSeesawFriction * c.normal_force));
  }
  for (const ContactReport& c : contacts) {
    moment -= c.p_W.cross(c.normal_force / out.N * out.friction);
  }
  out.difference = moment.norm();
  return out;
}

// The same from the cube's motion alone: m (v̇ − g), along the plank's normal and across.
double CalcPartByMotion(const Scene& scene, double t) {
  const double h = 1e-5;
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const int cube = *scene.model.FindBody("cube"), plank = *scene.model.FindBody("plank");
  const auto velocity = [&] {
    const Kinematics& kin = simulator.CalcKinematics();
    const Vec3 p = CalcBodyPose(simulator.model(), kin, cube).p;
    return Vec3(CalcPointVelocity(kin, cube, p).tail<3>());
  };
  EXPECT_EQ(simulator.Step(t - h), StepStatus::kOk);
  const Vec3 before = velocity();
  EXPECT_EQ(simulator.Step(h), StepStatus::kOk);
  const Vec3 n = CalcBodyPose(simulator.model(), simulator.CalcKinematics(), plank).R.col(2);
  EXPECT_EQ(simulator.Step(h), StepStatus::kOk);
  const Vec3 force = (velocity() - before) / (2 * h) - scene.model.gravity();
  const double N = force.dot(n);
  return (force - N * n).norm() / (kSeesawFriction * N);
}

// `working` holds the cube as long as all its corners together can, and lets it slide then. Forces
// of all moments are within their laws.
TEST(Seesaw, CubeSlidesWhereItsCornersTogetherCannotHoldIt) {
  const Scene scene = LoadSeesaw(FormulationKind::kWorking, 0.26);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const FrictionNames names(scene.model);
  std::vector<Transition> slips;
  const RunSummary summary = voigt::Run(&simulator, nullptr, [&](double) {
    for (const Transition& change : simulator.last_transitions()) {
      if (change.to == Stiction::kSlip) slips.push_back(change);
    }
  });
  EXPECT_EQ(summary.status, StepStatus::kOk) << summary.trouble;
  EXPECT_EQ(summary.moments.failed, 0);
  ASSERT_EQ(slips.size(), 4u);
  for (const Transition& slip : slips) {
    EXPECT_EQ(names.Find(scene.model, slip.id).text.substr(0, 14), "plank and cube");
    EXPECT_EQ(slip.t, slips[0].t);
  }
  EXPECT_NEAR(CalcPartByMotion(scene, slips[0].t - 2e-5), 1, 1e-3);
  EXPECT_LT(CalcPartByMotion(scene, 0.21), 0.9);
  EXPECT_NEAR(SumCube(simulator).part(), 1, 1e-9);
}

// Formulations of Coulomb's law list the even distribution before that: beyond the cones of corners
// that press little, and yet the same force and moment as friction in proportion to N, which is
// within all of them.
TEST(Seesaw, EvenDistributionIsOneOfMany) {
  const Scene scene = LoadSeesaw(FormulationKind::kMncpRlm, 0.22);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  int beyond = 0;
  while (simulator.state().t < 0.22 - 1e-9) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const CubeForces cube = SumCube(simulator);
    const Audit& audit = *simulator.step_audit();
    EXPECT_EQ(audit.cone > 1e-9, cube.worst > 1 + 1e-9);
    EXPECT_LT(audit.momentum, 1e-12);
    EXPECT_LT(cube.part(), 1);
    EXPECT_LT(cube.difference, 1e-9 * cube.N);
    beyond += audit.cone > 1e-9;
  }
  EXPECT_EQ(beyond, 4);
  // The motion is that of `working`, whose forces are within all cones.
  const Scene other = LoadSeesaw(FormulationKind::kWorking, 0.22);
  Simulator within(other.model, other.settings, other.initial);
  EXPECT_EQ(voigt::Run(&within, nullptr).moments.failed, 0);
  EXPECT_LT((within.state().q - simulator.state().q).norm(), 1e-9);
  EXPECT_LT((within.state().v - simulator.state().v).norm(), 1e-8);
}

}  // namespace
}  // namespace voigt
