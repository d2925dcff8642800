#include "tests/mujoco/two_readings.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "voigt/collision/collision_filter.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/io/mjcf.h"
#include "voigt/model/model_builder.h"
#include "voigt/model/surface.h"

namespace voigt::testing {
namespace {

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

// The number of a listed pair of two geoms, or -1.
int FindListedPair(const mjModel* m, int a, int b) {
  for (int i = 0; i < m->npair; ++i) {
    if (std::minmax(m->pair_geom1[i], m->pair_geom2[i]) == std::minmax(a, b)) return i;
  }
  return -1;
}

// The friction that MuJoCo gives to two geoms: sliding, torsional, rolling.
Vec3 MujocoFriction(const mjModel* m, int a, int b) {
  const int listed = FindListedPair(m, a, b);
  Vec3 friction;
  int dimension = 0;
  if (listed >= 0) {
    dimension = m->pair_dim[listed];
    const mjtNum* values = m->pair_friction + 5 * listed;
    friction = {values[0], values[2], values[3]};
  } else {
    const int first = m->geom_priority[a] >= m->geom_priority[b] ? a : b, second = a + b - first;
    const bool alone = m->geom_priority[a] != m->geom_priority[b];
    const auto mix = [&](auto x, auto y) { return alone ? x : std::max(x, y); };
    dimension = mix(m->geom_condim[first], m->geom_condim[second]);
    for (int k = 0; k < 3; ++k) {
      friction[k] = mix(m->geom_friction[3 * first + k], m->geom_friction[3 * second + k]);
    }
  }
  return {dimension >= 3 ? friction[0] : 0, dimension >= 4 ? friction[1] : 0,
          dimension >= 6 ? friction[2] : 0};
}

}  // namespace

TwoReadings ReadMjcfFileTwice(const std::string& path) {
  ImportedModel imported = LoadMjcf(path);
  Model model = ModelBuilder(imported.spec).Build();
  TwoReadings readings{std::move(imported), std::move(model), MujocoModel::FromFile(path), {}, {}};
  MapCoordinates(&readings);
  return readings;
}

TwoReadings ReadMjcfTextTwice(const std::string& text) {
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

void ExpectSameMotion(TwoReadings* r, double tolerance, double mass_tolerance) {
  const mjModel* m = r->mujoco.model();
  ExpectSameMasses(*r, mass_tolerance);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(r->model.gravity()[k], m->opt.gravity[k]);
  Random random(5);
  Kinematics kin(r->model);
  CompositeInertia composite(r->model);
  NewtonEulerScratch newton_euler(r->model);
  VecX packed(r->model.tree().pattern.nonzeros()), bias(r->model.nv());
  for (int i = 0; i < 10; ++i) {
    const State state = MakeRandomState(r->model, &random);
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

void ExpectSameContacts(const TwoReadings& r) {
  const mjModel* m = r.mujoco.model();
  const CollisionFilter filter(r.model);
  const std::vector<Geometry>& shapes = r.model.geometry();
  int touching = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (shapes[i].name.empty() || shapes[j].name.empty()) continue;
      const int a = mj_name2id(m, mjOBJ_GEOM, shapes[i].name.c_str());
      const int b = mj_name2id(m, mjOBJ_GEOM, shapes[j].name.c_str());
      const bool expected = FindListedPair(m, a, b) >= 0 || MujocoMayTouch(m, a, b);
      EXPECT_EQ(filter.MayTouch(i, j), expected) << shapes[i].name << ", " << shapes[j].name;
      if (!expected) continue;
      ++touching;
      const SurfacePair pair = CombineSurfaces(MakeSurface(shapes[i].shape, r.model.material(i)),
                                               MakeSurface(shapes[j].shape, r.model.material(j)),
                                               kInfinity, r.model.pair_rules(i, j));
      const Vec3 friction = MujocoFriction(m, a, b);
      EXPECT_EQ(pair.friction, friction[0]) << shapes[i].name << ", " << shapes[j].name;
      EXPECT_EQ(pair.torsional_friction, friction[1]) << shapes[i].name << ", " << shapes[j].name;
      EXPECT_EQ(pair.rolling_friction, friction[2]) << shapes[i].name << ", " << shapes[j].name;
    }
  }
  EXPECT_EQ(touching > 0, !shapes.empty());
}

}  // namespace voigt::testing
