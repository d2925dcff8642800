#include "voigt/constraints/row_writer.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/collision/scene_of_shapes.h"
#include "tests/support/random_model.h"
#include "voigt/dynamics/kinematics.h"

namespace voigt {
namespace {

using testing::AddBodyWithShapes;
using testing::Random;
using testing::RandomVector;

// Two free bodies, 1 and 2, and an arm of two links, 3 and 4.
Model MakeBodiesAndArm() {
  ModelSpec spec;
  AddBodyWithShapes(&spec, "a", {});
  AddBodyWithShapes(&spec, "b", {});
  AddBodyWithShapes(&spec, "upper", {}, JointType::kRevolute);
  AddBodyWithShapes(&spec, "lower", {}, JointType::kBall, "upper");
  return ModelBuilder(spec).Build();
}

// Forces at many points, written at once and one by one.
TEST(RowWriter, ForcesAtOnceAreThoseOneByOne) {
  Random random(5);
  const Model model = MakeBodiesAndArm();
  for (int trial = 0; trial < 20; ++trial) {
    Kinematics kin(model);
    UpdatePositions(model, testing::MakeRandomState(model, &random).q, &kin);
    const Vec3 force = trial == 0 ? Vec3::UnitZ() : RandomVector(&random);
    std::vector<Vec3> points;
    for (int k = 0; k < 7; ++k) points.push_back(RandomVector(&random, 3));
    points.push_back(kin.X_WL[1].p + 2 * force);  // turns nothing, but for rounding
    for (const auto& [A, B] : std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {1, 4}, {3, 4}}) {
      SCOPED_TRACE(::testing::Message() << "trial " << trial << ", bodies " << A << " " << B);
      VelocityProblem at_once, one_by_one;
      {
        RowWriter rows(model, kin, &at_once);
        rows.BeginOnBodies(Law::kUnilateral, A, B);
        rows.AddForces(8, force, [&](int k) { return points[k]; });
        rows.AddForces(1, force, [&](int) { return points[0]; });
      }
      {
        RowWriter rows(model, kin, &one_by_one);
        rows.BeginOnBodies(Law::kUnilateral, A, B);
        for (const Vec3& p : points) rows.AddWrench(0, p, Vec3::Zero(), force);
        rows.AddWrench(0, points[0], Vec3::Zero(), force);
      }
      EXPECT_EQ(at_once.row_count(), 9);
      EXPECT_EQ(at_once.groups[0].row_count, 9);
      ASSERT_EQ(at_once.G.size(), one_by_one.G.size());
      for (size_t k = 0; k < at_once.G.size(); ++k) {
        EXPECT_NEAR(at_once.G[k], one_by_one.G[k], 1e-14);
      }
      if (A == 0) {
        for (int c = 3; c < 6; ++c) EXPECT_EQ(at_once.G[7 * 6 + c], 0);
      }
    }
  }
}

}  // namespace
}  // namespace voigt
