#include "voigt/dynamics/joint_springs.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

TEST(JointSprings, ForcesAreTheNegativeGradientOfTheEnergy) {
  for (int seed = 0; seed < 60; ++seed) {
    testing::Random random(seed);
    testing::RandomTreeOptions options;
    options.with_springs = true;
    options.max_dofs = 25;
    const Model model = testing::MakeRandomTree(&random, options);
    const State state = testing::MakeRandomState(model, &random);
    VecX force = VecX::Zero(model.nv());
    AddSpringForces(model, state.q, &force);
    const double s = 1e-6;
    for (int k = 0; k < model.nv(); ++k) {
      const auto energy_at = [&](double step) {
        VecX q = state.q;
        IntegratePositions(model, VecX::Unit(model.nv(), k), step, &q);
        return CalcSpringEnergy(model, q);
      };
      const double gradient = (energy_at(s) - energy_at(-s)) / (2 * s);
      EXPECT_NEAR(force[k], -gradient, 1e-7 * (1 + force.norm())) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace voigt
