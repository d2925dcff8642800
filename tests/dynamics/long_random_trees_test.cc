// Thousands of large random trees: forward and inverse dynamics, hybrid dynamics, the factor of the
// mass matrix and operational-space inertias stay consistent up to 200 degrees of freedom.

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "voigt/dynamics/articulated_body.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/operational_space.h"
#include "voigt/math/tree_factor.h"

namespace voigt {
namespace {

TEST(LongRandomTrees, StayConsistent) {
  double worst_tau = 0, worst_hybrid = 0, worst_operational = 0;
  for (int seed = 0; seed < 4000; ++seed) {
    testing::Random random(1000 + seed);
    testing::RandomTreeOptions options;
    options.max_dofs = 200;
    options.branching = testing::Uniform(&random, 0, 0.8);
    options.with_springs = seed % 2 == 0;
    const Model model = testing::MakeRandomTree(&random, options);
    const State state = testing::MakeRandomState(model, &random);
    const int nv = model.nv();
    Kinematics kin(model);
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);

    // Forward dynamics, judged by the forces its result needs.
    const VecX tau = testing::RandomRates(model, &random, 10);
    VecX v_dot(nv), back(nv);
    ArticulatedBody articulated(model);
    UpdateArticulatedInertia(model, kin, nullptr, &articulated);
    CalcForwardDynamics(model, kin, tau, nullptr, &articulated, &v_dot);
    NewtonEulerScratch newton_euler(model);
    CalcInverseDynamics(model, kin, &v_dot, nullptr, &newton_euler, &back);
    VecX bias(nv);
    CalcBias(model, kin, &newton_euler, &bias);
    const double tau_error = (back - tau).norm() / (tau.norm() + bias.norm());
    worst_tau = std::max(worst_tau, tau_error);

    // Hybrid dynamics: half of the accelerations given, half of the forces; it finds the others.
    std::vector<char> prescribed(nv);
    VecX tau_hybrid = tau, v_dot_hybrid = v_dot;
    for (int k = 0; k < nv; ++k) {
      prescribed[k] = random() % 2;
      (prescribed[k] ? tau_hybrid : v_dot_hybrid)[k] = 0;
    }
    ArticulatedBody hybrid(model);
    UpdateArticulatedInertia(model, kin, &prescribed, &hybrid);
    CalcHybridDynamics(model, kin, prescribed, nullptr, &hybrid, &tau_hybrid, &v_dot_hybrid);
    CalcInverseDynamics(model, kin, &v_dot_hybrid, nullptr, &newton_euler, &back);
    worst_hybrid =
        std::max(worst_hybrid, (back - tau_hybrid).norm() / (tau_hybrid.norm() + bias.norm()));

    // Both ways to the operational-space inertia of five nodes.
    std::vector<Node> nodes;
    for (int i = 0; i < 5; ++i) {
      const int body = 1 + static_cast<int>(random() % (model.nb() - 1));
      nodes.push_back({body, kin.X_WL[body].p + testing::RandomVector(&random)});
    }
    VecX M(model.tree().pattern.nonzeros());
    CompositeInertia composite(model);
    CalcMassMatrix(model, kin, &composite, &M);
    TreeFactor factor(model.tree().pattern);
    ASSERT_EQ(factor.Factor(model.tree().pattern, M), -1) << "seed " << seed;
    MatX a(30, 30), b(30, 30);
    OperationalSpaceByFactor().Calc(model, kin, factor, nodes, a);
    OperationalSpaceByRecursion().Calc(model, kin, articulated, nodes, b);
    worst_operational = std::max(worst_operational, (a - b).norm() / a.norm());
  }
  EXPECT_LT(worst_tau, 1e-10);
  EXPECT_LT(worst_hybrid, 1e-10);
  EXPECT_LT(worst_operational, 1e-10);
}

}  // namespace
}  // namespace voigt
