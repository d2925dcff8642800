// Rows that ask for what no velocity gives: a body between two walls that close.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/dense_problem.h"
#include "voigt/audit/law_residual.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/io/scene.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::MakeProblem;

constexpr FrictionMode kModes[] = {FrictionMode::kCoulomb, FrictionMode::kLagged,
                                   FrictionMode::kCone};

// A point in a plane that two walls push at `asked` in opposite directions.
OwnedProblem MakeSqueeze(double mu, double asked) {
  OwnedProblem out = MakeProblem(MatX::Identity(2, 2), Vec2(0.3, 0.7), 1e-3);
  for (double side : {1.0, -1.0}) {
    MatX G(2, 2);
    G << side, 0, 0, 1;
    AddGroup(Law::kContact, G, &out);
    out.problem.groups.back().mu = mu;
    out.problem.rows[out.problem.groups.back().first_row].v_hat = asked;
  }
  return out;
}

void ExpectIsHonest(const OwnedProblem& squeeze, const Solution& solution) {
  EXPECT_NE(solution.status, SolveStatus::kSolved);
  EXPECT_GT(solution.residual, 1e-4);
  EXPECT_GT(LawResidual().Calc(squeeze.problem, solution.gamma, RuleOf(solution)), 1e-4);
  EXPECT_LT(solution.gamma.cwiseAbs().maxCoeff(), 1e4);
}

// Ten times each, from the last impulses: they must not grow until the walls seem small.
TEST(ImpossibleRows, AreNotSolvedByImpulsesThatCancel) {
  for (FrictionMode mode : kModes) {
    for (double mu : {0.0, 0.5}) {
      SCOPED_TRACE(fmt::format("{} {}", static_cast<int>(mode), mu));
      const OwnedProblem squeeze = MakeSqueeze(mu, 1);
      CompliantSettings settings;
      settings.friction = mode;
      Compliant compliant(settings);
      Solution solution;
      for (int i = 0; i < 10; ++i) {
        const VecX start = solution.gamma;
        compliant.Solve(squeeze.problem, start, &solution);
        ExpectIsHonest(squeeze, solution);
      }
    }
  }
}

// Walls that stand still may well hold a body with impulses that cancel: whatever presses them.
TEST(ImpossibleRows, AreOthersThanThoseOfAPress) {
  for (FrictionMode mode : kModes) {
    for (double ratio : {1.0, 1e3, 1e6}) {
      // A press of mass `ratio` on a light body on the floor.
      OwnedProblem press = MakeProblem(Vec2(1, ratio).asDiagonal(), Vec2(-0.01, -0.01), 1e-3);
      MatX floor(1, 2), between(1, 2);
      floor << 1, 0;
      between << -1, 1;
      AddGroup(Law::kContact, floor, &press);
      AddGroup(Law::kContact, between, &press);
      CompliantSettings settings;
      settings.friction = mode;
      Compliant compliant(settings);
      Solution solution;
      compliant.Solve(press.problem, {}, &solution);
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << ratio;
      // By the scale of their impulses: the press is off by 1e-10 m/s at most.
      EXPECT_NEAR(solution.gamma[0], 0.01 * (1 + ratio), 1e-10 * ratio);
      EXPECT_NEAR(solution.gamma[1], 0.01 * ratio, 1e-10 * ratio);
    }
  }
}

TEST(ImpossibleRows, OfASceneAreToldInEveryStep) {
  const char* const text = R"(
materials: {default: {friction: 0.5}}
gravity: [0, 0, 0]
bodies:
  - {name: ball, mass: 1, inertia: [0.01, 0.01, 0.01], geometry: [{shape: sphere, radius: 0.1}]}
  - {name: left, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [0.1, 1, 1]}]}
  - {name: right, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [0.1, 1, 1]}]}
joints:
  - {name: f, type: free, child: ball}
  - {name: l, type: prismatic, child: left, axis: [1, 0, 0], frame: {position: [-0.1505, 0, 0]}}
  - {name: r, type: prismatic, child: right, axis: [1, 0, 0], frame: {position: [0.1505, 0, 0]}}
drives:
  - {type: prescribed, joint: l, position: 0.1 * t}
  - {type: prescribed, joint: r, position: -0.1 * t}
initial: {f: {velocity: [0, 0.2, 0]}}
simulation: {step: 1e-3, until: 0.1}
)";
  for (const char* mode : {"coulomb", "lagged", "cone"}) {
    SCOPED_TRACE(mode);
    const Scene scene = ParseScene(text, "squeeze", {{"simulation.friction", mode}});
    Simulator simulator(scene.model, scene.settings, scene.initial);
    int unsolved = 0;
    for (int step = 0; step < 100; ++step) {
      simulator.Step();
      const Solution& solution = simulator.solution();
      const bool is_solved = solution.status == SolveStatus::kSolved;
      unsolved += !is_solved;
      if (step < 5) {
        EXPECT_TRUE(is_solved) << step;  // the walls arrive
      }
      EXPECT_EQ(simulator.step_audit()->law < 1e-9, is_solved) << step;
      EXPECT_LT(solution.gamma.cwiseAbs().maxCoeff(), 1e4) << step;
      EXPECT_LT(simulator.state().v.cwiseAbs().maxCoeff(), 10) << step;
    }
    // Walls that were pushed apart may come back in a step or two.
    EXPECT_GE(unsolved, 90);
  }
}

}  // namespace
}  // namespace voigt
