// Contacts, reactions and the audit of event-driven motion, at the moment where a step ends.

#include "voigt/events/held_forces.h"

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

std::vector<ContactReport> ListAfter(const Scene& scene, double t) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  EXPECT_TRUE(contacts.empty());  // before the first step
  EXPECT_EQ(simulator.Step(t), StepStatus::kOk);
  simulator.ListContacts(&contacts);
  return contacts;
}

// 1.5 μN on two equal pads: 0.75 μN each, with N = 10 N. Unequal pads share as they can hold.
TEST(HeldForces, PadsOfACartShareThePull) {
  const auto load = [](const char* mu1, const char* mu2, const char* start) {
    return testing::LoadNamedScene("cart_on_pads",
                                   {Override::Parse(std::string("parameters.mu1=") + mu1),
                                    Override::Parse(std::string("parameters.mu2=") + mu2),
                                    Override::Parse(std::string("parameters.start=") + start),
                                    Override::Parse("parameters.growth=0")});
  };
  const std::vector<ContactReport> even = ListAfter(load("0.5", "0.5", "7.5"), 0.3);
  ASSERT_EQ(even.size(), 2u);
  for (const ContactReport& pad : even) {
    EXPECT_NEAR(pad.normal_force, 10, 1e-12);
    EXPECT_NEAR(pad.friction_force_W[0], -0.75 * 0.5 * 10, 1e-12);
    EXPECT_NEAR(pad.depth, 0, 1e-15);
    EXPECT_LT(pad.velocity_W.norm(), 1e-15);
    EXPECT_EQ(pad.state, ContactState::kStick);
    EXPECT_LT((pad.n_W - Vec3::UnitZ()).norm(), 1e-15);
  }
  EXPECT_NEAR(std::fabs(even[1].p_W[0] - even[0].p_W[0]), 0.4, 1e-12);
  const std::vector<ContactReport> uneven = ListAfter(load("0.8", "0.2", "9"), 0.3);
  ASSERT_EQ(uneven.size(), 2u);
  EXPECT_NEAR(uneven[0].friction_force_W[0], -0.8 * 9, 1e-12);
  EXPECT_NEAR(uneven[1].friction_force_W[0], -0.2 * 9, 1e-12);
  // Beyond the sum of both it slides. What is left of the pull, F, acts 0.15 m below the centre of
  // mass and loads the first pad, N = 10 ± 0.375 F: F = 12 − 10 − 0.225 F.
  const std::vector<ContactReport> sliding = ListAfter(load("0.8", "0.2", "12"), 0.3);
  ASSERT_EQ(sliding.size(), 2u);
  EXPECT_NEAR(sliding[0].friction_force_W[0], -0.8 * sliding[0].normal_force, 1e-12);
  EXPECT_NEAR(sliding[0].velocity_W[0], 0.3 * (2 / 1.225) / 2, 1e-10);
  EXPECT_EQ(sliding[0].state, ContactState::kSlip);
}

// A plank falls about its lower edge, which friction holds, until it lies flat: ω² = 2 m g (z₀ −
// z)/J, α = −m g x/J about the edge, and with them its forces, up to the moment at which the other
// edge strikes. That is no part of them before it does.
TEST(HeldForces, OfAPlankThatFallsFlatAreThoseOfAPendulum) {
  for (double height : {0.0, 0.2}) {
    const std::string shape = height > 0 ? fmt::format("{{shape: box, size: [2, 1, {}]}}", height)
                                         : "{shape: points, positions: [[-1, 0, 0], [1, 0, 0]]}";
    const double own = (4 + height * height) / 12, J = 4 * own, g = 9.81, tilt = M_PI / 6;
    const auto center = [&](double angle) {
      const double c = std::cos(angle), s = std::sin(angle);
      return Vec2(c - 0.5 * height * s, s + 0.5 * height * c);
    };
    const Scene scene = ParseScene(fmt::format(R"(
materials: {{default: {{friction: 5}}}}
world: {{geometry: [{{shape: half-space}}]}}
bodies: [{{name: plank, mass: 1, inertia: [1, {0:.17g}, 1], geometry: [{1}]}}]
joints: [{{name: plane, type: planar, child: plank, frame: {{rpy: [90 deg, 0, 0]}}, child_frame: {{rpy: [90 deg, 0, 0]}}}}]
initial: {{plane: {{q: [0, {2:.17g}, {3:.17g}]}}}}
simulation: {{integrator: event-driven, formulation: working, step: 2e-4}}
)",
                                               own, shape, center(tilt)[1], tilt),
                                   "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    int looks = 0;
    while (simulator.state().q[2] > 7e-4) {
      ASSERT_EQ(simulator.Step(2e-4), StepStatus::kOk);
      const double angle = simulator.state().q[2];
      if (angle > 5e-3) continue;
      ++looks;
      const Vec2 at = center(angle);
      const double square = 2 * g * (center(tilt)[1] - at[1]) / J, alpha = -g * at[0] / J;
      const Vec2 a = alpha * Vec2(-at[1], at[0]) - square * at;
      Vec3 sum = Vec3::Zero();
      std::vector<ContactReport> contacts;
      simulator.ListContacts(&contacts);
      for (const ContactReport& contact : contacts) {
        sum += contact.normal_force * contact.n_W + contact.friction_force_W;
      }
      EXPECT_NEAR(sum[0], a[0], 1e-8) << angle;
      EXPECT_NEAR(sum[2], a[1] + g, 1e-8) << angle;
    }
    EXPECT_GT(looks, 5);
    EXPECT_EQ(simulator.events().events(), 0);
    EXPECT_LT(simulator.events().pieces, 3000);
  }
}

// A box on a slope, at rest: its weight, by rigid feet and by soft ones.
TEST(HeldForces, OfABoxAtRestAreItsWeight) {
  for (const char* law : {"", ", stiffness: 1e5, damping: 300"}) {
    for (const char* formulation : {"working", "max-dissipation"}) {
      if (*law != 0 && std::string(formulation) != "working") continue;
      const Scene scene = ParseScene(fmt::format(R"(
gravity: [9.81 * sin(20 deg), 0, -9.81 * cos(20 deg)]
materials: {{default: {{friction: 0.6{}}}}}
world: {{geometry: [{{name: floor, shape: half-space}}]}}
bodies: [{{name: box, geometry: [{{shape: box, size: [0.4, 0.3, 0.2], density: 125}}]}}]
joints: [{{name: free, type: free, child: box}}]
initial: {{free: {{position: [0, 0, 0.1]}}}}
simulation: {{integrator: event-driven, formulation: {}, until: 1, step: 1}}
)",
                                                 law, formulation),
                                     "text");
      const std::vector<ContactReport> contacts = ListAfter(scene, 5);
      ASSERT_EQ(contacts.size(), 4u) << law << formulation;
      Vec3 sum = Vec3::Zero();
      for (const ContactReport& contact : contacts) {
        sum += contact.normal_force * contact.n_W + contact.friction_force_W;
        EXPECT_EQ(contact.state, ContactState::kStick);
      }
      EXPECT_LT((sum + 3 * scene.model.gravity()).norm(), 1e-6) << law << formulation;
    }
  }
}

// Forces [torque; force] about the world's origin, of what joints and contacts are said to do.
struct SumsOfForces {
  SumsOfForces(Simulator* simulator, double* scale) : sum(simulator->model().nb(), Vec6::Zero()) {
    const Model& model = simulator->model();
    const Kinematics& kin = simulator->CalcKinematics();
    Reactions reactions;
    std::vector<ContactReport> contacts;
    simulator->CalcReactions(&reactions);
    simulator->ListContacts(&contacts);
    const auto add = [&](int A, int B, const Vec3& p, const Vec3& torque, const Vec3& force) {
      Vec6 F;
      F << torque, force;
      sum[B] += ShiftForce(F, p);
      sum[A] -= ShiftForce(F, p);
      *scale = std::max(*scale, F.norm());
    };
    const auto add_joint = [&](const Joint& joint, const Vec6& F) {
      const Pose X_WM = CalcBodyPose(model, kin, joint.child) * joint.X_CM;
      add(joint.parent, joint.child, X_WM.p, X_WM.R * F.head<3>(), X_WM.R * F.tail<3>());
    };
    EXPECT_EQ(reactions.joints.size(), static_cast<size_t>(model.nb()));
    for (int b = 1; b < model.nb(); ++b) add_joint(model.joint(b), reactions.joints[b]);
    for (size_t l = 0; l < model.loops().size(); ++l) {
      add_joint(model.loops()[l], reactions.loops[l]);
    }
    for (const ContactReport& c : contacts) {
      add(c.body_A, c.body_B, c.p_W, c.friction_torque_W,
          c.normal_force * c.n_W + c.friction_force_W);
    }
  }
  std::vector<Vec6> sum;
};

// Momentum and angular momentum about the world's origin.
std::vector<Vec6> CalcHeldMomenta(Simulator* simulator) {
  const Kinematics& kin = simulator->CalcKinematics();
  std::vector<Vec6> out;
  for (int b = 0; b < simulator->model().nb(); ++b) {
    out.push_back(ShiftForce(Vec6(kin.I[b] * kin.V[b]), kin.X_WL[b].p));
  }
  return out;
}

// Every body changes its momenta by what joints, contacts and its weight do.
void ExpectNewtonAt(const Scene& scene, double t) {
  const double h = 1e-5;
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const Model& model = simulator.model();
  ASSERT_EQ(simulator.Step(t - h), StepStatus::kOk);
  const std::vector<Vec6> before = CalcHeldMomenta(&simulator);
  ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
  double scale = 1;
  std::vector<Vec6> sum = SumsOfForces(&simulator, &scale).sum;
  const Kinematics now = simulator.CalcKinematics();
  ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
  const std::vector<Vec6> after = CalcHeldMomenta(&simulator);
  for (int b = 1; b < model.nb(); ++b) {
    const SpatialInertia& I = now.I[b];
    if (I.mass == 0) continue;
    Vec6 weight = Vec6::Zero();
    weight.tail<3>() = I.mass * model.gravity();
    sum[b] += ShiftForce(weight, now.X_WL[b].p + I.h / I.mass);
    EXPECT_LT((sum[b] - (after[b] - before[b]) / (2 * h)).norm(), 1e-6 * scale)
        << scene.file << " body " << model.body(b).name;
  }
  EXPECT_EQ(simulator.moments().steps, 3);
  EXPECT_EQ(simulator.moments().failed, 0) << scene.file;
}

TEST(HeldForces, ObeyNewtonsLawForEveryBody) {
  ExpectNewtonAt(testing::LoadNamedScene("pin_friction"), 0.7);
  ExpectNewtonAt(testing::LoadNamedScene("door"), 0.4);
  ExpectNewtonAt(testing::LoadNamedScene("rocking_block"), 0.35);
  ExpectNewtonAt(testing::LoadNamedScene("painleve_rod"), 0.1);
  for (const char* formulation : {"working", "max-dissipation"}) {
    for (const char* name : {"n_four_bar", "slider_crank"}) {
      Scene scene = testing::LoadNamedScene(name);
      scene.settings.integrator = Integrator::kEventDriven;
      scene.settings.formulation.kind = std::string(formulation) == "working"
                                            ? FormulationKind::kWorking
                                            : FormulationKind::kMaxDissipation;
      ExpectNewtonAt(scene, 0.4);
    }
  }
}

// Those who ask for forces change nothing that comes after, nor any count.
TEST(HeldForces, AreNobodysBusiness) {
  const Scene scene = testing::LoadNamedScene("rocking_block");
  Simulator quiet(scene.model, scene.settings, scene.initial);
  SimulationSettings settings = scene.settings;
  settings.audit = AuditKind::kOff;
  Simulator other(scene.model, settings, scene.initial);
  std::vector<ContactReport> contacts;
  Reactions reactions;
  for (int k = 0; k < 40; ++k) {
    ASSERT_EQ(quiet.Step(), StepStatus::kOk);
    ASSERT_EQ(other.Step(), StepStatus::kOk);
    quiet.ListContacts(&contacts);
    quiet.CalcReactions(&reactions);
    ASSERT_TRUE(quiet.state() == other.state()) << k;
  }
  EXPECT_EQ(quiet.events().evaluations, other.events().evaluations);
  EXPECT_EQ(other.moments().steps, 0);
}

// A block on a floor, whose contact is told to do what it cannot.
TEST(HeldForces, AuditFindsWhatIsWrong) {
  const Scene scene = ParseScene(R"(
gravity: [0, 0, -10]
materials: {default: {friction: 0.5}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies: [{name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}]
joints: [{name: slide, type: planar, child: ball, frame: {position: [0, 0, 0.1], rpy: [90 deg, 0, 0]},
  child_frame: {rpy: [90 deg, 0, 0]}}]
loads: [{body: ball, point: [0, 0, -0.1], force: [6, 0, 0]}]
)",
                                 "text");
  TouchFinder finder(scene.model);
  VecX v = VecX::Zero(3);
  finder.Update(0, scene.initial.q, v, TouchFinder::kLook);
  ASSERT_EQ(finder.touches().size(), 1u);
  Hold hold;
  hold.id = finder.touches()[0].id;
  hold.force = 10;
  HeldForces forces(scene.model, true);
  const auto judge = [&](const Hold& told) {
    EXPECT_TRUE(forces.Calc(0, scene.initial.q, v, {told}, {}, VecX()));
    return forces.audit();
  };
  // It sticks, and takes more than μN = 5 N for that.
  hold.state = Stiction::kStick;
  Audit audit = judge(hold);
  EXPECT_NEAR(audit.cone, (6 - 5) / 10.0, 1e-12);
  EXPECT_GT(audit.law, 1e-3);
  EXPECT_FALSE(ListMomentItems(audit)[3].passes());
  // It slides one way, and friction pushes it on.
  v[0] = 1;
  hold.state = Stiction::kSlip;
  hold.direction = Vec3(-1, 0, 0);
  audit = judge(hold);
  EXPECT_NEAR(audit.antiparallel, 2, 1e-12);
  EXPECT_FALSE(ListMomentItems(audit)[4].passes());
  hold.direction = Vec3(1, 0, 0);
  audit = judge(hold);
  for (const AuditItem& item : ListMomentItems(audit)) {
    EXPECT_TRUE(item.passes()) << item.name << " " << item.value;
  }
}

}  // namespace
}  // namespace voigt
