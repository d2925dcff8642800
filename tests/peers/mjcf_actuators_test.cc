// Actuators and tendons of MJCF files, read by us and by MuJoCo.

#include <gtest/gtest.h>

#include "tests/peers/actuation_check.h"
#include "tests/support/data.h"
#include "voigt/base/errors.h"
#include "voigt/io/mjcf.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::MujocoModel;

// Two hinges and a slide, with what stands in `sections`.
std::string ActuatedMjcf(const std::string& sections, const std::string& compiler = "") {
  return "<mujoco><compiler angle=\"radian\" " + compiler + R"(/>
<worldbody>
  <body><joint name="slide" type="slide" axis="1 0 0"/><geom type="sphere" size="0.1"/>
    <body pos="0 0 0.3"><joint name="a" axis="0 1 0" ref="0.2"/><geom type="sphere" size="0.1"/>
      <body pos="0 0 0.3"><joint name="b" axis="1 1 0"/><geom type="sphere" size="0.1"/>
        <body pos="0 0 0.3"><joint name="ball" type="ball"/><geom type="box" size="0.1 0.2 0.3"/>
        </body></body></body></body>
</worldbody>
)" + sections +
         "</mujoco>";
}

void ExpectSameActuatorsInText(const std::string& text) {
  const Model model = ModelBuilder(ParseMjcf(text, "model.xml").spec).Build();
  MujocoModel mujoco = MujocoModel::FromText(text);
  testing::ExpectSameTendons(model, &mujoco);
  testing::ExpectSameActuation(model, &mujoco);
}

TEST(MjcfActuators, AgreeOnTheRobotsOfOthers) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  for (const std::string& file : testing::ReferenceRobots()) {
    MujocoModel mujoco = MujocoModel::FromFile(file);
    const Model model = ModelBuilder(LoadMjcf(file).spec).Build();
    EXPECT_GT(model.actuator_count(), 0) << file;
    testing::ExpectSameTendons(model, &mujoco);
    testing::ExpectSameActuation(model, &mujoco);
    if (HasFailure()) FAIL() << file;
  }
}

TEST(MjcfActuators, AgreeOnEveryShortWayToWriteThem) {
  ExpectSameActuatorsInText(ActuatedMjcf(R"(
<tendon>
  <fixed name="t" stiffness="3" damping="0.2" frictionloss="0.1" range="-1 2" limited="true">
    <joint joint="a" coef="0.7"/><joint joint="b" coef="-1.3"/><joint joint="slide" coef="2"/>
  </fixed>
  <fixed name="s" springlength="0.4" stiffness="5"><joint joint="a" coef="1.5"/></fixed>
</tendon>
<actuator>
  <motor joint="slide" gear="3" ctrllimited="true" ctrlrange="-1 1"/>
  <motor joint="ball" gear="1 -2 3"/>
  <motor tendon="t" gear="-2"/>
  <position joint="a" kp="17" forcelimited="true" forcerange="-4 9"/>
  <velocity joint="b" kv="5" gear="2"/>
  <position tendon="t" kp="3"/>
  <damper joint="slide" kv="6" ctrlrange="0 2"/>
  <general jointinparent="b" gainprm="3"/>
  <intvelocity joint="b" kp="4" actrange="-1.5 2"/>
  <cylinder joint="slide" timeconst="0.3" diameter="0.4" bias="1 -2 -3"/>
  <cylinder joint="a" area="2"/>
  <general joint="a" dyntype="filter" dynprm="0.2" gaintype="affine" gainprm="1 0.5 -0.3"
           biastype="affine" biasprm="0.1 2 0.3"/>
</actuator>)"));
}

// A spring without a length of its own is relaxed where the joints' springs would be, even if they
// have none.
TEST(MjcfActuators, AgreeOnWhereTendonsAreRelaxed) {
  ExpectSameActuatorsInText(R"(<mujoco><compiler angle="radian"/><worldbody><body>
    <joint name="x" axis="0 1 0" ref="0.1" springref="0.3"/><geom size="0.1"/></body></worldbody>
    <tendon><fixed name="t" stiffness="3"><joint joint="x" coef="2"/></fixed></tendon></mujoco>)");
}

// A class gives values to any kind of actuator; what a kind implies comes last.
TEST(MjcfActuators, AgreeOnDefaultClasses) {
  ExpectSameActuatorsInText(ActuatedMjcf(R"(
<default>
  <position kp="7" ctrllimited="true" ctrlrange="-0.5 0.5"/>
  <tendon stiffness="2" damping="0.5"/>
  <default class="strong">
    <position kp="70"/>
    <default class="geared"><general gear="3"/></default>
  </default>
  <default class="slow"><general dyntype="filter" dynprm="0.5" gainprm="4"/></default>
</default>
<tendon>
  <fixed name="t"><joint joint="a" coef="0.7"/><joint joint="b" coef="-1.3"/></fixed>
  <fixed name="u" class="strong" stiffness="9"><joint joint="b" coef="1"/></fixed>
</tendon>
<actuator>
  <position joint="a"/>
  <position joint="a" class="strong"/>
  <position joint="a" class="geared"/>
  <position joint="a" class="geared" kp="1"/>
  <motor joint="b" class="geared"/>
  <velocity joint="b" class="strong"/>
  <general joint="slide" class="geared"/>
  <general tendon="u"/>
  <general joint="b" class="slow"/>
</actuator>)"));
}

TEST(MjcfActuators, AgreeOnRangesThatCountByThemselves) {
  ExpectSameActuatorsInText(ActuatedMjcf(R"(
<tendon><fixed name="t" range="-1 1"><joint joint="a" coef="0.7"/></fixed></tendon>
<actuator>
  <motor joint="a" ctrlrange="-0.3 0.4" forcerange="-0.1 0.2"/>
  <motor joint="b" ctrlrange="-0.3 0.4" ctrllimited="false"/>
</actuator>)",
                                         "autolimits=\"true\""));
}

TEST(MjcfActuators, SayWhatIsLeftOut) {
  const ImportedModel model = ParseMjcf(ActuatedMjcf(R"(
<tendon><spatial name="rope"/></tendon>
<actuator>
  <motor name="kept" joint="a"/>
  <muscle name="muscle" joint="a"/>
  <motor name="roped" tendon="rope"/>
  <motor name="thruster" site="s"/>
  <motor name="twist" jointinparent="ball" gear="1 2 3"/>
</actuator>
<keyframe><key name="k" ctrl="1 2 3 4 5"/></keyframe>)"),
                                        "m.xml");
  ASSERT_EQ(model.spec.actuators.size(), 1u);
  const auto is_told = [&](const std::string& element) {
    return std::any_of(model.notes.begin(), model.notes.end(), [&](const ImportNote& note) {
      return note.element == element && note.kind == ImportNote::Kind::kUnsupported;
    });
  };
  for (const char* element : {"spatial 'rope'", "muscle 'muscle'", "motor 'roped'",
                              "motor 'thruster'", "motor 'twist'"}) {
    EXPECT_TRUE(is_told(element)) << element;
  }
  EXPECT_FALSE(is_told("motor 'kept'"));
  EXPECT_EQ(model.keyframes.at(0).inputs.at("kept"), 1);
  EXPECT_EQ(model.keyframes.at(0).inputs.at("twist"), 5);
}

TEST(MjcfActuators, SayWhatIsWrong) {
  const auto complaint = [](const std::string& sections) {
    try {
      ParseMjcf(ActuatedMjcf(sections), "m.xml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto expect = [&](const std::string& sections, const std::string& piece) {
    const std::string said = complaint(sections);
    EXPECT_NE(said.find(piece), std::string::npos) << sections << "\n" << said;
  };
  expect("<actuator><motor name='m' joint='x'/></actuator>", "motor 'm': joint 'x' does not exist");
  expect("<actuator><motor name='m'/></actuator>", "motor 'm': names no joint or tendon");
  expect("<actuator><motor name='m' joint='a'/><motor name='m' joint='a'/></actuator>",
         "name 'm' is taken");
  expect("<actuator><motor joint='a' ctrllimited='true' ctrlrange='1 -1'/></actuator>",
         "ctrlrange [1, -1], expected the first to be smaller");
  expect("<actuator><general joint='a' gaintype='cubic'/></actuator>", "'cubic', expected fixed");
  expect("<actuator><damper joint='a' kv='-1' ctrlrange='0 1'/></actuator>", "kv = -1");
  expect("<tendon><fixed name='t'><joint joint='x' coef='1'/></fixed></tendon>",
         "joint 'x' does not exist");
  expect("<tendon><fixed name='t'><joint joint='ball' coef='1'/></fixed></tendon>",
         "joint 'ball' is no hinge or slide");
  expect("<tendon><fixed name='t'/></tendon>", "fixed 't': has no joints");
  expect(
      "<tendon><fixed name='t'><joint joint='a' coef='1'/></fixed></tendon>"
      "<equality><tendon tendon1='u'/></equality>",
      "tendon 'u' does not exist");
}

// l₁ − l₁⁰ = c₀ + c₁ (l₂ − l₂⁰): what MuJoCo finds violated is how far our coupler is off.
TEST(MjcfTendons, AgreeOnEqualitiesOfTendons) {
  const std::string text = ActuatedMjcf(R"(
<tendon>
  <fixed name="t"><joint joint="a" coef="0.7"/><joint joint="b" coef="-1.3"/></fixed>
  <fixed name="u"><joint joint="b" coef="2"/><joint joint="slide" coef="0.5"/></fixed>
</tendon>
<equality>
  <tendon name="both" tendon1="t" tendon2="u" polycoef="0.3 -0.8 0 0 0"/>
  <tendon name="one" tendon1="u" polycoef="0.1 0 0 0 0"/>
</equality>)");
  const Model model = ModelBuilder(ParseMjcf(text, "model.xml").spec).Build();
  MujocoModel mujoco = MujocoModel::FromText(text);
  ASSERT_EQ(model.spec().constraints.size(), 2u);
  const testing::CoordinatePlaces places(model);
  testing::Random random(3);
  Kinematics kin(model);
  for (int n = 0; n < 5; ++n) {
    const State state = testing::MakeRandomState(model, &random);
    mujoco.SetState(state.q(places.q), state.v(places.v));
    mj_forward(mujoco.model(), mujoco.data());
    UpdatePositions(model, state.q, &kin);
    const ConstraintContext at{model, kin, state.q, state.v, 0, 1e-3};
    for (int c = 0; c < 2; ++c) {
      const auto& coupler = std::get<CouplerSpec>(model.spec().constraints[c].kind);
      EXPECT_NEAR(JointSum(model, coupler.terms).CalcLength(at) - coupler.offset,
                  mujoco.data()->efc_pos[c], 1e-10);
    }
  }
}

}  // namespace
}  // namespace voigt
