// Robots in URDF against MuJoCo, which reads the same file.

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/mujoco/mujoco_model.h"
#include "tests/support/random_model.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

// Links of odd places and inertias, with all the joints that MuJoCo knows of URDF.
const char kOddRobot[] = R"(<robot name="odd">
  <link name="base"/>
  <link name="a">
    <inertial><origin xyz="0.1 -0.2 0.3" rpy="0.4 -0.5 0.6"/><mass value="2"/>
      <inertia ixx="0.3" ixy="0.02" ixz="-0.01" iyy="0.4" iyz="0.03" izz="0.5"/></inertial>
  </link>
  <link name="b">
    <inertial><origin xyz="-0.3 0.2 0.1" rpy="1.1 0.2 -0.7"/><mass value="1.5"/>
      <inertia ixx="0.2" ixy="-0.01" ixz="0.02" iyy="0.25" iyz="0.01" izz="0.15"/></inertial>
  </link>
  <link name="plate">
    <inertial><origin xyz="0.05 0 0.1"/><mass value="0.5"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.025"/></inertial>
  </link>
  <link name="c">
    <inertial><origin xyz="0 0.4 0" rpy="0 0 2"/><mass value="0.8"/>
      <inertia ixx="0.05" ixy="0.005" ixz="0" iyy="0.06" iyz="0" izz="0.07"/></inertial>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="a"/>
    <origin xyz="0.2 0.3 1" rpy="0.3 0.2 0.1"/><axis xyz="1 2 3"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/>
    <origin xyz="0 0.5 -0.2" rpy="-0.8 0.1 0.4"/><axis xyz="0 -1 1"/><limit lower="-1" upper="1"/></joint>
  <joint name="weld" type="fixed"><parent link="b"/><child link="plate"/>
    <origin xyz="0.3 0 0.1" rpy="0.5 0.6 0.7"/></joint>
  <joint name="bend" type="revolute"><parent link="plate"/><child link="c"/>
    <origin xyz="-0.1 0.2 0.3" rpy="0.9 -0.2 0.3"/><limit lower="-2" upper="2"/></joint>
</robot>
)";

void ExpectMujocoReadsTheSame(const std::string& urdf, int nv, double tolerance) {
  testing::MujocoModel mujoco = testing::MujocoModel::FromText(urdf);
  const Scene scene = ParseScene(urdf, "odd.urdf");
  const Model& model = scene.model;
  ASSERT_EQ(model.nv(), nv);
  ASSERT_EQ(mujoco.model()->nv, nv);
  testing::Random random(5);
  Kinematics kin(model);
  CompositeInertia composite(model);
  NewtonEulerScratch newton_euler(model);
  VecX packed(model.tree().pattern.nonzeros()), bias(model.nv());
  for (int i = 0; i < 20; ++i) {
    const State state = testing::MakeRandomState(model, &random);
    mujoco.SetState(state.q, state.v);
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);
    CalcMassMatrix(model, kin, &composite, &packed);
    CalcBias(model, kin, &newton_euler, &bias);
    const MatX M = model.tree().pattern.ToDense(packed), M_peer = mujoco.MassMatrix();
    EXPECT_LT((M - M_peer).cwiseAbs().maxCoeff(), tolerance * M_peer.cwiseAbs().maxCoeff());
    const VecX bias_peer = mujoco.Bias();
    EXPECT_LT((bias - bias_peer).cwiseAbs().maxCoeff(),
              tolerance * bias_peer.cwiseAbs().maxCoeff());
  }
}

// MuJoCo turns inertias to their principal axes, which it finds to about 1e-6 rad: M is off by as
// much of the inertias.
TEST(UrdfBesideMujoco, MassMatrixAndBiasAreTheSame) {
  ExpectMujocoReadsTheSame(kOddRobot, 3, 1e-6);
}

// Where the axes of inertia are the file's, and nothing is welded together, nothing is lost.
TEST(UrdfBesideMujoco, PrincipalInertiasAreTheSameToRounding) {
  std::string urdf =
      std::regex_replace(kOddRobot, std::regex("i(xy|xz|yz)=\"[^\"]*\""), "i$1=\"0\"");
  urdf = std::regex_replace(urdf, std::regex("fixed"), "continuous");
  ExpectMujocoReadsTheSame(urdf, 4, 1e-9);
}

}  // namespace
}  // namespace voigt
