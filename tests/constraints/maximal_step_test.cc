// One step in maximal coordinates, where joints, springs, dampers, rotors, loads and servos are
// rows, against the same step in joint coordinates, where they are part of the mass matrix and of
// the forces. At the velocity level both are the same convex problem, so the rates agree to
// rounding.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/constraints/row_checks.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::MakeRandomState;
using testing::Random;
using testing::Rows;
using testing::Uniform;

VecX CalcFreeVelocity(const Model& model, const State& state, double h) {
  Configuration configuration(model);
  EXPECT_TRUE(configuration.Update(model, state.q));
  FreeVelocity free(model);
  EXPECT_TRUE(free.Update(model, configuration, state, VecX(), h));
  return free.v_star();
}

// v₁ with all bilateral rows at u = 0 and the impulses of bounded rows at their one value.
VecX SolveDense(const Model& model, const State& state, const Rows& rows, double h) {
  Configuration configuration(model);
  EXPECT_TRUE(configuration.Update(model, state.q));
  const MatX M = model.tree().pattern.ToDense(configuration.M());
  const MatX G = rows.problem.ToDenseG();
  const int nv = model.nv(), count = rows.size();
  MatX A = MatX::Zero(nv + count, nv + count);
  VecX b(nv + count);
  A.topLeftCorner(nv, nv) = M;
  A.topRightCorner(nv, count) = -G.transpose();
  b.head(nv) = M * CalcFreeVelocity(model, state, h);
  for (const RowGroup& group : rows.problem.groups) {
    for (int r = group.first_row; r < group.first_row + group.row_count; ++r) {
      const Row& row = rows[r];
      if (group.law == Law::kBounded) {
        EXPECT_EQ(row.lower, row.upper);
        A(nv + r, nv + r) = 1;
        b[nv + r] = row.lower;
        continue;
      }
      A.block(nv + r, 0, 1, nv) = G.row(r);
      A(nv + r, nv + r) = row.R;
      b[nv + r] = row.v_hat - row.phi_t;
    }
  }
  return A.fullPivLu().solve(b).head(nv);
}

// Joints of all types with springs, rest positions, damping, viscous friction, armature, loads and
// servos.
Model MakeLoadedTree(Random* random) {
  testing::RandomTreeOptions options;
  options.max_dofs = 20;
  options.with_springs = true;
  ModelSpec spec = MakeRandomTree(random, options).spec();
  for (JointSpec& joint : spec.joints) {
    const int nv = DofCount(joint.type);
    if (nv == 0) continue;
    joint.viscous_friction = {Uniform(random, 0, 1)};
    JointLoad load;
    load.name = "load of " + joint.name;
    load.joint = joint.name;
    for (int k = 0; k < nv; ++k) {
      load.force.push_back(TimeFunction::Parse(fmt::format("{} + t", Uniform(random, -5, 5))));
    }
    spec.joint_loads.push_back(load);
    if (HasQuaternion(joint.type)) continue;
    for (int k = 0; k < nv; ++k) joint.rest.push_back(Uniform(random, -1, 1));
    Servo servo;
    servo.name = "servo of " + joint.name;
    servo.joint = joint.name;
    servo.stiffness = {Uniform(random, 0, 100)};
    servo.damping = {Uniform(random, 0, 10)};
    for (int k = 0; k < nv; ++k) {
      servo.target.push_back(TimeFunction::Parse(fmt::format("{} + 2*t", Uniform(random, -1, 1))));
      servo.target_rate.push_back(TimeFunction(2));
    }
    spec.servos.push_back(servo);
  }
  return ModelBuilder(spec).Build();
}

TEST(MaximalStep, EqualsTheStepInJointCoordinates) {
  const double h = 0.02;
  int rows_seen = 0;
  for (int seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Model tree = MakeLoadedTree(&random);
    State state = MakeRandomState(tree, &random);
    state.t = 0.3;
    // Angles that a loop joint knows: springs and servos within half a turn of rest and target.
    state.q = tree.NeutralCoordinates() + 0.4 * (state.q - tree.NeutralCoordinates());
    NormalizePositions(tree, &state.q);

    const Model free = ToMaximal(tree);
    const State free_state = ToMaximalState(tree, state, free);
    const Rows rows = testing::MakeRows(free, free_state, h);
    const VecX v1 = SolveDense(free, free_state, rows, h);

    State expected = state;
    expected.v = CalcFreeVelocity(tree, state, h);
    const VecX expected_v1 = ToMaximalState(tree, expected, free).v;
    EXPECT_LT((v1 - expected_v1).norm(), 1e-9 * (1 + expected_v1.norm())) << "seed " << seed;
    rows_seen += rows.size();
  }
  EXPECT_GT(rows_seen, 2000);
}

}  // namespace
}  // namespace voigt
