// What statics says is at rest stays at rest: no jitter, no creep, the forces of statics.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/samples.h"
#include "tests/support/scenes.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

double CalcMass(const Model& model) {
  double mass = 0;
  for (int b = 1; b < model.nb(); ++b) mass += model.body(b).mass.mass;
  return mass;
}

// A scene that is at rest `settling` seconds after its start.
struct Resting {
  std::string scene;
  double settling;
  std::vector<Override> overrides = {};
};

// Runs until it has settled and for some time more, and looks at the latter: kinetic energy per
// mass, how far anything moved, and the audit of all steps.
void ExpectRest(const Resting& resting, double duration) {
  SCOPED_TRACE(resting.scene);
  const Scene scene = testing::LoadNamedScene(resting.scene, resting.overrides);
  Simulator simulator = testing::MakeSimulator(scene);
  const double mass = CalcMass(simulator.model());
  VecX settled;
  double worst = 0;
  while (simulator.state().t < resting.settling + duration) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (simulator.state().t < resting.settling) continue;
    if (settled.size() == 0) settled = simulator.state().q;
    worst = std::max(worst, simulator.CalcEnergy().kinetic / mass);
  }
  EXPECT_LT(worst, 1e-10);
  EXPECT_LT((simulator.state().q - settled).lpNorm<Eigen::Infinity>(), 1e-9 * duration);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
}

const std::vector<Resting> kStanding = {{"box_on_ramp", 0.1},
                                        {"box_stack", 0.1},
                                        {"plank_wall", 0.1},
                                        {"card_house", 0.1},
                                        {"ladder", 0.1}};

// What moves first and then rests. The coin of the scene slides and rolls without loss; friction
// against spin and rolling brings it down, on a table that yields a little and on a rigid one.
const std::vector<Resting> kComingToRest = {
    {"ball_in_bowl", 4},
    {"gripper", 2},
    {"dominoes", 3},
    {"spinning_coin",
     5,
     {Override::Parse("materials={default: {friction: 0.3, rolling_friction: 1e-4, "
                      "torsional_friction: 1e-4, stiffness: 1e6, damping: 1}}")}},
    {"spinning_coin",
     5,
     {Override::Parse("materials={default: {friction: 0.3, rolling_friction: 1e-4, "
                      "torsional_friction: 1e-4}}")}}};

TEST(Standing, WhatStandsStaysForFiveSeconds) {
  const double duration = 0.1 * testing::SampleCount(50);  // less under sanitizers
  for (const Resting& resting : kStanding) ExpectRest(resting, duration);
}

TEST(Standing, WhatComesToRestStaysForFiveSeconds) {
  const double duration = 0.1 * testing::SampleCount(50);
  for (const Resting& resting : kComingToRest) ExpectRest(resting, duration);
}

// Contacts of hard materials: gaps close by nanometres, which rotates what stands by hardly more
// than rounding, and friction of rigid tangents holds it in more ways than it can move.
TEST(Standing, WhatIsStiffStandsToo) {
  const Override stiff = Override::Parse("materials.default.stiffness=1e9");
  const Override damped = Override::Parse("materials.default.damping=1e3");
  const double duration = 0.1 * testing::SampleCount(10);
  for (Resting resting : kStanding) {
    resting.overrides = {stiff, damped};
    ExpectRest(resting, duration);
  }
}

// Spheres that fall into a box and roll over each other until friction against rolling stops them:
// then they rest, in contact with the walls and with one another in more ways than they can move.
// Nearly every step on the way is solved; of all others the status tells.
void ExpectSpheresToRest(int nx, int layers, const char* rolling_friction, double settling,
                         double duration) {
  SCOPED_TRACE(rolling_friction);
  const std::string n = std::to_string(nx);
  const Scene scene = testing::LoadNamedScene(
      "spheres_in_box", {{"parameters.nx", n},
                         {"parameters.ny", n},
                         {"parameters.layers", std::to_string(layers)},
                         {"materials.default.rolling_friction", rolling_friction}});
  Simulator simulator = testing::MakeSimulator(scene);
  const auto run = [&](double until) {
    while (simulator.state().t < until) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  };
  run(settling);
  const VecX settled = simulator.state().q;
  const long not_solved = simulator.solver().not_solved, failed = simulator.audit().failed;
  EXPECT_LE(not_solved, 0.005 * settling / scene.settings.step);
  EXPECT_LE(failed, not_solved);
  run(settling + duration);
  EXPECT_EQ(simulator.solver().not_solved, not_solved);
  EXPECT_EQ(simulator.audit().failed, failed);
  EXPECT_LT(simulator.CalcEnergy().kinetic / CalcMass(simulator.model()), 1e-10);
  EXPECT_LT((simulator.state().q - settled).lpNorm<Eigen::Infinity>(), 1e-9 * duration);
}

TEST(Standing, SpheresThatRollComeToRest) {
  for (const char* rolling_friction : {"1e-3", "1e-4"}) {
    ExpectSpheresToRest(2, 3, rolling_friction, 3, 0.1 * testing::SampleCount(50));
  }
}

TEST(LongStanding, MoreSpheresThatRollComeToRest) { ExpectSpheresToRest(3, 3, "1e-4", 3, 60); }

// Planks that sink into each other tilt by a hair, each its own way; friction at the four points of
// a face must not hinder them by levers as long as the gaps differ.
TEST(Standing, SoftWallSettlesWithEveryStepSolved) {
  const Scene scene = testing::LoadNamedScene(
      "plank_wall",
      {Override::Parse("materials={default: {friction: 0.6, stiffness: 1e5, damping: 3}}")});
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(simulator.Step(0.002), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
}

TEST(LongStanding, WhatStandsStaysForAMinute) {
  for (const Resting& resting : kStanding) ExpectRest(resting, 60);
  for (const Resting& resting : kComingToRest) ExpectRest(resting, 60);
}

// A thousand spheres fall into their box and settle; every step is solved and passes the audit.
TEST(LongStanding, SpheresSettleInTheirBox) {
  const Scene scene = testing::LoadNamedScene("spheres_in_box");
  Simulator simulator = testing::MakeSimulator(scene);
  while (simulator.state().t < 1) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
  // No deeper than v √(m/K) of a sphere of 0.67 kg that falls 1.1 m onto a spring of 1e5 N/m.
  EXPECT_LT(simulator.audit().worst.penetration, 0.012);
  // Of 190 J on the way down, with the last ones still rolling.
  EXPECT_LT(simulator.CalcEnergy().kinetic, 1);
}

// With friction against rolling their columns stand for half a second and then collapse: 14 000
// rows among which thousands of discs decide anew whether they stick, in one step.
TEST(LongStanding, SpheresThatRollCollapseWithEveryStepSolved) {
  const Scene scene = testing::LoadNamedScene(
      "spheres_in_box", {Override::Parse("materials.default.rolling_friction=1e-3")});
  Simulator simulator = testing::MakeSimulator(scene);
  while (simulator.state().t < 1.02) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_LE(simulator.solver().hardest(), Attempt::kInteriorPoint);
  EXPECT_EQ(simulator.audit().failed, 0);
}

// Centres of the 1001 spheres of `spheres_in_box`, with `stagger: 0.5` and 1 mm of friction against
// rolling and spin, where they have come to rest.
void PutAtRest(State* state) {
  std::ifstream file(std::string(VOIGT_SOURCE_DIR) + "/tests/analytic/spheres_at_rest.csv");
  std::string line;
  std::getline(file, line);  // x,y,z
  int sphere = 0;
  for (; std::getline(file, line) && 7 * sphere < state->q.size(); ++sphere) {
    std::istringstream numbers(line);
    char comma;
    double* const q = state->q.data() + 7 * sphere;
    numbers >> q[0] >> comma >> q[1] >> comma >> q[2];
    ASSERT_TRUE(numbers) << line;
  }
  ASSERT_EQ(7 * sphere, state->q.size());
}

// A thousand spheres on one another, held in more ways than they can move.
void ExpectThousandSpheresToRest(double duration) {
  Scene scene =
      testing::LoadNamedScene("spheres_in_box", {{"parameters.stagger", "0.5"},
                                                 {"materials.default.rolling_friction", "1e-3"},
                                                 {"materials.default.torsional_friction", "1e-3"}});
  PutAtRest(&scene.initial);
  Simulator simulator = testing::MakeSimulator(scene);
  const double mass = CalcMass(simulator.model());
  double worst = 0;
  while (simulator.state().t < duration) {
    ASSERT_EQ(simulator.Step(0.005), StepStatus::kOk);
    worst = std::max(worst, simulator.CalcEnergy().kinetic / mass);
  }
  EXPECT_LT(worst, 1e-10);
  EXPECT_LT((simulator.state().q - scene.initial.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_LE(simulator.solver().hardest(), Attempt::kInteriorPoint);
  EXPECT_EQ(simulator.audit().failed, 0);
}

TEST(Standing, AThousandSpheresRest) {
  ExpectThousandSpheresToRest(0.1 * testing::SampleCount(50));
}

TEST(LongStanding, AThousandSpheresRestForAMinute) { ExpectThousandSpheresToRest(60); }

TEST(Standing, BallComesToRestInItsBowl) {
  const Scene scene = testing::LoadNamedScene("ball_in_bowl");
  Simulator simulator = testing::MakeSimulator(scene);
  while (simulator.state().t < 4) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_LT(simulator.CalcEnergy().kinetic / CalcMass(simulator.model()), 1e-10);
  // On the flat bottom, 0.3 (1 − cos 7.5°) above the origin.
  const double bottom = 0.3 * (1 - std::cos(7.5 * M_PI / 180));
  EXPECT_NEAR(simulator.state().q[2], bottom + 0.05, 1e-8);
  EXPECT_EQ(simulator.audit().failed, 0);
}

// Forces of the contacts that a named shape of the world has.
struct WorldForce {
  double normal = 0;
  Vec3 friction = Vec3::Zero();
};

WorldForce SumForces(const Simulator& simulator, const std::string& shape) {
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  WorldForce sum;
  for (const ContactReport& contact : contacts) {
    if (simulator.model().geometry()[contact.geometry_A].name != shape) continue;
    sum.normal += contact.normal_force;
    sum.friction += contact.friction_force_W;
  }
  return sum;
}

TEST(Standing, LadderPressesAsStaticsSays) {
  const Scene scene = testing::LoadNamedScene("ladder");
  Simulator simulator = testing::MakeSimulator(scene);
  while (simulator.state().t < 0.5) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const double weight = 9.81 * CalcMass(simulator.model());
  const WorldForce wall = SumForces(simulator, "wall"), floor = SumForces(simulator, "floor");
  EXPECT_NEAR(floor.normal, weight, 1e-9 * weight);
  EXPECT_NEAR(floor.friction[0], -wall.normal, 1e-9 * weight);
  // Moments about the lower corner: the weight acts at the middle, thick/2 aside of the line
  // between the corners that touch, which are on the same face of the rails.
  const double angle = 25 * M_PI / 180, length = 3, thick = 0.05;
  const double arm = 0.5 * length * std::sin(angle) - 0.5 * thick * std::cos(angle);
  EXPECT_NEAR(wall.normal, weight * arm / (length * std::cos(angle)), 1e-6 * weight);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  for (const ContactReport& contact : contacts) {
    const bool on_wall = simulator.model().geometry()[contact.geometry_A].name == "wall";
    if (contact.normal_force > 0) {
      EXPECT_EQ(contact.state, on_wall ? ContactState::kSlip : ContactState::kStick);
    }
    EXPECT_EQ(contact.law, NormalLaw::kRigid);
  }
}

TEST(Standing, StackCarriesItsWeightFloorByFloor) {
  const Scene scene = testing::LoadNamedScene("box_stack");
  Simulator simulator = testing::MakeSimulator(scene);
  while (simulator.state().t < 0.2) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  std::vector<double> carried(20, 0.0);  // by the lower face of each box
  for (const ContactReport& contact : contacts) {
    carried[contact.body_B - 1] += contact.normal_force;
  }
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(carried[i], (20 - i) * 9.81, 1e-8) << i;
}

// Pressed with 5 N on both sides, lifted by 0.1 m; what slips is what rounding lets slip.
TEST(Gripper, LiftsTheBoxWithoutCreep) {
  const Scene scene = testing::LoadNamedScene("gripper");
  Simulator simulator = testing::MakeSimulator(scene);
  const Model& model = simulator.model();
  const int box = model.tree().q_start[*model.FindBody("box")];
  const int hand = model.tree().q_start[*model.FindBody("hand")];
  double grip = kNaN;
  while (simulator.state().t < 3) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (std::isnan(grip) && simulator.state().t > 0.25) {
      grip = simulator.state().q[box + 2] - simulator.state().q[hand];
    }
  }
  EXPECT_NEAR(simulator.state().q[box + 2], 0.125, 1e-3);
  EXPECT_NEAR(simulator.state().q[box + 2] - simulator.state().q[hand], grip, 1e-6);
  EXPECT_EQ(simulator.audit().failed, 0);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  double pressed = 0;
  for (const ContactReport& contact : contacts) {
    if (contact.state == ContactState::kOpen) continue;
    EXPECT_EQ(contact.state, ContactState::kStick);
    pressed += contact.normal_force;
  }
  EXPECT_NEAR(pressed, 10, 1e-6);
}

TEST(Dominoes, AllFall) {
  const Scene scene = testing::LoadNamedScene("dominoes", {Override::Parse("parameters.n=12")});
  Simulator simulator = testing::MakeSimulator(scene);
  while (simulator.state().t < 0.8) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const Model& model = simulator.model();
  for (int b = 1; b < model.nb() - 4; ++b) {  // the last ones are about to
    EXPECT_LT(simulator.state().q[model.tree().q_start[b] + 2], 0.02) << b;
  }
}

}  // namespace
}  // namespace voigt
