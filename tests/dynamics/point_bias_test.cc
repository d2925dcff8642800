// J̇ v of a point by the joints on its way, against the spatial accelerations of all links.

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "voigt/dynamics/kinematics.h"

namespace voigt {
namespace {

TEST(PointBias, IsTheAccelerationOfAPointWithEvenRates) {
  testing::Random random(5);
  for (int i = 0; i < 50; ++i) {
    testing::RandomTreeOptions options;
    options.floating_base = i % 3 == 0;
    const Model model = testing::MakeRandomTree(&random, options);
    const State state = testing::MakeRandomState(model, &random);
    Kinematics kin(model);
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);
    std::vector<Vec6> A(model.nb());
    CalcAccelerations(model, kin, nullptr, &A);
    for (int b = 0; b < model.nb(); ++b) {
      const Vec3 p = kin.X_WL[b].p + Vec3(0.3, -0.7, 0.2);
      const Vec3 expected = CalcPointAcceleration(kin, A, b, p).tail<3>();
      EXPECT_LT((CalcPointBias(model, kin, b, p) - expected).norm(), 1e-11 * (1 + expected.norm()));
    }
  }
}

}  // namespace
}  // namespace voigt
