// voigt check, run as a user runs it.

#include <gtest/gtest.h>

#include "tests/apps/json.h"
#include "tests/apps/program.h"

namespace voigt {
namespace {

using testing::Json;
using testing::ParseJson;
using testing::ProgramResult;

class CheckCommand : public testing::ProgramTest {
 protected:
  CheckCommand() {
    Write("arm.urdf",
          "<robot name='arm'>\n"
          "<link name='base'><visual><geometry><box size='1 1 1'/></geometry></visual>"
          "<inertial><mass value='1'/>"
          "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n"
          "<link name='rod'><inertial><mass value='2'/>"
          "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
          "<collision><geometry><sphere radius='0.1'/></geometry></collision></link>\n"
          "<joint name='pin' type='continuous'><parent link='base'/><child link='rod'/>"
          "<dynamics damping='1' spring='3'/></joint>\n"
          "</robot>\n");
    Write("all.yaml",
          "name: All\n"
          "materials: {hard: {restitution: 0.5}, soft: {law: linear, stiffness: 1e4}}\n"
          "world: {geometry: [{shape: half-space, material: soft}]}\n"
          "bodies:\n"
          "  - {name: a, mass: 1, geometry: [{shape: sphere, radius: 1, material: hard}]}\n"
          "  - {name: b, mass: 2, inertia: [1, 1, 1]}\n"
          "  - {name: c, mass: 3, inertia: [1, 1, 1]}\n"
          "joints:\n"
          "  - {name: fly, type: free, child: a}\n"
          "  - {name: p, type: revolute, child: b}\n"
          "  - {name: q, type: revolute, parent: b, child: c}\n"
          "  - {name: loop, type: ball, parent: c, child: world, tree: loop}\n"
          "loads: [{joint: p, force: 1}, {body: b, force: [1, 0, 0]}]\n"
          "drives: [{type: servo, joint: p, stiffness: 1, target: 0}]\n"
          "constraints: [{type: lock, joint: q}]\n"
          "initial: {fly: {position: [0, 0, 3], velocity: [1, 0, 0]}}\n");
  }

  Json Check(const std::string& arguments) const {
    const ProgramResult result = Run("check --json " + arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ParseJson(result.out);
  }
};

TEST_F(CheckCommand, CountsWhatWasUnderstood) {
  const ProgramResult result = Run("check all.yaml");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "scene       All (all.yaml)\n"
            "bodies      3\n"
            "joints      1 ball, 1 free, 2 revolute\n"
            "            1 of them close loops\n"
            "dof         7\n"
            "mass        6 kg\n"
            "shapes      1 half-space, 1 sphere\n"
            "materials   hard: rigid, friction 0.5\n"
            "            soft: linear, friction 0.5\n"
            "constraints 1 lock\n"
            "drives      1 servo\n"
            "loads       1 on bodies, 1 on joints\n"
            "start       1 joint not at zero, 1 moving\n"
            "simulation  semi-implicit-euler, step 0.001 s, until 1 s\n"
            "notice      restitution 0.5 of materials 'soft' and 'hard' is unused: their contact "
            "has finite stiffness\n");
  const Json json = Check("all.yaml");
  EXPECT_EQ(json["bodies"].number, 3);
  EXPECT_EQ(json["dofs"].number, 7);
  EXPECT_EQ(json["mass"].number, 6);
  EXPECT_EQ(json["loop_joints"].number, 1);
  EXPECT_EQ(json["joints"]["revolute"].number, 2);
  EXPECT_EQ(json["shapes"]["sphere"].number, 1);
  EXPECT_EQ(json["drives"]["servo"].number, 1);
  EXPECT_EQ(json["materials"].items.size(), 2u);
  EXPECT_TRUE(json["notes"].items.empty());
  EXPECT_EQ(json["notices"].items.size(), 1u);
}

TEST_F(CheckCommand, ListsWhatWasNotByKind) {
  const ProgramResult result = Run("check arm.urdf");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string expected =
      "\nunsupported (1): affects the motion and is left out\n"
      "  arm.urdf:4:99: dynamics.spring: is not known and left out\n"
      "\nignored (1): no effect on the motion\n"
      "  arm.urdf:2:20: link 'base': visual: is seen only: the link touches nothing\n";
  EXPECT_TRUE(result.out.ends_with(expected)) << result.out;
  const Json json = Check("arm.urdf");
  EXPECT_TRUE(json["ok"].flag);
  ASSERT_EQ(json["notes"].items.size(), 2u);
  const Json& note = json["notes"].items[1];
  EXPECT_EQ(note["kind"].text, "unsupported");
  EXPECT_EQ(note["file"].text, "arm.urdf");
  EXPECT_EQ(note["line"].number, 4);
  EXPECT_EQ(note["column"].number, 99);
  EXPECT_EQ(note["element"].text, "dynamics.spring");
}

TEST_F(CheckCommand, StrictMakesErrorsOfWhatIsLeftOut) {
  const ProgramResult result = Run("check --strict arm.urdf");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "arm.urdf: 1 element that affects the motion is left out\n");
  EXPECT_FALSE(ParseJson(Run("check --strict --json arm.urdf").out)["ok"].flag);
  EXPECT_EQ(Run("check --strict all.yaml").exit_code, 0);
}

TEST_F(CheckCommand, TakesOverridesAndReportsProblems) {
  EXPECT_EQ(Check("arm.urdf --set include.0.base=free")["dofs"].number, 7);
  const ProgramResult result = Run("check all.yaml --set bodies.b.mass=-1 --set gravity=x");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.ends_with("\n2 problems\n")) << result.err;
}

TEST_F(CheckCommand, ModelsThatCannotMoveAreBadInput) {
  Write("massless.yaml",
        "bodies: [{name: b, massless: true}]\n"
        "joints: [{name: j, type: revolute, child: b}]\n");
  const ProgramResult result = Run("check massless.yaml");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(result.err.starts_with("massless.yaml:2:10: joint 'j': ")) << result.err;
}

TEST_F(CheckCommand, SimSaysHowManyNotesThereAre) {
  const ProgramResult result = Run("sim arm.urdf --until 0.01");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("scene       arm (arm.urdf)\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("notice      not taken over as it stands: 1 ignored, 1 unsupported; "
                            "voigt check arm.urdf tells which\n"),
            std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace voigt
