// Packed beds of spheres: one large island of contacts, solved with and without a factor.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/all_digits.h"
#include "tests/support/allocation_counter.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/io/scene.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

// Layers of side × side spheres, each layer in the hollows of the one below but for some jitter, in
// a box of half-spaces. Gaps close within some steps.
Scene MakeBed(int side, int layers, const std::string& material, const std::string& solver) {
  constexpr double kRadius = 0.04, kPitch = 0.0815, kLayer = 0.061;
  std::mt19937 random(5);
  const auto jitter = [&] { return 6e-4 * (random() % 2001 / 1000.0 - 1); };
  const double width = (side + 0.5) * kPitch;
  std::string bodies, joints;
  for (int i = 0; i < side * side * layers; ++i) {
    const int layer = i / (side * side);
    const double shift = layer % 2 == 0 ? 0.5 : 1;
    const double x = (i % side + shift) * kPitch, y = (i / side % side + shift) * kPitch;
    const double z = 1.02 * kRadius + layer * kLayer;
    bodies +=
        fmt::format("  - {{name: b{}, geometry: [{{shape: sphere, radius: {}, density: 2500}}]}}\n",
                    i, kRadius);
    joints += fmt::format(
        "  - {{name: j{0}, type: free, child: b{0}, frame: {{position: [{1}, {2}, {3}]}}}}\n", i,
        x + jitter(), y + jitter(), z + jitter());
  }
  const std::string text = fmt::format(
      "materials:\n  default: {}\n"
      "world:\n  geometry:\n"
      "    - {{shape: half-space}}\n"
      "    - {{shape: half-space, rpy: [0, 90 deg, 0]}}\n"
      "    - {{shape: half-space, rpy: [0, -90 deg, 0], position: [{}, 0, 0]}}\n"
      "    - {{shape: half-space, rpy: [-90 deg, 0, 0]}}\n"
      "    - {{shape: half-space, rpy: [90 deg, 0, 0], position: [0, {}, 0]}}\n"
      "bodies:\n{}joints:\n{}"
      "simulation: {{step: 0.002, until: 1, linear_solver: {}}}\n",
      material, width, width, bodies, joints, solver);
  return ParseScene(text, "bed");
}

constexpr char kSoft[] = "{stiffness: 2e5, damping: 100, friction: 0.5}";

Solution SolveBed(const VelocityProblem& problem, InnerSolver inner,
                  FrictionMode friction = FrictionMode::kCoulomb) {
  CompliantSettings settings = testing::AllDigits<CompliantSettings>();
  settings.inner = inner;
  settings.friction = friction;
  Compliant compliant(settings);
  Solution out;
  compliant.Solve(problem, {}, &out);
  return out;
}

TEST(Bed, IsSolvedAlikeWithAndWithoutAFactor) {
  const Scene scene = MakeBed(4, 4, kSoft, "auto");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int step = 0; step < 60; ++step) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (step % 6 != 5) continue;
    const VelocityProblem& problem = simulator.problem();
    for (FrictionMode mode : {FrictionMode::kCoulomb, FrictionMode::kCone}) {
      const Solution direct = SolveBed(problem, InnerSolver::kBlockSparse, mode);
      const Solution iterative = SolveBed(problem, InnerSolver::kIterative, mode);
      ASSERT_EQ(direct.status, SolveStatus::kSolved) << step;
      ASSERT_EQ(iterative.status, SolveStatus::kSolved) << step << ' ' << iterative.residual;
      EXPECT_LE(iterative.residual, 1e-12);
      EXPECT_EQ(direct.stats.linear_iterations, 0);
      EXPECT_GT(iterative.stats.linear_iterations, 0);
      // Friction that is rigid may be shared in more ways than one; velocities are what they are.
      EXPECT_LT((iterative.v1 - direct.v1).lpNorm<Eigen::Infinity>(),
                1e-9 * direct.v1.lpNorm<Eigen::Infinity>())
          << step;
    }
  }
  EXPECT_GT(simulator.problem().row_count(), 400);
  EXPECT_EQ(simulator.solution().stats.islands, 1);
}

// Rates of a free joint begin with those of the position.
double CalcVerticalMomentum(const Simulator& simulator) {
  double sum = 0;
  for (int b = 1; b < simulator.model().nb(); ++b) {
    sum += simulator.model().body(b).mass.mass * simulator.state().v[6 * (b - 1) + 2];
  }
  return sum;
}

// Every step passes the audit, also those in which medium islands grow together; and what holds the
// bed is its change of momentum: Σ m (Δv_z + g h).
TEST(Bed, PassesTheAuditAndIsHeldByWhatItPressesOn) {
  for (const char* solver : {"iterative", "block-sparse", "auto"}) {
    const Scene scene = MakeBed(4, 4, kSoft, solver);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    double before = 0, after = 0;
    for (int step = 0; step < 100; ++step) {
      before = after;
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      after = CalcVerticalMomentum(simulator);
    }
    EXPECT_EQ(simulator.solver().not_solved, 0) << solver;
    EXPECT_EQ(simulator.audit().failed, 0) << solver;
    EXPECT_EQ(simulator.solver().linear_iterations > 0, std::string(solver) == "iterative");

    double weight = 0;
    for (int b = 1; b < simulator.model().nb(); ++b) {
      weight += 9.81 * simulator.model().body(b).mass.mass;
    }
    const VelocityProblem& problem = simulator.problem();
    double lift = 0;
    for (const RowGroup& group : problem.groups) {
      if (group.col_count != 6) continue;  // between spheres
      for (int r = 0; r < group.row_count; ++r) {
        lift += simulator.solution().gamma[group.first_row + r] *
                problem.G[group.first_entry + r * 6 + 2];
      }
    }
    EXPECT_NEAR(lift, after - before + weight * problem.h, 1e-10 * weight * problem.h) << solver;
  }
}

// What is foreseen and stays open costs nothing but a look.
TEST(Bed, OfOpenContactsTakesNoIterations) {
  const Scene scene = MakeBed(3, 3, kSoft, "auto");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  int looks = 0;
  for (int step = 0; step < 40; ++step) {
    simulator.Step();
    const Solution& solution = simulator.solution();
    if (solution.gamma.size() == 0 || !solution.gamma.isZero(0)) continue;
    ++looks;
    EXPECT_EQ(solution.stats.newton_iterations, 0) << step;
    EXPECT_EQ(solution.v1, simulator.problem().v_star) << step;
  }
  EXPECT_GT(looks, 0);
}

// At rest, jammed with tangents that do not yield, the steps of conjugate gradients become stiffer
// by themselves; nothing else has to help.
TEST(Bed, AtRestIsSolvedFromTheLastImpulses) {
  const Scene scene = MakeBed(4, 6, kSoft, "iterative");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int step = 0; step < 150; ++step) simulator.Step();
  for (int step = 0; step < 20; ++step) {
    simulator.Step();
    const SolveStats& stats = simulator.solution().stats;
    EXPECT_EQ(simulator.solution().status, SolveStatus::kSolved);
    EXPECT_EQ(stats.friction_passes, 0) << step;
    EXPECT_EQ(stats.fallbacks, 0) << step;
  }
}

// Where the last impulses are nearly right, Newton's steps with a factor come at once; where they
// are far off, those of conjugate gradients come first.
TEST(Bed, UsesAFactorWhereTheLastImpulsesAreNearlyRight) {
  const Scene scene = MakeBed(7, 8, kSoft, "auto");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  while (simulator.state().t < 0.16) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const VelocityProblem& problem = simulator.problem();
  const VecX last = simulator.solution().gamma;
  const auto solve = [&](double off) {
    VecX start = last;
    for (int i = 0; i < start.size(); ++i) start[i] *= 1 + off * std::sin(3.0 * i);
    Compliant compliant(testing::AllDigits<CompliantSettings>());
    Solution out;
    compliant.Solve(problem, start, &out);
    EXPECT_EQ(out.status, SolveStatus::kSolved) << off;
    return out.stats;
  };
  const SolveStats near = solve(1e-4), far = solve(1);
  EXPECT_EQ(near.linear_iterations, 0);
  EXPECT_GT(near.factorizations, 0);
  EXPECT_EQ(near.fallbacks, 0);
  EXPECT_GT(far.linear_iterations, 0);
}

TEST(Bed, MovesTheSameEveryTime) {
  const Scene scene = MakeBed(4, 4, kSoft, "iterative");
  Simulator first(scene.model, scene.settings, scene.initial);
  Simulator second(scene.model, scene.settings, scene.initial);
  for (int step = 0; step < 40; ++step) {
    first.Step();
    second.Step();
    ASSERT_EQ(first.state().q, second.state().q);
    ASSERT_EQ(first.solution().stats.linear_iterations, second.solution().stats.linear_iterations);
  }
}

TEST(Bed, AllocatesNothingOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const Scene scene = MakeBed(4, 4, kSoft, "auto");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int step = 0; step < 40; ++step) simulator.Step();
  for (InnerSolver inner : {InnerSolver::kIterative, InnerSolver::kBlockSparse}) {
    CompliantSettings settings = testing::AllDigits<CompliantSettings>();
    settings.inner = inner;
    Compliant compliant(settings);
    Solution solution;
    const VecX none;
    for (int i = 0; i < 2; ++i) compliant.Solve(simulator.problem(), none, &solution);
    const long before = testing::CountAllocations();
    compliant.Solve(simulator.problem(), none, &solution);
    EXPECT_EQ(testing::CountAllocations(), before);
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
  }
}

}  // namespace
}  // namespace voigt
