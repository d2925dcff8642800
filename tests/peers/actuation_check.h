#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/mujoco/mujoco_model.h"
#include "tests/support/random_model.h"
#include "voigt/sim/actuator_report.h"

namespace voigt::testing {

// The places of MuJoCo's coordinates and rates in a model: moving joints of the tree stand in
// MuJoCo's order in the spec.
struct CoordinatePlaces {
  explicit CoordinatePlaces(const Model& model) {
    for (const JointSpec& joint : model.spec().joints) {
      const auto body = model.FindJoint(joint.name);
      if (!body) continue;
      for (int k = 0; k < CoordinateCount(joint.type); ++k) {
        q.push_back(model.tree().q_start[*body] + k);
      }
      for (int k = 0; k < DofCount(joint.type); ++k) {
        v.push_back(model.tree().v_start[*body] + k);
      }
    }
  }

  std::vector<int> q, v;
};

// Both programs in the same random states: lengths, rates, forces and activations of all actuators.
inline void ExpectSameActuation(const Model& model, MujocoModel* mujoco) {
  const mjModel* const m = mujoco->model();
  mjData* const d = mujoco->data();
  ASSERT_EQ(model.actuator_count(), m->nu);
  ASSERT_EQ(model.activation_count(), m->na);
  const CoordinatePlaces places(model);
  ASSERT_EQ(places.v.size(), static_cast<size_t>(m->nv));
  Random random(5);
  ActuatorReporter reporter(model);
  Kinematics kin(model);
  std::vector<ActuatorReport> reports;
  for (int n = 0; n < 20; ++n) {
    State state = MakeRandomState(model, &random);
    state.inputs.actuators.resize(m->nu);
    for (double& u : state.inputs.actuators) u = Uniform(&random, -2, 2);
    state.activation.resize(m->na);
    for (double& a : state.activation) a = Uniform(&random, -1, 1);
    std::copy(state.inputs.actuators.begin(), state.inputs.actuators.end(), d->ctrl);
    std::copy(state.activation.begin(), state.activation.end(), d->act);
    mujoco->SetState(state.q(places.q), state.v(places.v));
    mj_forward(m, d);

    UpdatePositions(model, state.q, &kin);
    VecX tau = VecX::Zero(model.nv());
    reporter.Calc(model, kin, state, &reports, &tau);
    double scale = 1;
    for (int i = 0; i < m->nu; ++i) {
      const ActuatorReport& report = reports[i];
      scale = std::max(scale, std::abs(report.force));
      // The length of a free joint is none in MuJoCo.
      const bool is_free = m->actuator_trntype[i] == mjTRN_JOINT &&
                           m->jnt_type[m->actuator_trnid[2 * i]] == mjJNT_FREE;
      if (!is_free) {
        EXPECT_NEAR(report.length, d->actuator_length[i], 1e-10) << i;
      }
      EXPECT_NEAR(report.rate, d->actuator_velocity[i], 1e-10 * (1 + std::abs(report.rate))) << i;
      EXPECT_NEAR(report.force, d->actuator_force[i], 1e-10 * scale) << i;
      const int at = model.activation_index(i);
      if (at < 0) continue;
      const double rate = CalcActivationRate(model.actuators()[i], report.activation, report.input);
      EXPECT_NEAR(rate, d->act_dot[at], 1e-10 * (1 + std::abs(rate))) << i;
    }
    const VecX peer = Eigen::Map<const VecX>(d->qfrc_actuator, m->nv);
    const VecX own = tau(places.v);
    EXPECT_LT((own - peer).cwiseAbs().maxCoeff(), 1e-10 * scale);
  }
}

// Lengths of fixed tendons in random states, and what acts along them.
inline void ExpectSameTendons(const Model& model, MujocoModel* mujoco) {
  const mjModel* const m = mujoco->model();
  const CoordinatePlaces places(model);
  const auto& tendons = model.spec().tendons;
  ASSERT_EQ(tendons.size(), static_cast<size_t>(m->ntendon));
  Random random(6);
  Kinematics kin(model);
  for (int n = 0; n < 5; ++n) {
    const State state = MakeRandomState(model, &random);
    mujoco->SetState(state.q(places.q), state.v(places.v));
    mj_forward(m, mujoco->data());
    UpdatePositions(model, state.q, &kin);
    const ConstraintContext at{model, kin, state.q, state.v, 0, 1e-3};
    for (int t = 0; t < m->ntendon; ++t) {
      EXPECT_NEAR(JointSum(model, tendons[t].terms).CalcLength(at), mujoco->data()->ten_length[t],
                  1e-10);
    }
  }
  for (int t = 0; t < m->ntendon; ++t) {
    const TendonSpec& tendon = tendons[t];
    EXPECT_NEAR(tendon.stiffness, m->tendon_stiffness[t], 1e-10) << tendon.name;
    EXPECT_NEAR(tendon.damping, m->tendon_damping[t], 1e-10) << tendon.name;
    EXPECT_NEAR(tendon.dry_friction, m->tendon_frictionloss[t], 1e-10) << tendon.name;
    EXPECT_NEAR(tendon.rest, m->tendon_lengthspring[t], 1e-10) << tendon.name;
    EXPECT_EQ(tendon.range.is_bounded(), bool{m->tendon_limited[t] != 0}) << tendon.name;
    if (!tendon.range.is_bounded()) continue;
    EXPECT_EQ(tendon.range.lower, m->tendon_range[2 * t]) << tendon.name;
    EXPECT_EQ(tendon.range.upper, m->tendon_range[2 * t + 1]) << tendon.name;
  }
}

}  // namespace voigt::testing
