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
constexpr char kRolling[] = "{stiffness: 2e5, damping: 100, friction: 0.5, rolling_friction: 1e-3}";
constexpr char kHertz[] = "{law: hertz, hertz_stiffness: 1e7, friction: 0.5}";

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

// Large beds are swept, and nothing is factored, to either accuracy and with any law of contact.
TEST(Bed, OfManyFreeBodiesIsSwept) {
  for (const char* material : {kSoft, kRolling, kHertz}) {
    const Scene scene = MakeBed(5, 6, material, "auto");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    for (int step = 0; step < 80; ++step) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      if (step < 40 || step % 10 != 0) continue;
      SCOPED_TRACE(fmt::format("{}, step {}", material, step));
      EXPECT_EQ(simulator.solution().stats.factorizations, 0);
      const VelocityProblem& problem = simulator.problem();
      const Solution direct = SolveBed(problem, InnerSolver::kBlockSparse);
      ASSERT_EQ(direct.status, SolveStatus::kSolved);
      const double largest = direct.v1.lpNorm<Eigen::Infinity>();
      EXPECT_LT((simulator.solution().v1 - direct.v1).lpNorm<Eigen::Infinity>(), 1e-6 * largest);
      Compliant compliant(testing::AllDigits<CompliantSettings>());
      Solution swept;
      compliant.Solve(problem, simulator.solution().gamma, &swept);
      EXPECT_EQ(swept.status, SolveStatus::kSolved);
      EXPECT_LE(swept.residual, 1e-12);
      EXPECT_EQ(swept.stats.factorizations, 0);
      EXPECT_LT((swept.v1 - direct.v1).lpNorm<Eigen::Infinity>(), 1e-9 * largest);
    }
    EXPECT_GT(simulator.problem().row_count(), 700);
    EXPECT_EQ(simulator.solution().stats.islands, 1);
  }
}

// What the bodies answer to a small push is the same with sweeps as with a factor where all
// contacts slide freely, or stick.
TEST(Bed, AnswersAlikeWithAndWithoutAFactor) {
  for (const char* material : {"{stiffness: 2e5, damping: 100, friction: 0}",
                               "{stiffness: 2e5, damping: 100, friction: 3}",
                               "{law: hertz, hertz_stiffness: 1e7, friction: 0}"}) {
    const Scene scene = MakeBed(5, 5, material, "auto");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    for (int step = 0; step < 300; ++step) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const VelocityProblem& problem = simulator.problem();
    VecX push(problem.nv());
    for (int k = 0; k < push.size(); ++k) push[k] = std::sin(1.7 * k);
    VecX answer[2] = {push, push};
    for (int k = 0; k < 2; ++k) {
      CompliantSettings settings = testing::AllDigits<CompliantSettings>();
      if (k == 1) settings.inner = InnerSolver::kBlockSparse;
      Compliant compliant(settings);
      Solution solution;
      compliant.Solve(problem, simulator.solution().gamma, &solution);
      ASSERT_EQ(solution.status, SolveStatus::kSolved);
      EXPECT_EQ(solution.stats.sweeps > 0, k == 0);
      VecX gamma = VecX::Zero(problem.row_count());
      compliant.SolveHeld(problem, &answer[k], &gamma);
    }
    EXPECT_LT((answer[0] - answer[1]).norm(), 1e-4 * answer[1].norm()) << material;
  }
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
  for (const char* solver : {"block-sparse", "auto"}) {
    const Scene scene = MakeBed(5, 4, kSoft, solver);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    double before = 0, after = 0;
    for (int step = 0; step < 100; ++step) {
      before = after;
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      after = CalcVerticalMomentum(simulator);
    }
    EXPECT_EQ(simulator.solver().not_solved, 0) << solver;
    EXPECT_EQ(simulator.audit().failed, 0) << solver;
    EXPECT_EQ(simulator.solver().sweeps > 0, std::string(solver) == "auto");

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

// At rest, jammed with tangents that do not yield: nothing else has to help.
TEST(Bed, AtRestIsSolvedFromTheLastImpulses) {
  const Scene scene = MakeBed(4, 6, kSoft, "block-sparse");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int step = 0; step < 150; ++step) simulator.Step();
  for (int step = 0; step < 20; ++step) {
    simulator.Step();
    const SolveStats& stats = simulator.solution().stats;
    EXPECT_EQ(simulator.solution().status, SolveStatus::kSolved);
    EXPECT_EQ(stats.friction_passes, 0) << step;
    EXPECT_LE(stats.solved_by, Attempt::kLastImpulses) << step;
  }
}

TEST(Bed, MovesTheSameEveryTime) {
  const Scene scene = MakeBed(5, 4, kSoft, "auto");
  Simulator first(scene.model, scene.settings, scene.initial);
  Simulator second(scene.model, scene.settings, scene.initial);
  for (int step = 0; step < 40; ++step) {
    first.Step();
    second.Step();
    ASSERT_EQ(first.state().q, second.state().q);
    ASSERT_EQ(first.solution().stats.sweeps, second.solution().stats.sweeps);
  }
}

TEST(Bed, AllocatesNothingOnceWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const Scene scene = MakeBed(5, 4, kSoft, "auto");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int step = 0; step < 40; ++step) simulator.Step();
  for (InnerSolver inner : {InnerSolver::kAuto, InnerSolver::kBlockSparse}) {
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
