#include "voigt/constraints/reaction_map.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "voigt/dynamics/jacobian.h"

namespace voigt {
namespace {

// The column of a row is the difference between Newton's and Euler's answers with the row's wrench
// among the external forces and without it.
TEST(ReactionMap, HasTheColumnsOfInverseDynamics) {
  for (int seed = 0; seed < 40; ++seed) {
    testing::Random random(seed);
    testing::RandomTreeOptions options;
    options.max_dofs = 20;
    const Model model = testing::MakeRandomTree(&random, options);
    const State state = testing::MakeRandomState(model, &random);
    Kinematics kin(model);
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);
    const VecX v_dot = testing::RandomRates(model, &random);
    const VecX response = testing::RandomRates(model, &random);
    std::vector<Vec6> F_ext(model.nb());
    for (Vec6& F : F_ext) F = testing::RandomSpatial(&random);
    RowWrench wrench;
    wrench.row = 3;
    wrench.body_A = static_cast<int>(random() % model.nb());
    wrench.body_B = static_cast<int>(random() % model.nb());
    wrench.p = testing::RandomVector(&random);
    wrench.torque = testing::RandomVector(&random);
    wrench.force = testing::RandomVector(&random);

    ReactionMap map(model);
    std::vector<Vec3> start(model.nb()), column(model.nb());
    map.Start(model, kin, v_dot, F_ext);
    for (int b = 1; b < model.nb(); ++b) start[b] = map.CalcTreeForce(b);
    map.AddRow(model, kin, response, 3, {wrench});
    for (int b = 1; b < model.nb(); ++b) column[b] = map.CalcTreeForce(b);

    Vec6 F;
    F << wrench.torque, wrench.force;
    F_ext[wrench.body_B] += ShiftForce(F, wrench.p - kin.X_WL[wrench.body_B].p);
    F_ext[wrench.body_A] -= ShiftForce(F, wrench.p - kin.X_WL[wrench.body_A].p);
    NewtonEulerScratch scratch(model);
    VecX tau(model.nv());
    const VecX both = v_dot + response;
    CalcInverseDynamics(model, kin, &both, &F_ext, &scratch, &tau);
    for (int b = 1; b < model.nb(); ++b) {
      const Vec3 force = scratch.F[b].tail<3>();
      EXPECT_LT((start[b] + column[b] - force).norm(), 1e-11 * (1 + force.norm())) << seed;
    }
  }
}

}  // namespace
}  // namespace voigt
