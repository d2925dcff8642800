#include "voigt/steppers/integrate.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "voigt/dynamics/kinematics.h"

namespace voigt {
namespace {

TEST(IntegratePositions, FollowsTheCoordinateRates) {
  for (int seed = 0; seed < 40; ++seed) {
    testing::Random random(seed);
    const Model model = testing::MakeRandomTree(&random);
    const State state = testing::MakeRandomState(model, &random);
    VecX rates(model.nq());
    CalcPositionRates(model, state.q, state.v, &rates);
    const double s = 1e-6;
    VecX plus = state.q, minus = state.q;
    IntegratePositions(model, state.v, s, &plus);
    IntegratePositions(model, state.v, -s, &minus);
    EXPECT_LT(((plus - minus) / (2 * s) - rates).norm(), 1e-8 * (1 + rates.norm()));
  }
}

TEST(IntegratePositions, KeepsQuaternionsOfUnitLengthAndReturns) {
  for (int seed = 0; seed < 40; ++seed) {
    testing::Random random(seed);
    const Model model = testing::MakeRandomTree(&random);
    const State state = testing::MakeRandomState(model, &random);
    VecX q = state.q;
    for (int i = 0; i < 100; ++i) IntegratePositions(model, state.v, 0.3, &q);
    VecX normalized = q;
    NormalizePositions(model, &normalized);
    EXPECT_LT((q - normalized).norm(), 1e-14);
    for (int i = 0; i < 100; ++i) IntegratePositions(model, state.v, -0.3, &q);
    EXPECT_LT((q - state.q).norm(), 1e-11 * (1 + state.q.norm()));
  }
}

}  // namespace
}  // namespace voigt
