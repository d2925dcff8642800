// One-body joint cases against runs of MSC Adams, published with Project Chrono: positions,
// velocities, accelerations, orientation and joint reactions every 10 ms for 5 s.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/support/data.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using Table = std::vector<std::vector<double>>;

Table ReadTable(const std::string& joint, const std::string& signal) {
  const std::string path =
      testing::ReferenceData("adams_joints/" + joint + "_Case01_ADAMS_" + signal + ".txt");
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  Table table;
  std::string line;
  for (int i = 0; std::getline(in, line); ++i) {
    if (i < 3) continue;  // two comments and the header
    std::istringstream cells(line);
    std::vector<double> row;
    double value;
    while (cells >> value) row.push_back(value);
    if (!row.empty()) table.push_back(row);
  }
  EXPECT_GE(table.size(), 500u) << path;
  return table;
}

// Everything Adams lists, at one moment.
struct Signals {
  Vec3 position, velocity, acceleration, angular_velocity, angular_acceleration;
  Vec3 reaction_force, reaction_torque;
  Mat3 orientation;
};

// Adams reports the motion of the marker at the centre of mass, in world axes, and the reaction on
// the ground, which is the first part of its joints.
Signals Observe(const Model& model, EquationsOfMotion* equations, const State& state) {
  std::vector<Vec6> reactions;
  equations->CalcReactions(state.t, state.q, state.v, &reactions);
  VecX v_dot(model.nv());
  equations->CalcAcceleration(state.t, state.q, state.v, &v_dot);
  const Kinematics& kin = equations->kinematics();
  std::vector<Vec6> A(model.nb());
  CalcAccelerations(model, kin, &v_dot, &A);
  const Pose X_WB = CalcBodyPose(model, kin, 1);
  const Vec3 com = X_WB * model.body(1).mass.com;
  const Vec6 V = CalcPointVelocity(kin, 1, com);
  const Vec6 a = CalcPointAcceleration(kin, A, 1, com);
  const Mat3 R_WM = X_WB.R * model.joint(1).X_CM.R;
  Signals out;
  out.position = com;
  out.velocity = V.tail<3>();
  out.acceleration = a.tail<3>();
  out.angular_velocity = V.head<3>();
  out.angular_acceleration = a.head<3>();
  out.reaction_force = -(R_WM * reactions[1].tail<3>());
  out.reaction_torque = -(R_WM * reactions[1].head<3>());
  out.orientation = X_WB.R;
  return out;
}

const std::vector<std::pair<std::string, Vec3 Signals::*>> kSignals = {
    {"Pos", &Signals::position},
    {"Vel", &Signals::velocity},
    {"Acc", &Signals::acceleration},
    {"Avel", &Signals::angular_velocity},
    {"Aacc", &Signals::angular_acceleration},
    {"Rforce", &Signals::reaction_force},
    {"Rtorque", &Signals::reaction_torque}};

// How far a signal of three components moves: the largest range of a component. A constant signal
// counts with its size, and one that is zero to rounding with a unit of 1e-6.
double Range(const std::vector<Vec3>& samples) {
  Vec3 low = samples[0], high = samples[0];
  double size = 0;
  for (const Vec3& sample : samples) {
    low = low.cwiseMin(sample);
    high = high.cwiseMax(sample);
    size = std::max(size, sample.cwiseAbs().maxCoeff());
  }
  const double range = (high - low).maxCoeff();
  return std::max(range > 1e-9 * size ? range : size, 1e-6);
}

std::vector<Vec3> Columns(const Table& table) {
  std::vector<Vec3> out;
  for (const auto& row : table) out.emplace_back(row[1], row[2], row[3]);
  return out;
}

struct JointCase {
  const char* adams;
  const char* scene;
};

class AdamsJoints : public ::testing::TestWithParam<JointCase> {};

TEST_P(AdamsJoints, AgreeInAllSignals) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  const auto [adams, name] = GetParam();
  const Scene scene = testing::LoadNamedScene(name);
  std::vector<Table> tables;
  std::vector<double> tolerance;
  for (const auto& [file, member] : kSignals) {
    tables.push_back(ReadTable(adams, file));
    tolerance.push_back(1e-3 * Range(Columns(tables.back())));
  }
  const Table quaternions = ReadTable(adams, "Quat");
  const auto matrix_of = [&](size_t row) {
    const auto& q = quaternions[row];
    return QuaternionToMatrix({q[1], q[2], q[3], q[4]});
  };
  // Adams' marker is turned against our body frame by a constant rotation.
  const Mat3 R_body_marker = matrix_of(0);

  Simulator simulator = testing::MakeSimulator(scene);
  EquationsOfMotion equations(scene.model);
  const size_t samples = tables[0].size();
  for (size_t i = 0; i < samples; ++i) {
    while (simulator.state().t < tables[0][i][0] - 1e-6) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    }
    const Signals observed = Observe(scene.model, &equations, simulator.state());
    for (size_t k = 0; k < kSignals.size(); ++k) {
      const auto& row = tables[k][i];
      const Vec3 difference = observed.*(kSignals[k].second) - Vec3(row[1], row[2], row[3]);
      ASSERT_LT(difference.cwiseAbs().maxCoeff(), tolerance[k])
          << kSignals[k].first << " at t = " << row[0];
    }
    ASSERT_LT((observed.orientation * R_body_marker - matrix_of(i)).cwiseAbs().maxCoeff(), 1e-3);
  }
}

// The step that the scene uses is fine enough for eight digits of every signal.
TEST_P(AdamsJoints, AgreeWithTheAdaptiveReference) {
  const Scene scene = testing::LoadNamedScene(GetParam().scene);
  Simulator simulator = testing::MakeSimulator(scene);
  AdaptiveIntegrator reference(scene.model);
  State exact = scene.initial;
  EquationsOfMotion equations(scene.model);
  std::vector<Signals> ours, theirs;
  for (int i = 1; i <= 500; ++i) {
    for (int k = 0; k < 10; ++k) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    ASSERT_TRUE(reference.AdvanceTo(simulator.state().t, &exact));
    ours.push_back(Observe(scene.model, &equations, simulator.state()));
    theirs.push_back(Observe(scene.model, &equations, exact));
    EXPECT_LT((ours.back().orientation - theirs.back().orientation).norm(), 1e-8);
  }
  for (const auto& [name, member] : kSignals) {
    std::vector<Vec3> expected;
    for (const Signals& sample : theirs) expected.push_back(sample.*member);
    const double tolerance = 1e-8 * Range(expected);
    for (size_t i = 0; i < ours.size(); ++i) {
      ASSERT_LT((ours[i].*member - expected[i]).cwiseAbs().maxCoeff(), tolerance)
          << name << ", sample " << i;
    }
  }
}

// The default integrator at the default step: its states, and what it reports of its own.
TEST_P(AdamsJoints, AgreeAtTheDefaultStep) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  const auto [adams, name] = GetParam();
  const Scene scene = testing::LoadNamedScene(
      name, {{"simulation.integrator", "semi-implicit-euler"}, {"simulation.step", "1e-3"}});
  std::vector<Table> tables;
  std::vector<double> tolerance;
  for (const auto& [file, member] : kSignals) {
    tables.push_back(ReadTable(adams, file));
    tolerance.push_back(1e-3 * Range(Columns(tables.back())));
  }
  Simulator simulator = testing::MakeSimulator(scene);
  EquationsOfMotion equations(scene.model);
  Reactions reactions;
  for (size_t i = 1; i < tables[0].size(); ++i) {
    while (simulator.state().t < tables[0][i][0] - 1e-6) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    }
    Signals observed = Observe(scene.model, &equations, simulator.state());
    simulator.CalcReactions(&reactions);
    const Mat3 R_WM =
        CalcBodyPose(scene.model, simulator.CalcKinematics(), 1).R * scene.model.joint(1).X_CM.R;
    observed.reaction_force = -(R_WM * reactions.joints[1].tail<3>());
    observed.reaction_torque = -(R_WM * reactions.joints[1].head<3>());
    for (size_t k = 0; k < kSignals.size(); ++k) {
      const auto& row = tables[k][i];
      const Vec3 difference = observed.*(kSignals[k].second) - Vec3(row[1], row[2], row[3]);
      ASSERT_LT(difference.cwiseAbs().maxCoeff(), tolerance[k])
          << kSignals[k].first << " at t = " << row[0];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, AdamsJoints,
                         ::testing::Values(JointCase{"Revolute", "adams_revolute"},
                                           JointCase{"Prismatic", "adams_prismatic"},
                                           JointCase{"Spherical", "adams_spherical"},
                                           JointCase{"Universal", "adams_universal"}),
                         [](const auto& entry) { return std::string(entry.param.adams); });

}  // namespace
}  // namespace voigt
