#include "voigt/constraints/curvature.h"

#include <gtest/gtest.h>

#include "tests/constraints/row_checks.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

VecX CalcCurvature(const Model& model, const State& state) {
  const ConstraintSet set(model);
  const testing::Rows rows = testing::MakeRows(model, state);
  Curvature curvature(model);
  const ConstraintContext at{model, rows.kin, state.q, state.v, state.t, rows.problem.h};
  EXPECT_TRUE(curvature.Update(set, at, rows.problem));
  return curvature.value();
}

// With v constant, a point r of the body has the acceleration ω × (ω × r), and so has an axis.
TEST(Curvature, OfAPinIsCentripetal) {
  const Scene scene = testing::LoadNamedScene("absolute_pendulum");
  testing::Random random(1);
  for (int i = 0; i < 20; ++i) {
    State state = testing::MakeRandomState(scene.model, &random);
    state.v *= std::pow(10, i % 5 - 2);
    const testing::Rows rows = testing::MakeRows(scene.model, state);
    const Mat3 R = rows.kin.X_WL[1].R;
    const Vec3 omega = R * state.v.tail<3>();
    const auto centripetal = [&](const Vec3& r) { return omega.cross(omega.cross(R * r)); };
    const MatX G = rows.problem.ToDenseG();
    const VecX value = CalcCurvature(scene.model, state);
    ASSERT_EQ(value.size(), 5);
    const double scale = omega.squaredNorm();
    // The first three rows are the pin's place along the axes of F, which their entries of ṗ are;
    // the others are those of the first two with the pin's own direction.
    for (int k = 0; k < 5; ++k) {
      const Vec3 axis = G.row(k % 3).head<3>();
      const Vec3 r = k < 3 ? Vec3(-1, 0, 0) : Vec3(0, 1, 0);
      EXPECT_NEAR(value[k], axis.dot(centripetal(r)), 1e-10 * scale) << k;
    }
  }
}

// A step of length s along v opens gaps by s G v + s²/2 Ġ v + O(s³).
TEST(Curvature, IsTheSecondDerivativeOfTheGap) {
  testing::Random random(2);
  for (int seed = 0; seed < 10; ++seed) {
    const Model model = testing::AddToRandomTree(&random, [&](ModelSpec* spec) {
      JointSpec joint;
      joint.name = "loop";
      joint.type = seed % 2 == 0 ? JointType::kBall : JointType::kUniversal;
      joint.parent = "world";
      joint.child = spec->bodies.back().name;
      joint.tree = TreeChoice::kLoop;
      spec->joints.push_back(joint);
    });
    const State state = testing::MakeRandomState(model, &random);
    const VecX value = CalcCurvature(model, state);
    const auto phi_at = [&](double s) {
      State moved = state;
      IntegratePositions(model, state.v, s, &moved.q);
      return testing::MakeRows(model, moved).Phi();
    };
    const double e = 1e-3;
    const VecX second =
        (16 * (phi_at(e) + phi_at(-e)) - (phi_at(2 * e) + phi_at(-2 * e)) - 30 * phi_at(0)) /
        (12 * e * e);
    EXPECT_LT((value - second).cwiseAbs().maxCoeff(), 1e-7 * (1 + value.cwiseAbs().maxCoeff()));
  }
}

// Rows about velocities and rows that only push have none.
TEST(Curvature, IsOfHolonomicRowsOnly) {
  const Scene scene = testing::LoadNamedScene("joint_limit");
  State state = scene.initial;
  state.v.setConstant(2);
  EXPECT_EQ(CalcCurvature(scene.model, state),
            VecX::Zero(CalcCurvature(scene.model, state).size()));
}

}  // namespace
}  // namespace voigt
