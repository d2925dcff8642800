// MJCF: settings, defaults, includes, references between elements, notes and complaints. That what
// is read moves as it does in MuJoCo is shown in tests/peers.

#include "voigt/io/mjcf.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/io/scene_problems.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::ToLines;

ImportedModel ParseInside(const std::string& inside) {
  return ParseMjcf("<mujoco>" + inside + "</mujoco>", "m.xml");
}

std::vector<std::string> FindMjcfProblems(const std::string& text) {
  try {
    ParseMjcf(text, "m");
  } catch (const InputError& error) {
    return ToLines(error.problems());
  }
  return {};
}

// The notes of one kind, as a user sees them.
std::vector<std::string> ListNotes(const ImportedModel& imported, ImportNote::Kind kind) {
  std::vector<std::string> lines;
  for (const ImportNote& note : imported.notes) {
    if (note.kind == kind) lines.push_back(note.ToString());
  }
  return lines;
}

constexpr auto kIgnored = ImportNote::Kind::kIgnored;
constexpr auto kApproximated = ImportNote::Kind::kApproximated;
constexpr auto kUnsupported = ImportNote::Kind::kUnsupported;

constexpr char kTwoHinges[] = R"(
  <worldbody>
    <body name="a"><joint name="a" ref="0.5"/><geom size="0.1"/>
      <body name="b" pos="1 0 0"><joint name="b" ref="-0.25" axis="1 0 0"/><geom size="0.1"/></body>
    </body>
  </worldbody>)";

TEST(Mjcf, OptionsSetStepGravityAndWhatTakesPart) {
  const std::string inside = R"(<compiler angle="radian"/>
    <worldbody><body name="a"><joint name="a" range="-1 1" frictionloss="2" stiffness="3"
      damping="4"/><geom size="0.1"/></body></worldbody>)";
  const ImportedModel plain = ParseInside(inside);
  EXPECT_EQ(plain.step, std::nullopt);
  EXPECT_EQ(plain.spec.gravity, Vec3(0, 0, -9.81));
  const JointSpec& joint = plain.spec.joints[0];
  EXPECT_EQ(joint.lower, std::vector<double>{-1});
  EXPECT_EQ(joint.dry_friction, std::vector<double>{2});
  EXPECT_EQ(joint.stiffness, std::vector<double>{3});
  EXPECT_EQ(plain.spec.bodies[0].geometry.size(), 1u);

  const ImportedModel bare = ParseInside(R"(<option timestep="0.004" gravity="1 2 3">
    <flag constraint="disable" passive="disable"/></option>)" +
                                         inside);
  EXPECT_EQ(bare.step, 0.004);
  EXPECT_EQ(bare.spec.gravity, Vec3(1, 2, 3));
  EXPECT_TRUE(bare.spec.joints[0].lower.empty());
  EXPECT_TRUE(bare.spec.joints[0].dry_friction.empty());
  EXPECT_TRUE(bare.spec.joints[0].stiffness.empty());
  EXPECT_TRUE(bare.spec.bodies[0].geometry.empty());
  EXPECT_GT(bare.spec.bodies[0].mass.mass, 0);
  EXPECT_EQ(ParseInside("<option><flag gravity='disable'/></option>").spec.gravity, Vec3::Zero());
}

TEST(Mjcf, ClassesInheritAndElementsOverwriteAsFarAsTheyGo) {
  const ImportedModel imported = ParseInside(R"(
    <default>
      <geom type="box" size="1 2 3" friction="0.5 0.1 0.2" condim="6"/>
      <default class="inner"><geom size="4" friction="0.7"/>
        <default class="innermost"><geom type="capsule"/></default>
      </default>
    </default>
    <default><geom density="10"/></default>
    <worldbody>
      <geom name="outer"/>
      <body name="a" childclass="inner"><joint/>
        <geom name="in"/><geom name="most" class="innermost"/>
        <body name="b"><joint/><geom name="again"/><geom name="out" class="main"/></body>
      </body>
    </worldbody>)");
  EXPECT_EQ(std::get<Box>(imported.spec.world_geometry[0].shape).size, Vec3(2, 4, 6));
  const BodySpec &a = imported.spec.bodies[0], &b = imported.spec.bodies[1];
  EXPECT_EQ(std::get<Box>(a.geometry[0].shape).size, Vec3(8, 4, 6));
  EXPECT_EQ(std::get<Capsule>(a.geometry[1].shape).radius, 4);
  EXPECT_EQ(std::get<Capsule>(a.geometry[1].shape).length, 4);
  EXPECT_EQ(std::get<Box>(b.geometry[0].shape).size, Vec3(8, 4, 6));
  EXPECT_EQ(std::get<Box>(b.geometry[1].shape).size, Vec3(2, 4, 6));
  EXPECT_DOUBLE_EQ(b.mass.mass, 10 * 8 * (4 * 2 * 3 + 1 * 2 * 3));
  ASSERT_EQ(imported.spec.materials.size(), 2u);
  EXPECT_EQ(imported.spec.materials[1].friction, 0.7);
  EXPECT_EQ(imported.spec.materials[1].torsional_friction, 0.1);
  EXPECT_TRUE(imported.notes.empty());
}

TEST(Mjcf, FramesPlaceWhatStandsInThem) {
  const ImportedModel imported = ParseInside(R"(<worldbody>
    <frame pos="1 0 0" euler="0 0 90">
      <geom name="g" size="0.1" pos="1 0 0"/>
      <frame pos="0 1 0"><body name="a" pos="1 0 0"><joint axis="1 0 0"/><geom size="1"/></body></frame>
    </frame></worldbody>)");
  EXPECT_LT((imported.spec.world_geometry[0].X_BG.p - Vec3(1, 1, 0)).norm(), 1e-15);
  EXPECT_LT((imported.spec.joints[0].X_PF.p - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((imported.spec.joints[0].X_PF.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

TEST(Mjcf, NamesThatAreMissingAreMadeUp) {
  const ImportedModel imported = ParseInside(R"(<worldbody>
    <body><joint/><joint axis="1 0 0"/><geom size="1"/><body><geom size="1"/></body></body>
    <body name="body3"/></worldbody>)");
  std::vector<std::string> bodies, joints;
  for (const BodySpec& body : imported.spec.bodies) bodies.push_back(body.name);
  for (const JointSpec& joint : imported.spec.joints) joints.push_back(joint.name);
  EXPECT_EQ(bodies, (std::vector<std::string>{"body1", "body1/body1_joint", "body2", "body3"}));
  EXPECT_EQ(joints, (std::vector<std::string>{"body1_joint", "body1_joint_2", "body2_fixed",
                                              "body3_fixed"}));
  EXPECT_NO_THROW(ModelBuilder(imported.spec).Build());
}

TEST(Mjcf, EqualitiesCloseLoopsWhereTheFileHasThem) {
  const ImportedModel imported =
      ParseInside(std::string("<compiler angle='radian'/>") + kTwoHinges + R"(
    <equality>
      <connect name="pin" body1="b" anchor="0.5 0 0"/>
      <weld body1="a" body2="b"/>
      <weld name="there" body1="a" body2="b" relpose="0 1 0 0 0 2 0"/>
      <joint name="gear" joint1="a" joint2="b" polycoef="0.1 3 0 0 0"/>
      <joint name="bent" joint1="a" joint2="b" polycoef="0 1 0.5 0 0"/>
      <joint name="held" joint1="b"/>
      <weld name="off" body1="a" active="false"/>
    </equality>)");
  ASSERT_EQ(imported.spec.joints.size(), 5u);
  const JointSpec& pin = imported.spec.joints[2];
  EXPECT_EQ(pin.type, JointType::kBall);
  EXPECT_EQ(pin.parent, "b");
  EXPECT_EQ(pin.child, "world");
  EXPECT_EQ(pin.tree, TreeChoice::kLoop);
  EXPECT_LT((pin.X_CM.p - Vec3(1.5, 0, 0)).norm(), 1e-15);
  EXPECT_LT((imported.spec.joints[3].X_PF.p - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((imported.spec.joints[4].X_PF.p - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((imported.spec.joints[4].X_PF.R * Vec3::UnitX() + Vec3::UnitX()).norm(), 1e-15);
  ASSERT_EQ(imported.spec.constraints.size(), 3u);
  const auto& gear = std::get<CouplerSpec>(imported.spec.constraints[0].kind);
  ASSERT_EQ(gear.terms.size(), 2u);
  EXPECT_EQ(gear.terms[1].factor, -3);
  // At the reference, q₁ is to be 0.1 beside its reference.
  EXPECT_DOUBLE_EQ(gear.offset, 0.5 + 0.1 - 3 * -0.25);
  const auto& bent = std::get<CouplerSpec>(imported.spec.constraints[1].kind);
  EXPECT_EQ(bent.curve, std::vector<double>{0.5});
  EXPECT_EQ(bent.zero, -0.25);
  ASSERT_EQ(bent.argument.size(), 1u);
  EXPECT_EQ(bent.argument[0].joint, "b");
  const auto& held = std::get<CouplerSpec>(imported.spec.constraints[2].kind);
  EXPECT_EQ(held.terms.size(), 1u);
  EXPECT_EQ(held.offset, -0.25);
  const std::vector<std::string> notes = ListNotes(imported, kApproximated);
  ASSERT_EQ(notes.size(), 2u);  // of the welds
  ASSERT_EQ(ListNotes(imported, kIgnored).size(), 1u);
}

TEST(Mjcf, KeyframesAreReadJointByJoint) {
  const ImportedModel imported = ParseInside(R"(<worldbody>
    <body name="f"><freejoint name="f"/><geom size="1"/>
      <body name="a"><joint name="a"/><joint name="b" type="slide"/><geom size="1"/></body></body>
    </worldbody>
    <actuator><motor name="m" joint="a"/></actuator>
    <keyframe>
      <key name="up" time="2" qpos="1 2 3 0 2 0 0 0.5 0.25" qvel="1 2 3 4 5 6 7 8" ctrl="9"/>
      <key/>
    </keyframe>)");
  ASSERT_EQ(imported.keyframes.size(), 2u);
  const ImportedKeyframe& up = imported.keyframes[0];
  EXPECT_EQ(up.name, "up");
  EXPECT_EQ(up.time, 2);
  EXPECT_EQ(up.q.at("f"), (std::vector<double>{1, 2, 3, 0, 1, 0, 0}));
  EXPECT_EQ(up.q.at("b"), std::vector<double>{0.25});
  EXPECT_EQ(up.v.at("f"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(up.v.at("a"), std::vector<double>{7});
  EXPECT_EQ(up.inputs.at("m"), 9);
  EXPECT_EQ(imported.keyframes[1].name, "key1");
  EXPECT_TRUE(imported.keyframes[1].q.empty());
}

TEST(Mjcf, HeightFieldsFromNumbersAndFiles) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "mjcf_field";
  std::filesystem::create_directories(folder / "assets");
  const int sizes[2] = {2, 3};
  const float heights[6] = {0, 1, 2, 3, 4, 8};
  std::ofstream(folder / "assets/f.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(sizes), 8)
      .write(reinterpret_cast<const char*>(heights), 24);
  std::ofstream(folder / "m.xml") << R"(<mujoco><compiler meshdir="assets"/>
    <asset><hfield name="file" file="f.bin" size="3 1 4 1"/>
      <hfield name="numbers" nrow="2" ncol="3" elevation="3 4 8  0 1 2" size="3 1 4 1"/>
      <hfield name="flat" nrow="2" ncol="2" size="3 1 4 1"/></asset>
    <worldbody><geom type="hfield" hfield="file"/><geom type="hfield" hfield="numbers"/>
      <geom type="hfield" hfield="flat"/></worldbody></mujoco>)";
  const ImportedModel imported = LoadMjcf((folder / "m.xml").string());
  ASSERT_EQ(imported.spec.world_geometry.size(), 3u);
  for (int g = 0; g < 2; ++g) {
    const auto& field = std::get<HeightField>(imported.spec.world_geometry[g].shape);
    EXPECT_EQ(field.nx, 3);
    EXPECT_EQ(field.ny, 2);
    EXPECT_EQ(field.spacing, Vec2(3, 2));
    EXPECT_EQ(field.heights, (std::vector<double>{0, 0.5, 1, 1.5, 2, 4}));
  }
  const auto& flat = std::get<HeightField>(imported.spec.world_geometry[2].shape);
  EXPECT_EQ(flat.heights, std::vector<double>(4, 0.0));
}

TEST(Mjcf, IncludesStandWhereTheyAreWritten) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "mjcf_include";
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "m.xml") << R"(<mujoco>
    <include file="parts/defaults.xml"/>
    <worldbody><include file="parts/arm.xml"/></worldbody></mujoco>)";
  std::ofstream(folder / "parts/defaults.xml")
      << "<mujoco><default><geom size='0.5'/></default></mujoco>";
  std::ofstream(folder / "parts/arm.xml") << R"(<mujocoinclude>
    <body name="arm"><joint name="arm"/><include file="parts/hand.xml"/></body></mujocoinclude>)";
  std::ofstream(folder / "parts/hand.xml") << "<x>\n<geom name='hand' oops='1'/></x>";
  const ImportedModel imported = LoadMjcf((folder / "m.xml").string());
  ASSERT_EQ(imported.spec.bodies.size(), 1u);
  ASSERT_EQ(imported.spec.bodies[0].geometry.size(), 1u);
  EXPECT_EQ(std::get<Sphere>(imported.spec.bodies[0].geometry[0].shape).radius, 0.5);
  const std::vector<std::string> notes = ListNotes(imported, kUnsupported);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("hand.xml:2:19: geom 'hand' oops: unsupported"), std::string::npos);

  std::ofstream(folder / "circle.xml") << "<mujoco><include file='circle.xml'/></mujoco>";
  EXPECT_THROW(LoadMjcf((folder / "circle.xml").string()), InputError);
}

TEST(Mjcf, EverythingLeftOutHasANote) {
  const ImportedModel imported = ParseMjcf(R"(<mujoco>
<option density="1.2" integrator="RK4" cone="elliptic"/>
<visual><map znear="1"/></visual>
<default><geom rgba="1 0 0 1" nonsense="1"/><default class="unused"><geom more="1"/></default></default>
<worldbody><light/><camera/><camera/><site name="s"/>
<geom size="1" margin="0.1"/><geom size="1" contype="0" conaffinity="0"/>
<body mocap="true"><composite type="grid"/></body>
</worldbody>
<tendon><spatial name="t"/></tendon>
<actuator><muscle name="m" joint="x"/></actuator>
<sensor><gyro site="s"/></sensor>
<extension/>
</mujoco>)",
                                           "m");
  ExpectLines(ListNotes(imported, kUnsupported), {{"m:2:2: option density", "medium"},
                                                  {"m:4:", "geom nonsense"},
                                                  {"m:7:2: body: ", "mocap"},
                                                  {"m:7:", "composite: unsupported"},
                                                  {"m:9:10: spatial 't'", "tendons"},
                                                  {"m:10:12: muscle 'm'", "actuators"},
                                                  {"m:12:2: extension", "not understood"}});
  ExpectLines(ListNotes(imported, kApproximated), {{"m:2:", "option cone"}, {"m:6:", "margin"}});
  ExpectLines(ListNotes(imported, kIgnored), {{"m:2:", "option integrator"},
                                              {"m:3:2: visual", "no effect"},
                                              {"m:5:13: light", "no effect"},
                                              {"m:5:21: camera (2 of them)", "no effect"},
                                              {"m:5:39: site", "a place"},
                                              {"m:6:31: geom", "touches nothing"},
                                              {"m:11:2: sensor", "no effect"}});
}

TEST(Mjcf, ProblemsAreListedAllAtOnce) {
  ExpectLines(FindMjcfProblems("<robot/>"), {{"m:1:2: robot: ", "expected <mujoco>"}});
  ExpectLines(FindMjcfProblems(R"(<mujoco>
<compiler angle="grad" eulerseq="xy" coordinate="global"/>
<option timestep="0"/>
<worldbody><joint name="w"/>
<body name="a" quat="0 0 0 0"><joint name="a" axis="0 0 0"/><joint name="a" range="2 1"/>
<geom type="ball"/><geom type="box" size="1 0"/><geom size="-1"/>
<geom type="capsule" size="1" fromto="1 1 1 1 1 1"/><geom class="none" size="1" condim="2"/>
<geom type="mesh" mesh="none"/><body name="a"><freejoint/></body></body>
<body name="world"/>
</worldbody>
<contact><exclude body1="a" body2="z"/></contact>
<equality><connect body1="z"/><joint joint1="z"/></equality>
<keyframe><key qpos="1 2"/></keyframe>
</mujoco>)"),
              {{"m:2:11: compiler.angle: ", "expected degree or radian"},
               {"m:2:38: compiler.coordinate: ", "local"},
               {"m:2:24: compiler.eulerseq: ", "three of"},
               {"m:3:9: option.timestep: ", "positive"},
               {"m:4:13: joint 'w': ", "does not move"},
               {"m:5:16: body 'a'.quat: ", "not zero"},
               {"m:5:32: joint 'a': ", "'axis' is zero"},
               {"m:5:62: joint 'a': ", "taken by another joint"},
               {"m:5:62: joint 'a': ", "range"},
               {"m:6:7: geom.type: ", "'ball', expected plane"},
               {"m:6:21: geom: ", "size 2 is 0"},
               {"m:6:50: geom: ", "size 1 is -1"},
               {"m:7:31: geom.fromto: ", "one point"},
               {"m:7:59: geom: ", "class 'none'"},
               {"m:7:54: geom: ", "condim is 2"},
               {"m:8:2: geom: ", "'none' is not among"},
               {"m:8:33: body 'a': ", "taken by another body"},
               {"m:8:48: freejoint: ", "belongs to a body of the world"},
               {"m:9:2: body 'world': ", "taken"},
               {"m:11:11: exclude: ", "body 'z' does not exist"},
               {"m:12:12: connect: ", "body 'z' does not exist"},
               {"m:12:12: connect: ", "'anchor' is missing"},
               {"m:12:32: joint: ", "joint 'z' does not exist"},
               {"m:13:16: key.qpos: ", "numbers"}});
}

TEST(Mjcf, SoftConstraintsAreSpringsAndTellIt) {
  const ImportedModel imported = ParseInside(R"(<compiler angle="radian" autolimits="true"/>
    <worldbody><body name="a"><joint name="j" type="slide" range="0 1" solreflimit="0.1 0.5"
        solimplimit="0.9 0.8"/><geom size="0.1" mass="2"/></body></worldbody>
    <equality><weld name="w" body1="a" solref="-40 -3"/></equality>)");
  const JointSpec& slide = imported.spec.joints[0];
  EXPECT_NEAR(slide.limit_stiffness, 2 / (1 - 0.8) / (0.1 * 0.1 * 0.5 * 0.5), 1e-9);
  EXPECT_NEAR(slide.limit_damping, 2 / (1 - 0.8) * 2 / 0.1, 1e-9);
  // One direction of three gives way, and no rotation.
  const JointSpec& weld = imported.spec.joints[1];
  EXPECT_NEAR(weld.loop_stiffness, 3 * 2 / (1 - 0.95) * 40, 1e-9);
  EXPECT_NEAR(weld.loop_damping, 3 * 2 / (1 - 0.95) * 3, 1e-9);
  EXPECT_FALSE(weld.loop_angular_stiffness);
  const std::vector<std::string> notes = ListNotes(imported, kApproximated);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_NE(
      notes[0].find("joint 'j': approximated: solreflimit: the limit is a spring of 4000 and"),
      std::string::npos)
      << notes[0];
  EXPECT_NE(notes[2].find("equality 'w': approximated: solref: the constraint is a spring"),
            std::string::npos)
      << notes[2];
  EXPECT_NO_THROW(ModelBuilder(imported.spec).Build());
}

TEST(Mjcf, NamesNumbersThatMayNotBeNegative) {
  ExpectLines(FindMjcfProblems(R"(<mujoco><worldbody><geom name="p" type="plane" friction="-1"/>
<body><freejoint/><geom size="1" mass="-2"/><geom size="1" density="-3"/>
<geom name="q" size="1" contype="0"/></body></worldbody>
<contact><pair geom1="p" geom2="q" friction="1 1 -5"/></contact></mujoco>)"),
              {{"m:1:21: geom 'p': ", "friction is -1, expected numbers ≥ 0"},
               {"m:2:20: geom: ", "mass is -2, expected a number ≥ 0"},
               {"m:2:46: geom: ", "density is -3, expected a number ≥ 0"},
               {"m:4:11: pair: ", "friction is -5, expected numbers ≥ 0"}});
}

TEST(Mjcf, SlowContactsAreSpringsForTheMassOfATree) {
  const std::string body = R"(<worldbody><geom type="plane" size="1 1 1"/>
    <body><freejoint/><geom size="0.1" mass="2" solref="0.1 0.5" solimp="0.9 0.8"/></body>
    </worldbody>)";
  EXPECT_TRUE(
      ListNotes(ParseInside("<worldbody><geom size='1'/></worldbody>"), kApproximated).empty());
  const ImportedModel imported = ParseInside("<default><geom solmix='0'/></default>" + body);
  ASSERT_EQ(imported.spec.contact.pairs.size(), 2u);
  // Between both: means of the numbers; the material with itself: those of the file.
  const MaterialPair& self = imported.spec.contact.pairs[1];
  EXPECT_EQ(self.first, self.second);
  const double time = 0.1, ratio = 0.5, impedance = 0.8, mass = 2;
  EXPECT_NEAR(*self.stiffness, mass / (1 - impedance) / (time * time * ratio * ratio), 1e-9);
  EXPECT_NEAR(*self.damping, mass / (1 - impedance) * 2 / time, 1e-9);
  EXPECT_EQ(ListNotes(imported, kApproximated).size(), 1u);
  EXPECT_NO_THROW(ModelBuilder(imported.spec).Build());
}

}  // namespace
}  // namespace voigt
