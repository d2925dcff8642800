// Robots in MJCF, read by us and by MuJoCo: the same masses, motions, shapes and contacts.

#include "voigt/io/mjcf.h"

#include <gtest/gtest.h>

#include "tests/mujoco/mujoco_model.h"
#include "tests/support/data.h"
#include "tests/support/random_model.h"
#include "voigt/collision/collision_filter.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/math/rotation.h"
#include "voigt/model/model_builder.h"
#include "voigt/model/surface.h"

namespace voigt {
namespace {

using testing::MujocoModel;

// A file read by both, with the places of MuJoCo's coordinates and rates in ours.
struct TwoReadings {
  ImportedModel imported;
  Model model;
  MujocoModel mujoco;
  std::vector<int> q_of, v_of;
};

// Moving joints stand in MuJoCo's order in the spec; loop joints and welds are none of its.
void MapCoordinates(TwoReadings* readings) {
  const mjModel* m = readings->mujoco.model();
  int j = 0;
  for (const JointSpec& joint : readings->imported.spec.joints) {
    const auto body = readings->model.FindJoint(joint.name);
    if (!body || joint.type == JointType::kFixed) continue;
    ASSERT_LT(j, m->njnt);
    const char* name = mj_id2name(m, mjOBJ_JOINT, j);
    if (name != nullptr) {
      EXPECT_EQ(joint.name, name);
    }
    for (int k = 0; k < CoordinateCount(joint.type); ++k) {
      readings->q_of.push_back(readings->model.tree().q_start[*body] + k);
    }
    for (int k = 0; k < DofCount(joint.type); ++k) {
      readings->v_of.push_back(readings->model.tree().v_start[*body] + k);
    }
    ++j;
  }
  ASSERT_EQ(j, m->njnt);
  ASSERT_EQ(readings->q_of.size(), size_t(m->nq));
  ASSERT_EQ(readings->v_of.size(), size_t(m->nv));
}

TwoReadings ReadFileTwice(const std::string& path) {
  ImportedModel imported = LoadMjcf(path);
  Model model = ModelBuilder(imported.spec).Build();
  TwoReadings readings{std::move(imported), std::move(model), MujocoModel::FromFile(path), {}, {}};
  MapCoordinates(&readings);
  return readings;
}

TwoReadings ReadTextTwice(const std::string& text) {
  ImportedModel imported = ParseMjcf(text, "model.xml");
  Model model = ModelBuilder(imported.spec).Build();
  TwoReadings readings{std::move(imported), std::move(model), MujocoModel::FromText(text), {}, {}};
  MapCoordinates(&readings);
  return readings;
}

Vec3 MujocoVector(const mjtNum* p) { return {p[0], p[1], p[2]}; }

Mat3 MujocoMatrix(const mjtNum* p) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(p);
}

// Poses of bodies, and of shapes but those of meshes, whose frames MuJoCo moves.
void ExpectSamePoses(const TwoReadings& r, const Kinematics& kin) {
  const mjModel* m = r.mujoco.model();
  const mjData* d = r.mujoco.data();
  for (int b = 1; b < m->nbody; ++b) {
    const char* name = mj_id2name(m, mjOBJ_BODY, b);
    const auto body = r.model.FindBody(name != nullptr ? name : "body" + std::to_string(b));
    ASSERT_TRUE(body) << b;
    const Pose X = CalcBodyPose(r.model, kin, *body);
    EXPECT_LT((X.p - MujocoVector(d->xpos + 3 * b)).norm(), 1e-10) << name;
    EXPECT_LT((X.R - MujocoMatrix(d->xmat + 9 * b)).norm(), 1e-10) << name;
  }
  int compared = 0;
  for (int b = 0; b < r.model.nb(); ++b) {
    const Body& body = r.model.body(b);
    for (int i = body.first_geometry; i < body.first_geometry + body.geometry_count; ++i) {
      const Geometry& shape = r.model.geometry()[i];
      if (shape.name.empty()) continue;
      const int g = mj_name2id(m, mjOBJ_GEOM, shape.name.c_str());
      if (g < 0 || m->geom_type[g] == mjGEOM_MESH) continue;
      const Pose X = CalcBodyPose(r.model, kin, b) * shape.X_BG;
      EXPECT_LT((X.p - MujocoVector(d->geom_xpos + 3 * g)).norm(), 1e-10) << shape.name;
      EXPECT_LT((X.R - MujocoMatrix(d->geom_xmat + 9 * g)).norm(), 1e-10) << shape.name;
      ++compared;
    }
  }
  EXPECT_EQ(compared > 0, !r.model.geometry().empty());
}

// Masses, centres and sums of the principal moments, body by body.
void ExpectSameMasses(const TwoReadings& r, double tolerance) {
  const mjModel* m = r.mujoco.model();
  for (int b = 1; b < m->nbody; ++b) {
    const char* name = mj_id2name(m, mjOBJ_BODY, b);
    const auto body = r.model.FindBody(name != nullptr ? name : "body" + std::to_string(b));
    ASSERT_TRUE(body) << b;
    const MassProperties& own = r.model.body(*body).mass;
    const Vec3 moments = MujocoVector(m->body_inertia + 3 * b);
    EXPECT_NEAR(own.mass, m->body_mass[b], tolerance * m->body_mass[b]) << name;
    EXPECT_NEAR(own.inertia.trace(), moments.sum(), tolerance * moments.sum()) << name;
    if (own.mass == 0) continue;
    EXPECT_LT((own.com - MujocoVector(m->body_ipos + 3 * b)).norm(), tolerance) << name;
  }
}

// With several geoms on a body, MuJoCo turns the axes of inertia until what remains to turn has a
// cosine within 1e-12 of one: up to 1.5e-6 rad.
constexpr double kAxesTolerance = 2e-6;

void ExpectSameMotion(TwoReadings* r, double tolerance = 1e-8, double mass_tolerance = 1e-12) {
  const mjModel* m = r->mujoco.model();
  ExpectSameMasses(*r, mass_tolerance);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(r->model.gravity()[k], m->opt.gravity[k]);
  testing::Random random(5);
  Kinematics kin(r->model);
  CompositeInertia composite(r->model);
  NewtonEulerScratch newton_euler(r->model);
  VecX packed(r->model.tree().pattern.nonzeros()), bias(r->model.nv());
  for (int i = 0; i < 10; ++i) {
    const State state = testing::MakeRandomState(r->model, &random);
    const VecX q = state.q(r->q_of), v = state.v(r->v_of);
    r->mujoco.SetState(q, v);
    UpdatePositions(r->model, state.q, &kin);
    UpdateVelocities(r->model, state.v, &kin);
    CalcMassMatrix(r->model, kin, &composite, &packed);
    CalcBias(r->model, kin, &newton_euler, &bias);
    const MatX M = r->model.tree().pattern.ToDense(packed)(r->v_of, r->v_of);
    const MatX M_peer = r->mujoco.MassMatrix();
    EXPECT_LT((M - M_peer).cwiseAbs().maxCoeff(), tolerance * M_peer.cwiseAbs().maxCoeff());
    const VecX bias_peer = r->mujoco.Bias(), own = bias(r->v_of);
    EXPECT_LT((own - bias_peer).cwiseAbs().maxCoeff(),
              tolerance * (1 + bias_peer.cwiseAbs().maxCoeff()));
    ExpectSamePoses(*r, kin);
    if (::testing::Test::HasFailure()) return;
  }
}

// Springs, dampers, armature, friction and limits, joint by joint.
void ExpectSameJoints(const TwoReadings& r) {
  const mjModel* m = r.mujoco.model();
  const Tree& tree = r.model.tree();
  for (int j = 0; j < m->njnt; ++j) {
    const int dof = m->jnt_dofadr[j], v = r.v_of[dof];
    const int b = tree.dof_body[v];
    const Joint& joint = r.model.joint(b);
    EXPECT_NEAR(tree.stiffness[v], m->jnt_stiffness[j], 1e-9 * m->jnt_stiffness[j]) << joint.name;
    EXPECT_NEAR(tree.damping[v], m->dof_damping[dof], 1e-9 * m->dof_damping[dof]) << joint.name;
    EXPECT_EQ(tree.armature[v], m->dof_armature[dof]) << joint.name;
    const double dry = joint.dry_friction.size() > 0 ? joint.dry_friction[0] : 0;
    EXPECT_EQ(dry, m->dof_frictionloss[dof]) << joint.name;
    const bool is_scalar = m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE;
    if (!is_scalar) continue;
    const int q = m->jnt_qposadr[j];
    if (m->jnt_stiffness[j] > 0) {
      EXPECT_NEAR(tree.rest[r.q_of[q]], m->qpos_spring[q], 1e-14);
    }
    const auto reference = r.imported.reference.find(joint.name);
    EXPECT_NEAR(reference == r.imported.reference.end() ? 0 : reference->second[0], m->qpos0[q],
                1e-14);
    const bool limited = joint.lower.size() > 0 && joint.lower[0] > -kInfinity;
    EXPECT_EQ(limited, bool(m->jnt_limited[j])) << joint.name;
    if (!limited) continue;
    EXPECT_NEAR(joint.lower[0], m->jnt_range[2 * j], 1e-14) << joint.name;
    EXPECT_NEAR(joint.upper[0], m->jnt_range[2 * j + 1], 1e-14) << joint.name;
  }
}

// What MuJoCo's rules say of two geoms, lists of pairs and excluded bodies apart.
bool MujocoMayTouch(const mjModel* m, int a, int b) {
  const int body_a = m->geom_bodyid[a], body_b = m->geom_bodyid[b];
  const int weld_a = m->body_weldid[body_a], weld_b = m->body_weldid[body_b];
  if (weld_a == weld_b) return false;
  const int parent_a = m->body_weldid[m->body_parentid[weld_a]];
  const int parent_b = m->body_weldid[m->body_parentid[weld_b]];
  if (!(m->opt.disableflags & mjDSBL_FILTERPARENT) && weld_a != 0 && weld_b != 0 &&
      (weld_a == parent_b || weld_b == parent_a)) {
    return false;
  }
  for (int i = 0; i < m->nexclude; ++i) {
    const int low = std::min(body_a, body_b), high = std::max(body_a, body_b);
    if (m->exclude_signature[i] == ((low + 1) << 16) + high + 1) return false;
    if (m->exclude_signature[i] == ((high + 1) << 16) + low + 1) return false;
  }
  return (m->geom_contype[a] & m->geom_conaffinity[b]) != 0 ||
         (m->geom_contype[b] & m->geom_conaffinity[a]) != 0;
}

bool IsListedPair(const mjModel* m, int a, int b) {
  for (int i = 0; i < m->npair; ++i) {
    if (std::minmax(m->pair_geom1[i], m->pair_geom2[i]) == std::minmax(a, b)) return true;
  }
  return false;
}

// Whether two geoms may touch, and with which friction.
void ExpectSameContacts(const TwoReadings& r) {
  const mjModel* m = r.mujoco.model();
  const CollisionFilter filter(r.model);
  const std::vector<Geometry>& shapes = r.model.geometry();
  int touching = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const int a = mj_name2id(m, mjOBJ_GEOM, shapes[i].name.c_str());
      const int b = mj_name2id(m, mjOBJ_GEOM, shapes[j].name.c_str());
      if (a < 0 || b < 0) continue;
      const bool listed = IsListedPair(m, a, b);
      const bool expected = listed || MujocoMayTouch(m, a, b);
      EXPECT_EQ(filter.MayTouch(i, j), expected) << shapes[i].name << ", " << shapes[j].name;
      if (!expected || listed) continue;
      ++touching;
      const SurfacePair pair = CombineSurfaces(MakeSurface(shapes[i].shape, r.model.material(i)),
                                               MakeSurface(shapes[j].shape, r.model.material(j)),
                                               kInfinity, r.model.pair_rules(i, j));
      const int first = m->geom_priority[a] >= m->geom_priority[b] ? a : b, second = a + b - first;
      const bool alone = m->geom_priority[a] != m->geom_priority[b];
      const auto mix = [&](auto x, auto y) { return alone ? x : std::max(x, y); };
      const int dimension = mix(m->geom_condim[first], m->geom_condim[second]);
      const auto friction = [&](int k) {
        return mix(m->geom_friction[3 * first + k], m->geom_friction[3 * second + k]);
      };
      EXPECT_EQ(pair.friction, dimension >= 3 ? friction(0) : 0) << shapes[i].name;
      EXPECT_EQ(pair.torsional_friction, dimension >= 4 ? friction(1) : 0) << shapes[i].name;
      EXPECT_EQ(pair.rolling_friction, dimension >= 6 ? friction(2) : 0) << shapes[i].name;
    }
  }
  EXPECT_EQ(touching > 0, !shapes.empty());
}

TEST(MjcfBesideMujoco, RobotsOfOthersMoveAlike) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  for (const char* file : {"models/mujoco/humanoid.xml", "models/dm_control/humanoid.xml",
                           "models/dm_control/quadruped.xml", "models/dm_control/walker.xml",
                           "models/dm_control/hopper.xml", "models/dm_control/cheetah.xml",
                           "models/dm_control/cartpole.xml", "models/dm_control/pendulum.xml",
                           "models/dm_control/acrobot.xml"}) {
    TwoReadings readings = ReadFileTwice(testing::ReferenceData(file));
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
      TwoReadings readings = ReadTextTwice("<mujoco>" + compiler + R"(
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
  TwoReadings readings = ReadTextTwice(R"(<mujoco>
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
    TwoReadings readings = ReadTextTwice(std::string("<mujoco>") + compiler + bodies);
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
    TwoReadings readings = ReadTextTwice(std::string("<mujoco>") + compiler + kMeshAssets);
    // Centres and axes of inertia are subtracted in single precision.
    ExpectSameMotion(&readings, kAxesTolerance, 1e-6);
    if (HasFailure()) FAIL() << compiler;
  }
}

// The farthest point of every mesh in many directions.
TEST(MjcfBesideMujoco, MeshesReachAsFar) {
  TwoReadings readings = ReadTextTwice(std::string("<mujoco>") + kMeshAssets);
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
  TwoReadings readings = ReadTextTwice(R"(<mujoco>
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
      <exclude body1="base" body2="one"/><exclude body1="two" body2="ball"/>
    </contact></mujoco>)";
  for (const char* option : {"", "<option><flag filterparent='disable'/></option>"}) {
    TwoReadings readings = ReadTextTwice(std::string("<mujoco>") + option + text);
    EXPECT_EQ(readings.imported.spec.world_geometry.size(), 2u);
    EXPECT_EQ(readings.model.geometry().size(), 10u);
    ExpectSameContacts(readings);
    if (HasFailure()) FAIL() << option;
  }
}

}  // namespace
}  // namespace voigt
