// voigt sim on scenes with contacts, friction and events: what it tells of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "tests/apps/json.h"
#include "tests/apps/program.h"
#include "tests/apps/sim_command.h"
#include "tests/support/pressed_block.h"

namespace voigt {
namespace {

using testing::Json;
using testing::ProgramResult;
using testing::SimCommand;

// The ball of 1 m hits at √(2 H/g) and again 2 e times as long after that.
TEST_F(SimCommand, CountsEvents) {
  const std::string ball = "'" + std::string(VOIGT_SOURCE_DIR) +
                           "/scenes/bouncing_ball.yaml' --until 1.2 --integrator event-driven";
  const Json json = RunJson(ball);
  EXPECT_EQ(json["formulation"].text, "max-dissipation");
  EXPECT_EQ(json["events"]["impacts"].number, 2);
  EXPECT_EQ(json["events"]["rests"].number, 0);
  EXPECT_NE(Run("sim " + ball).out.find("events      2: 2 impacts, of up to 1 contacts at once"),
            std::string::npos);
}

// Forces of the moments where steps end, the audit of them, and what friction had locked.
TEST_F(SimCommand, TellsForcesAndLocksOfEventDrivenRuns) {
  const std::string scenes = "'" + std::string(VOIGT_SOURCE_DIR) + "/scenes/";
  const Json cart = RunJson(scenes + "cart_on_pads.yaml' --contacts pads.csv");
  EXPECT_EQ(cart["audit_of_moments"]["moments"].number, 20);
  EXPECT_EQ(cart["audit_of_moments"]["moments_failed"].number, 0);
  EXPECT_LT(cart["audit_of_moments"]["law"].number, 1e-12);
  EXPECT_GE(cart["audit_of_moments"]["cone"].number, 0);
  EXPECT_EQ(cart["locks"]["count"].number, 0);
  std::istringstream lines(Read("pads.csv"));
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) count += line.find("rigid") != std::string::npos;
  EXPECT_EQ(count, 2 * 20);
  EXPECT_NE(Run("sim " + scenes + "cart_on_pads.yaml'").out.find("audit of moments"),
            std::string::npos);

  const Json rod = RunJson(scenes + "painleve_rod.yaml'");
  ASSERT_EQ(rod["locks"]["count"].number, 1);
  EXPECT_EQ(rod["locks"]["list"].items[0]["t"].number, 0);
  EXPECT_EQ(rod["locks"]["list"].items[0]["element"].text, "the contact of floor and rod, point 0");
  EXPECT_NE(Run("sim " + scenes + "painleve_rod.yaml'")
                .out.find("at t = 0 s: the contact of floor and rod, point 0"),
            std::string::npos);
}

// Normal force and friction of each joint and guided point that rubs, and what finding them took.
TEST_F(SimCommand, TellsFrictionFromReactions) {
  const std::string pin =
      "'" + std::string(VOIGT_SOURCE_DIR) + "/scenes/pin_friction.yaml' --until 0.5";
  const Json json = RunJson(pin);
  ASSERT_EQ(json["guides"].items.size(), 1u);
  const Json& guide = json["guides"].items[0];
  EXPECT_EQ(guide["element"].text, "friction of joint 'pin'");
  EXPECT_EQ(guide["state"].text, "slip");
  const double q = json["q"].items[0].number, v = json["v"].items[0].number;
  const double N = (v * v + 9.81 * std::cos(q)) / std::sqrt(1 - 0.03 * 0.03);
  EXPECT_NEAR(guide["normal_force"].number, N, 1e-10);
  EXPECT_NEAR(guide["friction"].items[0].number, 0.03 * N, 1e-10);
  EXPECT_EQ(guide["rate"].items[0].number, v);
  EXPECT_GT(json["events"]["factorizations"].number, 0);
  EXPECT_LT(json["events"]["factorizations"].number, json["events"]["newton_iterations"].number);
  EXPECT_NE(Run("sim " + pin).out.find("rubbing     friction of joint 'pin': slip at the end"),
            std::string::npos);
}

// By repetition instead of Newton's method: the same motion.
TEST_F(SimCommand, FindsNormalForcesByRepetition) {
  const std::string pin = "'" + std::string(VOIGT_SOURCE_DIR) +
                          "/scenes/pin_friction.yaml' --until 0.5 --set simulation.normal_forces=";
  const Json newton = RunJson(pin + "newton"), repeated = RunJson(pin + "fixed-point");
  EXPECT_NEAR(newton["q"].items[0].number, repeated["q"].items[0].number, 1e-12);
  EXPECT_EQ(newton["events"]["fixed_point_iterations"].number, 0);
  EXPECT_EQ(repeated["events"]["newton_iterations"].number, 0);
  EXPECT_EQ(repeated["events"]["takeovers"].number, 0);
  EXPECT_GT(repeated["events"]["fixed_point_iterations"].number,
            repeated["events"]["evaluations"].number);
  EXPECT_NE(Run("sim " + pin + "fixed-point").out.find("repetitions for normal forces, 0 times"),
            std::string::npos);
}

// Contacts with more friction at rest tell their changes in time steps, too.
TEST_F(SimCommand, TellsChangesOfContactsInTimeSteps) {
  Write("pressed.yaml", testing::PressedBlock("step: 0.01, until: 2"));
  const Json json = RunJson("pressed.yaml");
  ASSERT_EQ(json["transitions"]["count"].number, 3);
  const Json& slip = json["transitions"]["list"].items[1];
  EXPECT_EQ(slip["element"].text, "floor and block, point 0");
  EXPECT_EQ(slip["from"].text, "stick");
  EXPECT_EQ(slip["to"].text, "slip");
  EXPECT_NEAR(slip["t"].number, 1, 0.021);
  EXPECT_NE(Run("sim pressed.yaml")
                .out.find("3 changes of state: 1 open to stick, 1 stick to slip, 1 slip to stick"),
            std::string::npos);
}

// A lid that jams between its two hinges and the floor, and a crate that falls above it. Where the
// loads of the hinges do not settle, constraints were solved nevertheless, and the notice does not
// say otherwise. (How many steps these are depends on the machine.)
TEST_F(SimCommand, TellsLoadsThatDoNotSettleFromConstraintsThatAreNotSolved) {
  Write("lid.yaml", R"(
materials: {default: {friction: 0.45, static_friction: 0.6}}
world: {geometry: [{name: floor, shape: half-space}]}
bodies:
  - {name: lid, mass: 8, com: [0.5, 0, 0], inertia: [0.4, 0.8, 1.1], geometry: [{shape: box, size: [1, 0.8, 0.04], position: [0.5, 0, 0]}]}
  - {name: crate, geometry: [{shape: box, size: [0.3, 0.3, 0.3], density: 200}]}
joints:
  - {name: left, type: revolute, axis: [0, 1, 0], child: lid, frame: {position: [0, -0.35, 1]}, child_frame: {position: [0, -0.35, 0]}, friction: {kinetic: 0.2, static: 0.3, radius: 0.02}}
  - {name: right, type: revolute, axis: [0, 1, 0], child: lid, frame: {position: [0, 0.35, 1]}, child_frame: {position: [0, 0.35, 0]}, friction: {kinetic: 0.2, static: 0.3, radius: 0.02}}
  - {name: free, type: free, child: crate}
initial: {left: {q: -5 deg}, free: {position: [0.5, 0, 1.5]}}
simulation: {until: 3, step: 0.005}
)");
  const Json json = RunJson("lid.yaml");
  ASSERT_LE(json["constraints"]["worst_residual"].number, 1e-12);
  const bool is_told = Run("sim lid.yaml").out.find("did not settle in") != std::string::npos;
  const Json& constraints = json["constraints"];
  EXPECT_EQ(is_told, constraints["steps_not_solved"].number > 0);
  EXPECT_EQ(constraints["steps_with_unsettled_loads"].number,
            constraints["steps_not_solved"].number);
  // It lies still, and its hinges stick.
  EXPECT_LT(std::fabs(json["v"].items[0].number), 1e-9);
  for (const Json& guide : json["guides"].items) EXPECT_EQ(guide["state"].text, "stick");
}

TEST_F(SimCommand, NoticesSayWhatDoesNotAct) {
  Write(
      "wishes.yaml",
      "world: {geometry: [{shape: mesh, vertices: [[0, 0, -2], [1, 0, -2], [0, 1, -2]], "
      "triangles: [[0, 1, 2]]}]}\n"
      "bodies: [{name: pad, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [1, 1, 1], "
      "foundation: {elements: 6, stiffness: 1e6}}]}]\n"
      "joints: [{name: free, type: free, child: pad}]\n"
      "simulation: {until: 0.01}\n");
  const std::string expected =
      "contact between mesh of the world and box of body 'pad' is not found yet";
  const ProgramResult result = Run("sim wishes.yaml");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("notice      " + expected + "\n"), std::string::npos) << result.out;
  const Json json = RunJson("wishes.yaml");
  ASSERT_EQ(json["notices"].items.size(), 1u);
  EXPECT_EQ(json["notices"].items[0].text, expected);
}

TEST_F(SimCommand, ContactsTellTheModelInUse) {
  Write("pad.yaml",
        "world: {geometry: [{shape: half-space}]}\n"
        "bodies: [{name: pad, mass: 1, geometry: [{shape: box, size: [1, 1, 1], "
        "foundation: {elements: 6, stiffness: 1e6}}]}]\n"
        "joints: [{name: j, type: free, child: pad}]\n"
        "initial: {j: {position: [0, 0, 0.5]}}\n"
        "simulation: {step: 0.01, until: 0.03}\n");
  EXPECT_EQ(Run("sim pad.yaml --contacts c.csv").exit_code, 0);
  const std::string text = Read("c.csv");
  EXPECT_NE(text.find(",foundation,"), std::string::npos) << text;
  EXPECT_EQ(text.find(",linear,"), std::string::npos) << text;
}

TEST_F(SimCommand, ContactsAreWrittenLineByLine) {
  Write("drop.yaml",
        "world: {geometry: [{name: ground, shape: half-space}]}\n"
        "bodies: [{name: \"a, b\", mass: 1, geometry: [{shape: box, size: [1, 1, 1]}]}]\n"
        "joints: [{name: j, type: free, child: \"a, b\"}]\n"
        "initial: {j: {position: [0, 0, 0.5]}}\n"
        "simulation: {step: 0.01, until: 0.03, record_interval: 0.02}\n");
  const ProgramResult result = Run("sim drop.yaml --contacts c.csv");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("contacts    c.csv (8 lines)\n"), std::string::npos) << result.out;
  const std::string text = Read("c.csv");
  EXPECT_EQ(text.substr(0, 31), "t,body_A,shape_A,body_B,shape_B");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
  EXPECT_NE(text.find("\n0.01,world,ground,\"a, b\",box,"), std::string::npos) << text;
  EXPECT_NE(text.find(",stick,rigid,,,\n"), std::string::npos) << text;

  const ProgramResult bad = Run("sim drop.yaml --contacts no/such/c.csv");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(bad.err, "no/such/c.csv: --contacts: cannot be written: does the folder exist?\n");
}

}  // namespace
}  // namespace voigt
