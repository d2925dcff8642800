// Robots in MJCF, read by us and by MuJoCo: the same masses, motions, shapes and contacts.

#include "voigt/io/mjcf.h"

#include <gtest/gtest.h>

#include "tests/mujoco/two_readings.h"
#include "tests/support/data.h"
#include "tests/support/random_model.h"
#include "voigt/dynamics/kinematics.h"

namespace voigt {
namespace {

using testing::ExpectSameContacts;
using testing::ExpectSameJoints;
using testing::ExpectSameMotion;
using testing::kAxesTolerance;
using testing::MujocoMatrix;
using testing::MujocoVector;
using testing::ReadMjcfFileTwice;
using testing::ReadMjcfTextTwice;
using testing::TwoReadings;

TEST(MjcfBesideMujoco, RobotsOfOthersMoveAlike) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  for (const std::string& file : testing::ReferenceRobots()) {
    TwoReadings readings = ReadMjcfFileTwice(file);
    ExpectSameMotion(&readings);
    ExpectSameJoints(readings);
    ExpectSameContacts(readings);
    if (HasFailure()) FAIL() << file;
  }
}

TEST(MjcfBesideMujoco, PosesInEveryForm) {
  for (const char* angle : {"degree", "radian"}) {
    for (const char* sequence : {"xyz", "ZYX", "zxZ"}) {
      const std::string compiler =
          std::string("<compiler angle='") + angle + "' eulerseq='" + sequence + "'/>";
      TwoReadings readings = ReadMjcfTextTwice("<mujoco>" + compiler + R"(
        <default>
          <geom density="500"/>
          <default class="turned"><geom euler="0.3 -0.8 1.1" size="0.3 0.2"/></default>
        </default>
        <worldbody>
          <body name="a" pos="1 2 3" quat="2 0.5 -1 0.3">
            <joint name="a" axis="1 2 -1" pos="0.1 0.2 -0.3"/>
            <geom name="a" type="box" size="0.1 0.2 0.3" axisangle="1 0 2 0.7" pos="0.1 0 0.2"/>
            <geom name="a2" type="capsule" class="turned" quat="1 1 0 0"/>
            <body name="b" axisangle="0.1 0.4 -0.2 -1.2" pos="0.4 0 0">
              <joint name="b" type="slide" axis="0 1 1"/>
              <geom name="b" type="ellipsoid" size="0.3 0.1 0.2" xyaxes="1 1 0 -1 2 3"/>
              <geom name="b2" type="cylinder" size="0.1" fromto="0 0 0.1 0.2 0.1 0.9"/>
              <body name="c" euler="20 0.4 0.7" pos="0 0.3 0">
                <joint name="c" type="ball" pos="0 0.1 0"/>
                <geom name="c" type="box" zaxis="0 0 -2" size="0.1 0.1 0.4"/>
                <geom name="c2" type="box" fromto="1 0 0 1 0 0.5" size="0.07"/>
                <geom name="c3" type="ellipsoid" fromto="0 0.1 0 0.5 0 -0.5" size="0.05 9"/>
                <body zaxis="0 1 -1"><geom name="d" size="0.1"/></body>
              </body>
            </body>
          </body>
          <body name="f" xyaxes="0 1 0 0 0 1" pos="5 0 0">
            <freejoint name="f"/><geom name="f" type="capsule" size="0.1 0.2" mass="3"/>
          </body>
        </worldbody></mujoco>)");
      ExpectSameMotion(&readings, kAxesTolerance);
      if (HasFailure()) FAIL() << angle << " " << sequence;
    }
  }
}

TEST(MjcfBesideMujoco, SeveralJointsOfABodyWithReferencesAndSprings) {
  TwoReadings readings = ReadMjcfTextTwice(R"(<mujoco>
    <compiler autolimits="true"/>
    <default><joint armature="0.1" damping="0.3"/>
      <default class="stiff"><joint stiffness="4" springref="20" range="-30 40"/></default>
    </default>
    <worldbody>
      <body name="a" pos="0 0 1" euler="10 20 30">
        <joint name="x" type="slide" axis="1 0 0.2" ref="0.3" springref="0.1" stiffness="2"/>
        <joint name="turn" axis="0 1 0.1" ref="25" pos="0.1 0 0" class="stiff"/>
        <joint type="ball" stiffness="3" frictionloss="0.2"/>
        <geom type="box" size="0.1 0.2 0.3" name="a"/>
        <body name="b" pos="0.5 0 0">
          <joint name="soft" axis="1 0 0" springdamper="0.5 0.7" springref="10"/>
          <joint name="lift" type="slide" ref="-0.2" range="-1 2" limited="true"/>
          <joint name="spin" ref="90" range="-1 2" limited="false"/>
          <geom type="sphere" size="0.1" name="b" pos="0 0.3 0"/>
        </body>
      </body>
      <body name="c" pos="1 1 1" quat="1 2 0 0">
        <joint type="free" name="root" damping="0.5" armature="0.2"/>
        <geom size="0.1" name="c"/>
      </body>
    </worldbody></mujoco>)");
  ExpectSameMotion(&readings);
  ExpectSameJoints(readings);
  EXPECT_TRUE(readings.model.FindBody("a/x"));
  EXPECT_TRUE(readings.model.FindBody("a/turn"));
  EXPECT_TRUE(readings.model.FindJoint("a_joint"));
  const std::vector<double>& root = readings.imported.reference.at("root");
  const mjModel* m = readings.mujoco.model();
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(root[k], m->qpos0[m->nq - 7 + k], 1e-14);
}

TEST(MjcfBesideMujoco, MassesByEveryRule) {
  const char* bodies = R"(
    <default><geom density="700"/></default>
    <worldbody>
      <geom name="floor" type="plane" size="1 1 1"/>
      <body name="given" pos="0 0 1"><joint name="j1"/>
        <inertial pos="0.1 0 0" mass="2" diaginertia="0.3 0.2 0.25" euler="10 20 30"/>
        <geom name="g1" size="0.3"/>
        <body name="full" pos="0 0 1"><joint name="j2" axis="1 0 0"/>
          <inertial pos="0 0.1 0" mass="1" fullinertia="0.3 0.2 0.25 0.01 -0.02 0.03"/>
          <geom name="g2" size="0.2" group="4"/>
        </body>
      </body>
      <body name="shapes" pos="3 0 0"><joint name="j3" axis="0 1 0"/>
        <geom name="g3" type="box" size="0.1 0.2 0.3" pos="0.2 0 0" group="1"/>
        <geom name="g4" type="capsule" size="0.1 0.3" pos="0 0.5 0" mass="2.5" zaxis="1 1 0"/>
        <geom name="g5" type="cylinder" size="0.1 0.3" pos="0 -0.5 0" density="20" group="2"/>
        <geom name="g6" type="ellipsoid" size="0.1 0.3 0.2" mass="0" group="3"/>
        <body name="fixed" pos="0 0 0.4"><geom name="g7" size="0.2"/></body>
      </body>
    </worldbody></mujoco>)";
  for (const char* compiler :
       {"<compiler/>", "<compiler inertiafromgeom='true'/>",
        "<compiler settotalmass='7' boundmass='3'/>",
        "<compiler boundinertia='0.22' balanceinertia='true'/>",
        "<compiler inertiafromgeom='true' inertiagrouprange='0 1' boundmass='0.1' "
        "boundinertia='0.01'/>"}) {
    TwoReadings readings = ReadMjcfTextTwice(std::string("<mujoco>") + compiler + bodies);
    ExpectSameMotion(&readings, kAxesTolerance);
    if (HasFailure()) FAIL() << compiler;
  }
}

// Numbers that single precision holds, in which MuJoCo keeps meshes.
constexpr char kMeshAssets[] = R"(
  <default><default class="big"><mesh scale="2 1 0.5"/></default></default>
  <asset>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 0.5 0  1 0.5 0  0 0 0.25  0 0.5 0.25"/>
    <mesh name="corner" class="big" vertex="0 0 0  1 0 0  0 0.5 0  0 0 0.25"
          face="0 2 1  0 1 3  0 3 2  1 2 3" refpos="0.5 0 0.25" refquat="1 0 0 1"/>
    <mesh name="notch" vertex="0 0 0  1 0 0  1 0 1  0.5 0 0.25  0 0 1
                               0 1 0  1 1 0  1 1 1  0.5 1 0.25  0 1 1"
          face="0 1 3  1 2 3  0 3 4  5 8 6  6 8 7  5 9 8
                0 5 1  1 5 6  1 6 2  2 6 7  2 7 3  3 7 8  3 8 4  4 8 9  4 9 0  0 9 5"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 1" euler="10 20 30"><joint name="a" axis="1 1 0"/>
      <geom type="mesh" mesh="wedge" pos="0.1 0.2 0.3" euler="40 0 10"/>
      <body name="b"><joint name="b" axis="0 1 1"/>
        <geom type="mesh" mesh="corner" pos="0.5 0 0" density="300"/>
        <body name="c"><joint name="c" axis="1 0 1"/>
          <geom type="mesh" mesh="notch" mass="5" quat="1 2 3 4"/>
          <body name="d"><joint name="d" axis="1 0 0"/>
            <geom type="mesh" mesh="notch"/>
            <geom name="e" type="box" size="0.1 0.1 0.1"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody></mujoco>)";

TEST(MjcfBesideMujoco, MeshesHaveTheSameMassAndPlace) {
  for (const char* compiler : {"<compiler exactmeshinertia='true'/>", "<compiler/>"}) {
    TwoReadings readings = ReadMjcfTextTwice(std::string("<mujoco>") + compiler + kMeshAssets);
    // Centres and axes of inertia are subtracted in single precision.
    ExpectSameMotion(&readings, kAxesTolerance, 1e-6);
    if (HasFailure()) FAIL() << compiler;
  }
}

// The farthest point of every mesh in many directions.
TEST(MjcfBesideMujoco, MeshesReachAsFar) {
  TwoReadings readings = ReadMjcfTextTwice(std::string("<mujoco>") + kMeshAssets);
  const mjModel* m = readings.mujoco.model();
  const mjData* d = readings.mujoco.data();
  testing::Random random(3);
  const State state = testing::MakeRandomState(readings.model, &random);
  readings.mujoco.SetState(state.q(readings.q_of), state.v(readings.v_of));
  Kinematics kin(readings.model);
  UpdatePositions(readings.model, state.q, &kin);
  int compared = 0;
  for (int g = 0; g < m->ngeom; ++g) {
    if (m->geom_type[g] != mjGEOM_MESH) continue;
    const int b = *readings.model.FindBody(mj_id2name(m, mjOBJ_BODY, m->geom_bodyid[g]));
    const Geometry& shape = readings.model.geometry()[readings.model.body(b).first_geometry];
    const Pose X = CalcBodyPose(readings.model, kin, b) * shape.X_BG;
    const int mesh = m->geom_dataid[g];
    for (int i = 0; i < 20; ++i) {
      const Vec3 direction = testing::RandomVector(&random).normalized();
      double own = -kInfinity, peer = -kInfinity;
      for (const Vec3& point : std::get<ConvexHull>(shape.shape).points) {
        own = std::max(own, direction.dot(X * point));
      }
      for (int v = m->mesh_vertadr[mesh]; v < m->mesh_vertadr[mesh] + m->mesh_vertnum[mesh]; ++v) {
        const float* p = m->mesh_vert + 3 * v;
        const Vec3 point = MujocoMatrix(d->geom_xmat + 9 * g) * Vec3(p[0], p[1], p[2]) +
                           MujocoVector(d->geom_xpos + 3 * g);
        peer = std::max(peer, direction.dot(point));
      }
      EXPECT_NEAR(own, peer, 1e-6);
    }
    ++compared;
  }
  EXPECT_EQ(compared, 4);
}

TEST(MjcfBesideMujoco, ShapesFittedToMeshes) {
  TwoReadings readings = ReadMjcfTextTwice(R"(<mujoco>
    <asset><mesh name="m" vertex="0 0 0  1 0 0  0 0.5 0  1 0.5 0  0 0 0.25  0 0.5 0.25"/></asset>
    <worldbody>
      <geom name="floor" type="plane" size="1 1 1"/>
      <body name="a"><joint/><geom type="box" mesh="m" pos="0.1 0 0" euler="10 0 0"/></body>
      <body name="b"><joint/><geom type="capsule" mesh="m" fitscale="0.9"/></body>
      <body name="c"><joint/><geom type="cylinder" mesh="m"/></body>
      <body name="d"><joint/><geom type="sphere" mesh="m" pos="0 1 0"/></body>
      <body name="e"><joint/><geom type="ellipsoid" mesh="m"/></body>
    </worldbody></mujoco>)");
  ExpectSameMotion(&readings, kAxesTolerance, 1e-6);
}

TEST(MjcfBesideMujoco, ContactsByBitsListsAndPriorities) {
  const char* text = R"(
    <default><geom friction="0.8 0.02" size="0.1"/><pair condim="4"/></default>
    <worldbody>
      <geom name="floor" type="plane" size="1 1 1" condim="3" friction="0.5"/>
      <geom name="ghost" contype="0" conaffinity="4"/>
      <body name="base"><geom name="base"/><geom name="mast" condim="6" friction="0.1 0.2 0.3"/>
        <body name="one"><joint/><geom name="one" condim="1"/>
          <body name="two"><joint/><geom name="two" condim="1" priority="1" friction="0.05"/>
            <body name="tip"><geom name="tip" condim="4"/>
              <body name="three"><joint/><geom name="three" contype="2" conaffinity="5"/>
                <geom name="skin" contype="0" conaffinity="0"/>
                <geom name="veil" contype="0" conaffinity="0"/>
                <geom name="nail" contype="0" conaffinity="0"/></body>
            </body>
          </body>
        </body>
      </body>
      <body name="ball"><freejoint/><geom name="ball" contype="4" conaffinity="1"/></body>
    </worldbody>
    <contact>
      <pair geom1="nail" geom2="floor" friction="0.3 0.3 0.01"/>
      <pair geom1="ball" geom2="one" condim="1"/>
      <pair geom1="ghost" geom2="skin"/>
      <exclude body1="base" body2="one"/><exclude body1="two" body2="ball"/>
    </contact></mujoco>)";
  for (const char* option : {"", "<option><flag filterparent='disable'/></option>"}) {
    TwoReadings readings = ReadMjcfTextTwice(std::string("<mujoco>") + option + text);
    EXPECT_EQ(readings.imported.spec.world_geometry.size(), 2u);
    EXPECT_EQ(readings.model.geometry().size(), 11u);
    ExpectSameContacts(readings);
    if (HasFailure()) FAIL() << option;
  }
}

}  // namespace
}  // namespace voigt
