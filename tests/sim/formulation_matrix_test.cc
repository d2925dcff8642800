// Every formulation on every scene, for some steps: solved, and beside `compliant` no farther away
// than their laws are. Exact cones must agree; polyhedral ones lose up to 1 − cos(π/n) of friction
// between their corners, 0.3 for four, and so may be off by as much of μ g t²/2. Maximum
// dissipation is a law of its own, and so is minimum norm, whose normal forces are larger than
// their laws wherever something slides.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/all_digits.h"
#include "tests/support/scenes.h"

namespace voigt {
namespace {

constexpr int kSteps = 12;
constexpr int kLarge = 260;  // rows from which dense matrices are for the patient

struct MatrixRun {
  State end;
  int steps = 0, rows = 0;
  long not_solved = 0;
  double residual = 0;
};

MatrixRun RunSteps(Scene scene, FormulationKind kind, int steps) {
  scene.settings.formulation = {};
  scene.settings.formulation.kind = kind;
  testing::AskForAllDigits(&scene.settings.formulation);
  Simulator simulator = testing::MakeSimulator(scene);
  MatrixRun out;
  for (; out.steps < steps; ++out.steps) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    out.rows = simulator.solver().most_rows;
    if (out.rows > kLarge) break;
  }
  out.end = simulator.state();
  out.not_solved = simulator.solver().not_solved;
  out.residual = simulator.solver().worst_residual;
  return out;
}

bool HasPolygons(FormulationKind kind) {
  return kind != FormulationKind::kMncpRlm && kind != FormulationKind::kMncpPlm;
}

// Servos within bounds, spin and rolling beside rigid friction: weights that differ by 10¹² and
// more.
bool LacksDigitsByLeastForces(const std::string& scene) {
  for (const char* name :
       {"card_house", "hand_and_glass", "pickers", "rolling_ball", "spinning_ball"}) {
    if (scene == name) return true;
  }
  return false;
}

class FormulationMatrix : public ::testing::TestWithParam<std::string> {};

TEST_P(FormulationMatrix, SolvesAndAgreesWithCompliant) {
  const Scene scene = testing::LoadNamedScene(GetParam());
  if (scene.settings.integrator != Integrator::kSemiImplicitEuler) return;
  const MatrixRun reference = RunSteps(scene, FormulationKind::kCompliant, kSteps);
  if (reference.rows > kLarge) return;
  for (FormulationKind kind : ListFormulationKinds()) {
    // Maximum dissipation is another law: it may leave out friction that Coulomb's has.
    const bool is_other_law =
        kind == FormulationKind::kMaxDissipation || kind == FormulationKind::kCompliantQcqp;
    if (kind == FormulationKind::kCompliant) continue;
    SCOPED_TRACE(std::string(ToString(kind)));
    const MatrixRun run = RunSteps(scene, kind, kSteps);
    const bool lacks_digits =
        kind == FormulationKind::kCompliantQcqp && LacksDigitsByLeastForces(GetParam());
    EXPECT_LT(run.residual, lacks_digits ? 1e-4 : 1e-10);
    EXPECT_TRUE(!lacks_digits || run.not_solved > 0);  // and says so
    // A step that misses its tolerance says so, and misses it by little.
    EXPECT_TRUE(is_other_law || run.not_solved == 0 || run.residual < 1e-11) << run.not_solved;
    if (is_other_law || run.steps < kSteps)
      continue;  // more foreseen contacts than in the reference
    const double t = kSteps * scene.settings.step;
    double allowed = HasPolygons(kind) ? 0.15 * 9.81 * t * t : 0;
    // Friction turns the coin about its small radius. It spins so fast that the bend of its path
    // within a step counts, for which formulations know sliding friction more or less well.
    if (GetParam() == "spinning_coin") allowed = HasPolygons(kind) ? 3e-4 : 3e-5;
    EXPECT_LT((run.end.q - reference.end.q).cwiseAbs().maxCoeff(),
              allowed + 1e-8 * (1 + reference.end.q.cwiseAbs().maxCoeff()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, FormulationMatrix, ::testing::ValuesIn(testing::ListNamedScenes()),
                         [](const auto& entry) { return entry.param; });

}  // namespace
}  // namespace voigt
