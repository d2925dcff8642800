// Soft limits and equalities of MJCF files beside MuJoCo's own numbers: what a row's force is per
// displacement and per speed while nothing accelerates, and where loads come to rest.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/constraints/row_checks.h"
#include "tests/mujoco/two_readings.h"
#include "tests/support/random_model.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::ReadMjcfTextTwice;
using testing::TwoReadings;

constexpr char kSoftMjcf[] = R"(<mujoco><compiler angle="radian" autolimits="true"/>
<default><geom contype="0" conaffinity="0"/></default>
<worldbody>
  <body name="a" pos="0 0 1"><geom type="box" size="0.1 0.2 0.3"/>
    <joint name="hinge" axis="0 1 0" ref="0.2" range="-0.5 0.5" solreflimit="0.08 0.7"
           solimplimit="0.8 0.9 0.001"/>
    <body name="b" pos="0.5 0 0"><geom size="0.1"/>
      <joint name="slide" type="slide" axis="1 0 0.2" range="-0.1 0.2" solreflimit="-300 -20"/>
      <body name="c" pos="0.4 0 0"><geom type="capsule" size="0.05 0.2"/>
        <joint name="wrist" axis="0 0 1" armature="0.1"/>
      </body></body></body>
  <body name="d" pos="1 0.2 1"><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/></body>
  <body name="e" pos="0 3 0"><freejoint/><geom type="box" size="0.3 0.2 0.1"/></body>
</worldbody>
<tendon>
  <fixed name="cable" limited="true" range="-0.2 0.2" solreflimit="0.05 1" solimplimit="0.6 0.7 0">
    <joint joint="hinge" coef="1"/><joint joint="wrist" coef="0.5"/></fixed>
  <fixed name="belt"><joint joint="slide" coef="2"/></fixed>
</tendon>
<equality>
  <connect name="pin" body1="d" body2="c" anchor="0 0.1 0" solref="0.1 1"/>
  <weld name="glue" body1="e" body2="d" solref="0.2 0.8" solimp="0.9 0.9 0.001" torquescale="2"/>
  <joint name="gear" joint1="wrist" joint2="hinge" polycoef="0 0.5 0 0 0" solref="-500 -30"/>
  <tendon name="pull" tendon1="cable" tendon2="belt" solref="0.06 1"/>
</equality></mujoco>)";

// Stiffness and damping of MuJoCo's first row of a kind in a state far beyond its limits.
struct PeerRow {
  double stiffness = kNaN, damping = kNaN;
};

PeerRow MeasureRow(testing::MujocoModel* mujoco, int type, int id) {
  const mjModel* const m = mujoco->model();
  mjData* const d = mujoco->data();
  const auto find = [&] {
    for (int i = 0; i < d->nefc; ++i) {
      if (d->efc_type[i] == type && d->efc_id[i] == id) return i;
    }
    return -1;
  };
  VecX q(m->nq), v = VecX::Zero(m->nv);
  std::copy_n(m->qpos0, m->nq, q.begin());
  for (int i = 0; i < 3; ++i) q[i] += 0.6;  // hinge, slide and wrist
  q.segment<3>(3) += Vec3(0.1, 0.2, 0.3);
  mujoco->SetState(q, v);
  mj_forward(m, d);
  int row = find();
  if (row < 0) return {};
  const double at_rest = d->efc_aref[row] / d->efc_R[row];
  PeerRow out;
  out.stiffness = -at_rest / d->efc_pos[row];
  for (int i = 0; i < m->nv; ++i) v[i] = 0.1 * (i + 1);
  mujoco->SetState(q, v);
  mj_forward(m, d);
  row = find();
  if (row < 0) return {};
  out.damping = -(d->efc_aref[row] / d->efc_R[row] - at_rest) / d->efc_vel[row];
  return out;
}

void ExpectSameSpring(const PeerRow& peer, double stiffness, double damping,
                      const std::string& what) {
  EXPECT_NEAR(stiffness, peer.stiffness, 1e-8 * peer.stiffness) << what;
  EXPECT_NEAR(damping, peer.damping, 1e-8 * peer.damping) << what;
}

TEST(MjcfSoftness, LimitsAndEqualitiesAreAsStiffAndDampedAsInMujoco) {
  TwoReadings readings = ReadMjcfTextTwice(kSoftMjcf);
  const ModelSpec& spec = readings.imported.spec;
  const auto joint = [&](const std::string& name) -> const JointSpec& {
    return *std::find_if(spec.joints.begin(), spec.joints.end(),
                         [&](const JointSpec& j) { return j.name == name; });
  };
  const mjModel* const m = readings.mujoco.model();
  const auto measure = [&](int type, int object, const char* name) {
    return MeasureRow(&readings.mujoco, type, mj_name2id(m, object, name));
  };
  for (const char* name : {"hinge", "slide"}) {
    ExpectSameSpring(measure(mjCNSTR_LIMIT_JOINT, mjOBJ_JOINT, name), joint(name).limit_stiffness,
                     joint(name).limit_damping, name);
  }
  EXPECT_EQ(joint("wrist").limit_stiffness, kInfinity);
  ExpectSameSpring(measure(mjCNSTR_LIMIT_TENDON, mjOBJ_TENDON, "cable"),
                   spec.tendons[0].limit_stiffness, spec.tendons[0].limit_damping, "cable");
  for (const char* name : {"pin", "glue"}) {
    ExpectSameSpring(measure(mjCNSTR_EQUALITY, mjOBJ_EQUALITY, name), joint(name).loop_stiffness,
                     joint(name).loop_damping, name);
  }
  ASSERT_EQ(spec.constraints.size(), 2u);
  for (const ConstraintSpec& constraint : spec.constraints) {
    ExpectSameSpring(measure(mjCNSTR_EQUALITY, mjOBJ_EQUALITY, constraint.name.c_str()),
                     constraint.stiffness, constraint.damping, constraint.name);
  }
  // Rotations of a weld: MuJoCo 2.2.2 takes the weight of translations for them, which later
  // versions do not; so from the weights. The residual of an angle is scale · θ/2.
  const double weight = m->body_invweight0[2 * mj_name2id(m, mjOBJ_BODY, "d") + 1] +
                        m->body_invweight0[2 * mj_name2id(m, mjOBJ_BODY, "e") + 1];
  const double expected = 2 * 2 / 4.0 / (weight * (1 - 0.9) * 0.2 * 0.2 * 0.8 * 0.8);
  EXPECT_NEAR(*joint("glue").loop_angular_stiffness, expected, 1e-8 * expected);
  EXPECT_NEAR(*joint("glue").loop_angular_damping, expected * 2 * 0.2 * 0.8 * 0.8, 1e-8 * expected);
}

// Where a load comes to rest in both programs.
void ExpectSameRest(const std::string& text, double expected) {
  TwoReadings readings = ReadMjcfTextTwice(text);
  readings.mujoco.SetTimestep(0.002);
  mjData* const d = readings.mujoco.data();
  for (int i = 0; i < 3000; ++i) mj_step(readings.mujoco.model(), d);
  SimulationSettings settings;
  settings.step = 0.002;
  State state;
  state.q = readings.model.NeutralCoordinates();
  state.v = VecX::Zero(readings.model.nv());
  for (const auto& [name, values] : readings.imported.reference) {
    const int start = readings.model.tree().q_start[*readings.model.FindJoint(name)];
    std::copy(values.begin(), values.end(), state.q.begin() + start);
  }
  Simulator simulator(readings.model, settings, state);
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const VecX own = simulator.state().q(readings.q_of);
  for (int i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], d->qpos[i], 1e-6) << i;
  EXPECT_NEAR(own[own.size() == 1 ? 0 : 2], expected, 1e-6);
}

TEST(MjcfSoftness, ALoadedLimitAndALoadedWeldYieldAsFar) {
  // K = m/((1 − d) τ² ζ²) of 2 kg.
  ExpectSameRest(R"(<mujoco><option gravity="0 0 -10"/><worldbody><body>
    <joint type="slide" axis="0 0 1" limited="true" range="0 1" solreflimit="0.1 1"
           solimplimit="0.9 0.95 0.001"/><geom size="0.1" mass="2"/></body></worldbody></mujoco>)",
                 -10 * (1 - 0.95) * 0.1 * 0.1);
  ExpectSameRest(R"(<mujoco><option gravity="0 0 -10"/><worldbody><body name="b" pos="0 0 1">
    <freejoint/><geom size="0.1" mass="3"/></body></worldbody>
    <equality><weld body1="b" solref="0.2 0.5" solimp="0.8 0.9 0.001"/></equality></mujoco>)",
                 1 - 10 * (1 - 0.9) * 0.2 * 0.2 * 0.5 * 0.5);
}

// Gap and gradient of joint and tendon equalities with all powers, in random states.
TEST(MjcfSoftness, PolynomialsAreThoseOfMujoco) {
  TwoReadings readings = ReadMjcfTextTwice(R"(<mujoco><compiler angle="radian"/><worldbody>
    <body><joint name="x" axis="0 1 0" ref="0.3"/><geom size="0.1"/>
      <body pos="1 0 0"><joint name="y" axis="0 1 0" ref="-0.2"/><geom size="0.1"/>
        <body pos="1 0 0"><joint name="z" type="slide" axis="0 0 1" ref="0.1"/><geom size="0.1"/>
        </body></body></body></worldbody>
    <tendon><fixed name="s"><joint joint="x" coef="2"/><joint joint="z" coef="-1"/></fixed>
      <fixed name="t"><joint joint="y" coef="0.5"/><joint joint="z" coef="3"/></fixed></tendon>
    <equality><joint joint1="x" joint2="y" polycoef="0.1 0.7 -0.3 0.2 0.4"/>
      <joint joint1="z" polycoef="0.3 0 0 0 0"/>
      <joint joint1="y" joint2="z" polycoef="0 0 0 1.5 0"/>
      <tendon tendon1="s" tendon2="t" polycoef="0.2 -1 0.6 0 0"/></equality></mujoco>)");
  const mjModel* const m = readings.mujoco.model();
  const mjData* const d = readings.mujoco.data();
  testing::Random random(4);
  for (int n = 0; n < 10; ++n) {
    const State state = testing::MakeRandomState(readings.model, &random);
    readings.mujoco.SetState(state.q(readings.q_of), state.v(readings.v_of));
    mj_forward(m, readings.mujoco.data());
    const testing::Rows rows = testing::MakeRows(readings.model, state);
    ASSERT_EQ(rows.size(), 4);
    ASSERT_GE(d->nefc, 4);
    const MatX G = rows.problem.ToDenseG();
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(rows[i].phi, d->efc_pos[i], 1e-12 * (1 + std::abs(d->efc_pos[i]))) << i;
      for (int k = 0; k < m->nv; ++k) {
        const double peer = d->efc_J[i * m->nv + k];
        EXPECT_NEAR(G(i, readings.v_of[k]), peer, 1e-12 * (1 + std::abs(peer))) << i << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace voigt
