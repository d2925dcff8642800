// What is wrong with a URDF file is said with line, column, value and expectation; what is left out
// has a note.

#include <gtest/gtest.h>

#include "tests/io/robot_text.h"
#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::Lines;
using testing::RobotText;
using testing::TwoLinks;

Lines UrdfProblems(const std::string& text) {
  try {
    ParseUrdf(text, "r");
  } catch (const InputError& error) {
    return testing::ToLines(error.problems());
  }
  return {};
}

TEST(UrdfErrors, NameTheElementTheValueAndWhatWasExpected) {
  ExpectLines(UrdfProblems("<sdf/>"), {{"r:1:2: sdf: ", "expected the element 'robot'"}});
  ExpectLines(UrdfProblems("<robot name='r'>"), {{"r:1:", "not well-formed XML"}});
  ExpectLines(UrdfProblems(RobotText("")), {{"r:1:2: robot 'r': ", "has no links"}});
  ExpectLines(UrdfProblems(RobotText("<link/>\n")),
              {{"r:2:2: link: ", "'name' is missing, expected a text"}});
  ExpectLines(UrdfProblems(TwoLinks("hinge", "")),
              {{"r:4:17: joint 'j'.type: ",
                "'hinge', expected revolute, continuous, prismatic, fixed, floating or planar"}});
  ExpectLines(
      UrdfProblems(TwoLinks("revolute", "")),
      {{"r:4:2: joint 'j': ", "'limit' is missing, expected lower and upper of a revolute"}});
  ExpectLines(UrdfProblems(TwoLinks("prismatic", "<limit lower='2' upper='1'/>")),
              {{"r:5:2: limit: ", "lower = 2 and upper = 1, expected lower ≤ upper"}});
  ExpectLines(UrdfProblems(TwoLinks("continuous", "<axis xyz='0 0 0'/>")),
              {{"r:5:7: axis.xyz: ", "'0 0 0', expected a direction that is not zero"}});
  ExpectLines(UrdfProblems(TwoLinks("continuous", "<axis xyz='0 z 0'/>")),
              {{"r:5:7: axis.xyz: ", "'z', expected 3 numbers"}});
  ExpectLines(UrdfProblems(TwoLinks("continuous", "<origin xyz='0 0'/>")),
              {{"r:5:9: origin.xyz: ", "'0 0', expected 3 numbers"}});
  ExpectLines(UrdfProblems(TwoLinks("continuous", "<dynamics damping='-1'/>")),
              {{"r:5:11: dynamics.damping: ", "-1, expected a number ≥ 0"}});
  ExpectLines(UrdfProblems(TwoLinks("continuous", "<mimic joint='k'/>")),
              {{"r:5:2: joint 'j': mimic: ", "joint 'k' does not exist"}});
  ExpectLines(UrdfProblems(TwoLinks("continuous", "<mimic joint='j'/>")),
              {{"r:5:2: joint 'j': mimic: ", "goes round in a circle"}});
  ExpectLines(
      UrdfProblems(TwoLinks("fixed", "<mimic joint='j'/>")),
      {{"r:5:2: mimic: ", "on a fixed joint, expected a revolute, continuous or prismatic"}});
  ExpectLines(UrdfProblems(TwoLinks("continuous", "<child link='a'/>")),
              {{"r:5:2: child: ", "is given twice in joint 'j', first at line 4"}});
}

TEST(UrdfErrors, OfLinks) {
  const auto link = [](const std::string& elements) {
    return UrdfProblems(RobotText("<link name='l'>\n" + elements + "</link>\n"));
  };
  const std::string inertia = "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>";
  ExpectLines(link("<inertial>" + inertia + "</inertial>"),
              {{"r:3:2: inertial: ", "'mass' is missing"}});
  ExpectLines(link("<inertial><mass value='1'/></inertial>"),
              {{"r:3:2: inertial: ", "'inertia' is missing, expected its elements ixx"}});
  ExpectLines(link("<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"),
              {{"r:3:29: inertia: ", "'ixy' is missing"},
               {"r:3:29: inertia: ", "'ixz' is missing"},
               {"r:3:29: inertia: ", "'iyz' is missing"}});
  for (const char* mass : {"0", "-2"}) {
    ExpectLines(
        link(std::string("<inertial><mass value='") + mass + "'/>" + inertia + "</inertial>"),
        {{"r:3:17: mass.value: ", std::string(mass) + ", expected a mass > 0 in kg"}});
  }
  ExpectLines(link("<collision/>"), {{"r:3:2: collision: ", "'geometry' is missing"}});
  ExpectLines(link("<collision><geometry/></collision>"),
              {{"r:3:13: link 'l': collision: ", "geometry has 0 shapes, expected one of box"}});
  ExpectLines(link("<collision><geometry><box/></geometry></collision>"),
              {{"r:3:23: box: ", "'size' is missing"}});
  ExpectLines(link("<collision><geometry><sphere radius='big'/></geometry></collision>"),
              {{"r:3:30: sphere.radius: ", "'big', expected a number"}});
  ExpectLines(link("<collision><geometry><mesh filename='no.stl'/></geometry></collision>"),
              {{"r:3:28: mesh.filename: ", "'no.stl' is not found, at:"}});
  ExpectLines(link("<collision><geometry><mesh filename='package://'/></geometry></collision>"),
              {});
}

TEST(UrdfErrors, OfTrees) {
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child) {
    return "<joint name='" + name + "' type='fixed'><parent link='" + parent + "'/><child link='" +
           child + "'/></joint>\n";
  };
  const std::string abc = "<link name='a'/>\n<link name='b'/>\n<link name='c'/>\n";
  ExpectLines(
      UrdfProblems(RobotText(abc + joint("j", "a", "b"))),
      {{"r:4:2: link 'c': ", "is the child of no joint, expected one root and that is 'a'"}});
  ExpectLines(UrdfProblems(RobotText(abc + joint("j", "a", "b") + joint("k", "c", "b"))),
              {{"r:6:49: joint 'k': ", "link 'b' is the child of joint 'j' already (line 5)"},
               {"r:4:2: link 'c': ", "is the child of no joint"}});
  ExpectLines(UrdfProblems(RobotText(abc + joint("j", "a", "b") + joint("k", "a", "d") +
                                     joint("m", "e", "c"))),
              {{"r:6:49: joint 'k': ", "child link 'd' does not exist"},
               {"r:7:31: joint 'm': ", "parent link 'e' does not exist"},
               {"r:4:2: link 'c': ", "is not connected to the root 'a'"}});
  ExpectLines(UrdfProblems(RobotText(abc + joint("j", "c", "b") + joint("k", "b", "c"))),
              {{"r:3:2: link 'b': ", "is not connected to the root 'a'"},
               {"r:4:2: link 'c': ", "is not connected to the root 'a'"}});
  ExpectLines(UrdfProblems(RobotText("<link name='a'/><link name='b'/>\n" + joint("j", "a", "b") +
                                     joint("k", "b", "a"))),
              {{"r:1:2: robot 'r': ", "every link is the child of a joint"}});
  ExpectLines(UrdfProblems(
                  RobotText("<link name='a'/>\n<link name='world'/>\n" + joint("j", "a", "world"))),
              {{"r:3:2: link 'world': ", "may be the root only"}});
}

TEST(UrdfErrors, AllComeAtOnce) {
  EXPECT_EQ(UrdfProblems(TwoLinks("spring", "<origin xyz='x'/><dynamics damping='d'/>")).size(),
            3u);
}

TEST(UrdfErrors, XacroIsNoUrdf) {
  const Lines lines = UrdfProblems(
      "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'>\n<link name='l'/>\n"
      "<xacro:arm side='left'/>\n</robot>");
  ExpectLines(lines, {{"r:3:2: xacro:arm: ", "expand the file with xacro first"}});
}

TEST(UrdfNotes, TellWhatStandsBesideLinksAndJoints) {
  const ImportedModel model = testing::ReadRobot(
      "<material name='red'/>\n<link name='l'/>\n"
      "<transmission name='t'><type>x</type></transmission>\n"
      "<gazebo reference='l'><mu1>0.3</mu1></gazebo>\n"
      "<gazebo><plugin name='p'/></gazebo>\n"
      "<sensor name='s'/>\n"
      "<spaceship name='n' warp='9'/>\n");
  const std::vector<std::string> kinds = {"ignored", "ignored", "unsupported",
                                          "ignored", "ignored", "unsupported"};
  const std::vector<std::string> elements = {"material 'red'", "transmission 't'", "gazebo 'l'",
                                             "gazebo",         "sensor 's'",       "spaceship 'n'"};
  const std::vector<int> lines = {2, 4, 5, 6, 7, 8};
  ASSERT_EQ(model.notes.size(), 6u);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(ToString(model.notes[i].kind), kinds[i]) << i;
    EXPECT_EQ(model.notes[i].element, elements[i]);
    EXPECT_EQ(model.notes[i].where.line, lines[i]);
    EXPECT_FALSE(model.notes[i].consequence.empty());
  }
}

TEST(UrdfNotes, NameAttributesThatNobodyKnows) {
  const ImportedModel model =
      ParseUrdf(TwoLinks("continuous", "<dynamics damping='1' spring='2'/>"), "r");
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0].ToString(),
            "r:5:23: dynamics.spring: unsupported: is not known and left out");
}

TEST(UrdfNotes, TheRootCalledWorldIsTheGround) {
  const ImportedModel model = testing::ReadRobot(
      "<link name='world'><collision><geometry><box size='1 1 1'/></geometry></collision></link>\n"
      "<link name='l'/>\n"
      "<joint name='j' type='floating'><parent link='world'/><child link='l'/></joint>\n");
  EXPECT_EQ(model.spec.world_geometry.size(), 1u);
  ASSERT_EQ(model.spec.bodies.size(), 1u);
  ASSERT_EQ(model.spec.joints.size(), 1u);
  EXPECT_EQ(model.spec.joints[0].parent, "world");
  EXPECT_EQ(model.spec.joints[0].type, JointType::kFree);
}

}  // namespace
}  // namespace voigt
