// Walls of planks, where contacts repeat each other many times, under the formulations that work
// with dense matrices: a solution or a status that says what is missing, and never anything that is
// not finite.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

struct WallCase {
  FormulationKind kind;
  int rows, columns;
  int max_iterations = 0;  // as the method thinks fit
};

void StepWall(const WallCase& wall, int steps, int least_contacts) {
  SCOPED_TRACE(ToString(wall.kind));
  Scene scene =
      testing::LoadNamedScene("plank_wall", {{"parameters.rows", std::to_string(wall.rows)},
                                             {"parameters.columns", std::to_string(wall.columns)}});
  scene.settings.formulation.kind = wall.kind;
  if (wall.max_iterations > 0) {
    scene.settings.formulation.impulse_space.max_iterations = wall.max_iterations;
  }
  Simulator simulator = testing::MakeSimulator(scene);
  const VecX start = simulator.state().q;
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const Solution& solution = simulator.solution();
    EXPECT_TRUE(solution.gamma.allFinite());
    EXPECT_TRUE(simulator.state().IsFinite());
    EXPECT_TRUE(std::isfinite(solution.residual));
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << ToString(solution.status);
    EXPECT_LT(solution.residual, 1e-10);
  }
  EXPECT_GE(simulator.problem().row_count(), 3 * least_contacts);
  // It stands.
  EXPECT_LT((simulator.state().q - start).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(WallFormulations, SolveASmallOne) {
  for (FormulationKind kind : {FormulationKind::kStabilizedLcp, FormulationKind::kMlcpLemke,
                               FormulationKind::kMlcpFbPlm, FormulationKind::kMncpPlm}) {
    StepWall({kind, 2, 3}, 3, 28);
  }
}

// What does not have the time to arrive says so.
TEST(WallFormulations, TellOfWhatIsNotSolved) {
  for (FormulationKind kind : {FormulationKind::kStabilizedLcp, FormulationKind::kMlcpLemke}) {
    SCOPED_TRACE(ToString(kind));
    Scene scene = testing::LoadNamedScene("plank_wall",
                                          {{"parameters.rows", "2"}, {"parameters.columns", "3"}});
    scene.settings.formulation.kind = kind;
    scene.settings.formulation.impulse_space.max_iterations = 1;
    Simulator simulator = testing::MakeSimulator(scene);
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_TRUE(simulator.state().IsFinite());
    EXPECT_EQ(simulator.solution().status, SolveStatus::kIterationLimit);
    EXPECT_TRUE(std::isfinite(simulator.solution().residual));
    EXPECT_GT(simulator.solution().residual, 1e-3);
  }
}

// 308 contacts; the Fischer–Burmeister equations, six unknowns a contact, have 88.
TEST(LongWallFormulations, SolveALargeOne) {
  StepWall({FormulationKind::kStabilizedLcp, 10, 5}, 3, 308);
  StepWall({FormulationKind::kMlcpLemke, 10, 5}, 3, 308);
  StepWall({FormulationKind::kMncpPlm, 10, 5, 20}, 1, 308);
  StepWall({FormulationKind::kMlcpFbPlm, 4, 4}, 2, 88);
}

}  // namespace
}  // namespace voigt
