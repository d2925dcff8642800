// What a step would do if something were a little different, and which forces explain a motion that
// was measured: on a block that slides over a floor. docs/derivatives_and_forces.md goes through
// it.
//
//   derivatives_and_forces scenes/sliding_block.yaml

#include <fmt/format.h>

#include <exception>

#include "voigt/formulations/compliant/compliant.h"
#include "voigt/sim/estimate_forces.h"
#include "voigt/voigt.h"

namespace voigt {
namespace {

// The speed along x after the step of this problem, with μ of all contacts changed.
double SpeedWith(VelocityProblem problem, double change) {
  for (RowGroup& group : problem.groups) group.mu += change;
  Compliant compliant;
  Solution solution;
  compliant.Solve(problem, VecX(), &solution);
  return solution.v1[0];
}

void PrintDerivative(const Scene& scene) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  simulator.Step();
  const VelocityProblem& problem = simulator.problem();

  // Solve, and ask the same object: it keeps what the solution was made of.
  Compliant compliant;
  Solution solution;
  compliant.Solve(problem, VecX(), &solution);
  Perturbation change;
  change.dmu = VecX::Ones(static_cast<int>(problem.groups.size()));  // of all contacts alike
  VecX dv1;
  if (!compliant.CalcDerivative(problem, solution, change, &dv1)) {
    fmt::print("no derivative here\n");
    return;
  }
  const double e = 1e-4, difference = (SpeedWith(problem, e) - SpeedWith(problem, -e)) / (2 * e);
  fmt::print("dv/dmu     {:10.6f} m/s, by differences {:10.6f}\n", dv1[0], difference);
}

void PrintForces(const Scene& scene) {
  // A measured motion: it slides at 1 m/s and loses 2.45 m/s each second.
  State state = scene.initial;
  VecX v_dot = VecX::Zero(scene.model.nv());
  v_dot[0] = -2.45;
  ForceEstimator estimator(scene.model);
  if (!estimator.Update(state, v_dot)) {
    fmt::print("no forces to be found\n");
    return;
  }
  double normal = 0;
  VecX on_rates = VecX::Zero(scene.model.nv());
  estimator.problem().AddTransposed(estimator.lambda(), &on_rates);
  for (const RowGroup& group : estimator.problem().groups) {
    normal += estimator.lambda()[group.first_row];
  }
  fmt::print("normal     {:10.6f} N\n", normal);
  fmt::print("friction   {:10.6f} N\n", on_rates[0]);
  fmt::print("left over  {:10.1e} m/s²\n", estimator.unexplained().cwiseAbs().maxCoeff());

  // More than friction can do: the rest is told.
  v_dot[0] = -3;
  estimator.Update(state, v_dot);
  fmt::print("left over  {:10.6f} m/s² of a motion that friction cannot explain\n",
             estimator.unexplained()[0]);
}

}  // namespace
}  // namespace voigt

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: derivatives_and_forces scenes/sliding_block.yaml\n");
    return 2;
  }
  try {
    const voigt::Scene scene = voigt::LoadScene(argv[1]);
    voigt::PrintDerivative(scene);
    voigt::PrintForces(scene);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
