// Joints of URDF files.

#include <gtest/gtest.h>

#include "tests/io/robot_text.h"
#include "voigt/io/scene.h"
#include "voigt/math/rotation.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::TwoLinks;

ImportedModel ReadTwo(const std::string& type, const std::string& elements) {
  return ParseUrdf(TwoLinks(type, elements), "r.urdf");
}

// The joint between the links; the one before it holds the root.
JointSpec ReadJointBetween(const std::string& type, const std::string& elements) {
  return ReadTwo(type, elements).spec.joints.at(1);
}

TEST(UrdfJoint, HoldsTheRootByAFixedOne) {
  const ImportedModel model = ReadTwo("continuous", "");
  ASSERT_EQ(model.spec.joints.size(), 2u);
  EXPECT_EQ(model.spec.joints[0].name, "world_to_a");
  EXPECT_EQ(model.spec.joints[0].type, JointType::kFixed);
  EXPECT_EQ(model.spec.joints[0].parent, "world");
  EXPECT_EQ(model.spec.joints[0].child, "a");
}

TEST(UrdfJoint, PlacesTheChildAndTurnsAboutItsAxis) {
  const JointSpec joint = ReadJointBetween(
      "revolute",
      "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><axis xyz='0 1 0'/><limit lower='-1' upper='2'/>");
  EXPECT_EQ(joint.name, "j");
  EXPECT_EQ(joint.type, JointType::kRevolute);
  EXPECT_EQ(joint.parent, "a");
  EXPECT_EQ(joint.child, "b");
  EXPECT_EQ(joint.X_PF.p, Vec3(1, 2, 3));
  EXPECT_EQ(joint.X_PF.R, RotationFromRollPitchYaw({0.1, 0.2, 0.3}));
  EXPECT_EQ(joint.X_CM.p, Vec3::Zero());
  EXPECT_EQ(*joint.axis, Vec3(0, 1, 0));
  EXPECT_EQ(joint.lower, std::vector<double>{-1});
  EXPECT_EQ(joint.upper, std::vector<double>{2});
}

TEST(UrdfJoint, HasTheXAxisWhereNoneIsGiven) {
  EXPECT_EQ(*ReadJointBetween("continuous", "").axis, Vec3::UnitX());
}

TEST(UrdfJoint, KnowsAllTypes) {
  const std::string limit = "<limit lower='0' upper='1'/>";
  EXPECT_EQ(ReadJointBetween("revolute", limit).type, JointType::kRevolute);
  EXPECT_EQ(ReadJointBetween("continuous", "").type, JointType::kRevolute);
  EXPECT_TRUE(ReadJointBetween("continuous", "").lower.empty());
  EXPECT_EQ(ReadJointBetween("prismatic", limit).type, JointType::kPrismatic);
  EXPECT_EQ(ReadJointBetween("fixed", "").type, JointType::kFixed);
  EXPECT_EQ(ReadJointBetween("floating", "").type, JointType::kFree);
  EXPECT_EQ(ReadJointBetween("planar", "<axis xyz='0 0 1'/>").type, JointType::kPlanar);
}

TEST(UrdfJoint, HasDampingAndDryFriction) {
  const JointSpec joint =
      ReadJointBetween("continuous", "<dynamics damping='0.7' friction='0.2'/>");
  EXPECT_EQ(joint.damping, std::vector<double>{0.7});
  EXPECT_EQ(joint.dry_friction, std::vector<double>{0.2});
  const auto fixed = ReadTwo("fixed", "<dynamics damping='1'/>");
  ASSERT_EQ(fixed.notes.size(), 1u);
  EXPECT_EQ(fixed.notes[0].kind, ImportNote::Kind::kIgnored);
  const auto planar = ReadTwo("planar", "<dynamics damping='1'/>");
  ASSERT_EQ(planar.notes.size(), 1u);
  EXPECT_EQ(planar.notes[0].kind, ImportNote::Kind::kUnsupported);
}

TEST(UrdfJoint, NotesWhatBelongsToControllers) {
  const auto notes = ReadTwo("revolute",
                             "<limit lower='-1' upper='1' effort='30' velocity='2'/>\n"
                             "<calibration rising='0.1'/>")
                         .notes;
  ASSERT_EQ(notes.size(), 2u);
  for (const ImportNote& note : notes) EXPECT_EQ(note.kind, ImportNote::Kind::kIgnored);
  EXPECT_EQ(notes[0].element, "joint 'j': limit");
  EXPECT_NE(notes[0].consequence.find("velocity 2 is for controllers"), std::string::npos);
  EXPECT_EQ(notes[1].where.line, 6);
  EXPECT_EQ(notes[1].element, "joint 'j': calibration");
}

TEST(UrdfJoint, HasTheSafetyOfItsController) {
  const std::string limit = "<limit lower='-1' upper='1' effort='30' velocity='2'/>\n";
  const ImportedModel model =
      ReadTwo("revolute", limit +
                              "<safety_controller soft_lower_limit='-0.9' soft_upper_limit='0.8' "
                              "k_position='20' k_velocity='10'/>");
  EXPECT_TRUE(model.notes.empty());
  const auto& safety = model.spec.joints.at(1).drive_safety;
  ASSERT_TRUE(safety);
  EXPECT_EQ(safety->lower, -0.9);
  EXPECT_EQ(safety->upper, 0.8);
  EXPECT_EQ(safety->k_position, 20);
  EXPECT_EQ(safety->k_velocity, 10);
  EXPECT_EQ(safety->speed, 2);
  const ImportedModel idle = ReadTwo(
      "revolute", "<limit lower='-1' upper='1' effort='30'/><safety_controller k_velocity='10'/>");
  EXPECT_FALSE(idle.spec.joints.at(1).drive_safety);
  ASSERT_EQ(idle.notes.size(), 1u);
  EXPECT_NE(idle.notes[0].consequence.find("bounds nothing"), std::string::npos);
  EXPECT_THROW(ReadTwo("revolute", limit + "<safety_controller k_position='1'/>"), InputError);
  EXPECT_THROW(
      ReadTwo("revolute", limit + "<safety_controller soft_lower_limit='1' k_velocity='1'/>"),
      InputError);
}

TEST(UrdfJoint, EffortBoundsDrivesUnlessItIsUnknown) {
  const auto limit = [](const std::string& effort) {
    return ReadTwo("revolute", "<limit lower='-1' upper='1' effort='" + effort + "'/>");
  };
  const ImportedModel strong = limit("30");
  EXPECT_EQ(strong.spec.joints.at(1).drive_limit, 30);
  EXPECT_TRUE(strong.notes.empty());
  const ImportedModel unknown = limit("0");
  EXPECT_EQ(unknown.spec.joints.at(1).drive_limit, kInfinity);
  ASSERT_EQ(unknown.notes.size(), 1u);
  EXPECT_NE(unknown.notes[0].consequence.find("zero stands for"), std::string::npos);
  EXPECT_THROW(limit("-1"), InputError);
}

// A robot of joints j0, j1, … between links l0, l1, …, all prismatic.
ImportedModel ReadChain(const std::vector<std::string>& joints) {
  std::string text = "<link name='l0'/>\n";
  for (size_t i = 0; i < joints.size(); ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "<link name='l" + next + "'/>\n<joint name='j" + n +
            "' type='prismatic'><parent link='l" + n + "'/><child link='l" + next + "'/>" +
            joints[i] + "</joint>\n";
  }
  return testing::ReadRobot(text);
}

TEST(UrdfJoint, MayMimicAnother) {
  const ImportedModel model =
      ReadChain({"<limit lower='-1' upper='1'/>",
                 "<limit lower='-9' upper='9'/><mimic joint='j0' multiplier='-2' offset='0.5'/>"});
  ASSERT_EQ(model.spec.constraints.size(), 1u);
  const auto& coupler = std::get<CouplerSpec>(model.spec.constraints[0].kind);
  ASSERT_EQ(coupler.terms.size(), 2u);
  // q₁ = −2 q₀ + 0.5.
  EXPECT_EQ(coupler.terms[0].joint, "j1");
  EXPECT_EQ(coupler.terms[0].factor, 1);
  EXPECT_EQ(coupler.terms[1].joint, "j0");
  EXPECT_EQ(coupler.terms[1].factor, 2);
  EXPECT_EQ(coupler.offset, 0.5);
  EXPECT_EQ(model.reference.at("j1"), std::vector<double>{0.5});
  EXPECT_FALSE(model.reference.contains("j0"));
}

TEST(UrdfJoint, StartsBetweenItsLimitsAndWhereMimicsPutIt) {
  const ImportedModel model =
      ReadChain({"<limit lower='1' upper='2'/>", "<limit lower='-3' upper='-2'/>",
                 "<limit lower='-99' upper='99'/><mimic joint='j0' multiplier='3' offset='1'/>",
                 "<limit lower='-99' upper='99'/><mimic joint='j2' multiplier='2'/>"});
  EXPECT_EQ(model.reference.at("j0"), std::vector<double>{1.5});
  EXPECT_EQ(model.reference.at("j1"), std::vector<double>{-2.5});
  EXPECT_EQ(model.reference.at("j2"), std::vector<double>{5.5});
  EXPECT_EQ(model.reference.at("j3"), std::vector<double>{11});
}

TEST(UrdfJoint, MimicsHoldWhileTheRobotMoves) {
  const Scene scene = LoadScene(std::string(VOIGT_SOURCE_DIR) + "/scenes/robots/picker.urdf",
                                {{"loads", "[{joint: left_grip, force: 0.2}]"}});
  EXPECT_EQ(scene.model.name(), "picker");
  EXPECT_EQ(scene.model.nb() - 1, 8);
  EXPECT_EQ(scene.model.nv(), 6);
  EXPECT_NEAR(scene.model.TotalMass(), 4 + 1.5 + 1 + 0.6 + 0.3 + 0.1, 1e-12);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const auto at = [&](const char* joint) {
    return simulator.state().q[scene.model.tree().q_start[*scene.model.FindJoint(joint)]];
  };
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_NEAR(at("left_grip"), at("right_grip"), 1e-9);
  }
  EXPECT_GT(at("left_grip"), 1e-4);
  EXPECT_GT(at("shoulder"), 0.01);
}

}  // namespace
}  // namespace voigt
