// Forces, lengths and activations of actuators beside MuJoCo.

#include "tests/mujoco/mujoco_actuators.h"

#include "tests/peers/actuation_check.h"
#include "tests/support/data.h"

namespace voigt {
namespace {

using testing::MujocoModel;

// Every kind of transmission, gain, bias and activation that both have.
TEST(MujocoActuators, AgreeOnAnArmWithEveryKind) {
  MujocoModel mujoco = MujocoModel::FromText(R"(<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <worldbody>
    <body><joint name="slide" type="slide" axis="1 0 0"/><geom type="sphere" size="0.1"/>
      <body pos="0 0 0.3"><joint name="a" axis="0 1 0"/><geom type="sphere" size="0.1"/>
        <body pos="0 0 0.3"><joint name="b" axis="1 1 0"/><geom type="sphere" size="0.1"/>
          <body pos="0 0 0.3"><joint name="ball" type="ball"/><geom type="box" size="0.1 0.2 0.3"/>
          </body></body></body></body>
    <body pos="3 0 0"><freejoint name="free"/><geom type="box" size="0.1 0.2 0.3"/></body>
  </worldbody>
  <tendon>
    <fixed name="t"><joint joint="a" coef="0.7"/><joint joint="b" coef="-1.3"/>
      <joint joint="slide" coef="2"/></fixed>
  </tendon>
  <actuator>
    <motor joint="slide" gear="3" ctrlrange="-1 1"/>
    <motor joint="ball" gear="1 -2 3"/>
    <motor joint="free" gear="1 2 3 4 5 6"/>
    <motor tendon="t" gear="-2"/>
    <position joint="a" kp="17" forcerange="-4 9"/>
    <velocity joint="b" kv="5" gear="2"/>
    <position tendon="t" kp="3" gear="1.5"/>
    <general joint="ball" gear="0 1 1" gaintype="fixed" gainprm="2" biastype="affine"
             biasprm="0.3 -4 -0.5"/>
    <general joint="a" dyntype="filter" dynprm="0.2" gaintype="affine" gainprm="1 0.5 -0.3"
             biastype="affine" biasprm="0.1 2 0.3"/>
    <general tendon="t" dyntype="integrator" gainprm="3" biastype="affine" biasprm="0 -3 0"
             ctrlrange="-0.5 0.5" forcerange="-2 2"/>
  </actuator>
</mujoco>)");
  ASSERT_EQ(mujoco.model()->nu, 10);
  testing::ExpectSameActuation(testing::ImportMujocoActuators(mujoco.model()), &mujoco);
}

TEST(MujocoActuators, AgreeOnTheRobotsOfOthers) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  for (const std::string& file : testing::ReferenceRobots()) {
    MujocoModel mujoco = MujocoModel::FromFile(file);
    testing::ExpectSameActuation(testing::ImportMujocoActuators(mujoco.model()), &mujoco);
    if (HasFailure()) FAIL() << file;
  }
}

}  // namespace
}  // namespace voigt
