// The example of a constraint written by a user: checked and run.

#include <gtest/gtest.h>

#include <cmath>

#include "examples/bead_on_parabola.h"
#include "tests/constraints/row_checks.h"

namespace voigt {
namespace {

using examples::BeadOnParabola;
using testing::MakeRows;
using testing::Random;
using testing::Rows;

Model MakeBead(double a, double K) {
  ModelBuilder builder;
  BodySpec bead;
  bead.name = "bead";
  bead.mass_source = MassSource::kExplicit;
  bead.mass = {0.5, Vec3::Zero(), 0.01 * Mat3::Identity()};
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::kFree;
  joint.child = "bead";
  builder.AddBody(bead).AddJoint(joint);
  builder.spec().user_constraints.push_back(std::make_shared<BeadOnParabola>("bead", a, K));
  return builder.Build();
}

TEST(UserConstraint, HasARowThatIsTheExactDerivative) {
  const Model model = MakeBead(0.7, 1e4);
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    const State state = testing::MakeRandomState(model, &random);
    const auto list = ConstraintSet(model).list();
    ASSERT_EQ(list.size(), 1u);
    EXPECT_LT(testing::CalcDerivativeError(model, list, state, &random), 1e-9);
    const double slope = 2 * 0.7 * state.q[0];
    EXPECT_DOUBLE_EQ(MakeRows(model, state)[0].c, 1 / (1e4 * (1 + slope * slope)));
  }
}

// Steps of the bead alone: the one row is solved by hand.
TEST(UserConstraint, KeepsABeadOnItsTrack) {
  const double a = 0.5, h = 1e-4, m = 0.5, g = 9.81;
  const Model model = MakeBead(a, kInfinity);
  State state;
  state.q = model.NeutralCoordinates();
  state.q[0] = 1;
  state.q[2] = a;
  state.v = VecX::Zero(6);
  const double start = m * g * a;
  double lowest = 1, farthest = 0;
  for (int i = 0; i < 20000; ++i) {
    const Rows rows = MakeRows(model, state, h);
    const Row& row = rows[0];
    VecX v = state.v;
    v[2] -= h * g;
    const VecX G = rows.problem.ToDenseG().row(0);
    const double w = G.head<3>().squaredNorm() / m;
    const double gamma = (row.v_hat - row.phi_t - G.dot(v)) / (w + row.R);
    v.head<3>() += gamma / m * G.head<3>();
    state.v = v;
    IntegratePositions(model, v, h, &state.q);
    lowest = std::min(lowest, state.q[2]);
    farthest = std::max(farthest, -state.q[0]);
    // Off the track by the curvature within a step only.
    ASSERT_LT(std::abs(state.q[2] - a * state.q[0] * state.q[0]), 2 * a * h * h * v.squaredNorm());
  }
  const double energy = 0.5 * m * state.v.squaredNorm() + m * g * state.q[2];
  EXPECT_NEAR(energy, start, 2e-3 * start);
  EXPECT_NEAR(lowest, 0, 1e-6);
  EXPECT_NEAR(farthest, 1, 1e-3);
}

}  // namespace
}  // namespace voigt
