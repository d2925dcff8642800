// The scenes with contact are what they say: contacts, stiffnesses and loads as described.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/dynamics/applied_loads.h"

namespace voigt {
namespace {

// A scene at its start, with its contacts and their rows.
struct Start {
  explicit Start(const std::string& name, const std::vector<Override>& overrides = {})
      : scene(testing::LoadNamedScene(name, overrides)), kin(scene.model), finder(scene.model) {
    UpdatePositions(scene.model, scene.initial.q, &kin);
    UpdateVelocities(scene.model, scene.initial.v, &kin);
    const double h = scene.settings.step;
    finder.Find(scene.model, kin, h);
    problem.h = h;
    problem.pattern = &scene.model.tree().pattern;
    AddContactRows({scene.model, kin, scene.initial.q, scene.initial.v, 0, h}, finder.contacts(),
                   {}, &problem);
    EXPECT_TRUE(finder.unsupported().empty());
  }

  Scene scene;
  Kinematics kin;
  ContactFinder finder;
  VelocityProblem problem;
};

TEST(ContactScenes, RampHasFourHertzFeetThatJustTouch) {
  const Start ramp("ramp");
  ASSERT_EQ(ramp.finder.contacts().size(), 4u);
  double sum_x = 0;
  for (const Contact& contact : ramp.finder.contacts()) {
    EXPECT_NEAR(contact.phi, 0, 1e-16);
    EXPECT_LT((contact.n_W - Vec3(std::sin(kPi / 12), 0, std::cos(kPi / 12))).norm(), 1e-15);
    sum_x += contact.p_W[0];
  }
  EXPECT_NEAR(sum_x, 0, 1e-15);
  for (const RowGroup& group : ramp.problem.groups) {
    EXPECT_EQ(group.law, Law::kContact);
    EXPECT_EQ(group.mu, 0.25);
    EXPECT_EQ(group.force_law.kind, ForceLaw::Kind::kHertz);
    EXPECT_NEAR(group.force_law.stiffness, 4.0 / 3.0 * 1e10, 1);
    EXPECT_DOUBLE_EQ(ramp.problem.rows[group.first_row + 1].R, 1e-6);  // 1/(h B)
  }
  const Start smooth("ramp", {{"parameters.mu", "0"}});
  for (const RowGroup& group : smooth.problem.groups) EXPECT_EQ(group.law, Law::kUnilateral);
}

TEST(ContactScenes, StackHasTheStiffnessOfItsContacts) {
  // Stacked without gaps, so that all touch.
  const Start stack("sphere_stack", {{"parameters.gap", "0"}});
  ASSERT_EQ(stack.problem.groups.size(), 10u);
  for (const RowGroup& group : stack.problem.groups) {
    EXPECT_DOUBLE_EQ(stack.problem.rows[group.first_row].c, 1e-11);
    EXPECT_DOUBLE_EQ(stack.problem.rows[group.first_row].tau, 1e-11);
  }
  for (const Contact& contact : stack.finder.contacts()) EXPECT_EQ(contact.n_W, Vec3::UnitZ());
}

TEST(ContactScenes, FoundationHasTheStiffnessOfItsLayerAndALoadThatRunsAround) {
  const Start cube("foundation", {{"parameters.n", "30"}, {"parameters.load", "50"}});
  ASSERT_EQ(cube.problem.groups.size(), 1u);
  ASSERT_EQ(cube.problem.row_count(), 900);
  for (const Row& row : cube.problem.rows) {
    EXPECT_EQ(row.phi, 0);
    EXPECT_NEAR(row.c, 900 / 1e7, 1e-18);
    EXPECT_NEAR(row.tau, 900 / 1e7, 1e-18);
  }
  // A turned cube under the load at (s/2)[cos 10t, sin 10t, 1].
  State state = cube.scene.initial;
  state.q.tail<4>() = Vec4(0.9, 0.1, -0.3, 0.2).normalized();
  Kinematics kin(cube.scene.model);
  UpdatePositions(cube.scene.model, state.q, &kin);
  AppliedLoads loads(cube.scene.model);
  for (double t : {0.0, 0.123, 0.7}) {
    loads.Update(cube.scene.model, kin, {}, t);
    const VecX& tau = loads.tau();
    const Vec3 r = 0.5 * Vec3(std::cos(10 * t), std::sin(10 * t), 1), down(0, 0, -50);
    const Mat3& R = kin.X_WL[1].R;
    EXPECT_LT((tau.head<3>() - down).norm(), 1e-13);
    EXPECT_LT((tau.tail<3>() - r.cross(R.transpose() * down)).norm(), 1e-13);
  }
}

TEST(ContactScenes, BallAndBlockAreRigid) {
  const Start block("sliding_block");
  ASSERT_EQ(block.problem.groups.size(), 4u);
  EXPECT_EQ(block.problem.groups[0].mu, 0.25);
  for (const Row& row : block.problem.rows) EXPECT_EQ(row.R, 0);
  for (const Contact& contact : block.finder.contacts()) EXPECT_NEAR(contact.phi, 0, 1e-17);
  const Start ball("bouncing_ball",
                   {{"parameters.H", "0"}, {"initial.fall.velocity", "[0, 0, -2]"}});
  ASSERT_EQ(ball.problem.groups.size(), 1u);
  EXPECT_NEAR(ball.problem.rows[0].v_hat, 1.6, 1e-14);
}

}  // namespace
}  // namespace voigt
